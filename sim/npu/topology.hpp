// Layer lists of networks as CSV text -> Layers.
#pragma once

#include <string>
#include <vector>

#include "sim/npu/shape.hpp"

namespace detent::sim::npu {

/// Read a list of layers, one per line, in either form of the public topology files:
///
///     Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides[, Stride
///     Width], Layer, M, N, K,
///
/// A first line whose second cell is no number is a heading; a trailing comma, blank lines and lines that begin with #
/// are passed over. A layer whose name contains DP is depthwise: one layer of one channel for each channel.
/// @param file  name for messages
/// @throws std::invalid_argument  "file:line: what; remedy"; also when no layer is left
std::vector<Layer> parse_layers(const std::string& text, const std::string& file);

}  // namespace detent::sim::npu
