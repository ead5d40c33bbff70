// GraphBuffers: the buffers of an op graph file that have sizes and no places -> tensors that a memory plan places.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/ids.hpp"
#include "base/json.hpp"
#include "models/core/model.hpp"

namespace detent::models {

/// Limits of the format, checked by the reader.
inline constexpr std::size_t kMaxGraphBuffers = 1'000'000;
inline constexpr std::uint64_t kMaxBufferBytes = INT32_MAX;  ///< a dimension of a tensor
inline constexpr std::uint32_t kMaxBufferAlign = 4096;

/// Reads `"buffers": [{"name": "a", "size": 4096, "align": 64, "role": "input"}]` and what ops say of them. A buffer is
/// read and written whole.
class GraphBuffers {
 public:
  explicit GraphBuffers(Model& model) : model_(model) {}

  /// Before ops: tensors in the order of the file; those of role input or output are inputs or outputs of the model.
  /// @throws InputError  a second buffer of a name, no size, an alignment that is no power of two
  void read(const JsonValue& list);
  /// The buffer that a read or a write names. @throws InputError  there is none of this name
  [[nodiscard]] TensorId find(const JsonValue& name) const;
  /// After all ops. @throws InputError  a buffer that is read and that no op writes, unless it is an input; an input
  /// that an op writes; an output that no op writes
  void finish() const;

 private:
  void read_one(const JsonValue& value);

  Model& model_;
  std::unordered_map<std::string, TensorId> ids_;
  std::vector<JsonValue> places_;  ///< by tensor: the first tensors of the model are the buffers
};

/// Is it a tensor of a buffer without a place, as format_graph writes one?
[[nodiscard]] bool is_unplaced_buffer(const Tensor& tensor);
/// `"size": 4096, "align": 64, "role": "input"`: the keys behind the name.
[[nodiscard]] std::string buffer_text(const Tensor& tensor);

}  // namespace detent::models
