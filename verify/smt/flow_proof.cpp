// Asks the solver read by read, and reads ops and schedules off its models.
#include "verify/smt/flow_proof.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "verify/smt/flow/query.hpp"
#include "verify/verdict/names.hpp"
#include "verify/verdict/vacuous.hpp"

namespace detent::verify::smt {
namespace {

/// Violations that come with a schedule, and that a verdict lists.
constexpr std::size_t kShown = 100;

auto key_of(const ProvedViolation& violation) {
  return std::tie(violation.reader, violation.values, violation.in_the_way);
}

std::string joined(const std::vector<std::string>& values) {
  std::string text = values.front();
  for (std::size_t i = 1; i < values.size(); ++i) text += " or " + values[i];
  return text;
}

class FlowSearch {
 public:
  FlowSearch(const detent_desc& desc, const ValueTables* tables, const FlowProofOptions& options)
      : desc_(desc),
        options_(options),
        budget_(options.limits),
        query_(encode_flow(desc, tables, budget_)),
        solver_(query_.script, budget_) {}

  FlowProof run() {
    proof_.reads = query_.wants.size();
    proof_.reason = query_.stopped;
    proof_.complete = query_.stopped.empty() && has_schedule() && ask_all();
    std::ranges::sort(proof_.violations,
                      [](const ProvedViolation& x, const ProvedViolation& y) { return key_of(x) < key_of(y); });
    proof_.cost.questions = solver_.questions();
    proof_.cost.steps = solver_.steps_used();
    proof_.cost.seconds = budget_.seconds();
    return std::move(proof_);
  }

 private:
  /// From edges that close a cycle everything would follow.
  bool has_schedule() { return ask({}) && is_possible_; }

  bool ask_all() {
    for (std::size_t i = 0; i < query_.wants.size(); ++i) {
      if (options_.progress) options_.progress(i, query_.wants.size());
      if (!ask_want(query_.wants[i])) return false;
    }
    for (const FlowQuery::Fact& fact : query_.facts) {
      if (!ask({fact.holds})) return false;
      if (is_possible_ && !add(fact.reader, {fact.value}, fact.in_the_way)) return false;
    }
    return true;
  }

  /// False: not decided. Else is_possible_ is the answer.
  bool ask(std::vector<Term> assumptions) {
    const Answer answer = solver_.check(assumptions);
    is_possible_ = answer == Answer::kSat;
    if (answer == Answer::kUnknown) proof_.reason = solver_.reason();
    if (answer == Answer::kUnsat && assumptions.empty())
      proof_.reason = "there is no schedule: the edges close a cycle";
    return answer != Answer::kUnknown;
  }

  bool ask_want(const FlowQuery::Want& want) {
    if (!ask({want.missed})) return false;
    const bool may_miss = is_possible_;
    if (may_miss && !add(want.reader, want.values, DETENT_NONE)) return false;
    if (want.sides.empty()) return ask_ways(want, {want.overwritten}, want.overwritten, nullptr);
    const Term after = want.sides[0];
    const Term before = want.sides[1];
    if (may_miss && !ask({after, before})) return false;
    if (!may_miss || is_possible_) return ask_ways(want, {want.overwritten, after, before}, want.overwritten, nullptr);
    std::set<std::uint32_t> may_follow;
    if (!ask_ways(want, {want.overwritten, after}, after, &may_follow)) return false;
    return ask_ways_among(want, before, may_follow);
  }

  /// All ops in the way. @param kept  null: they are violations; else only their ids are wanted
  bool ask_ways(const FlowQuery::Want& want, const std::vector<Term>& assumptions, Term forbidding,
                std::set<std::uint32_t>* kept) {
    for (;;) {
      if (!ask(assumptions)) return false;
      if (!is_possible_) return true;
      const FlowQuery::Way way = way_of_model();
      if (kept != nullptr) {
        kept->insert(way.op);
      } else if (!add(want.reader, want.values, way.op)) {
        return false;
      }
      forbid(forbidding, way.is_here);
    }
  }

