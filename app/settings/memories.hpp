// [[memories]] of a settings file: classes of cores with a memory of their own -> copies between it and the rest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/model.hpp"

namespace detent {
class TomlReader;
}

namespace detent::app {

/// One row.
struct MemoryRule {
  std::string core_class{};          ///< whose ops are in the memory
  std::string copied_by{};           ///< class of the ops that copy
  std::uint64_t capacity_bytes = 0;  ///< the plan of the memory may be no larger; 0: any
  std::uint32_t align_bytes = 1;     ///< of every tensor in it, at least
};

/// @throws std::invalid_argument  names file and line
std::vector<MemoryRule> read_memories(const TomlReader& top);

/// Give the classes their memories, in the order of the rules, and plan the model anew.
/// @return  for people: "14 copy ops into and out of the memory of npu (1.2 MiB)"
/// @throws std::invalid_argument  no op is of a class, a model that cannot have such memories, a capacity that is too
///         small
std::string apply_memories(const std::vector<MemoryRule>& rules, const std::string& path, models::Model& model);

}  // namespace detent::app
