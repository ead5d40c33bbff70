// Desc -> Verdict "memory_plan". One function per law.
#include "verify/static/memory_plan.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "verify/graph/byte_set.hpp"
#include "verify/graph/order.hpp"
#include "verify/graph/values.hpp"
#include "verify/static/lifetimes.hpp"
#include "verify/verdict/findings.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify {
namespace {

void check_regions(const detent_desc& desc, Findings& findings) {
  for (std::uint32_t i = 0; i < desc.region_count; ++i) {
    const detent_region& region = desc.regions[i];
    const std::string name = region_name(desc, i);
    if (region.size_bytes == 0) findings.add("B47", name + " has no bytes");
    if (region.size_bytes > DETENT_MAX_BYTES) findings.add("B40", name + " is larger than 2^40 bytes");
    if (!std::has_single_bit(region.align_bytes)) findings.add("B48", name + ": its alignment is not a power of two");
    if (region.kind == DETENT_REGION_WEIGHTS && region.data == nullptr) {
      findings.add("B46", name + " holds weights but has no bytes to read");
    }
  }
}

void check_blocks(const detent_desc& desc, std::uint32_t id, Findings& findings) {
  const detent_tensor& tensor = desc.tensors[id];
  if (tensor.size_bytes == 0 || tensor.block_bytes == 0 || tensor.block_count == 0) {
    findings.add("B47", tensor_name(desc, id) + " has no bytes");
  } else if (tensor.offset_bytes + tensor.size_bytes < tensor.offset_bytes) {
    findings.add("B41", tensor_name(desc, id) + ": offset + size wraps");
  } else if (tensor.size_bytes <= DETENT_MAX_BYTES && tensor.offset_bytes <= DETENT_MAX_BYTES &&
             !has_sound_bytes(tensor)) {
    findings.add("B32", tensor_name(desc, id) + ": its extent is not what its blocks span");
  }
}

void check_place(const detent_desc& desc, std::uint32_t id, Findings& findings) {
  const detent_tensor& tensor = desc.tensors[id];
  if (tensor.region >= desc.region_count) {
    findings.add("B09", tensor_name(desc, id) + " lies in a region that does not exist");
    return;
  }
  const detent_region& region = desc.regions[tensor.region];
  check_blocks(desc, id, findings);
  if (tensor.size_bytes > region.size_bytes || tensor.offset_bytes > region.size_bytes - tensor.size_bytes) {
    findings.add("B40", tensor_name(desc, id) + " at offset " + std::to_string(tensor.offset_bytes) + ", " +
                            std::to_string(tensor.size_bytes) + " bytes, does not fit in " +
                            region_name(desc, tensor.region) + " of " + std::to_string(region.size_bytes) + " bytes");
  }
  if (!std::has_single_bit(tensor.align_bytes)) {
    findings.add("B48", tensor_name(desc, id) + ": its alignment is not a power of two");
  } else if (tensor.offset_bytes % tensor.align_bytes != 0 || tensor.align_bytes > region.align_bytes) {
    findings.add("B48", tensor_name(desc, id) + " is not aligned to " + std::to_string(tensor.align_bytes) + " bytes");
  }
}

/// Ids of tensors whose chain of alias_of never ends. Each tensor is visited twice at most.
std::vector<std::uint32_t> find_alias_cycles(const detent_desc& desc) {
  std::vector<std::uint32_t> visited_by(desc.tensor_count, DETENT_NONE);
  std::vector<std::uint32_t> heads;
  for (std::uint32_t start = 0; start < desc.tensor_count; ++start) {
    std::uint32_t id = start;
    while (id < desc.tensor_count && visited_by[id] == DETENT_NONE) {
      visited_by[id] = start;
      id = desc.tensors[id].alias_of;
    }
    if (id < desc.tensor_count && visited_by[id] == start) heads.push_back(id);
  }
  return heads;
}

void check_view(const detent_desc& desc, std::uint32_t id, Findings& findings) {
  const detent_tensor& view = desc.tensors[id];
  if (view.alias_of == DETENT_NONE) return;
  const std::string text = tensor_name(desc, id) + " is a view of " + tensor_name(desc, view.alias_of);
  if (view.alias_of >= desc.tensor_count) {
    findings.add("B09", text + ", which does not exist");
    return;
  }
  const detent_tensor& base = desc.tensors[view.alias_of];
  if (view.dtype != base.dtype) findings.add("B44", text + " of another type");
  const bool inside = view.region == base.region && view.offset_bytes >= base.offset_bytes &&
                      view.size_bytes <= base.size_bytes &&
                      view.offset_bytes - base.offset_bytes <= base.size_bytes - view.size_bytes;
  if (!inside) findings.add("B43", text + ", but does not lie inside it");
}

bool claims_lifetime(const detent_tensor& tensor) {
  return tensor.live_begin != DETENT_NONE || tensor.live_end != DETENT_NONE;
}

bool claims_ops(const detent_desc& desc, const detent_tensor& tensor) {
  return tensor.live_begin < desc.op_count && tensor.live_end < desc.op_count;
}

void check_lifetimes_name_ops(const detent_desc& desc, Findings& findings) {
  for (std::uint32_t id = 0; id < desc.tensor_count; ++id) {
    if (!claims_lifetime(desc.tensors[id]) || claims_ops(desc, desc.tensors[id])) continue;
    findings.add("B49", tensor_name(desc, id) + ": its lifetime does not begin and end at ops");
  }
}

/// By paths: ids are no order.
void check_lifetimes_go_forward(const detent_desc& desc, const Order& order, Findings& findings) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < desc.tensor_count; ++id) {
    const detent_tensor& tensor = desc.tensors[id];
    if (!claims_ops(desc, tensor)) continue;
    if (order.position_of(tensor.live_end) >= order.position_of(tensor.live_begin)) continue;
    ends.emplace_back(tensor.live_begin, tensor.live_end);
    ids.push_back(id);
  }
  if (ids.empty()) return;
  const std::vector<Relation> relations = relate_pairs(order, ends);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (relations[i] != Relation::kAfter) continue;
    findings.add("B49", tensor_name(desc, ids[i]) + ": its lifetime ends before it begins");
  }
}

