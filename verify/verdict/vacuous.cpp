#include "verify/verdict/vacuous.hpp"

namespace detent::verify {

bool is_vacuous(const Verdict& verdict) {
  return verdict.outcome == Outcome::kHolds && verdict.summary.starts_with(kNothingToCheck);
}

bool is_assumed(const Verdict& verdict) {
  return verdict.outcome == Outcome::kHolds && !verdict.assumes.empty() && !is_vacuous(verdict);
}

const char* outcome_word(const Verdict& verdict) {
  if (is_assumed(verdict)) return "assumed";
  return is_vacuous(verdict) ? "not checked" : outcome_name(verdict.outcome);
}

}  // namespace detent::verify
