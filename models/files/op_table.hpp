// Op tables: CSV with an op a line, in layers or with predecessors -> op graph. Bits in docs/FORMATS.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/model.hpp"

namespace detent::models {

/// Edges that the predecessors and layers of one table may make.
inline constexpr std::uint64_t kMaxTableEdges = 8'000'000;

/// Read an op table: a heading, then an op a line with its name, time, class of cores, predecessors by name, layer.
///
/// As a Model it is an op graph without byte ranges: op i is the i-th line. Where layers are given, every op of a layer
/// precedes every op of the next one, and predecessors must lie in earlier layers.
/// @param file  named in errors
/// @throws InputError  no heading, an unknown or missing column, a cell that is none, a name that stands there twice or
///                     not at all, a cycle, a limit; line, column and remedy
Model parse_op_table(std::string_view text, const std::string& file);

/// Lines on which its ops stand, by op id, from 1. @param text  what parse_op_table takes
std::vector<std::uint32_t> op_table_lines(std::string_view text);

}  // namespace detent::models
