#include "runtime/base/fingerprint.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <vector>

namespace detent {
namespace {

using Print = std::array<std::uint8_t, 32>;

Print of_bytes(const std::vector<std::uint8_t>& bytes) {
  Fingerprint print;
  print.add_bytes(bytes.data(), bytes.size());
  Print made{};
  print.get(made.data());
  return made;
}

TEST(Fingerprint, AChangeWithinOneWordIsAlwaysSeen) {
  const std::vector<std::uint8_t> bytes(37, 0x5A);
  std::set<Print> seen = {of_bytes(bytes)};
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (std::uint32_t change = 1; change < 256; ++change) {
      std::vector<std::uint8_t> other = bytes;
      other[at] = static_cast<std::uint8_t>(other[at] ^ change);
      ASSERT_TRUE(seen.insert(of_bytes(other)).second) << "byte " << at << ", change " << change;
    }
  }
}

TEST(Fingerprint, WordsAndBytesAreOneStream) {
  const std::uint64_t words[] = {1, 2};
  Fingerprint by_word, by_byte;
  for (const std::uint64_t word : words) by_word.add(word);
  by_byte.add_bytes(words, sizeof words);
  Print a{}, b{};
  by_word.get(a.data());
  by_byte.get(b.data());
  EXPECT_EQ(a, b);
}

TEST(Fingerprint, TextsEndWhereTheyEnd) {
  const auto of_texts = [](const char* first, const char* second) {
    Fingerprint print;
    print.add_text(first);
    print.add_text(second);
    Print made{};
    print.get(made.data());
    return made;
  };
  EXPECT_NE(of_texts("ab", "c"), of_texts("a", "bc"));
  EXPECT_NE(of_texts("", "a"), of_texts("a", ""));
  EXPECT_EQ(of_texts("ab", "c"), of_texts("ab", "c"));
}

}  // namespace
}  // namespace detent
