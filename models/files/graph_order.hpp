// check_order: the edges of a graph join different ops, stand there once, and close no cycle.
#pragma once

#include <string>

#include "models/core/model.hpp"

namespace detent::models {

/// @param model  edges refer to existing ops
/// @throws InputError  B21 self edge, B23 duplicate edge (both places named), B20 cycle (walked op by op)
/// @note   O(ops + edges), no recursion
void check_order(const Model& model, const std::string& file);

}  // namespace detent::models
