#include "app/check/judged_bound.hpp"

#include <string>

namespace detent::app {
namespace {

/// "", or how figures of one check contradict each other.
std::string contradiction_of(const CheckResult& result) { return result.budget ? result.budget->fault : ""; }

}  // namespace

verify::Verdict judge_bound(std::uint64_t longest_ps, const CheckResult& result) {
  verify::Verdict verdict = verify::check_bound(longest_ps, result.bounds);
  const std::string contradiction = contradiction_of(result);
  if (contradiction.empty()) return verdict;
  verdict.outcome = verify::Outcome::kViolated;
  verdict.witnesses.insert(verdict.witnesses.begin(), verify::Witness{"FAULT: " + contradiction, {}, {}});
  return verdict;
}

}  // namespace detent::app
