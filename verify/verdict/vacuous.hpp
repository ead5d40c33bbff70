// Vacuous verdicts: the model gives a law nothing to judge, so that *holds* would claim more than was looked at.
#pragma once

#include "verify/verdict/verdict.hpp"

namespace detent::verify {

/// How the summary of such a verdict begins; what is missing follows.
inline constexpr const char* kNothingToCheck = "nothing to check: ";

/// It holds, because nothing is asked. It fails nothing, and is shown as "not checked".
bool is_vacuous(const Verdict& verdict);

/// "holds", "violated", "unknown", "not checked": as people read it. In JSON what is not checked is "unknown", with
/// `checked` false.
const char* outcome_word(const Verdict& verdict);

}  // namespace detent::verify
