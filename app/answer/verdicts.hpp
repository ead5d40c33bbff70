// Verdicts as every answer shows them.
#pragma once

#include <vector>

#include "app/answer/answer.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {

/// What a command found: as JSON, for people, and in one word.
struct Answer {
  Json json{};
  Lines lines{};
  verify::Outcome outcome = verify::Outcome::kHolds;
};

/// {property, outcome, summary, witness{text, ops, schedule}, witnesses[], findings} per verdict; `checked` false
/// beside "unknown" where there was nothing to check, `assumes` beside "holds" where it rests on what nothing checked.
Json verdicts_json(const std::vector<verify::Verdict>& verdicts);

/// One line per verdict and its first witnesses.
Lines verdict_lines(const std::vector<verify::Verdict>& verdicts);

/// Violated when one is, else unknown when one is, else holds.
verify::Outcome outcome_of(const std::vector<verify::Verdict>& verdicts);

}  // namespace detent::app
