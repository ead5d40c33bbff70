// The memory half of lowering: regions with their weight bytes, tensors with absolute places.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include <detent/desc.h>

#include "models/core/model.hpp"
#include "models/lower/op_names.hpp"

namespace detent::models {

struct FreeDeleter {
  void operator()(void* memory) const { std::free(memory); }
};

struct LoweredTensors {
  std::vector<detent_region> regions;
  std::vector<detent_tensor> tensors;
  std::vector<std::unique_ptr<void, FreeDeleter>> weight_memory;  ///< behind the WEIGHTS regions' data
};

/// Bytes of one block. A dense tensor may leave block_bytes 0: its one block is the whole extent.
inline std::uint64_t block_bytes_of(const Tensor& tensor) {
  return tensor.block_bytes == 0 && tensor.block_count == 1 ? tensor.size_bytes : tensor.block_bytes;
}

/// @param model         checked by check_model_tables
/// @param with_weights  false: WEIGHTS regions hold zeros that cost no memory until touched
/// @throws InputError   a tensor without a place; weights that do not fit memory
/// @note  No lifetimes are claimed yet. @see lower_lifetimes.hpp
LoweredTensors lower_tensors(const Model& model, NamePool& pool, bool with_weights);

}  // namespace detent::models
