#include "verify/verdict/vacuous.hpp"

namespace detent::verify {

bool is_vacuous(const Verdict& verdict) {
  return verdict.outcome == Outcome::kHolds && verdict.summary.starts_with(kNothingToCheck);
}

const char* outcome_word(const Verdict& verdict) {
  return is_vacuous(verdict) ? "not checked" : outcome_name(verdict.outcome);
}

}  // namespace detent::verify
