#include "verify/smt/plan/users.hpp"

#include <algorithm>

namespace detent::verify::smt {

std::span<const std::uint32_t> tensors_of(const detent_desc& desc, const detent_slice& slice) {
  if (slice.first > desc.tensor_ref_count || slice.count > desc.tensor_ref_count - slice.first) return {};
  return {desc.tensor_refs + slice.first, slice.count};
}

PlanUsers::PlanUsers(const detent_desc& desc) : desc_(desc), users_(desc.tensor_count) {
  add_ops();
  add_application();
  for (std::uint32_t id = 0; id < desc_.tensor_count; ++id) {
    const detent_tensor& tensor = desc_.tensors[id];
    if (tensor.live_begin < desc_.op_count && !inputs_.contains(id)) users_[id].insert(tensor.live_begin);
    if (tensor.live_end < desc_.op_count && !outputs_.contains(id)) users_[id].insert(tensor.live_end);
  }
}

/// Through views.
void PlanUsers::add_ops() {
  for (OpId op = 0; op < desc_.op_count; ++op) {
    const detent_op& entry = desc_.ops[op];
    for (const detent_slice* slice : {&entry.inputs, &entry.outputs, &entry.weights, &entry.scratch}) {
      for (const std::uint32_t id : tensors_of(desc_, *slice)) {
        if (id < desc_.tensor_count) users_[base_of(id)].insert(op);
      }
    }
  }
}

void PlanUsers::add_application() {
  for (std::uint32_t id = 0; id < desc_.tensor_count; ++id) {
    const bool is_input = desc_.tensors[id].region < desc_.region_count &&
                          desc_.regions[desc_.tensors[id].region].kind == DETENT_REGION_INPUT;
    if (is_input) inputs_.insert(base_of(id));
  }
  for (std::uint32_t i = 0; i < desc_.input_count; ++i) {
    if (desc_.inputs[i] < desc_.tensor_count) inputs_.insert(base_of(desc_.inputs[i]));
  }
  for (std::uint32_t i = 0; i < desc_.output_count; ++i) {
    if (desc_.outputs[i] < desc_.tensor_count) outputs_.insert(base_of(desc_.outputs[i]));
  }
}

/// The tensor that a view stands on; some member of a circle.
std::uint32_t PlanUsers::base_of(std::uint32_t id) const {
  for (std::uint32_t steps = 0; steps < desc_.tensor_count && desc_.tensors[id].alias_of < desc_.tensor_count;
       ++steps) {
    id = desc_.tensors[id].alias_of;
  }
  return id;
}

bool PlanUsers::refers_to(const detent_slice& slice, std::uint32_t base) const {
  return std::ranges::any_of(tensors_of(desc_, slice),
                             [&](std::uint32_t id) { return id < desc_.tensor_count && base_of(id) == base; });
}

}  // namespace detent::verify::smt
