// --set FILE: priorities, core classes and workers of ops, by name or pattern -> a Model whose ops have them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// Rows of `detent.set/1` (TOML), in the order of their patterns.
/// @throws std::invalid_argument  names file and line
std::vector<OpSetting> parse_op_settings(std::string_view text, const std::string& file);

/// Does the pattern stand for this name as a whole?
bool matches(std::string_view pattern, std::string_view name);

/// Read a file and give the ops what it says: a row with an op's own name, else what all patterns say that match it.
/// @return  what was set, for people: "priority of 3 ops, class of 1 op from FILE"
/// @throws std::invalid_argument  a row that names no op; two patterns that say different things of one op
std::string apply_op_settings(const std::string& path, models::Model& model);

}  // namespace detent::app
