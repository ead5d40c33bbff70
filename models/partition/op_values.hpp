// What the op types of plan cases compute.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace detent::models::partition {

/// For messages.
inline constexpr std::string_view kOpTypes = "ADD, MUL, SUB, NEG, COPY, LESS, EQUAL, OP<number>";

/// A type that computes: all but IF and WHILE.
bool is_op_type(std::string_view type);
/// None: any number (OP<k>).
std::optional<std::size_t> input_count(std::string_view type);
/// In double precision; truth values are 1 and 0. OP<k>: k + sum of place (from 1) times value.
double op_value(std::string_view type, std::span<const double> inputs);

}  // namespace detent::models::partition
