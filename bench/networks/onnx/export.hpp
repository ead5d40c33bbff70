// A Model of F32 kernels -> a file of ONNX that computes the same with the same weights.
#pragma once

#include <string>

#include "models/core/model.hpp"

namespace detent::bench {

/// One node per kernel, and nodes of their own for activations, residuals, and views that are slices or
/// concatenations. Images and the weights of convolutions are in NCHW. Inputs and outputs keep names and dims.
///
/// @param model  as its builder leaves it: not split into bands
/// @throws InputError  names a kernel, activation or view that has no counterpart, and the op or tensor
[[nodiscard]] std::string export_onnx(const models::Model& model);

}  // namespace detent::bench
