// 3x3 convolutions by F(4x4, 3x3), chosen ahead of time: another kernel, transformed weights, and scratch.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "models/core/model.hpp"

namespace detent::models {

/// Why "conv2d_winograd_f32" cannot compute an op in place of its kernel; null: it can.
[[nodiscard]] const char* winograd_fault(const Model& model, const Op& op);

/// Tiles of 4x4 output pixels of an op without fault: each weight is used so often.
[[nodiscard]] std::uint64_t winograd_tiles(const Op& op);

/// Let "conv2d_winograd_f32" compute these ops. Weights that no other op reads are transformed where they are, others
/// beside them; drawn ones stay drawn. The ops count fewer operations, and have scratch.
/// @param ops    without fault
/// @param model  must be planned anew
void use_winograd(Model& model, const std::vector<OpId>& ops);

/// Size the scratch tensor of an op that the kernel computes, a new one where it has none, to its tiles and to what an
/// L2 cache holds.
void give_winograd_scratch(Model& model, Op& op);

}  // namespace detent::models
