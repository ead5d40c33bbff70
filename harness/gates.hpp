// Gates: native runs in which an op begins only after another has ended, so that a constraint ("op 7 before op 3") is
// all that is needed to repeat a failing order on real threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include <detent/detent.h>

#include "base/ids.hpp"

namespace detent::harness {

/// `op` begins only after `after` has ended.
struct Gate {
  OpId op = 0;
  std::uint32_t after = 0;
};

struct GateOptions {
  std::vector<Gate> gates{};
  std::vector<bool> skipped{};         ///< [op_count] ops that compute nothing; empty: none
  bool observe = false;                ///< hash what each op reads and writes
  std::uint64_t watchdog_ms = 10'000;  ///< an op held for longer runs anyway, and expired() says so
};

/// What one op saw in the last run.
struct Observation {
  std::uint64_t read = 0;   ///< XXH3-64 over its inputs when it began
  std::uint64_t wrote = 0;  ///< over its outputs when it had ended
  bool operator==(const Observation&) const = default;
};

/// A back end around others. A held op keeps its worker; gates that hold as many ops as there are workers wait for
/// the watchdog, so refuse those before (verify/explore/ops/space/reach.hpp).
class GatedBackend {
 public:
  /// @param inner  asked in turn; the built-in kernels serve the rest. Only back ends without `dispatch`
  GatedBackend(std::vector<detent_backend> inner, std::uint32_t op_count, GateOptions options);
  GatedBackend(const GatedBackend&) = delete;
  GatedBackend& operator=(const GatedBackend&) = delete;

  /// Points to this object.
  [[nodiscard]] detent_backend backend();
  /// Close all gates and forget what was seen. Before each run.
  void arm();
  /// The watchdog opened a gate in this run.
  [[nodiscard]] bool expired() const { return expired_; }
  /// By op; zeros unless observed. Between runs.
  [[nodiscard]] const std::vector<Observation>& observations() const { return observations_; }

 private:
  detent_status resolve(const char* name, detent_entity* entity) const;
  std::int32_t execute(const detent_entity& entity);
  void wait_for_gates(OpId op);
  void open_gates(OpId op);

  std::vector<detent_backend> inner_;
  GateOptions options_;
  std::vector<std::vector<std::uint32_t>> awaited_;  // by op: ops that must have ended
  std::vector<bool> is_awaited_;                     // by op
  std::vector<Observation> observations_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::vector<bool> has_ended_;  // under mutex_
  bool expired_ = false;         // under mutex_
};

}  // namespace detent::harness