  bool ask_ways_among(const FlowQuery::Want& want, Term before, const std::set<std::uint32_t>& ops) {
    for (;;) {
      if (!ask({want.overwritten, before})) return false;
      if (!is_possible_) return true;
      const FlowQuery::Way way = way_of_model();
      if (ops.contains(way.op) && !add(want.reader, want.values, way.op)) return false;
      forbid(before, way.is_here);
    }
  }

  FlowQuery::Way way_of_model() {
    return *std::ranges::find_if(query_.ways, [&](const auto& way) { return solver_.is_true(way.is_here); });
  }

  void forbid(Term assumption, Term way) {
    query_.script.require(query_.script.any_of({query_.script.negate(assumption), query_.script.negate(way)}));
  }

  /// False: there are too many.
  bool add(std::uint32_t reader, const std::vector<std::string>& values, std::uint32_t in_the_way) {
    ProvedViolation violation{reader, values, in_the_way, "", {}};
    if (!known_.emplace(reader, values, in_the_way).second) return true;
    if (proof_.violations.size() >= options_.max_violations) {
      proof_.reason = "limit of " + std::to_string(options_.max_violations) + " violations";
      return false;
    }
    violation.text = describe(violation);
    if (proof_.violations.size() < kShown) violation.schedule = schedule_of_model();
    proof_.violations.push_back(std::move(violation));
    return true;
  }

  [[nodiscard]] std::string describe(const ProvedViolation& violation) const {
    const std::string who =
        violation.reader == DETENT_NONE ? "the output " : op_name(desc_, violation.reader) + " wants ";
    const std::string what = who + joined(violation.values);
    if (violation.in_the_way == DETENT_NONE) return what + ", which may not be there by then";
    return what + ", and " + op_name(desc_, violation.in_the_way) + " may have written byte " +
           std::to_string(solver_.value(query_.byte)) + " of " +
           region_name(desc_, static_cast<std::uint32_t>(solver_.value(query_.region))) + " after it";
  }

  std::vector<std::uint32_t> schedule_of_model() {
    std::vector<std::uint64_t> start;
    for (const Term term : query_.start) start.push_back(solver_.value(term));
    std::vector<std::uint32_t> schedule(start.size());
    std::iota(schedule.begin(), schedule.end(), 0U);
    std::ranges::stable_sort(schedule, {}, [&](OpId op) { return start[op]; });
    return schedule;
  }

  const detent_desc& desc_;
  const FlowProofOptions& options_;
  const Budget budget_;
  FlowQuery query_;
  Solver solver_;
  bool is_possible_ = false;
  std::set<std::tuple<std::uint32_t, std::vector<std::string>, std::uint32_t>> known_;
  FlowProof proof_;
};

}  // namespace

FlowProof prove_value_flow(const detent_desc& desc, const ValueTables* tables, const FlowProofOptions& options) {
  return FlowSearch(desc, tables, options).run();
}

Verdict judge_flow_proof(const FlowProof& proof) {
  Verdict verdict{Property::kValueFlowSmt, Outcome::kHolds, Solver::version() + ", ", {}};
  verdict.summary += counted(proof.cost.questions, "question") + ": ";
  for (const ProvedViolation& violation : proof.violations) {
    if (verdict.witnesses.size() >= kShown) break;
    Witness witness{violation.text, {}, violation.schedule};
    for (const std::uint32_t op : {violation.in_the_way, violation.reader}) {
      if (op != DETENT_NONE) witness.ops.push_back(op);
    }
    verdict.witnesses.push_back(std::move(witness));
  }
  if (!proof.violations.empty()) {
    verdict.outcome = Outcome::kViolated;
    verdict.total = proof.violations.size();
    verdict.summary += counted(proof.violations.size(), "op") + " in the way or too late";
    verdict.summary += proof.complete ? ", and no others" : "; stopped by the " + proof.reason;
  } else if (!proof.complete) {
    verdict.outcome = Outcome::kUnknown;
    verdict.summary += "not decided: " + proof.reason;
  } else if (proof.reads == 0) {
    verdict.summary =
        std::string(kNothingToCheck) + "no read names its value, so whether reads find what they want is not judged";
  } else {
    verdict.summary += "on no schedule does a read miss its value";
  }
  return verdict;
}

}  // namespace detent::verify::smt
