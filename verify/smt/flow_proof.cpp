// Asks the solver read by read, and reads ops and schedules off its models.
#include "verify/smt/flow_proof.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
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
        inquiry_(query_.script, budget_, query_.stopped) {}

  FlowProof run() {
    proof_.reads = query_.wants.size();
    inquiry_.finish(inquiry_.can_ask() && inquiry_.has_schedule() && ask_all(), proof_);
    std::ranges::sort(proof_.violations,
                      [](const ProvedViolation& x, const ProvedViolation& y) { return key_of(x) < key_of(y); });
    return std::move(proof_);
  }

 private:
  bool ask_all() {
    for (std::size_t i = 0; i < query_.wants.size(); ++i) {
      if (options_.progress) options_.progress(i, query_.wants.size());
      if (!ask_want(query_.wants[i])) return false;
    }
    for (const FlowQuery::Fact& fact : query_.facts) {
      const std::optional<bool> holds = inquiry_.ask({fact.holds});
      if (!holds || (*holds && !add(fact.reader, {fact.value}, fact.in_the_way))) return false;
    }
    return true;
  }

  bool ask_want(const FlowQuery::Want& want) {
    const std::optional<bool> may_miss = inquiry_.ask({want.missed});
    if (!may_miss) return false;
    if (*may_miss && !add(want.reader, want.values, DETENT_NONE)) return false;
    if (want.sides.empty()) return ask_ways(want, {want.overwritten}, want.overwritten, nullptr);
    const Term after = want.sides[0];
    const Term before = want.sides[1];
    const std::optional<bool> both = *may_miss ? inquiry_.ask({after, before}) : true;
    if (!both) return false;
    if (*both) return ask_ways(want, {want.overwritten, after, before}, want.overwritten, nullptr);
    std::set<std::uint32_t> may_follow;
    if (!ask_ways(want, {want.overwritten, after}, after, &may_follow)) return false;
    return ask_ways_among(want, before, may_follow);
  }

  /// All ops in the way. @param kept  null: they are violations; else only their ids are wanted
  bool ask_ways(const FlowQuery::Want& want, std::initializer_list<Term> assumptions, Term forbidding,
                std::set<std::uint32_t>* kept) {
    return inquiry_.ask_until_no(assumptions, [&] {
      const FlowQuery::Way way = way_of_model();
      if (kept != nullptr) kept->insert(way.op);
      if (kept == nullptr && !add(want.reader, want.values, way.op)) return false;
      inquiry_.forbid({forbidding, way.is_here});
      return true;
    });
  }

  bool ask_ways_among(const FlowQuery::Want& want, Term before, const std::set<std::uint32_t>& ops) {
    return inquiry_.ask_until_no({want.overwritten, before}, [&] {
      const FlowQuery::Way way = way_of_model();
      if (ops.contains(way.op) && !add(want.reader, want.values, way.op)) return false;
      inquiry_.forbid({before, way.is_here});
      return true;
    });
  }

  FlowQuery::Way way_of_model() {
    return *std::ranges::find_if(query_.ways, [&](const auto& way) { return inquiry_.is_true(way.is_here); });
  }

  /// False: there are too many.
  bool add(std::uint32_t reader, const std::vector<std::string>& values, std::uint32_t in_the_way) {
    ProvedViolation violation{reader, values, in_the_way, "", {}};
    if (!known_.emplace(reader, values, in_the_way).second) return true;
    if (proof_.violations.size() >= options_.max_violations) {
      return inquiry_.stop("limit of " + std::to_string(options_.max_violations) + " violations");
    }
    violation.text = describe(violation);
    if (proof_.violations.size() < kShown) violation.schedule = inquiry_.schedule(query_.start);
    proof_.violations.push_back(std::move(violation));
    return true;
  }

  [[nodiscard]] std::string describe(const ProvedViolation& violation) const {
    const std::string who =
        violation.reader == DETENT_NONE ? "the output " : op_name(desc_, violation.reader) + " wants ";
    const std::string what = who + joined(violation.values);
    if (violation.in_the_way == DETENT_NONE) return what + ", which may not be there by then";
    return what + ", and " + op_name(desc_, violation.in_the_way) + " may have written byte " +
           std::to_string(inquiry_.value(query_.byte)) + " of " +
           region_name(desc_, static_cast<std::uint32_t>(inquiry_.value(query_.region))) + " after it";
  }

  const detent_desc& desc_;
  const FlowProofOptions& options_;
  const Budget budget_;
  FlowQuery query_;
  Inquiry inquiry_;
  std::set<std::tuple<std::uint32_t, std::vector<std::string>, std::uint32_t>> known_;
  FlowProof proof_;
};

}  // namespace

FlowProof prove_value_flow(const detent_desc& desc, const ValueTables* tables, const FlowProofOptions& options) {
  return FlowSearch(desc, tables, options).run();
}

Verdict judge_flow_proof(const FlowProof& proof) {
  Verdict verdict{Property::kValueFlowSmt, Outcome::kHolds, proof_head(proof.cost), {}};
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
    verdict.summary += counted(proof.violations.size(), "op") + " in the way or too late" + proof_tail(proof);
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