/// The tensor at the end of a chain of views; DETENT_NONE where there is none.
std::uint32_t base_of(const detent_desc& desc, std::uint32_t id) {
  for (std::uint32_t steps = 0; id < desc.tensor_count && steps <= desc.tensor_count; ++steps) {
    if (desc.tensors[id].alias_of == DETENT_NONE) return id;
    id = desc.tensors[id].alias_of;
  }
  return DETENT_NONE;
}

/// In the serial order, which is what a claim speaks of.
void check_uses_within_lifetimes(const detent_desc& desc, const Order& order, Findings& findings) {
  const auto check_use = [&](OpId op, std::uint32_t id) {
    const std::uint32_t base = base_of(desc, id);
    if (base == DETENT_NONE || (desc.tensors[base].flags & DETENT_TENSOR_RANGE) != 0) return;
    const detent_tensor& tensor = desc.tensors[base];
    if (!claims_ops(desc, tensor)) return;
    const bool is_early = order.position_of(op) < order.position_of(tensor.live_begin);
    if (!is_early && order.position_of(op) <= order.position_of(tensor.live_end)) return;
    findings.add("B49",
                 op_name(desc, op) + " uses " + tensor_name(desc, id) + (is_early ? " before" : " after") +
                     " its lifetime, which it claims to " + (is_early ? "begin at " : "end at ") +
                     op_name(desc, is_early ? tensor.live_begin : tensor.live_end),
                 {op});
  };
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_op& entry = desc.ops[op];
    for (const detent_slice& slice : {entry.inputs, entry.outputs, entry.scratch}) {
      if (slice.first > desc.tensor_ref_count || slice.count > desc.tensor_ref_count - slice.first) continue;
      for (std::uint32_t k = 0; k < slice.count; ++k) check_use(op, desc.tensor_refs[slice.first + k]);
    }
  }
}

std::string describe_meeting(const detent_desc& desc, const LifetimeOverlap& overlap) {
  if (overlap.op == DETENT_NONE) {
    const bool before =
        desc.regions[desc.tensors[overlap.tensor_a].region].kind == DETENT_REGION_INPUT ||
        std::find(desc.inputs, desc.inputs + desc.input_count, overlap.tensor_b) != desc.inputs + desc.input_count;
    return before ? " are both inputs" : " are both outputs";
  }
  if (overlap.unordered_op == DETENT_NONE) return " both live at " + op_name(desc, overlap.op);
  return " may both live at " + op_name(desc, overlap.op) + ", as no path orders it and " +
         op_name(desc, overlap.unordered_op) + ",";
}

