#include "reports/text/wrap.hpp"

#include <gtest/gtest.h>

#include "reports/text/colour.hpp"

namespace detent::reports {
namespace {

TEST(Wrap, LinesEndAtBlanksAndHangBelowTheLastColumn) {
  EXPECT_EQ(wrap("short", 10), "short");
  EXPECT_EQ(wrap("aaa bbb ccc ddd", 8), "aaa bbb\n  ccc\n  ddd");
  EXPECT_EQ(wrap("name  holds  one two three four five", 30), "name  holds  one two three\n             four five");
  EXPECT_EQ(wrap("  aaa bbb ccc", 8), "  aaa\n    bbb\n    ccc");
  EXPECT_EQ(wrap("aaaaaaaaaaaaaaa bb", 8), "aaaaaaaaaaaaaaa\n  bb");
  EXPECT_EQ(wrap("one\ntwo\n", 80), "one\ntwo\n");
}

TEST(Wrap, NumbersStayWithTheWordBehindThem) {
  EXPECT_EQ(wrap("it takes 16.1 ms", 14), "it takes\n  16.1 ms");
  EXPECT_EQ(wrap("there are (94 ops)", 14), "there are\n  (94 ops)");
  EXPECT_EQ(wrap("bytes in [4096, 5120) of", 16), "bytes in\n  [4096, 5120)\n  of");
  EXPECT_EQ(wrap("reads at op 3", 11), "reads at\n  op 3");
  EXPECT_EQ(wrap("uses 12.5 % of", 9), "uses\n  12.5 %\n  of");
}

TEST(Wrap, AReplayLineIsOneWord) {
  EXPECT_EQ(wrap("  replay  detent replay 'detent-replay/1 model=a on=sim'", 30),
            "  replay\n          detent replay 'detent-replay/1 model=a on=sim'");
}

TEST(Wrap, ColumnsAreCharacters) { EXPECT_EQ(columns_of("7 \xC2\xB5s"), 4U); }

TEST(Colour, VerdictsAtTheEndOfAColumn) {
  EXPECT_EQ(coloured("structure  holds     it holds what"), "structure  \x1b[32mholds\x1b[0m     it holds what");
  EXPECT_EQ(coloured("a violated, b unknown"), "a \x1b[31mviolated\x1b[0m, b \x1b[33munknown\x1b[0m");
  EXPECT_EQ(coloured("Is it so?   YES"), "Is it so?   \x1b[32mYES\x1b[0m");
  EXPECT_EQ(coloured("Is it so?   NO"), "Is it so?   \x1b[31mNO\x1b[0m");
  EXPECT_EQ(coloured("  Can it be?   NO"), "  Can it be?   \x1b[32mNO\x1b[0m");
  EXPECT_EQ(coloured("nothing to say"), "nothing to say");
  EXPECT_EQ(coloured("  How long?   at most 3 ms"), "  How long?   \x1b[32mat most 3 ms\x1b[0m");
  EXPECT_EQ(coloured("  How long?   at most 3 ms (ASSUMED times)"),
            "  How long?   \x1b[33mat most 3 ms (ASSUMED times)\x1b[0m");
  EXPECT_EQ(coloured("      at most 3 ms (ASSUMED times)"), "      \x1b[33mat most 3 ms (ASSUMED times)\x1b[0m");
  EXPECT_EQ(coloured("at most 80 columns"), "at most 80 columns");
  EXPECT_EQ(coloured("  How long?   BOUND EXCEEDED"), "  How long?   \x1b[31mBOUND EXCEEDED\x1b[0m");
  EXPECT_EQ(coloured("  Does it?  YES (ASSUMED times)"), "  Does it?  \x1b[33mYES (ASSUMED times)\x1b[0m");
  EXPECT_EQ(coloured("  Does it?  NO (ASSUMED times)"), "  Does it?  \x1b[31mNO (ASSUMED times)\x1b[0m");
  EXPECT_EQ(coloured("  Does it?  YES (ASSUMED bytes)"), "  Does it?  \x1b[33mYES (ASSUMED bytes)\x1b[0m");
  EXPECT_EQ(coloured("  Can it be?  NO (ASSUMED bytes)"), "  Can it be?  \x1b[33mNO (ASSUMED bytes)\x1b[0m");
  EXPECT_EQ(coloured("a assumed, b holds"), "a \x1b[33massumed\x1b[0m, b \x1b[32mholds\x1b[0m");
  EXPECT_EQ(coloured("  Can it be?  NOT BY A RACE"), "  Can it be?  \x1b[33mNOT BY A RACE\x1b[0m");
  EXPECT_EQ(coloured("   "), "   ");
}

TEST(FirstColumns, ACutTextSaysSoWithinItsColumns) {
  EXPECT_EQ(first_columns("abcdef", 6), "abcdef");
  EXPECT_EQ(first_columns("abcdefg", 6), "abc...");
  EXPECT_EQ(first_columns("\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5", 5), "\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5");
  EXPECT_EQ(first_columns("\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5", 4), "\xC2\xB5...");
  EXPECT_EQ(first_columns("abcdef", 2), "..");
  EXPECT_EQ(first_columns("abcdef", 0), "");
  EXPECT_EQ(first_columns("", 0), "");
}

}  // namespace
}  // namespace detent::reports
