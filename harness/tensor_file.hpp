// Files of tensors: raw or .npy bytes <-> the blocks of a tensor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/detent.h>

#include "base/ids.hpp"

namespace detent::harness {

/// The blocks of a tensor, one after another.
struct TensorBytes {
  TensorId tensor = 0;
  std::string bytes{};
};

/// The blocks that the file `path` gives a tensor. A .npy file has the tensor's type and shape, in C order; of a tensor
/// in blocks of 16 channels the shape is [1,C,H,W] and the padding becomes 0; of bytes without a shape it is their
/// number. Every other file is taken as the blocks themselves, little-endian.
/// @throws InputError  another size, type or shape; a truth value that is neither 0 nor 1; what base/arrays/npy.hpp
/// refuses
std::string read_tensor_file(const std::string& path, const detent_tensor& tensor);

/// The file that holds `blocks`: a .npy file where `path` ends with ".npy", else the blocks themselves.
std::string format_tensor_file(const std::string& path, const detent_tensor& tensor, std::string blocks);

}  // namespace detent::harness
