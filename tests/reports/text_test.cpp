#include "reports/text.hpp"

#include <gtest/gtest.h>

namespace detent::reports {
namespace {

TEST(Text, DurationsHaveFourDigitsAndTheUnitThatSuits) {
  EXPECT_EQ(format_duration(0), "0 ps");
  EXPECT_EQ(format_duration(900), "900 ps");
  EXPECT_EQ(format_duration(1000), "1.000 ns");
  EXPECT_EQ(format_duration(41250000000U), "41.25 ms");
  EXPECT_EQ(format_duration(2500000000000U), "2.500 s");
  EXPECT_EQ(format_duration(12345678), "12.35 \xC2\xB5s");
}

TEST(Text, DurationsRoundIntoTheNextUnit) {
  EXPECT_EQ(format_duration(999949999), "999.9 \xC2\xB5s");
  EXPECT_EQ(format_duration(999950000), "1.000 ms");
  EXPECT_EQ(format_duration(999999999), "1.000 ms");
}

TEST(Text, IntegersAreGroupedInThrees) {
  EXPECT_EQ(format_integer(0), "0");
  EXPECT_EQ(format_integer(999), "999");
  EXPECT_EQ(format_integer(1234567),
            "1\xE2\x80\x89"
            "234\xE2\x80\x89"
            "567");
}

TEST(Text, BytesUseBinaryUnits) {
  EXPECT_EQ(format_bytes(640), "640 B");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(13107200), "12.5 MiB");
  EXPECT_EQ(format_bytes(1ULL << 40U), "1 TiB");
}

TEST(Text, SharesThatAreNoNumbersPrintAsADash) {
  EXPECT_EQ(format_share(0.734), "73 %");
  EXPECT_EQ(format_share(0.0 / 0.0), "\xE2\x80\x93");
  EXPECT_EQ(format_share(-1), "\xE2\x80\x93");
}

TEST(Text, B14_BadUtf8AndControlCharactersAreReplaced) {
  EXPECT_EQ(clean_utf8("gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(clean_utf8("a\xFFz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(clean_utf8("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(clean_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD") << "a surrogate is no character";
  EXPECT_EQ(clean_utf8("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "cut short";
  EXPECT_EQ(clean_utf8(std::string_view("a\0b\x1B", 4)),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
}

TEST(Text, B14_LongNamesAreCutAtACharacter) {
  const std::string cut = short_name("abc\xE2\x82\xAC", 5);
  EXPECT_EQ(cut, "abc\xE2\x80\xA6");
  EXPECT_LT(short_name(std::string(1U << 20U, 'x')).size(), 300U);
  EXPECT_EQ(short_name("short"), "short");
}

TEST(Text, B14_HtmlEscapesEverythingThatEndsTextOrAttributes) {
  EXPECT_EQ(escape_html("<b a=\"1\" c='2'>&"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
}

TEST(Text, B14_ScriptJsonHoldsNoMarkupAndOnlyAscii) {
  const std::string text = script_json({{"</script><!--", "\xE2\x80\xA8&\xFF"}});
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  for (const char c : text) EXPECT_LT(static_cast<unsigned char>(c), 0x80U);
  EXPECT_EQ(Json::parse(text).begin().key(), "</script><!--");
}

}  // namespace
}  // namespace detent::reports
