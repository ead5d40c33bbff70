// A Model of F32 and int8 kernels -> a file of ONNX that computes the same with the same weights.
#pragma once

#include <string>

#include "models/core/model.hpp"

namespace detent::bench {

struct ExportOptions {
  /// Of int8 kernels: each result ends where the op's range ends, and tables are looked up. It is the form whose
  /// outputs are compared. The other form is what ONNX Runtime is quick at: a byte behind ReLU or ReLU6 may reach up to
  /// 255, which spares a node per layer, and SiLU is QLinearSigmoid and QLinearMul.
  bool is_exact = true;
};

/// One node per kernel, and nodes of their own for activations, residuals, and views that are slices or
/// concatenations. Images and the weights of convolutions are in NCHW. Inputs and outputs keep names and dims.
///
/// int8 kernels become QLinearConv, QGemm, QLinearAdd and their like on unsigned bytes (int8.hpp). An output of I8
/// becomes floats: its elements, in quantisation steps.
///
/// @param model  as its builder leaves it: not split into bands
/// @throws InputError  names a kernel, activation or view that has no counterpart, and the op or tensor
[[nodiscard]] std::string export_onnx(const models::Model& model, const ExportOptions& options = {});

}  // namespace detent::bench
