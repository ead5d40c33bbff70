// A verdict as every JSON answer has it.
#pragma once

#include <nlohmann/json.hpp>

#include "verify/verdict/verdict.hpp"

namespace detent::reports {

/// {property, outcome, summary, witness, witnesses[], findings}; `witness` is the first one, for readers that want one.
/// `checked` is false beside "unknown" where there was nothing to check; `assumes` beside "holds" says what it rests on
/// that nothing has checked.
/// @param witnesses  array, one for each of the verdict's
nlohmann::ordered_json verdict_entry(const verify::Verdict& verdict, nlohmann::ordered_json witnesses);

}  // namespace detent::reports
