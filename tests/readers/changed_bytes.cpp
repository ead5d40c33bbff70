#include "tests/readers/changed_bytes.hpp"

#include <cctype>
#include <cstring>
#include <vector>

#include "tests/support/xorshift.hpp"

namespace detent::readers {
namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-'; }
bool is_number(const std::string& word) { return std::isdigit(static_cast<unsigned char>(word[0])) != 0; }

/// Words, and single characters between them.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (is_of_word(text[at]) && end < text.size() && is_of_word(text[end])) ++end;
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

class Change {
 public:
  Change(const std::string& text, std::uint64_t seed) : words_(words_of(text)), random_(seed) {}

  std::string run() {
    if (words_.empty()) return "";
    switch (random_.below(8)) {
      case 0:
      case 1:
      case 2:
        number();
        break;
      case 3:
        word(is_a_word()) = word(is_a_word());
        break;
      case 4:
        word(is_a_word()).clear();
        break;
      case 5:
        word(is_a_mark()) = marks()[random_.below(marks().size())];
        break;
      case 6:
        line(random_.chance(2));
        break;
      default:
        word(is_a_mark()).clear();
    }
    std::string text;
    for (const std::string& each : words_) text += each;
    return text;
  }

 private:
  using Is = bool (*)(const std::string&);
  static Is is_a_word() {
    return [](const std::string& word) { return is_of_word(word[0]); };
  }
  static Is is_a_number() {
    return [](const std::string& word) { return is_number(word); };
  }
  static Is is_a_mark() {
    return [](const std::string& word) { return !is_of_word(word[0]) && word[0] != ' '; };
  }
  static const std::vector<std::string>& marks() {
    static const std::vector<std::string> kMarks = {",", ":", "\"", "[", "]", "{", "}", "=", "#", ";", "\n", "*", "|"};
    return kMarks;
  }

  /// A drawn one of a kind; any, where there is none.
  std::string& word(Is is) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (!words_[i].empty() && is(words_[i])) found.push_back(i);
    }
    return words_[found.empty() ? random_.below(words_.size()) : found[random_.below(found.size())]];
  }

  void number() {
    static const std::vector<std::string> kNumbers = {"0",
                                                      "1",
                                                      "2",
                                                      "3",
                                                      "7",
                                                      "64",
                                                      "65",
                                                      "100",
                                                      "4096",
                                                      "4097",
                                                      "1000000",
                                                      "2147483647",
                                                      "2147483648",
                                                      "4294967295",
                                                      "4294967296",
                                                      "4611686018427387904",
                                                      "4611686018427387905",
                                                      "9223372036854775807",
                                                      "18446744073709551615",
                                                      "18446744073709551616",
                                                      "-1",
                                                      "0.5",
                                                      "1.5",
                                                      "1e9",
                                                      "true",
                                                      "x"};
    std::string& old = word(is_a_number());
    const std::size_t digits = old.find_first_not_of("0123456789");
    const bool is_short = is_number(old) && digits == std::string::npos && old.size() < 10;
    const std::uint64_t way = random_.below(is_short ? 4 : 2);
    if (way == 2)
      old = std::to_string(std::stoull(old) + 1);
    else if (way == 3)
      old = std::to_string(std::stoull(old) * 2);
    else
      old = kNumbers[random_.below(kNumbers.size())] +
            (way == 1 && digits != std::string::npos ? old.substr(digits) : "");
  }

  /// Dropped, or written twice.
  void line(bool twice) {
    const std::size_t at = random_.below(words_.size());
    std::size_t begin = at, end = at;
    while (begin > 0 && words_[begin - 1] != "\n") --begin;
    while (end < words_.size() && words_[end] != "\n") ++end;
    const std::vector<std::string> copy(words_.begin() + static_cast<std::ptrdiff_t>(begin),
                                        words_.begin() + static_cast<std::ptrdiff_t>(end));
    if (twice) {
      words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(end), copy.begin(), copy.end());
      words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(end), "\n");
    } else {
      words_.erase(words_.begin() + static_cast<std::ptrdiff_t>(begin),
                   words_.begin() + static_cast<std::ptrdiff_t>(end));
    }
  }

  std::vector<std::string> words_;
  support::Xorshift random_;
};

}  // namespace

std::string changed_words(const std::string& text, std::uint64_t seed) {
  const std::string once = Change(text, seed).run();
  return seed % 3 == 0 ? Change(once, seed + 1).run() : once;
}

std::string changed_bytes(const std::string& bytes, std::uint64_t seed) {
  support::Xorshift random(seed);
  std::string changed = bytes;
  if (changed.empty()) return changed;
  const std::uint64_t size = std::uint64_t{1} << random.below(4);
  const std::uint64_t at = random.below(changed.size()) / size * size;
  if (random.chance(12)) return changed.substr(0, at);
  if (random.chance(20)) return changed + changed.substr(0, size);
  if (at + size > changed.size()) return changed;
  std::uint64_t value = 0;
  std::memcpy(&value, changed.data() + at, size);
  static const std::uint64_t kValues[] = {0, 1, 2, 3, 8, 65, UINT32_MAX, std::uint64_t{1} << 62U, UINT64_MAX};
  const std::uint64_t way = random.below(5);
  value = way == 0   ? value + 1
          : way == 1 ? value - 1
          : way == 2 ? value ^ (1U << random.below(8))
                     : kValues[random.below(9)];
  std::memcpy(changed.data() + at, &value, size);
  return changed;
}

}  // namespace detent::readers
