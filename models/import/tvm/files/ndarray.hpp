// NDArrays as TVM serialises them: in parameters/*.params, and as bytes in the tables of metadata.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace detent::models::tvm {

/// A named constant: a weight of *.params.
struct NamedArray {
  std::string name;
  std::string dtype;  ///< "float32"; "custom" for types that this reader has no name for
  std::vector<std::int64_t> shape;
  std::string bytes;  ///< little-endian elements
};

/// DLPack's type: "int8", "uint8", "float32", "bfloat16", "bool" (one-bit unsigned); "" for other codes and vector
/// lanes.
std::string dtype_name(std::int64_t code, std::int64_t bits, std::int64_t lanes);

/// The NDArray at the beginning of `bytes`; what follows it is left.
/// @return  false: not an NDArray, cut off, or its sizes disagree
bool read_ndarray(std::string_view& bytes, NamedArray& out);

/// A dictionary of NDArrays (relay.save_param_dict).
/// @throws InputError  magic, counts or sizes are wrong; file and byte offset
std::vector<NamedArray> read_params(std::string_view bytes, const std::string& file);

}  // namespace detent::models::tvm
