#include "verify/smt/plan/overlap.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "verify/verdict/names.hpp"

namespace detent::verify::smt {

bool is_resident(const detent_desc& desc, const detent_tensor& tensor) {
  return tensor.alias_of == DETENT_NONE && (tensor.flags & DETENT_TENSOR_RANGE) == 0 &&
         tensor.region < desc.region_count && desc.regions[tensor.region].kind != DETENT_REGION_WEIGHTS &&
         describes_bytes(tensor);
}

PlanOverlap::PlanOverlap(const detent_desc& desc, const Terms& terms, bool has_schedule)
    : desc_(desc),
      query_(terms.query),
      script_(terms.query.script),
      writer_(terms.writer),
      bytes_(terms.bytes),
      schedule_(terms.schedule),
      region_(terms.region),
      has_schedule_(has_schedule),
      users_(desc) {}

bool PlanOverlap::add() {
  query_.overlap = script_.boolean("overlap");
  std::vector<Term> first;
  std::vector<Term> second;
  resident_of_.assign(desc_.tensor_count, DETENT_NONE);
  const bool is_whole = writer_.for_each("lifetimes, tensor", desc_.tensor_count, [&](std::uint32_t id) {
    if (!has_schedule_ || !is_resident(desc_, desc_.tensors[id]) || !users_.is_used(id)) return;
    add_resident(id);
    first.push_back(query_.residents.back().first);
    second.push_back(query_.residents.back().second);
  });
  if (!is_whole) return false;
  add_meetings();
  std::vector<Term> meetings;
  for (const PlanQuery::Meeting& meeting : query_.meetings) meetings.push_back(meeting.is_here);
  const Term both =
      script_.all_of({query_.schedule, script_.any_of(first), script_.any_of(second), script_.any_of(meetings)});
  script_.require(script_.implies(query_.overlap, both), "B42: two tensors that live at once share a byte");
  return writer_.for_each("in place, op", desc_.op_count, [&](OpId op) { allow_in_place(op); });
}

/// Some user has begun and some user has not ended. The application before the run ends when an op starts; after it,
/// it begins when all ops have ended, and never ends.
Term PlanOverlap::lives(std::uint32_t id) {
  std::vector<Term> begun;
  std::vector<Term> unended;
  for (const std::uint32_t user : users_.of(id)) {
    begun.push_back(schedule_.started(user));
    unended.push_back(script_.negate(schedule_.ended(user)));
  }
  if (users_.is_input(id)) {
    begun.push_back(script_.all_of({}));
    unended.push_back(is_before_run());
  }
  if (users_.is_output(id)) {
    begun.push_back(is_after_run());
    unended.push_back(script_.all_of({}));
  }
  return script_.all_of({script_.any_of(begun), script_.any_of(unended)});
}

Term PlanOverlap::is_before_run() {
  if (!before_run_) {
    before_run_ = script_.boolean("before_run");
    for (OpId op = 0; op < desc_.op_count; ++op) {
      script_.require(script_.implies(*before_run_, script_.negate(schedule_.started(op))));
    }
  }
  return *before_run_;
}

Term PlanOverlap::is_after_run() {
  if (!after_run_) {
    after_run_ = script_.boolean("after_run");
    for (OpId op = 0; op < desc_.op_count; ++op) {
      script_.require(script_.implies(*after_run_, schedule_.ended(op)));
    }
  }
  return *after_run_;
}

/// A value that is one op's alone lives while that op holds its mutexes.
std::vector<Term> PlanOverlap::held_mutexes(std::uint32_t id) {
  std::vector<Term> held;
  if (users_.of(id).size() != 1 || users_.is_input(id) || users_.is_output(id)) return held;
  const OpId op = *users_.of(id).begin();
  const detent_slice& slice = desc_.ops[op].mutexes;
  if (slice.first > desc_.mutex_ref_count || slice.count > desc_.mutex_ref_count - slice.first) return held;
  for (std::uint32_t k = 0; k < slice.count; ++k) {
    const std::uint32_t mutex = desc_.mutex_refs[slice.first + k];
    const auto [holder, is_new] = holder_.try_emplace(mutex);
    if (is_new) holder->second = script_.integer("holder_" + std::to_string(mutex));
    held.push_back(script_.equal(holder->second, script_.number(op)));
  }
  return held;
}

void PlanOverlap::add_resident(std::uint32_t id) {
  const detent_tensor& tensor = desc_.tensors[id];
  const std::string suffix = std::to_string(id);
  const PlanQuery::Resident resident{id,
                                     script_.boolean("first_" + suffix),
                                     script_.boolean("second_" + suffix),
                                     {users_.of(id).begin(), users_.of(id).end()},
                                     users_.is_input(id),
                                     users_.is_output(id)};
  std::vector<Term> conditions = {lives(id), script_.equal(region_, script_.number(tensor.region)), lies_in_value(id)};
  for (const Term held : held_mutexes(id)) conditions.push_back(held);
  const Term there = script_.all_of(conditions);
  script_.require(script_.implies(resident.first, there), tensor_name(desc_, id) + " as the first");
  script_.require(script_.implies(resident.second, there), tensor_name(desc_, id) + " as the second");
  script_.require(script_.negate(script_.all_of({resident.first, resident.second})));
  resident_of_[id] = static_cast<std::uint32_t>(query_.residents.size());
  query_.residents.push_back(resident);
}

/// In the tensor, or in a view over the gaps between its blocks.
Term PlanOverlap::lies_in_value(std::uint32_t id) {
  std::vector<Term> parts = {bytes_.lies_in(id)};
  for (std::uint32_t view = 0; desc_.tensors[id].block_count > 1 && view < desc_.tensor_count; ++view) {
    const bool is_sound = view != id && desc_.tensors[view].region == desc_.tensors[id].region &&
                          users_.base_of(view) == id && describes_bytes(desc_.tensors[view]);
    if (is_sound) parts.push_back(bytes_.lies_in(view));
  }
  return script_.any_of(parts);
}

/// Both live at every instant from the begin of the one that begins later on, so the instant may be one at which a
/// user is at work: a witness can name it.
void PlanOverlap::add_meetings() {
  std::map<std::uint32_t, std::vector<Term>> claims_of_op;  // DETENT_NONE: the application
  for (const PlanQuery::Resident& resident : query_.residents) {
    for (const std::uint32_t user : resident.users) {
      claims_of_op[user].push_back(resident.first);
      claims_of_op[user].push_back(resident.second);
    }
    if (!resident.is_input && !resident.is_output) continue;
    claims_of_op[DETENT_NONE].push_back(resident.first);
    claims_of_op[DETENT_NONE].push_back(resident.second);
  }
  for (const auto& [op, claims] : claims_of_op) {
    const std::string name = op == DETENT_NONE ? "meeting_outside" : "meeting_" + std::to_string(op);
    const PlanQuery::Meeting meeting{op, script_.boolean(name)};
    const Term at_work = op == DETENT_NONE ? is_outside() : schedule_.active(op);
    script_.require(script_.implies(meeting.is_here, script_.all_of({at_work, script_.any_of(claims)})));
    query_.meetings.push_back(meeting);
  }
}

Term PlanOverlap::is_outside() {
  std::vector<Term> outside;
  if (before_run_) outside.push_back(*before_run_);
  if (after_run_) outside.push_back(*after_run_);
  return script_.any_of(outside);
}

/// A value that an in-place op only reads may give its bytes to one that the op only writes.
void PlanOverlap::allow_in_place(std::uint32_t id) {
  const detent_op& op = desc_.ops[id];
  if (!has_schedule_ || (op.flags & DETENT_OP_IN_PLACE) == 0) return;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const std::uint32_t in : tensors_of(desc_, op.inputs)) {
    for (const std::uint32_t out : tensors_of(desc_, op.outputs)) {
      if (in < desc_.tensor_count && out < desc_.tensor_count) pairs.emplace(users_.base_of(in), users_.base_of(out));
    }
  }
  for (const auto& [from, to] : pairs) {
    const bool reads_only = !users_.refers_to(op.outputs, from) && !users_.refers_to(op.scratch, from);
    const bool writes_only = !users_.refers_to(op.inputs, to) && !users_.refers_to(op.scratch, to);
    if (from != to && reads_only && writes_only) allow(id, from, to);
  }
}

/// Once the op has started, `from` lives on for its other users only. It must have others: who else wrote it?
void PlanOverlap::allow(OpId op, std::uint32_t from, std::uint32_t to) {
  if (resident_of_[from] == DETENT_NONE || resident_of_[to] == DETENT_NONE) return;
  const PlanQuery::Resident& a = query_.residents[resident_of_[from]];
  const PlanQuery::Resident& b = query_.residents[resident_of_[to]];
  if (a.users.size() < 2 && !a.is_input && !a.is_output) return;
  std::vector<Term> needed = {script_.negate(schedule_.started(op))};
  for (const std::uint32_t user : a.users) {
    if (user != op) needed.push_back(script_.negate(schedule_.ended(user)));
  }
  if (a.is_output) needed.push_back(script_.all_of({}));
  const Term is_needed = script_.any_of(needed);
  const std::string why = op_name(desc_, op) + " is declared in place";
  script_.require(script_.implies(script_.all_of({a.first, b.second}), is_needed), why);
  script_.require(script_.implies(script_.all_of({b.first, a.second}), is_needed), why);
}

}  // namespace detent::verify::smt
