// Verdicts whose *holds* would claim more than was looked at: the model gives the law nothing to judge, or it rests on
// an assumption.
#pragma once

#include "verify/verdict/verdict.hpp"

namespace detent::verify {

/// How the summary of such a verdict begins; what is missing follows.
inline constexpr const char* kNothingToCheck = "nothing to check: ";

/// It holds, because nothing is asked. It fails nothing, and is shown as "not checked".
bool is_vacuous(const Verdict& verdict);

/// It holds if something is so that nothing has checked: no good news before somebody has.
bool is_assumed(const Verdict& verdict);

/// "holds", "assumed", "violated", "unknown", "not checked": as people read it. In JSON what is not checked is
/// "unknown", with `checked` false, and what is assumed "holds", with `assumes`.
const char* outcome_word(const Verdict& verdict);

}  // namespace detent::verify
