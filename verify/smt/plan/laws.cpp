// One function per law, in the order of runtime/include/detent/desc.h.
#include "verify/smt/plan/laws.hpp"

#include <string>
#include <vector>

#include "verify/smt/plan/users.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify::smt {

Term PlanLaws::is_no_power_of_two(std::uint32_t value) {
  std::vector<Term> powers;
  for (std::uint64_t power = 1; power <= UINT32_MAX; power *= 2) powers.push_back(writer_.same(value, power));
  return script_.negate(script_.any_of(powers));
}

void PlanLaws::add_region(std::uint32_t id) {
  const detent_region& region = desc_.regions[id];
  const std::string name = region_name(desc_, id);
  const Term size = script_.number(region.size_bytes);
  writer_.add_fault("B47: " + name + " has no bytes", script_.equal(size, script_.number(0)));
  writer_.add_fault("B40: " + name + " is larger than 2^40 bytes",
                    script_.less(script_.number(DETENT_MAX_BYTES), size));
  writer_.add_fault("B48: " + name + ": its alignment is not a power of two", is_no_power_of_two(region.align_bytes));
  const std::uint64_t bytes = region.data != nullptr ? 1 : 0;
  writer_.add_fault("B46: " + name + " holds weights but has no bytes to read",
                    script_.all_of({writer_.same(static_cast<std::uint64_t>(region.kind), DETENT_REGION_WEIGHTS),
                                    writer_.same(bytes, 0)}));
}

void PlanLaws::add_tensor(std::uint32_t id) {
  const detent_tensor& tensor = desc_.tensors[id];
  add_lifetime(id, tensor);
  if (tensor.alias_of != DETENT_NONE) add_view(id, tensor);
  if (tensor.region >= desc_.region_count) {
    writer_.add_fault("B09: " + tensor_name(desc_, id) + " lies in a region that does not exist", script_.all_of({}));
    return;
  }
  add_extent(id, tensor);
  const detent_region& region = desc_.regions[tensor.region];
  const Term end = script_.plus(script_.number(tensor.offset_bytes), script_.number(tensor.size_bytes));
  writer_.add_fault("B40: " + tensor_name(desc_, id) + " does not fit in " + region_name(desc_, tensor.region),
                    script_.less(script_.number(region.size_bytes), end));
  add_alignment(id, tensor, region);
}

void PlanLaws::add_extent(std::uint32_t id, const detent_tensor& tensor) {
  const std::string name = tensor_name(desc_, id);
  const Term size = script_.number(tensor.size_bytes);
  const Term empty = script_.any_of(
      {writer_.same(tensor.size_bytes, 0), writer_.same(tensor.block_bytes, 0), writer_.same(tensor.block_count, 0)});
  writer_.add_fault("B47: " + name + " has no bytes", empty);
  const Term two_to_64 = script_.plus(script_.number(UINT64_MAX), script_.number(1));
  const Term wraps = script_.at_most(two_to_64, script_.plus(script_.number(tensor.offset_bytes), size));
  writer_.add_fault("B41: " + name + ": offset + size wraps", script_.all_of({script_.negate(empty), wraps}));
  const Term within =
      script_.all_of({script_.at_most(size, script_.number(DETENT_MAX_BYTES)),
                      script_.at_most(script_.number(tensor.offset_bytes), script_.number(DETENT_MAX_BYTES))});
  writer_.add_fault("B32: " + name + ": its extent is not what its blocks span",
                    script_.all_of({script_.negate(empty), within, script_.negate(spans(tensor))}));
}

/// size = (count - 1) * stride + block, of blocks that do not overlap.
Term PlanLaws::spans(const detent_tensor& tensor) {
  const Term block = script_.number(tensor.block_bytes);
  const Term stride = script_.number(tensor.stride_bytes);
  const std::uint64_t steps = tensor.block_count == 0 ? 0 : tensor.block_count - 1;
  const Term extent =
      script_.equal(script_.number(tensor.size_bytes), script_.plus(script_.times(steps, stride), block));
  const Term apart =
      script_.all_of({script_.at_most(block, stride), script_.at_most(stride, script_.number(DETENT_MAX_BYTES))});
  return script_.all_of({extent, script_.any_of({writer_.same(steps, 0), apart})});
}

