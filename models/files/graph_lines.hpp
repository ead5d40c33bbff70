// Lines of an op graph file on which its ops begin: where a finding stands for people and code review.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace detent::models {

/// By op id, from 1; 0: not found. Linear in the text.
/// @param text  what parse_graph takes, so that only its structure is looked at; any other text gives some answer
std::vector<std::uint32_t> graph_op_lines(std::string_view text, std::size_t op_count);

}  // namespace detent::models
