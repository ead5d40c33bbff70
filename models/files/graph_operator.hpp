// Operators in op graph files: "kernel": "silu", "dtype": "f16", "shape": [13, 4], "strides": [[10, 1], [4, 1]].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <detent/operator.h>

#include "base/json.hpp"
#include "models/core/model.hpp"

namespace detent::models {

/// An operator as the file gives it: its descriptor, and where messages about it belong.
struct GraphOperator {
  detent_operator descriptor{};
  std::uint64_t element_bytes = 0;
  JsonValue place;
};

/// The keys of an op that names a kernel; none where it names none.
/// @throws InputError  no such kernel or type, impossible numbers, keys of a kernel without one
std::optional<GraphOperator> read_operator(JsonObject& op);

/// Make `op`, whose ranges have been read, execute the operator.
/// @throws InputError  other numbers of ranges, or ranges of another size or alignment, than it has operands; an output
/// with gaps or elements that share a place, or one that overwrites an input in any other way than being it
void apply_operator(const GraphOperator& wanted, const Model& model, Op& op);

/// A number that is read back as a real one, so that the sign of 0 stays.
std::string real_text(double value);

/// `, "kernel": "silu", ...` for the op's line in a file; "" where it executes no operator.
std::string operator_text(const Op& op);

}  // namespace detent::models
