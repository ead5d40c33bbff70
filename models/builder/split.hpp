// Split: heavy ops become several ops that each compute a band of rows of the same tensor.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/core/model.hpp"

namespace detent::models {

struct SplitOptions {
  std::uint32_t bands = 2;
  std::uint64_t min_flops = 4'000'000;  ///< of an op, to be worth a split; a band should outlast its dispatch by far.
                                        ///< An eighth of it for depthwise convolutions, which move more per operation
  std::uint64_t min_bytes = 1'000'000;  ///< or of its output, for ops that only move data
};

/// Replace every heavy op that writes a whole C16 image (convolution, pool, upsample, element-wise) by `bands` ops that
/// write disjoint bands of rows, "name#0", "name#1", ... A band reads exactly the input rows it needs, halo included,
/// through views, and edges are derived again from bytes: bands of neighbouring layers depend on each other only where
/// their rows meet, so layers overlap. Ops with fewer output rows than bands stay whole. Results are those of the
/// unsplit model up to rounding. To be called before plan_memory; op ids change, names stay recognisable.
///
/// @param model  edges derived by derive_edges alone (given edges would be lost)
/// @return       number of ops that were split; 0: the model is unchanged
/// @throws std::invalid_argument  bands == 0 or more than 64
std::size_t split_rows(Model& model, const SplitOptions& options = {});

}  // namespace detent::models
