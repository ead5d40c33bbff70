// Op graph: what remains of a planned Model when kernels are left away; ops, byte ranges, times, edges.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/model.hpp"

namespace detent::models {

/// The tensor of op graphs that stands for bytes [offset, offset + size) of a region of `graph`, named after the values
/// that they hold and the place. @param values  of graph.value_names; none: bytes without a name
Tensor range_tensor(const Model& graph, std::uint32_t region, std::uint64_t offset, std::uint64_t size,
                    const std::vector<std::uint32_t>& values);

/// The op graph of a planned model: each op reads and writes the absolute byte ranges that it touches (a strided view
/// becomes one range per block), scratch counts as written, weights are left out. Times, releases, priorities, mutexes
/// and edges stay. The result is what format_graph writes; checks find the same races in it.
/// @throws InputError  a tensor without a place
Model to_op_graph(const Model& model);

}  // namespace detent::models
