// Asks the solver for broken laws, one model at a time.
#include "verify/smt/plan_proof.hpp"

#include <algorithm>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "verify/smt/plan/query.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify::smt {
namespace {

/// As many faults as a verdict lists.
constexpr std::size_t kMaxFaults = 16;

class PlanSearch {
 public:
  PlanSearch(const detent_desc& desc, const Limits& limits)
      : desc_(desc),
        budget_(limits),
        query_(encode_plan(desc, budget_)),
        inquiry_(query_.script, budget_, query_.stopped) {}

  PlanProof run() {
    inquiry_.finish(inquiry_.can_ask() && ask_all(), proof_);
    return std::move(proof_);
  }

 private:
  /// Laws first, then the residents one by one: with which others does each share a byte while both live?
  bool ask_all() {
    if (!ask({query_.law}, [&] { take_law(); })) return false;
    if (!has_schedule()) return false;
    for (const PlanQuery::Resident& resident : query_.residents) {
      if (!ask({query_.overlap, resident.first}, [&] { take_overlap(resident); })) return false;
      inquiry_.forbid({resident.first});  // what was proved is not asked again from the other side
      inquiry_.forbid({resident.second});
    }
    return true;
  }

  bool has_schedule() {
    if (!query_.unordered.empty()) return inquiry_.stop(query_.unordered);
    return query_.start.empty() || inquiry_.has_schedule({query_.schedule});
  }

  template <typename Take>
  bool ask(std::initializer_list<Term> assumptions, const Take& take) {
    return inquiry_.ask_until_no(assumptions, [&] {
      if (proof_.faults.size() >= kMaxFaults) {
        return inquiry_.stop("limit of " + std::to_string(kMaxFaults) + " faults");
      }
      take();
      return true;
    });
  }

  void take_law() {
    const auto broken =
        std::ranges::find_if(query_.faults, [&](const auto& fault) { return inquiry_.is_true(fault.holds); });
    if (broken == query_.faults.end()) return take_circle();
    proof_.faults.push_back({broken->text, broken->ops, {}});
    inquiry_.forbid({broken->holds});
  }

  /// From any member, as many steps as there are tensors end on the circle.
  void take_circle() {
    std::uint32_t id = 0;
    while (!inquiry_.is_true(query_.in_circle[id])) ++id;
    for (std::uint32_t steps = 0; steps < desc_.tensor_count; ++steps) id = desc_.tensors[id].alias_of;
    proof_.faults.push_back({"B43: " + tensor_name(desc_, id) + " is, through other views, a view of itself", {}, {}});
    inquiry_.forbid({query_.in_circle[id]});
  }

  void take_overlap(const PlanQuery::Resident& a) {
    const PlanQuery::Resident& b = *std::ranges::find_if(
        query_.residents, [&](const auto& resident) { return inquiry_.is_true(resident.second); });
    const PlanQuery::Meeting& meeting =
        *std::ranges::find_if(query_.meetings, [&](const auto& one) { return inquiry_.is_true(one.is_here); });
    std::vector<std::uint32_t> ops;
    std::string where = " both live outside the run";
    if (meeting.op != DETENT_NONE) {
      ops.push_back(meeting.op);
      where = " both live at " + op_name(desc_, meeting.op);
    }
    proof_.faults.push_back({"B42: " + tensor_name(desc_, a.tensor) + " and " + tensor_name(desc_, b.tensor) + where +
                                 " and share byte " + std::to_string(inquiry_.value(query_.byte)) + " of " +
                                 region_name(desc_, desc_.tensors[a.tensor].region),
                             std::move(ops), inquiry_.schedule(query_.start)});
    inquiry_.forbid({a.first, b.second});
  }

  const detent_desc& desc_;
  const Budget budget_;
  PlanQuery query_;
  Inquiry inquiry_;
  PlanProof proof_;
};

}  // namespace

PlanProof prove_memory_plan(const detent_desc& desc, const Limits& limits) { return PlanSearch(desc, limits).run(); }

Verdict judge_plan_proof(const detent_desc& desc, const PlanProof& proof) {
  Verdict verdict{Property::kMemoryPlanSmt, Outcome::kHolds, proof_head(proof.cost), proof.faults};
  if (!proof.faults.empty()) {
    verdict.outcome = Outcome::kViolated;
    verdict.summary += counted(proof.faults.size(), "fault") + proof_tail(proof);
  } else if (proof.complete) {
    verdict.summary += "none of " + counted(desc.tensor_count, "tensor") + " in " +
                       counted(desc.region_count, "region") + " breaks a law";
  } else {
    verdict.outcome = Outcome::kUnknown;
    verdict.summary += "not decided: " + proof.reason;
  }
  return verdict;
}

}  // namespace detent::verify::smt
