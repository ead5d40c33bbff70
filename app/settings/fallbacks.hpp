// [[fallbacks]] of a settings file: ops of one class of cores may fail, and another class then computes them again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/core/model.hpp"

namespace detent {
class TomlReader;
}

namespace detent::app {

/// Ops of a class of cores, and the class that stands in for it.
struct FallbackRule {
  std::string from{};             ///< class of cores whose ops may fail
  std::string to = "cpu";         ///< another one, which computes again what has failed
  std::string ops = "*";          ///< a name or a pattern (matches): those of them that have a fallback
  double slower = 0;              ///< times as long as the op, where that has a time of its own alone; 0: not said
  std::uint64_t watchdog_ps = 0;  ///< after so long the op has failed; 0: nobody watches
  bool operator==(const FallbackRule&) const = default;
};

/// The tables [[fallbacks]] of a file. @throws std::invalid_argument  names file and line
std::vector<FallbackRule> read_fallbacks(const TomlReader& top);

/// Give each op that a rule is of a fallback (models/devices/fallbacks.hpp) on the class of the first such rule. Ops
/// have the classes that they keep.
/// @param path  of the file, for messages
/// @return  ops that have one now
/// @throws std::invalid_argument  an op that can have none, or whose own time says nothing of the other class; a rule
///         that is of no op; static schedules, which do not list the new ops
std::size_t apply_fallbacks(const std::vector<FallbackRule>& rules, const std::string& path, models::Model& model);

}  // namespace detent::app
