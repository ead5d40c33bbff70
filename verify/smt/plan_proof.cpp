// Asks the solver for broken laws, one model at a time.
#include "verify/smt/plan_proof.hpp"

#include <algorithm>
#include <numeric>

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
      : desc_(desc), budget_(limits), query_(encode_plan(desc, budget_)), solver_(query_.script, budget_) {}

  PlanProof run() {
    proof_.complete = ask_all();
    proof_.cost.questions = solver_.questions();
    proof_.cost.steps = solver_.steps_used();
    proof_.cost.seconds = budget_.seconds();
    return std::move(proof_);
  }

 private:
  /// Laws first, then the residents one by one: with which others does each share a byte while both live?
  bool ask_all() {
    if (!query_.stopped.empty()) {
      proof_.reason = query_.stopped;
      return false;
    }
    if (!ask({query_.law}, [&] { take_law(); })) return false;
    if (!has_schedule()) return false;
    for (const PlanQuery::Resident& resident : query_.residents) {
      if (!ask({query_.overlap, resident.first}, [&] { take_overlap(resident); })) return false;
      forbid({resident.first});  // what was proved is not asked again from the other side
      forbid({resident.second});
    }
    return true;
  }

  /// From edges that close a cycle everything would follow.
  bool has_schedule() {
    if (!query_.unordered.empty()) {
      proof_.reason = query_.unordered;
      return false;
    }
    if (query_.start.empty()) return true;
    const Term assumption = query_.schedule;
    const Answer answer = solver_.check({&assumption, 1});
    if (answer == Answer::kUnsat) proof_.reason = "there is no schedule: the edges close a cycle";
    if (answer == Answer::kUnknown) proof_.reason = solver_.reason();
    return answer == Answer::kSat;
  }

  /// Until the answer is no.
  template <typename Take>
  bool ask(std::initializer_list<Term> assumptions, Take take) {
    for (;;) {
      switch (solver_.check({assumptions.begin(), assumptions.size()})) {
        case Answer::kUnsat:
          return true;
        case Answer::kUnknown:
          proof_.reason = solver_.reason();
          return false;
        case Answer::kSat:
          break;
      }
      if (proof_.faults.size() >= kMaxFaults) {
        proof_.reason = "limit of " + std::to_string(kMaxFaults) + " faults";
        return false;
      }
      take();
    }
  }

  void take_law() {
    const auto broken =
        std::ranges::find_if(query_.faults, [&](const auto& fault) { return solver_.is_true(fault.holds); });
    if (broken == query_.faults.end()) return take_circle();
    proof_.faults.push_back({broken->text, broken->ops, {}});
    forbid({broken->holds});
  }

  void forbid(std::initializer_list<Term> terms) {
    query_.script.require(query_.script.negate(query_.script.all_of(terms)));
  }

  /// From any member, as many steps as there are tensors end on the circle.
  void take_circle() {
    std::uint32_t id = 0;
    while (!solver_.is_true(query_.in_circle[id])) ++id;
    for (std::uint32_t steps = 0; steps < desc_.tensor_count; ++steps) id = desc_.tensors[id].alias_of;
    proof_.faults.push_back({"B43: " + tensor_name(desc_, id) + " is, through other views, a view of itself", {}, {}});
    forbid({query_.in_circle[id]});
  }

  void take_overlap(const PlanQuery::Resident& a) {
    const PlanQuery::Resident& b =
        *std::ranges::find_if(query_.residents, [&](const auto& resident) { return solver_.is_true(resident.second); });
    const PlanQuery::Meeting& meeting =
        *std::ranges::find_if(query_.meetings, [&](const auto& one) { return solver_.is_true(one.is_here); });
    std::vector<std::uint32_t> ops;
    std::string where = " both live outside the run";
    if (meeting.op != DETENT_NONE) {
      ops.push_back(meeting.op);
      where = " both live at " + op_name(desc_, meeting.op);
    }
    proof_.faults.push_back({"B42: " + tensor_name(desc_, a.tensor) + " and " + tensor_name(desc_, b.tensor) + where +
                                 " and share byte " + std::to_string(solver_.value(query_.byte)) + " of " +
                                 region_name(desc_, desc_.tensors[a.tensor].region),
                             std::move(ops), schedule_of_model()});
    forbid({a.first, b.second});
  }

  /// Ops by their start; those that start at one instant by id.
  std::vector<std::uint32_t> schedule_of_model() {
    std::vector<std::uint64_t> start;
    for (const Term term : query_.start) start.push_back(solver_.value(term));
    std::vector<std::uint32_t> schedule(start.size());
    std::iota(schedule.begin(), schedule.end(), 0U);
    std::ranges::stable_sort(schedule, {}, [&](OpId op) { return start[op]; });
    return schedule;
  }

  const detent_desc& desc_;
  const Budget budget_;
  PlanQuery query_;
  Solver solver_;
  PlanProof proof_;
};

}  // namespace

PlanProof prove_memory_plan(const detent_desc& desc, const Limits& limits) { return PlanSearch(desc, limits).run(); }

Verdict judge_plan_proof(const detent_desc& desc, const PlanProof& proof) {
  Verdict verdict{Property::kMemoryPlanSmt, Outcome::kHolds, Solver::version() + ", ", proof.faults};
  verdict.summary += counted(proof.cost.questions, "question") + ": ";
  if (!proof.faults.empty()) {
    verdict.outcome = Outcome::kViolated;
    verdict.summary += counted(proof.faults.size(), "fault");
    verdict.summary += proof.complete ? ", and no others" : "; stopped by the " + proof.reason;
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