void check_overlaps(const detent_desc& desc, const Order& order, Findings& findings) {
  std::uint64_t count = 0;
  std::vector<LifetimeOverlap> listed = find_lifetime_overlaps(desc, order, kListedWitnesses, &count);
  findings.total += count - listed.size();
  for (LifetimeOverlap& overlap : listed) {
    const detent_tensor& tensor = desc.tensors[overlap.tensor_b];
    std::vector<std::uint32_t> ops;
    if (overlap.op != DETENT_NONE) ops.push_back(overlap.op);
    if (overlap.unordered_op != DETENT_NONE) ops.push_back(overlap.unordered_op);
    findings.add("B42",
                 tensor_name(desc, overlap.tensor_a) + " and " + tensor_name(desc, overlap.tensor_b) +
                     describe_meeting(desc, overlap) + " and share " +
                     byte_range_name(desc, tensor.region, overlap.bytes.begin, overlap.bytes.end - overlap.bytes.begin),
                 std::move(ops), std::move(overlap.schedule));
  }
}

/// How many tensors the law about bytes that are used again is about, how many bare ranges it leaves out, and how many
/// ops it takes at their word.
struct Subjects {
  std::uint64_t values = 0, ranges = 0;
  std::uint64_t in_place = 0;
};

/// Does the op write bytes of one tensor that it reads as another?
bool writes_over_inputs(const detent_desc& desc, const detent_op& op) {
  const auto inside = [&](const detent_slice& slice) {
    return slice.first <= desc.tensor_ref_count && slice.count <= desc.tensor_ref_count - slice.first;
  };
  const auto holds = [&](std::uint32_t id) {
    return id < desc.tensor_count && can_hold_a_value(desc, desc.tensors[id]);
  };
  if (!inside(op.inputs) || !inside(op.outputs)) return false;
  for (std::uint32_t i = 0; i < op.inputs.count; ++i) {
    for (std::uint32_t k = 0; k < op.outputs.count; ++k) {
      const std::uint32_t in = desc.tensor_refs[op.inputs.first + i];
      const std::uint32_t out = desc.tensor_refs[op.outputs.first + k];
      if (in == out || !holds(in) || !holds(out) || desc.tensors[in].region != desc.tensors[out].region) continue;
      if (first_shared_bytes(bytes_of(desc.tensors[in]), bytes_of(desc.tensors[out]))) return true;
    }
  }
  return false;
}

Subjects count_subjects(const detent_desc& desc) {
  Subjects subjects;
  for (std::uint32_t id = 0; id < desc.tensor_count; ++id) {
    if (can_hold_a_value(desc, desc.tensors[id])) ++subjects.values;
    if ((desc.tensors[id].flags & DETENT_TENSOR_RANGE) != 0) ++subjects.ranges;
  }
  for (OpId op = 0; op < desc.op_count; ++op) {
    const bool is_in_place = (desc.ops[op].flags & DETENT_OP_IN_PLACE) != 0;
    if (is_in_place && writes_over_inputs(desc, desc.ops[op])) ++subjects.in_place;
  }
  return subjects;
}

