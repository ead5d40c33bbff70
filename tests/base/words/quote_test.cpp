// Words as a shell reads them.
#include "base/words/quote.hpp"

#include <gtest/gtest.h>

namespace detent {
namespace {

TEST(Quote, WordsThatAShellWouldPartOrExpandAreQuoted) {
  EXPECT_EQ(quote_word("a.json"), "a.json");
  EXPECT_EQ(quote_word("--set=d/a_b@c:%+,"), "--set=d/a_b@c:%+,");
  EXPECT_EQ(quote_word(""), "''");
  EXPECT_EQ(quote_word("a b"), "'a b'");
  EXPECT_EQ(quote_word("it's $x"), "'it'\\''s $x'");
}

}  // namespace
}  // namespace detent
