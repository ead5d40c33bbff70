// Split: heavy ops become several ops that each compute a band of the same tensor: rows, channels or columns.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/core/model.hpp"

namespace detent::models {

struct SplitOptions {
  std::uint32_t bands = 2;
  std::uint64_t min_flops = 4'000'000;  ///< of an op, to be worth a split; a band should outlast its dispatch by far.
                                        ///< An eighth of it for depthwise convolutions, which move more per operation
  std::uint64_t min_bytes =
      1'000'000;  ///< or of its output, for ops that only move data; of a product, or of the matrix
};

/// Replace every heavy op that writes a whole C16 image (convolution, pool, upsample, element-wise) or is a product
/// with a matrix of weights by `bands` ops that write disjoint parts of its output, "name#0", "name#1", ..., through
/// views; edges are derived again from bytes. What an op is cut along follows from its shape and from the number of
/// bands alone:
/// - Rows. A band reads exactly the input rows it needs, halo included: bands of neighbouring layers depend on each
/// other
///   only where their rows meet, so layers overlap. Every band reads all weights.
/// - Channels, in blocks of 16: convolutions without groups, and depthwise ones. A band has the weights of its own
/// channels
///   and reads all of the input; of a depthwise one, its own channels. So are cut ops with fewer rows than bands, and
///   those with weights larger than their input where the largest band of rows has an eighth more than its share, or
///   with weights eight times as large as their input; a depthwise convolution where its input was. Never where the
///   largest band of rows is smaller.
/// - Columns, 64 or a multiple: products of a matrix. A band reads all of the left matrix and its own columns of the
/// right. Ops with fewer parts than bands stay whole. Each output adds up in the order of the whole op, so it has its
/// bits. To be called before plan_memory; op ids change, names stay recognisable.
///
/// @param model  edges derived by derive_edges alone (given edges would be lost)
/// @return       number of ops that were split; 0: the model is unchanged
/// @throws std::invalid_argument  bands == 0 or more than 64
std::size_t split_rows(Model& model, const SplitOptions& options = {});

}  // namespace detent::models
