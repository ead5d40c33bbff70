// --set FILE: kernels, priorities, core classes and workers of ops, by name or pattern, fallbacks of ops that may fail,
// memories of classes, and what transfers between classes take -> a Model that has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings/fallbacks.hpp"
#include "app/settings/kernels.hpp"
#include "app/settings/memories.hpp"
#include "app/settings/transfers.hpp"
#include "models/core/model.hpp"

namespace detent::app {

/// Workers by their bits.
struct WorkerSet {
  std::uint32_t bits = 0;
  bool operator==(const WorkerSet&) const = default;
};

/// One row of a settings file.
struct OpSetting {
  std::string pattern{};  ///< a name, or a pattern: * stands for any letters, ? for one
  std::optional<std::int32_t> priority{};
  std::optional<std::string> core_class{};
  std::optional<WorkerSet> workers{};
};

/// A settings file.
struct OpSettings {
  std::vector<KernelRule> kernels{};      ///< in the order of their patterns
  std::vector<OpSetting> ops{};           ///< likewise
  std::vector<FallbackRule> fallbacks{};  ///< in the order of the file
  std::vector<MemoryRule> memories{};     ///< likewise
  std::vector<TransferRule> transfers{};  ///< likewise
};

/// `detent.set/1` (TOML).
/// @throws std::invalid_argument  names file and line
OpSettings parse_op_settings(std::string_view text, const std::string& file);
/// The same of a file. @throws std::invalid_argument  also where there is none, or it is of another kind
OpSettings read_op_settings(const std::string& path);

/// What the rows of a file did.
struct AppliedRows {
  std::string summary{};          ///< for people: "priority of 3 ops, class of 1 op"; empty: nothing
  std::vector<bool> has_class{};  ///< by op: a row names its class
};

/// Give the ops what the rows say: one with an op's own name, else what all patterns say that match it.
/// @param path  of the file, for messages
/// @throws std::invalid_argument  a row that names no op; two patterns that say different things of one op
AppliedRows apply_rows(const OpSettings& settings, const std::string& path, models::Model& model);

/// What choose_kernels did.
struct KernelChoice {
  std::string summary{};    ///< for people, "conv2d_winograd_f32 of 32 ops from FILE"; empty: every op has its own
  bool by_default = false;  ///< the default decided, of some op
};

/// Let the ops of a model that is not split yet have the kernels of a file, and by default those that pay
/// (apply_kernels).
/// @param path         empty: no file
/// @param by_default   ops that the file says nothing of are computed by conv2d_winograd_f32 where it pays; not where
///                     the file gives ops a class, and where ops may fail, whose fallbacks compute the same bits
/// @throws std::invalid_argument  as read_op_settings and apply_kernels
KernelChoice choose_kernels(const std::string& path, bool by_default, models::Model& model);

/// Read a file; apply its rows, then its fallbacks, its memories and its transfers. Its kernels were chosen before
/// (choose_kernels).
/// @return  what was set, for people: "priority of 3 ops, class of 1 op, transfers on 2 edges from FILE"; empty: it has
///          kernels alone
/// @throws std::invalid_argument  as read_op_settings, apply_rows, apply_fallbacks, apply_memories and
///         apply_transfers
std::string apply_op_settings(const std::string& path, models::Model& model);

}  // namespace detent::app
