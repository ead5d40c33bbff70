#include "reports/text/colour.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace detent::reports {
namespace {

constexpr const char* kGood = "\x1b[32m";
constexpr const char* kBad = "\x1b[31m";
constexpr const char* kOpen = "\x1b[33m";
constexpr const char* kPlain = "\x1b[0m";
constexpr std::string_view kAssumedTimes = "(ASSUMED times)";
constexpr std::string_view kAssumedBytes = "(ASSUMED bytes)";

/// What a word means wherever it ends a line or a column.
struct Verdict {
  std::string_view word;
  const char* colour;
};
constexpr std::array<Verdict, 6> kVerdicts = {
    {{"holds", kGood}, {"assumed", kOpen}, {"violated", kBad}, {"unknown", kOpen}, {"NEVER", kBad}, {"RACY", kBad}}};
/// These mean it everywhere.
constexpr std::array<Verdict, 4> kAlways = {
    {{"VIOLATED", kBad}, {"FAILED", kBad}, {"PARTIAL", kOpen}, {"ASSUMED", kOpen}}};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

bool ends_column(std::string_view behind) {
  return behind.empty() || behind.front() == ',' || behind.substr(0, 2) == "  ";
}

const char* colour_of(std::string_view word, std::string_view before, std::string_view behind) {
  for (const Verdict& verdict : kAlways) {
    if (word == verdict.word) return verdict.colour;
  }
  const bool is_answer = word == "YES" || word == "NO" || word == "UNKNOWN";
  const std::size_t question = before.rfind('?');
  if (is_answer && question != std::string_view::npos) {
    if (word == "UNKNOWN") return kOpen;
    const std::size_t begin = before.find_first_not_of(' ');
    return (word == "NO") == (before.substr(begin, 4) == "Can ") ? kGood : kBad;
  }
  if (!ends_column(behind)) return nullptr;
  for (const Verdict& verdict : kVerdicts) {
    if (word == verdict.word) return verdict.colour;
  }
  return nullptr;
}

/// An answer of several words: where it begins, and its colour; null: the line has none.
std::pair<std::size_t, const char*> phrase_of(std::string_view line) {
  const std::size_t question = line.find('?');
  const std::size_t begin = line.find_first_not_of(' ', question == std::string_view::npos ? 0 : question + 1);
  if (begin == std::string_view::npos) return {0, nullptr};
  const std::string_view said = line.substr(begin);
  if (said.ends_with(kAssumedBytes) && question != std::string_view::npos) return {begin, kOpen};
  const bool is_assumed = said.ends_with(kAssumedTimes);
  if (said.starts_with("at most ") && (is_assumed || question != std::string_view::npos)) {
    return {begin, is_assumed ? kOpen : kGood};
  }
  if (is_assumed && question != std::string_view::npos) return {begin, said.starts_with("YES") ? kOpen : kBad};
  if (said == "NOT BY A RACE") return {begin, kOpen};
  if (said == "BOUND EXCEEDED") return {begin, kBad};
  return {0, nullptr};
}

std::string coloured_line(std::string_view line) {
  if (const auto [begin, colour] = phrase_of(line); colour != nullptr) {
    return std::string(line.substr(0, begin)) + colour + std::string(line.substr(begin)) + kPlain;
  }
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && is_letter(line[end])) ++end;
    if (end == at) {
      out += line[at++];
      continue;
    }
    const std::string_view word = line.substr(at, end - at);
    const char* const colour = colour_of(word, line.substr(0, at), line.substr(end));
    out += colour == nullptr ? std::string(word) : colour + std::string(word) + kPlain;
    at = end;
  }
  return out;
}

}  // namespace

std::string coloured(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += coloured_line(text.substr(begin, end - begin));
    if (end < text.size()) out += '\n';
    begin = end + 1;
  }
  return out;
}

}  // namespace detent::reports
