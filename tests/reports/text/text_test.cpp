#include "reports/text/text.hpp"

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

TEST(Text, SharesThatAreNotNumbersArePrintedAsADash) {
  EXPECT_EQ(format_share(0.734), "73 %");
  EXPECT_EQ(format_share(0.0 / 0.0), "\xE2\x80\x93");
  EXPECT_EQ(format_share(-1), "\xE2\x80\x93");
}

TEST(Text, B14_BadUtf8AndControlCharactersAreEscaped) {
  EXPECT_EQ(printable_text("gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(printable_text("a\xFFz"), "a\\xffz");
  EXPECT_EQ(printable_text("\xC0\x80"), "\\xc0\\x80");
  EXPECT_EQ(printable_text("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "a surrogate is no character";
  EXPECT_EQ(printable_text("\xE2\x82"), "\\xe2\\x82") << "cut short";
  EXPECT_EQ(printable_text(std::string_view("a\0b\x1B\x7F", 5)), "a\\x00b\\x1b\\x7f");
  EXPECT_EQ(printable_text("a\tb\nc\rd"), "a\tb\nc\\x0dd");
  EXPECT_EQ(printable_line("a\tb\nc"), "a\\x09b\\x0ac");
}

TEST(Text, B14_CharactersThatTurnOrHideTextAreEscaped) {
  EXPECT_EQ(printable_text("a\u202Eb\u2028c\u2066d\u200Be\u009Bf\u00ADg"),
            "a\\u{202e}b\\u{2028}c\\u{2066}d\\u{200b}e\\u{9b}f\\u{ad}g");
  EXPECT_EQ(printable_text("\U000E0041\uFEFF\u061C\u180E\uFE0F\uFFFE"),
            "\\u{e0041}\\u{feff}\\u{61c}\\u{180e}\\u{fe0f}\\u{fffe}");
  EXPECT_EQ(printable_text("\u00A0\u00AE\u2027\u202F\u205F\u2070\uFFFD"), "\u00A0\u00AE\u2027\u202F\u205F\u2070\uFFFD")
      << "their neighbours are seen";
  EXPECT_EQ(escape_html("\u202E<"), "\\u{202e}&lt;");
  EXPECT_EQ(short_name("\u202E"), "\\u{202e}");
}

TEST(Text, B14_JsonSaysHiddenCharactersAsEscapesAndLosesNone) {
  const Json value = {{"name", "a\u202E\u2028\x7F\u009B\U000E0041z\u00FC"}};
  const std::string text = file_json(value);
  EXPECT_EQ(text, "{\n  \"name\": \"a\\u202e\\u2028\\u007f\\u009b\\udb40\\udc41z\u00FC\"\n}\n");
  EXPECT_EQ(Json::parse(text), value);
  EXPECT_EQ(escape_json("{\"a\": \"\xFF\"}"), "{\"a\": \"\xFF\"}");
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
