// Views of parts of tensors: rows or channels of an image, columns of a matrix, a stretch of the first axis of weights.
#pragma once

#include <cstdint>
#include <string>

#include "models/core/model.hpp"

namespace detent::models {

/// From `begin` to before `end`.
struct Range {
  std::int32_t begin, end;
  [[nodiscard]] std::int32_t count() const { return end - begin; }
};

/// A whole image in C16: bytes without gaps.
[[nodiscard]] bool is_dense_image(const Tensor& tensor);

/// Each appends a view to the model's tensors and returns its id. It has the role of what it views, but for inputs and
/// outputs, parts of which are activations.

/// @param image  is_dense_image
std::uint32_t view_of_rows(Model& model, std::uint32_t image, Range rows, const std::string& name);
/// Blocks of 16 channels, the last of which may hold fewer. @param image  is_dense_image
std::uint32_t view_of_channels(Model& model, std::uint32_t image, Range blocks, const std::string& name);
/// @param matrix  PLAIN and dense, [rows, columns]
std::uint32_t view_of_columns(Model& model, std::uint32_t matrix, Range columns, const std::string& name);
/// @param tensor  dense, and its first axis is the outermost one in memory
std::uint32_t view_of_first_axis(Model& model, std::uint32_t tensor, Range range, const std::string& name);

}  // namespace detent::models
