// A whole verdict as text, so that a test can say all of it.
#pragma once

#include <string>
#include <vector>

#include "verify/verdict/verdict.hpp"

namespace detent::verify::testing {

inline std::string list_text(const std::vector<std::uint32_t>& ids) {
  std::string text;
  for (const std::uint32_t id : ids) text += (text.empty() ? "" : " ") + std::to_string(id);
  return text;
}

/// "property holds: summary", then a line per witness: "- text [ops] {schedule}", the last two where they are not
/// empty.
inline std::string text_of(const Verdict& verdict) {
  std::string text = property_name(verdict.property) + std::string(" ") + outcome_name(verdict.outcome) + ": " +
                     verdict.summary + "\n";
  for (const Witness& witness : verdict.witnesses) {
    text += "- " + witness.text;
    if (!witness.ops.empty()) text += " [" + list_text(witness.ops) + "]";
    if (!witness.schedule.empty()) text += " {" + list_text(witness.schedule) + "}";
    text += "\n";
  }
  return text;
}

}  // namespace detent::verify::testing
