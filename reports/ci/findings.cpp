// Verdicts -> findings; words of a text -> a fingerprint.
#include "reports/ci/findings.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <map>
#include <string_view>

#include "verify/verdict/findings.hpp"

namespace detent::reports {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Behind "[0, 64)" or "[0,64)" that begins at `at`; `at`: something else does.
std::size_t behind_bytes(std::string_view text, std::size_t at) {
  std::size_t end = at;
  const auto skip = [&](char c) { end += end < text.size() && text[end] == c ? 1U : 0U; };
  const auto skip_digits = [&] {
    const std::size_t begin = end;
    while (end < text.size() && is_digit(text[end])) ++end;
    return end > begin;
  };
  skip('[');
  if (end == at || !skip_digits() || end == text.size() || text[end] != ',') return at;
  skip(',');
  skip(' ');
  return skip_digits() && end < text.size() && text[end] == ')' ? end + 1 : at;
}

/// "op 3 (conv)" -> "op (conv)", "bytes [0, 64) of ws" -> "bytes  of ws", also in the names of bare ranges.
std::string without_numbers(std::string_view text) {
  constexpr std::array<std::string_view, 2> kNumbered = {"op ", "tensor "};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins_word = at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
    const auto word = std::ranges::find_if(
        kNumbered, [&](std::string_view one) { return begins_word && text.substr(at).starts_with(one); });
    std::size_t end = at;
    if (word != kNumbered.end()) {
      end = at + word->size();
      while (end < text.size() && is_digit(text[end])) ++end;
    }
    if (word != kNumbered.end() && end > at + word->size()) {
      out += *word;
      at = end;
    } else if (const std::size_t behind = behind_bytes(text, at); behind != at) {
      at = behind;
    } else {
      out += text[at++];
    }
  }
  return out;
}

/// The kind of a hazard goes by the order of the ids.
bool is_hazard_kind(std::string_view word) { return word == "raw:" || word == "war:" || word == "waw:"; }

std::string sorted_words(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c != ' ') {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  for (std::string& word : words) {
    while (!word.empty() && (word.back() == ',' || word.back() == '(')) word.pop_back();
    while (word.size() > 1 && word.back() == ')' && std::ranges::count(word, '(') < std::ranges::count(word, ')')) {
      word.pop_back();
    }
    while (word.starts_with("((")) word.erase(0, 1);
    if (is_hazard_kind(word)) word.clear();
  }
  std::ranges::sort(words);
  std::string joined;
  for (const std::string& word : words) joined += word + "\n";
  return joined;
}

/// FNV-1a, 64 bits.
std::string hash_text(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[hash >> static_cast<unsigned>(shift) & 15U];
  return digits;
}

/// What of a summary counts the findings: behind the last colon.
std::string_view count_in(std::string_view summary) {
  const std::size_t colon = summary.rfind(": ");
  return colon == std::string_view::npos ? summary : summary.substr(colon + 2);
}

class FindingList {
 public:
  void add(const verify::Verdict& verdict, const std::string& text, const verify::Witness* witness,
           const std::string& identity) {
    const std::string hash = hash_text(std::string(verify::property_name(verdict.property)) + "\n" +
                                       verify::outcome_name(verdict.outcome) + "\n" + identity);
    const std::uint64_t number = verdict.property == verify::Property::kDeterminism ? 1 : ++seen_[hash];
    list.push_back({verdict.property, verdict.outcome, text, witness, hash + ":" + std::to_string(number)});
  }
  std::vector<Finding> list;

 private:
  std::map<std::string, std::uint32_t> seen_;
};

}  // namespace

std::vector<Finding> findings_of(const std::vector<verify::Verdict>& verdicts) {
  FindingList findings;
  for (const verify::Verdict& verdict : verdicts) {
    if (verdict.outcome == verify::Outcome::kHolds) continue;
    for (const verify::Witness& witness : verdict.witnesses) {
      const std::string& text = witness.text.empty() ? verdict.summary : witness.text;
      // The witnesses of determinism are the first of the races, each of which is a finding of its own, and native
      // runs, of which another number differs each time. That of a deadline is whichever run was the longest.
      const bool is_summed_up =
          verdict.property == verify::Property::kDeterminism || verdict.property == verify::Property::kDeadline;
      findings.add(verdict, text, &witness, is_summed_up ? "" : sorted_words(without_numbers(text)));
    }
    if (verdict.witnesses.empty()) findings.add(verdict, verdict.summary, nullptr, "");
    if (verdict.witnesses.size() >= verify::kListedWitnesses) {
      findings.add(verdict, verdict.summary, nullptr, std::string(count_in(verdict.summary)));
    }
  }
  return std::move(findings.list);
}

}  // namespace detent::reports
