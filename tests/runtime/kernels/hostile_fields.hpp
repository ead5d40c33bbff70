// What no kernel may take, for the tests of the bind-time checks: fields of tensors and configs, changed one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <detent/desc.h>
#include <detent/status.h>

namespace detent::ops_test {

/// A change of one field of a tensor, and its name.
using TensorMutation = std::pair<const char*, void (*)(detent_tensor&)>;

/// Whatever the elements are. @param more  of elements of one kind
inline std::vector<TensorMutation> tensor_mutations(const std::vector<TensorMutation>& more) {
  std::vector<TensorMutation> all = {
      {"layout", [](detent_tensor& t) { t.layout = 9; }},
      {"rank 7", [](detent_tensor& t) { t.rank = 7; }},
      {"dims[0]", [](detent_tensor& t) { ++t.dims[0]; }},
      {"dims[0] negative", [](detent_tensor& t) { t.dims[0] = -t.dims[0]; }},
      {"last dim", [](detent_tensor& t) { ++t.dims[t.rank - 1]; }},
      {"last dim 0", [](detent_tensor& t) { t.dims[t.rank - 1] = 0; }},
      {"size", [](detent_tensor& t) { t.size_bytes += 4; }},
      {"block bytes 0", [](detent_tensor& t) { t.block_bytes = 0; }},
      {"block count 0", [](detent_tensor& t) { t.block_count = 0; }},
      {"block count", [](detent_tensor& t) { ++t.block_count; }},
      {"stride of overlapping blocks", [](detent_tensor& t) { t.block_count = 2, t.stride_bytes = t.block_bytes - 4; }},
      {"huge stride",
       [](detent_tensor& t) { t.block_count = 5, t.stride_bytes = std::numeric_limits<std::uint64_t>::max() / 2; }},
  };
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// The tensors of a case (OpCase and its like): inputs, outputs, weights, scratch.
template <typename Case>
auto tensors_of(Case& op) {
  std::vector<decltype(op.inputs.data())> all;
  for (auto* group : {&op.inputs, &op.outputs, &op.weights}) {
    for (auto& tensor : *group) all.push_back(&tensor);
  }
  if constexpr (requires { op.scratch; }) {
    for (auto& tensor : op.scratch) all.push_back(&tensor);
  }
  return all;
}

/// Is the case refused with this value in the config's word at `offset`?
template <typename Case>
bool is_rejected(const Case& good, std::size_t offset, std::int32_t value) {
  Case bad = good;
  std::memcpy(bad.config.data() + offset, &value, sizeof value);
  return bad.check() == DETENT_SHAPE;
}

}  // namespace detent::ops_test
