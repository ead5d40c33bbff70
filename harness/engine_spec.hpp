// EngineSpec: how the engine is set up. One description for native runs, simulations, explorations and replay lines.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <detent/detent.h>

#include "harness/instance.hpp"

namespace detent::harness {

/// All that a user chooses of the engine. What is computed (Desc), on what (platform) and with what data is elsewhere.
struct EngineSpec {
  std::uint32_t workers = 0;  ///< engine threads; what 0 means, the owner says
  detent_mode mode = DETENT_MODE_CLOSED_LOOP;
  detent_scheduler scheduler = DETENT_SCHEDULER_ROLE;
  std::string policy = "id";                  ///< of policy_names()
  std::vector<std::uint32_t> order{};         ///< for policy "given": every op once
  std::optional<std::uint32_t> spin_limit{};  ///< pauses before a slot that waits goes to sleep; none: the port's own
  bool operator==(const EngineSpec&) const = default;
};

/// All randomness of a run: equal seeds, equal runs. What one run takes both of contains this; what takes one seed
/// alone says of what.
struct Seeds {
  std::uint64_t input = 0;     ///< of the model's inputs (harness/fill.hpp); decides the digest
  std::uint64_t schedule = 0;  ///< of jitter, the random policy and drawn schedules; the digest must not depend on it
  bool operator==(const Seeds&) const = default;
};

/// "serial", "layered", "closed-loop", "static".
const char* mode_name(detent_mode mode);
/// The mode in which a native run executes: serial where it has no workers, whatever else is chosen.
detent_mode native_mode(const EngineSpec& spec);
/// Is an op for some workers only (detent_op.workers)?
bool has_affinity(const detent_desc& desc);
/// Is there a worker for every op in a native run? No classes of workers; layered mode has no affinity.
bool has_workers_for(const EngineSpec& spec, const detent_desc& desc);
/// "role", "thread".
const char* scheduler_name(detent_scheduler scheduler);
/// "id", "priority", "critical-path", "fifo", "random", "given", in the order in which they are listed to users.
const std::vector<std::string>& policy_names();

/// One field of an EngineSpec as text. A new option of the engine is a member, a row here and, where the engine takes
/// it from its port or its configuration, a line in set_engine or set_port.
struct EngineField {
  const char* key;          ///< in replay lines; as an option with "--" before it
  const char* option_type;  ///< that --help shows; null: not an option that all commands share
  const char* help;
  bool is_simulated;  ///< false: a simulation does not take it
  /// @throws std::invalid_argument  what may stand there
  void (*read)(EngineSpec& spec, const std::string& text);
  std::string (*write)(const EngineSpec& spec);
};

/// Every field, once.
std::span<const EngineField> engine_fields();
/// @throws std::out_of_range  no field has this key
const EngineField& engine_field(const std::string& key);

/// Copy what detent_config takes, but the policy, which has a state (NamedPolicy).
void set_engine(const EngineSpec& spec, InstanceOptions& options);
/// Overwrite what the port decides where `spec` says otherwise.
void set_port(const EngineSpec& spec, detent_port& port);

}  // namespace detent::harness
