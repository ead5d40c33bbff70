#include "verify/smt/plan/query.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/ids.hpp"
#include "verify/smt/plan/laws.hpp"
#include "verify/smt/plan/overlap.hpp"
#include "verify/smt/plan/users.hpp"
#include "verify/smt/plan/writer.hpp"
#include "verify/smt/solver/schedule_terms.hpp"
#include "verify/smt/solver/serial_order.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify::smt {

namespace {

class PlanEncoder {
 public:
  PlanEncoder(const detent_desc& desc, const Budget& budget)
      : desc_(desc),
        writer_(query_, budget),
        schedule_condition_(script_.boolean("schedule")),
        schedule_(script_, desc, &schedule_condition_) {}

  PlanQuery encode();

 private:
  bool add_circle();
  [[nodiscard]] bool claims_ops(const detent_tensor& tensor) const;
  [[nodiscard]] std::span<const std::uint32_t> successors_of(OpId op) const;
  [[nodiscard]] bool has_sound_edges(OpId op) const;
  bool add_schedules();
  bool add_backward_lifetimes();
  bool add_uses_outside_lifetimes();
  void add_claim();

  const detent_desc& desc_;
  PlanQuery query_;
  Script& script_ = query_.script;
  PlanWriter writer_;
  const Term schedule_condition_;
  ScheduleTerms schedule_;
  bool needs_schedule_ = false;
};

PlanQuery PlanEncoder::encode() {
  query_.claim = script_.boolean("claim");
  query_.byte = script_.integer("byte");
  query_.schedule = schedule_condition_;
  const Term region = script_.integer("region");
  ByteTerms bytes(script_, desc_, query_.byte);
  PlanLaws laws(script_, desc_, writer_, bytes);
  const bool is_whole =
      writer_.for_each("region", desc_.region_count, [&](std::uint32_t id) { laws.add_region(id); }) &&
      writer_.for_each("tensor", desc_.tensor_count, [&](std::uint32_t id) { laws.add_tensor(id); }) &&
      writer_.for_each("op", desc_.op_count, [&](std::uint32_t id) { laws.add_op(id); }) && add_circle() &&
      add_schedules() && add_backward_lifetimes() && add_uses_outside_lifetimes() &&
      PlanOverlap(desc_, {query_, writer_, bytes, schedule_, region}, needs_schedule_).add();
  if (is_whole) add_claim();
  return std::move(query_);
}

bool PlanEncoder::add_circle() {
  query_.circle = script_.boolean("circle");
  for (std::uint32_t id = 0; id < desc_.tensor_count; ++id) {
    query_.in_circle.push_back(script_.boolean("in_circle_" + std::to_string(id)));
  }
  const bool is_whole = writer_.for_each("views, tensor", desc_.tensor_count, [&](std::uint32_t id) {
    const std::uint32_t base = desc_.tensors[id].alias_of;
    const Term base_too = base < desc_.tensor_count ? query_.in_circle[base] : script_.any_of({});
    script_.require(script_.implies(query_.in_circle[id], base_too));
  });
  script_.require(script_.implies(query_.circle, script_.any_of(query_.in_circle)), "B43: views in a circle");
  return is_whole;
}

/// Of ops in range.
bool PlanEncoder::claims_ops(const detent_tensor& tensor) const {
  return tensor.live_begin < desc_.op_count && tensor.live_end < desc_.op_count;
}

std::span<const std::uint32_t> PlanEncoder::successors_of(OpId op) const {
  const detent_slice& slice = desc_.ops[op].successors;
  return {desc_.successors + slice.first, slice.count};
}

bool PlanEncoder::has_sound_edges(OpId op) const {
  const detent_slice& slice = desc_.ops[op].successors;
  if (slice.first > desc_.successor_count || slice.count > desc_.successor_count - slice.first) return false;
  return std::ranges::all_of(successors_of(op), [&](std::uint32_t next) { return next < desc_.op_count; });
}

/// Only where some law is about schedules.
bool PlanEncoder::add_schedules() {
  const std::span<const detent_tensor> tensors{desc_.tensors, desc_.tensor_count};
  needs_schedule_ =
      std::ranges::any_of(tensors, [&](const detent_tensor& t) { return is_resident(desc_, t) || claims_ops(t); });
  if (!needs_schedule_) return true;
  for (OpId op = 0; op < desc_.op_count; ++op) {
    if (has_sound_edges(op)) continue;
    query_.unordered = op_name(desc_, op) + ": its successors lie outside their table";
    needs_schedule_ = false;
    return true;
  }
  const bool is_whole = writer_.for_each("schedules, op", desc_.op_count, [&](OpId op) {
    schedule_.add_op(op);
  }) && writer_.for_each("edges, op", desc_.op_count, [&](OpId op) { schedule_.add_edges(op, successors_of(op)); });
  query_.start = schedule_.start();
  return is_whole;
}

/// A lifetime ends before it begins where a path leads from the op of its end to that of its beginning: a set of ops
/// with the end in it, of which each is the beginning or has a successor in the set. (With a schedule there is no
/// cycle, so following successors ends.)
bool PlanEncoder::add_backward_lifetimes() {
  if (!needs_schedule_) return true;
  std::vector<std::uint32_t> claiming;
  for (std::uint32_t id = 0; id < desc_.tensor_count; ++id) {
    const detent_tensor& tensor = desc_.tensors[id];
    if (claims_ops(tensor) && tensor.live_begin != tensor.live_end) claiming.push_back(id);
  }
  if (claiming.empty()) return true;
  const Term beginning = script_.integer("beginning");
  std::vector<Term> on_path;
  for (OpId op = 0; op < desc_.op_count; ++op) {
    on_path.push_back(script_.boolean("on_path_" + std::to_string(op)));
  }
  const bool is_whole = writer_.for_each("paths, op", desc_.op_count, [&](OpId op) {
    std::vector<Term> ways = {script_.equal(beginning, script_.number(op))};
    for (const std::uint32_t next : successors_of(op)) ways.push_back(on_path[next]);
    script_.require(script_.implies(on_path[op], script_.any_of(ways)));
  });
  for (const std::uint32_t id : claiming) {
    const detent_tensor& tensor = desc_.tensors[id];
    writer_.add_fault("B49: " + tensor_name(desc_, id) + ": its lifetime ends before it begins",
                      script_.all_of({schedule_condition_, on_path[tensor.live_end],
                                      script_.equal(beginning, script_.number(tensor.live_begin))}));
  }
  return is_whole;
}

/// By places in the serial order, which is what a claim speaks of.
bool PlanEncoder::add_uses_outside_lifetimes() {
  if (!needs_schedule_) return true;
  const std::vector<std::uint32_t> order = serial_order(desc_);
  if (order.size() != desc_.op_count) return true;  // then there is no schedule, and that is said
  std::vector<std::uint64_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  const PlanUsers users(desc_);
  const auto add_use = [&](OpId op, std::uint32_t id) {
    const detent_tensor& base = desc_.tensors[users.base_of(id)];
    const bool is_value = base.alias_of == DETENT_NONE && (base.flags & DETENT_TENSOR_RANGE) == 0;
    if (!is_value || !claims_ops(base)) return;
    const Term here = script_.number(place[op]);
    writer_.add_fault("B49: " + op_name(desc_, op) + " uses " + tensor_name(desc_, id) + " outside of its lifetime",
                      script_.any_of({script_.less(here, script_.number(place[base.live_begin])),
                                      script_.less(script_.number(place[base.live_end]), here)}),
                      {op});
  };
  return writer_.for_each("uses, op", desc_.op_count, [&](OpId op) {
    const detent_op& entry = desc_.ops[op];
    for (const detent_slice* slice : {&entry.inputs, &entry.outputs, &entry.scratch}) {
      for (const std::uint32_t id : tensors_of(desc_, *slice)) {
        if (id < desc_.tensor_count) add_use(op, id);
      }
    }
  });
}

void PlanEncoder::add_claim() {
  query_.law = script_.boolean("law");
  std::vector<Term> broken = {query_.circle};
  for (const PlanQuery::Fault& fault : query_.faults) broken.push_back(fault.holds);
  script_.require(script_.implies(query_.law, script_.any_of(broken)));
  script_.require(script_.implies(query_.claim, script_.any_of({query_.law, query_.overlap})),
                  "the claim: a law is broken");
}

}  // namespace

PlanQuery encode_plan(const detent_desc& desc, const Budget& budget) { return PlanEncoder(desc, budget).encode(); }

}  // namespace detent::verify::smt
