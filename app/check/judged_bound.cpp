#include "app/check/judged_bound.hpp"

#include <string>

namespace detent::app {
namespace {

std::string contradiction_text(const std::string& what, std::uint64_t less_ps, std::uint64_t more_ps) {
  return what + ": " + std::to_string(less_ps) + " ps <= " + std::to_string(more_ps) +
         " ps does not hold: a fault of Detent, please report it; ";
}

/// "", or how longest simulated <= exact <= bounds is broken.
std::string contradiction_of(std::uint64_t longest_ps, const reports::ExactCase& exact,
                             const std::vector<verify::Bound>& bounds) {
  if (!exact.why_not.empty()) return "";
  std::string found = exact.fault;
  if (longest_ps > exact.worst_ps) {
    found += contradiction_text("simulated maximum <= exact worst case", longest_ps, exact.worst_ps);
  }
  for (const verify::Bound& bound : bounds) {
    if (!bound.is_upper || exact.worst_ps <= bound.bound_ps) continue;
    found += contradiction_text("exact worst case <= " + bound.name + " bound", exact.worst_ps, bound.bound_ps);
  }
  return found;
}

}  // namespace

std::string contradictions_of(std::uint64_t longest_ps, const CheckResult& result) {
  const std::string of_budget = result.budget ? result.budget->fault : "";
  return of_budget + (result.exact ? contradiction_of(longest_ps, *result.exact, result.bounds) : "");
}

verify::Verdict judge_bound(std::uint64_t longest_ps, const CheckResult& result) {
  verify::Verdict verdict = verify::check_bound(longest_ps, result.bounds);
  const std::string contradictions = contradictions_of(longest_ps, result);
  if (contradictions.empty()) return verdict;
  verdict.outcome = verify::Outcome::kViolated;
  verdict.witnesses.insert(verdict.witnesses.begin(), verify::Witness{"FAULT: " + contradictions, {}, {}});
  return verdict;
}

}  // namespace detent::app
