// Texts of one line each -> the code that the compiler is given, the macros with values, the doubts and the names that
// depend on them, against a golden file; limits and places of texts.
#include <gtest/gtest.h>

#include <string>

#include "models/import/tvm/c/doubts.hpp"
#include "models/import/tvm/c/scan.hpp"
#include "models/import/tvm/c/text.hpp"
#include "tests/models/import/tvm/line_answers.hpp"
#include "tests/models/import/tvm/line_cases.hpp"

namespace detent::models::tvm {
namespace {

TEST(ScanLines, AreWhatTheGoldenFileSays) { expect_lines("scan_lines", scan_answer); }

TEST(DoubtfulPlaces, OneThatOverlapsIsFound) {
  const DoubtfulPlaces places({{{40, 50}, "c", ""}, {{10, 30}, "a", ""}, {{12, 14}, "b", ""}});
  const auto why = [&](std::uint64_t begin, std::uint64_t end) {
    const Doubt* doubt = places.in({begin, end});
    return doubt == nullptr ? "" : doubt->why;
  };
  EXPECT_EQ(why(0, 10), "");
  EXPECT_EQ(why(0, 11), "a");
  EXPECT_EQ(why(13, 14), "a");
  EXPECT_EQ(why(20, 25), "a");
  EXPECT_EQ(why(29, 35), "a");
  EXPECT_EQ(why(30, 40), "");
  EXPECT_EQ(why(30, 41), "c");
  EXPECT_EQ(why(49, 60), "c");
  EXPECT_EQ(why(50, 60), "");
  EXPECT_EQ(places.doubts().at(0).why + places.doubts().at(1).why + places.doubts().at(2).why, "abc");
}

TEST(DoubtfulNames, TheFirstOfAPieceOfCode) {
  const DoubtfulNames names = {{"A", "1"}, {"B", "2"}};
  const auto first = [&](const std::string& code, const std::string& except) {
    const auto found = first_doubtful(code, names, except);
    return found == names.end() ? "" : found->first;
  };
  EXPECT_EQ(first("x + B - A", ""), "B");
  EXPECT_EQ(first("x + B - A", "B"), "A");
  EXPECT_EQ(first("AA BB aB", ""), "");
  EXPECT_EQ(first("A", ""), "A");
  EXPECT_EQ(first("", ""), "");
  EXPECT_EQ(first("(A)", ""), "A");
}

/// Each part of a text where one may end: comments, constants, words, numbers, directives, braces.
TEST(CTextPlaces, WhereEachPartEnds) {
  const std::string file = "dir/t.c";
  const auto ends = [&](const std::string& text, auto member) {
    const CText view(text, file);
    try {
      return text.substr(0, (view.*member)(0));
    } catch (const InputError& error) {
      return std::string("refused: ") + error.what();
    }
  };
  EXPECT_EQ(ends("// a\nb", &CText::comment_end), "// a");
  EXPECT_EQ(ends("// a\\\nb\nc", &CText::comment_end), "// a\\\nb");
  EXPECT_EQ(ends("// a\\\r\nb\nc", &CText::comment_end), "// a\\\r\nb");
  EXPECT_EQ(ends("// a\r\nb\n", &CText::comment_end), "// a\r");
  EXPECT_EQ(ends("// a", &CText::comment_end), "// a");
  EXPECT_EQ(ends("// a\\\n", &CText::comment_end), "// a\\\n");
  EXPECT_EQ(ends("/**/b", &CText::comment_end), "/**/");
  EXPECT_EQ(ends("/*/b*/c", &CText::comment_end), "/*/b*/");
  EXPECT_EQ(ends("/* a", &CText::comment_end),
            "refused: dir/t.c:1: a comment that never ends; the file is cut off or damaged");
  EXPECT_EQ(ends("\"a\"b", &CText::quoted_end), "\"a\"");
  EXPECT_EQ(ends("\"\\\"\"b", &CText::quoted_end), "\"\\\"\"");
  EXPECT_EQ(ends("\"a'\"b", &CText::quoted_end), "\"a'\"");
  EXPECT_EQ(ends("\"a\\\r\nb\"c", &CText::quoted_end), "\"a\\\r\nb\"");
  EXPECT_EQ(ends("\"a\\\nb\"c", &CText::quoted_end), "\"a\\\nb\"");
  EXPECT_EQ(ends("\"a\\\rb\"c", &CText::quoted_end), "\"a\\\rb\"");
  EXPECT_EQ(ends("\"a\nb\"", &CText::quoted_end),
            "refused: dir/t.c:1: a string or character constant that never ends; the file is cut off or damaged");
  EXPECT_EQ(ends("\"a\\", &CText::quoted_end),
            "refused: dir/t.c:1: a string or character constant that never ends; the file is cut off or damaged");
  EXPECT_EQ(ends(" \t\r\v\f\n/* a */ // b\n c", &CText::blank_end), " \t\r\v\f\n/* a */ // b\n ");
  EXPECT_EQ(ends("a b", &CText::blank_end), "");
  EXPECT_EQ(ends("  ", &CText::blank_end), "  ");
  EXPECT_EQ(ends("/ a", &CText::blank_end), "");
  EXPECT_EQ(ends("a_$9Z\xC3\xA9+", &CText::word_end), "a_$9Z\xC3\xA9");
  EXPECT_EQ(ends("+a", &CText::word_end), "");
  EXPECT_EQ(ends("azAZ09@", &CText::word_end), "azAZ09");
  EXPECT_EQ(ends("`", &CText::word_end), "");
  EXPECT_EQ(ends("{", &CText::word_end), "");
  EXPECT_EQ(ends("[", &CText::word_end), "");
  EXPECT_EQ(ends("1e+5", &CText::number_end), "1e+5");
  EXPECT_EQ(ends("1E-5p+3P-2x", &CText::number_end), "1E-5p+3P-2x");
  EXPECT_EQ(ends("1x+5", &CText::number_end), "1x");
  EXPECT_EQ(ends(".5.6f, 7", &CText::number_end), ".5.6f");
  EXPECT_EQ(ends("#a\nb", &CText::directive_end), "#a");
  EXPECT_EQ(ends("#a\\\nb\nc", &CText::directive_end), "#a\\\nb");
  EXPECT_EQ(ends("#a\\\r\nb\nc", &CText::directive_end), "#a\\\r\nb");
  EXPECT_EQ(ends("#a\\\rb\nc", &CText::directive_end), "#a\\\rb");
  EXPECT_EQ(ends("#a/*\n*/b\nc", &CText::directive_end), "#a/*\n*/b");
  EXPECT_EQ(ends("#a//b\nc", &CText::directive_end), "#a//b");
  EXPECT_EQ(ends("#a", &CText::directive_end), "#a");
  EXPECT_EQ(ends("#a\\", &CText::directive_end), "#a\\");
}

TEST(CTextPlaces, BracesAndWhatTheyHold) {
  const std::string file = "t.c";
  const auto held = [&](const std::string& text, std::uint32_t depth = 3) {
    std::uint64_t elements = 100;
    try {
      const std::uint64_t end = CText(text, file).braces_end(0, depth, elements);
      return text.substr(0, end) + " " + std::to_string(elements - 100);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(held("{}x"), "{} 0");
  EXPECT_EQ(held("{ }x"), "{ } 0");
  EXPECT_EQ(held("{\n}"), "{\n} 0");
  EXPECT_EQ(held("{1}"), "{1} 1");
  EXPECT_EQ(held("{1,}"), "{1,} 1");
  EXPECT_EQ(held("{1, }"), "{1, } 1");
  EXPECT_EQ(held("{1,2}"), "{1,2} 2");
  EXPECT_EQ(held("{,}"), "{,} 1");
  EXPECT_EQ(held("{{}}"), "{{}} 1");
  EXPECT_EQ(held("{{},}"), "{{},} 1");
  EXPECT_EQ(held("{{1,2},{3}}"), "{{1,2},{3}} 2");
  EXPECT_EQ(held("{\"}\"}"), "{\"}\"} 1");
  EXPECT_EQ(held("{'}', /* } , */ 2 // },\n}"), "{'}', /* } , */ 2 // },\n} 2");
  EXPECT_EQ(held("{/**/}"), "{/**/} 0");
  EXPECT_EQ(held("{{{1}}}"), "{{{1}}} 1");
  EXPECT_EQ(held("{{{{1}}}}"), "t.c:1: nested deeper than 3 brackets; no generator writes that");
  EXPECT_EQ(held("{{1}"), "t.c:1: '{' is never closed; the file is cut off or damaged");
}

/// Blocks of lines are counted by 256 bytes: places on both sides of their ends.
TEST(CTextPlaces, LinesAndFilesOfEveryByte) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += std::string(static_cast<std::size_t>(i % 7), 'x') + "\n";
  const std::size_t marked = text.size();
  text += line_mark(40, "h.h") + "one\ntwo\n" + line_mark(7, "t.c") +
          "seven\n  #line 9 \"no.h\" // \n#line 0 \"no.h\" // \n";
  text += "#line 9 \"no.h\"\n#line 9 no.h // \nx #line 9 \"no.h\" // \n" + line_mark(123'456'789, "big.h") + "end";
  const LineTable table(text);
  std::string file;
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at == 0 || text[at - 1] == '\n') {
      line += at == 0 ? 0U : 1U;
      const std::string mark_of_t = line_mark(7, "t.c"), mark_of_h = line_mark(40, "h.h");
      if (at == marked + mark_of_h.size()) file = "h.h", line = 40;
      if (text.compare(at, 5, "seven") == 0) file = "t.c", line = 7;
      if (text.compare(at, 3, "end") == 0) file = "big.h", line = 123'456'789;
    }
    ASSERT_EQ(table.line_of(at), line) << at;
    ASSERT_EQ(table.file_of(at), file) << at;
    const TextPlace place = place_at(text, at, "dir/t.c");
    ASSERT_EQ(place.line, line) << at;
    ASSERT_EQ(place.file, file.empty() || file == "t.c" ? "dir/t.c" : file) << at;
  }
  EXPECT_EQ(table.line_of(text.size() + 100), line);
  EXPECT_EQ(place_at(text, text.size() + 100, "dir/t.c").line, line);
  EXPECT_EQ(LineTable("").line_of(5), 1U);
  EXPECT_EQ(LineTable(line_mark(1, "a.h")).line_of(0), 1U);
  EXPECT_EQ(line_mark(3, "a.h"), "#line 3 \"a.h\" // \n");
}

TEST(CTextPlaces, FaultsNameTheFileOfTheMarkUnlessMarksAreText) {
  const std::string file = "dir/t.c", text = line_mark(40, "h.h") + "one\ntwo";
  const auto said = [&](CText::Marks marks, std::uint64_t at) {
    try {
      CText(text, file, marks).fail(at, "no");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(said(CText::Marks::kFollowed, text.size()), "h.h:41: no");
  EXPECT_EQ(said(CText::Marks::kFollowed, 0), "dir/t.c:1: no");
  EXPECT_EQ(said(CText::Marks::kIgnored, text.size()), "dir/t.c:3: no");
  EXPECT_EQ(said(CText::Marks::kIgnored, 0), "dir/t.c:1: no");
}

}  // namespace
}  // namespace detent::models::tvm
