// Two sorted lists of hazards, side by side.
#include "verify/smt/agreement.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "base/counted.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify::smt {
namespace {

constexpr std::size_t kListedDifferences = 16;

/// op_a, op_b, kind (raw, war, waw), region: what both checkers list.
using Hazard = std::tuple<std::uint32_t, std::uint32_t, int, std::uint32_t>;

class Comparison {
 public:
  explicit Comparison(const detent_desc& desc) : desc_(desc) {}

  void compare_plans(const Verdict& memory_plan, const PlanProof& proof) {
    const bool is_decided = proof.complete || !proof.faults.empty();
    if (!is_decided || memory_plan.outcome == Outcome::kUnknown) return undecided("the memory plan");
    const bool faulty = memory_plan.outcome == Outcome::kViolated;
    if (faulty == !proof.faults.empty()) return;
    const std::string witness = faulty ? memory_plan.witnesses.at(0).text : proof.faults.at(0).text;
    differ(std::string("only ") + (faulty ? "L0" : "Z3") + " finds fault with the memory plan: " + witness, {});
  }

  void compare_races(const RaceReport& report, const RaceProof& proof) {
    std::set<Hazard> by_l0;
    for (const Race& race : report.races.listed) {
      by_l0.emplace(race.op_a, race.op_b, static_cast<int>(race.kind), race.region);
    }
    std::set<Hazard> by_z3;
    for (const ProvedRace& race : proof.races) {
      by_z3.emplace(race.op_a, race.op_b, static_cast<int>(race.kind), race.region);
    }
    const bool l0_is_whole = report.races.count == report.races.listed.size();
    for (const Hazard& hazard : by_z3) {
      const bool is_beyond_the_list = !l0_is_whole && *by_l0.rbegin() < hazard;
      if (!by_l0.contains(hazard) && !is_beyond_the_list) differ("only Z3 finds " + describe(hazard), ops_of(hazard));
    }
    if (!proof.complete) return undecided("all buffer races");
    for (const Hazard& hazard : by_l0) {
      if (!by_z3.contains(hazard)) differ("only L0 finds " + describe(hazard), ops_of(hazard));
    }
  }

  /// Reads of one of several values: L0 names one of them.
  void compare_flows(const ValueFlowReport& report, const FlowProof& proof) {
    using Missed = std::tuple<std::uint32_t, std::string, std::uint32_t>;
    std::set<Missed> by_l0;
    for (const ValueViolation& violation : report.listed) {
      by_l0.emplace(violation.reader, violation.value, violation.in_the_way);
    }
    std::set<Missed> by_z3;
    for (const ProvedViolation& violation : proof.violations) {
      bool is_known = !report.is_whole && !report.listed.empty() && violation.reader >= report.listed.back().reader;
      for (const std::string& value : violation.values) {
        by_z3.emplace(violation.reader, value, violation.in_the_way);
        is_known = is_known || by_l0.contains({violation.reader, value, violation.in_the_way});
      }
      if (!is_known) differ("only Z3 finds that " + violation.text, ops_in(violation.reader, violation.in_the_way));
    }
    if (!proof.complete) return undecided("value flow");
    for (const ValueViolation& violation : report.listed) {
      if (by_z3.contains({violation.reader, violation.value, violation.in_the_way})) continue;
      differ("only L0 finds that " + describe_violation(desc_, violation),
             ops_in(violation.reader, violation.in_the_way));
    }
  }

  void undecided(const std::string& what) {
    if (!undecided_.empty()) undecided_ += " and ";
    undecided_ += what;
  }

  Verdict judge() {
    Verdict verdict{Property::kCheckersAgree, Outcome::kHolds, "L0 and Z3 say the same", std::move(differences_)};
    if (count_ > 0) {
      verdict.outcome = Outcome::kViolated;
      verdict.summary = "checkers disagree: " + counted(count_, "difference") +
                        " between L0 and Z3; one of them is wrong, please report it with the model";
    } else if (!undecided_.empty()) {
      verdict.outcome = Outcome::kUnknown;
      verdict.summary = "no difference, but Z3 has not decided " + undecided_;
    }
    return verdict;
  }

 private:
  void differ(const std::string& text, std::vector<std::uint32_t> ops) {
    ++count_;
    if (differences_.size() < kListedDifferences) differences_.push_back({text, std::move(ops), {}});
  }

  static std::vector<std::uint32_t> ops_in(std::uint32_t reader, std::uint32_t in_the_way) {
    std::vector<std::uint32_t> ops = {reader, in_the_way};
    std::erase(ops, DETENT_NONE);
    return ops;
  }

  static std::vector<std::uint32_t> ops_of(const Hazard& hazard) { return {std::get<0>(hazard), std::get<1>(hazard)}; }

  [[nodiscard]] std::string describe(const Hazard& hazard) const {
    const auto& [a, b, kind, region] = hazard;
    return std::string(hazard_name(static_cast<HazardKind>(kind))) + " of " + op_name(desc_, a) + " and " +
           op_name(desc_, b) + " in " + region_name(desc_, region);
  }

  const detent_desc& desc_;
  std::vector<Witness> differences_;
  std::uint64_t count_ = 0;
  std::string undecided_;
};

}  // namespace

Verdict compare_checkers(const detent_desc& desc, const Verdict& memory_plan, const PlanProof& plan,
                         const Opinions& opinions) {
  Comparison comparison(desc);
  comparison.compare_plans(memory_plan, plan);
  const bool has_races = opinions.races != nullptr && opinions.race_proof != nullptr;
  if (has_races) comparison.compare_races(*opinions.races, *opinions.race_proof);
  const bool has_flows = opinions.flow != nullptr && opinions.flow_proof != nullptr;
  if (has_flows) comparison.compare_flows(*opinions.flow, *opinions.flow_proof);
  return comparison.judge();
}

}  // namespace detent::verify::smt
