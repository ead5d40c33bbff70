// Memories: a class of cores that has a memory of its own, and ops that copy what passes between it and the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "models/core/model.hpp"

namespace detent::models {

/// A memory that only ops of one class read and write, and the copies into and out of it.
struct ClassMemory {
  std::string core_class{};       ///< whose ops are in it
  std::string copied_by{};        ///< class of the ops that copy
  std::uint32_t align_bytes = 1;  ///< of every tensor in it, at least; a power of two
};

/// Why a model's ops cannot get a memory of their own; null: they can.
[[nodiscard]] const char* memory_fault(const Model& model);

/// Give the ops of a class tensors in a region of their own, and let ops of kernel "copy_blocks" bring there what
/// others write and back what others read. A copy follows the op that writes its bytes, under the same guard; of an op
/// that may fail only where it has not, so that its fallback, on either side, finds room for its own. Weights
/// stay where they are, as memory that both read, and so do decisions, which the engine reads. The model is planned
/// anew, each memory by itself; the program order is the topological one with the lowest id first, so ids of ops
/// change.
/// @param model  has no fault
/// @return  how many copies there are; 0: no op is of the class, and nothing has changed
std::size_t add_memory(Model& model, const ClassMemory& memory);

}  // namespace detent::models