/// The place is a multiple of the alignment, and so is the region's base. The multiple is only proposed here: a wrong
/// one would be a fault that is none, never a fault that goes unseen.
void PlanLaws::add_alignment(std::uint32_t id, const detent_tensor& tensor, const detent_region& region) {
  const std::uint64_t multiple = tensor.align_bytes == 0 ? 0 : tensor.offset_bytes / tensor.align_bytes;
  const Term place = script_.times(tensor.align_bytes, script_.number(multiple));
  writer_.add_fault(
      "B48: " + tensor_name(desc_, id) + " is not aligned to " + std::to_string(tensor.align_bytes) + " bytes",
      script_.any_of({is_no_power_of_two(tensor.align_bytes),
                      script_.less(script_.number(region.align_bytes), script_.number(tensor.align_bytes)),
                      script_.negate(script_.equal(script_.number(tensor.offset_bytes), place))}));
}

void PlanLaws::add_view(std::uint32_t id, const detent_tensor& view) {
  const std::string text = tensor_name(desc_, id) + " is a view of " + tensor_name(desc_, view.alias_of);
  if (view.alias_of >= desc_.tensor_count) {
    writer_.add_fault("B09: " + text + ", which does not exist", script_.all_of({}));
    return;
  }
  const detent_tensor& base = desc_.tensors[view.alias_of];
  writer_.add_fault("B44: " + text + " of another type", script_.negate(writer_.same(view.dtype, base.dtype)));
  const Term end = script_.plus(script_.number(view.offset_bytes), script_.number(view.size_bytes));
  const Term base_end = script_.plus(script_.number(base.offset_bytes), script_.number(base.size_bytes));
  const Term inside =
      script_.all_of({writer_.same(view.region, base.region),
                      script_.at_most(script_.number(base.offset_bytes), script_.number(view.offset_bytes)),
                      script_.at_most(end, base_end)});
  writer_.add_fault("B43: " + text + ", but does not lie inside it", script_.negate(inside));
}

/// Either end, but not both, is missing, or is no op.
void PlanLaws::add_lifetime(std::uint32_t id, const detent_tensor& tensor) {
  const auto is_op = [&](OpId op) { return script_.less(script_.number(op), script_.number(desc_.op_count)); };
  const Term claims = script_.any_of({script_.negate(writer_.same(tensor.live_begin, DETENT_NONE)),
                                      script_.negate(writer_.same(tensor.live_end, DETENT_NONE))});
  const Term both = script_.all_of({is_op(tensor.live_begin), is_op(tensor.live_end)});
  writer_.add_fault("B49: " + tensor_name(desc_, id) + ": its lifetime does not begin and end at ops",
                    script_.all_of({claims, script_.negate(both)}));
}

void PlanLaws::add_op(std::uint32_t id) {
  const detent_op& op = desc_.ops[id];
  for (const detent_slice* slice : {&op.outputs, &op.scratch}) {
    for (const TensorId tensor : tensors_of(desc_, *slice)) add_write(id, tensor);
  }
  if ((op.flags & DETENT_OP_IN_PLACE) != 0) return;
  for (const std::uint32_t in : tensors_of(desc_, op.inputs)) {
    for (const std::uint32_t out : tensors_of(desc_, op.outputs)) add_not_in_place(id, in, out);
  }
}

void PlanLaws::add_write(OpId op, TensorId tensor) {
  if (tensor >= desc_.tensor_count || desc_.tensors[tensor].region >= desc_.region_count) return;
  const RegionId region = desc_.tensors[tensor].region;
  const auto kind = static_cast<std::uint64_t>(desc_.regions[region].kind);
  writer_.add_fault(
      "B46: " + op_name(desc_, op) + " writes " + tensor_name(desc_, tensor) + ", which lies in read-only " +
          region_name(desc_, region),
      script_.any_of({writer_.same(kind, DETENT_REGION_WEIGHTS), writer_.same(kind, DETENT_REGION_INPUT)}), {op});
}

bool PlanLaws::is_placed_value(TensorId tensor) const {
  return tensor < desc_.tensor_count && (desc_.tensors[tensor].flags & DETENT_TENSOR_RANGE) == 0 &&
         describes_bytes(desc_.tensors[tensor]);
}

void PlanLaws::add_not_in_place(OpId op, std::uint32_t in, std::uint32_t out) {
  if (!is_placed_value(in) || !is_placed_value(out)) return;
  const Term shared = script_.all_of(
      {writer_.same(desc_.tensors[in].region, desc_.tensors[out].region), bytes_.lies_in(in), bytes_.lies_in(out)});
  writer_.add_fault("B45: " + op_name(desc_, op) + " writes " + tensor_name(desc_, out) + " over its input " +
                        tensor_name(desc_, in) + " but is not declared in place",
                    shared, {op});
}

}  // namespace detent::verify::smt
