// Scratch layout: where the scratch buffers of one operator function go when the plan is made anew.
#pragma once

#include <cstdint>
#include <vector>

#include "models/import/tvm/module/module_text.hpp"

namespace detent::models::tvm {

/// Of one function: some buffers become local arrays, the others stand in one block that each call gets.
struct ScratchLayout {
  std::uint64_t block_bytes = 0;  ///< 0: needs none
  std::uint64_t stack_bytes = 0;
  std::uint64_t local_buffers = 0, moved_buffers = 0;
  bool is_opaque = false;      ///< not understood: keeps its offsets and gets a whole pool
  std::vector<bool> is_local;  ///< by pool use of the footprint
  std::vector<Edit> edits;     ///< of the operators' text
};

/// @param is_scratch_pool  by parameter: a workspace pool stands there
/// @param stack_limit_bytes  buffers go to the stack, smallest first, while they fit together
/// @param keeps_offsets  what becomes no local array stays where it is in its pool; there is no block
/// @throws InputError  an offset that the text does not give as one literal; file and line
ScratchLayout lay_out_scratch(const CUnit& unit, const FunctionFootprint& footprint,
                              const std::vector<bool>& is_scratch_pool, std::uint64_t stack_limit_bytes,
                              bool keeps_offsets = false);

}  // namespace detent::models::tvm
