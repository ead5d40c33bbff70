#include "models/devices/assign_core_class.hpp"

#include <algorithm>

#include "models/core/core_class.hpp"

namespace detent::models {
namespace {

/// By op: it runs only where another op has failed, so that it stands in for a device.
std::vector<bool> fallbacks_of(const Model& model) {
  std::vector<bool> says_failure(model.tensors.size(), false);
  std::vector<std::uint32_t> writers(model.tensors.size(), kNone);
  for (std::uint32_t id = 0; id < model.ops.size(); ++id) {
    const Op& op = model.ops[id];
    for (const std::uint32_t tensor : op.outputs) writers[tensor] = id;
    if (op.is_fallible && !op.outputs.empty()) says_failure[op.outputs.back()] = true;
  }
  std::vector<bool> is_fallback(model.ops.size(), false);
  for (std::size_t id = 0; id < model.ops.size(); ++id) {
    const Op& op = model.ops[id];
    if (op.guarded == Guarded::kNo || op.inputs.empty()) continue;
    const std::uint32_t guard = op.inputs.back();
    const bool is_within = writers[guard] < id && is_fallback[writers[guard]];
    is_fallback[id] = is_within || (op.guarded == Guarded::kIfTrue && says_failure[guard]);
  }
  return is_fallback;
}

}  // namespace

const std::vector<std::string>& accelerated_kernels() {
  static const std::vector<std::string> names{"conv2d_f32", "conv2d_i8", "gemm_f32", "gemm_i8"};
  return names;
}

std::size_t assign_class(Model& model, const std::string& core_class, const std::vector<std::string>& kernels) {
  const std::vector<bool> is_fallback = fallbacks_of(model);
  std::size_t count = 0;
  for (std::size_t id = 0; id < model.ops.size(); ++id) {
    Op& op = model.ops[id];
    if (std::find(kernels.begin(), kernels.end(), op.kernel) == kernels.end()) continue;
    if (is_fallback[id] || !may_be_on(op, core_class)) continue;
    move_to_class(op, core_class);
    ++count;
  }
  return count;
}

}  // namespace detent::models
