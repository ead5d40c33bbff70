#include "app/answer/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/json/verdict_entry.hpp"
#include "verify/verdict/vacuous.hpp"

namespace detent::app {
namespace {

constexpr std::size_t kWitnessesShown = 5;

}  // namespace

Json verdicts_json(const std::vector<verify::Verdict>& verdicts) {
  Json list = Json::array();
  for (const verify::Verdict& verdict : verdicts) {
    Json witnesses = Json::array();
    for (const verify::Witness& witness : verdict.witnesses) {
      witnesses.push_back({{"text", witness.text}, {"ops", witness.ops}, {"schedule", witness.schedule}});
    }
    list.push_back(reports::verdict_entry(verdict, std::move(witnesses)));
  }
  return list;
}

Lines verdict_lines(const std::vector<verify::Verdict>& verdicts) {
  Lines lines;
  std::size_t width = 14;
  std::size_t word_width = 10;
  for (const verify::Verdict& verdict : verdicts) {
    width = std::max(width, std::string_view(verify::property_name(verdict.property)).size() + 1);
    word_width = std::max(word_width, std::string_view(verify::outcome_word(verdict)).size() + 2);
  }
  for (const verify::Verdict& verdict : verdicts) {
    lines.push_back(fmt::format("{:<{}}{:<{}}{}", verify::property_name(verdict.property), width,
                                verify::outcome_word(verdict), word_width, verdict.summary));
    if (verify::is_assumed(verdict)) lines.push_back("    if " + verdict.assumes);
    const std::size_t shown = std::min(verdict.witnesses.size(), kWitnessesShown);
    for (std::size_t i = 0; i < shown; ++i) lines.push_back("    " + verdict.witnesses[i].text);
    const std::uint64_t left = verify::finding_count(verdict) - shown;
    const std::uint64_t listed = verdict.witnesses.size() - shown;
    if (left > 0) {
      const std::string which = listed == left ? "them" : listed == 0 ? "none" : fmt::format("{} of them", listed);
      lines.push_back(fmt::format("    and {} more; --json FILE lists {}", left, which));
    }
  }
  return lines;
}

verify::Outcome outcome_of(const std::vector<verify::Verdict>& verdicts) {
  const auto has = [&](verify::Outcome outcome) {
    return std::ranges::any_of(verdicts, [&](const verify::Verdict& v) { return v.outcome == outcome; });
  };
  if (has(verify::Outcome::kViolated)) return verify::Outcome::kViolated;
  return has(verify::Outcome::kUnknown) ? verify::Outcome::kUnknown : verify::Outcome::kHolds;
}

}  // namespace detent::app
