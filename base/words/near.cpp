#include "base/words/near.hpp"

#include <algorithm>
#include <cctype>

namespace detent {
namespace {

/// No name is longer; what is typed may be a megabyte.
constexpr std::size_t kMaxWord = 64;

std::string plain(std::string_view word) {
  std::string text(word.substr(0, kMaxWord));
  for (char& c : text) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Distance at which a word is still a slip: "a" is near nothing but itself.
std::size_t reach_of(std::size_t letters) {
  if (letters <= 2) return letters / 2;
  return std::max<std::size_t>(2, letters / 3);
}

}  // namespace

std::size_t edit_distance(std::string_view one, std::string_view other) {
  const std::string a = plain(one);
  const std::string b = plain(other);
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  const std::string typed = plain(word);
  std::size_t best = reach_of(typed.size()) + 1;
  const std::string* found = nullptr;
  for (const std::string& candidate : candidates) {
    const bool begins = typed.size() >= 3 && plain(candidate).rfind(typed, 0) == 0;
    const std::size_t distance = std::min(edit_distance(word, candidate), begins ? std::size_t{1} : kMaxWord + 1);
    // Not a wholly different word: one letter at least stays.
    if (distance >= best || distance >= std::max(typed.size(), std::size_t{1})) continue;
    best = distance;
    found = &candidate;
  }
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::optional<std::string> near = nearest(word, candidates);
  return near ? "; did you mean " + *near + "?" : "";
}

std::string choices_text(std::span<const std::string> choices, std::size_t most) {
  std::string text;
  const std::size_t shown = std::min(choices.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == choices.size();
    text += (i == 0 ? "" : is_last ? " or " : ", ") + choices[i];
  }
  return shown < choices.size() ? text + ", ..." : text;
}

}  // namespace detent