/// Laws that need an order of the ops. Returns why they could not be judged, or "".
std::string check_ordered_laws(const detent_desc& desc, const Subjects& subjects, Findings& findings) {
  const bool claims = std::any_of(desc.tensors, desc.tensors + desc.tensor_count, claims_lifetime);
  if (subjects.values == 0 && !claims) return "";
  try {
    const Order order(desc);
    check_lifetimes_go_forward(desc, order, findings);
    if (claims) check_uses_within_lifetimes(desc, order, findings);
    check_overlaps(desc, order, findings);
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "";
}

std::string summary_of(const detent_desc& desc, const Subjects& subjects, bool reads_are_named) {
  std::string text =
      counted(desc.tensor_count, "tensor") + " in " + counted(desc.region_count, "region") + ": each inside its region";
  if (subjects.values > 0) text += ", and on no schedule do two that live at once share a byte";
  if (subjects.in_place > 0) {
    text += "; " + std::to_string(subjects.in_place) +
            (subjects.in_place == 1 ? " op in place writes" : " ops in place write") + " over an input, as declared";
  }
  if (subjects.ranges == 0) return text;
  const bool all = subjects.ranges == desc.tensor_count;
  return text + "; " + (all ? "they" : std::to_string(subjects.ranges) + " of them") + " are " +
         (reads_are_named ? "byte ranges, of which value_flow judges what reads find" : kRangesNameNoValue);
}

void check_written(const detent_desc& desc, OpId op, const detent_slice& slice, Findings& findings) {
  if (slice.first > desc.tensor_ref_count || slice.count > desc.tensor_ref_count - slice.first) return;
  for (std::uint32_t k = 0; k < slice.count; ++k) {
    const std::uint32_t id = desc.tensor_refs[slice.first + k];
    if (id >= desc.tensor_count || desc.tensors[id].region >= desc.region_count) continue;
    const detent_region_kind kind = desc.regions[desc.tensors[id].region].kind;
    if (kind == DETENT_REGION_WEIGHTS || kind == DETENT_REGION_INPUT) {
      findings.add("B46",
                   op_name(desc, op) + " writes " + tensor_name(desc, id) + ", which lies in read-only " +
                       region_name(desc, desc.tensors[id].region),
                   {op});
    }
  }
}

/// B45: an output on bytes of an input of the same op. Bare ranges of op graphs may: their kernel reads first.
void check_in_place(const detent_desc& desc, OpId op, Findings& findings) {
  const detent_op& entry = desc.ops[op];
  const auto sound = [&](std::uint32_t id) {
    return id < desc.tensor_count && (desc.tensors[id].flags & DETENT_TENSOR_RANGE) == 0 &&
           has_sound_bytes(desc.tensors[id]);
  };
  const auto inside = [&](const detent_slice& slice) {
    return slice.first <= desc.tensor_ref_count && slice.count <= desc.tensor_ref_count - slice.first;
  };
  if ((entry.flags & DETENT_OP_IN_PLACE) != 0 || !inside(entry.inputs) || !inside(entry.outputs)) return;
  for (std::uint32_t i = 0; i < entry.inputs.count; ++i) {
    for (std::uint32_t k = 0; k < entry.outputs.count; ++k) {
      const std::uint32_t in = desc.tensor_refs[entry.inputs.first + i];
      const std::uint32_t out = desc.tensor_refs[entry.outputs.first + k];
      if (!sound(in) || !sound(out) || desc.tensors[in].region != desc.tensors[out].region) continue;
      if (first_shared_bytes(bytes_of(desc.tensors[in]), bytes_of(desc.tensors[out]))) {
        findings.add("B45",
                     op_name(desc, op) + " writes " + tensor_name(desc, out) + " over its input " +
                         tensor_name(desc, in) + " but is not declared in place",
                     {op});
      }
    }
  }
}

}  // namespace

Verdict check_memory_plan(const detent_desc& desc, bool reads_are_named) {
  Findings findings;
  check_regions(desc, findings);
  for (std::uint32_t id = 0; id < desc.tensor_count; ++id) {
    check_place(desc, id, findings);
    check_view(desc, id, findings);
  }
  for (const std::uint32_t id : find_alias_cycles(desc)) {
    findings.add("B43", tensor_name(desc, id) + " is, through other views, a view of itself");
  }
  for (OpId op = 0; op < desc.op_count; ++op) {
    check_written(desc, op, desc.ops[op].outputs, findings);
    check_written(desc, op, desc.ops[op].scratch, findings);
    check_in_place(desc, op, findings);
  }
  check_lifetimes_name_ops(desc, findings);
  const Subjects subjects = count_subjects(desc);
  const std::string refusal = check_ordered_laws(desc, subjects, findings);
  Verdict verdict{Property::kMemoryPlan, Outcome::kHolds, summary_of(desc, subjects, reads_are_named),
                  std::move(findings.witnesses), findings.total};
  if (findings.total > 0) {
    verdict.outcome = Outcome::kViolated;
    verdict.summary = counted(desc.tensor_count, "tensor") + " in " + counted(desc.region_count, "region") + ": " +
                      counted(findings.total, "fault");
  } else if (!refusal.empty()) {
    verdict.outcome = Outcome::kUnknown;
    verdict.summary = "whether tensors that share a byte live at once is not known: " + refusal;
  }
  return verdict;
}

}  // namespace detent::verify
