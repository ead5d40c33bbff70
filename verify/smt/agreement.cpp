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
                         const RaceReport* report, const RaceProof* races) {
  Comparison comparison(desc);
  comparison.compare_plans(memory_plan, plan);
  if (report != nullptr && races != nullptr) comparison.compare_races(*report, *races);
  return comparison.judge();
}

}  // namespace detent::verify::smt
