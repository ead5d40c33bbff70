// Texts of one line each -> what comes out of the preprocessor to the byte, or the refusal, against a golden file.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "models/import/tvm/preprocess/preprocess.hpp"
#include "tests/models/import/tvm/line_answers.hpp"
#include "tests/models/import/tvm/line_cases.hpp"

namespace detent::models::tvm {
namespace {

TEST(PreprocessLines, AreWhatTheGoldenFileSays) {
  const HeadersOfCases headers;
  expect_lines("preprocess_lines", [&](const std::string& text) { return headers.preprocess_answer(text); });
}

/// The most headers in headers, and the most headers at all, to the last one.
TEST(PreprocessLines, HeadersAreCountedToTheLastOne) {
  const Scratch scratch;
  write_text(scratch.root() / "h.h", "#include \"g.h\"\nh\n");
  write_text(scratch.root() / "g.h", "#ifdef DEEP\n#include \"f.h\"\n#endif\n");
  write_text(scratch.root() / "f.h", "f\n");
  const IncludePath path({scratch.root().string()});
  const auto said = [&](const std::string& text, const PreprocessOptions& options) {
    try {
      return std::to_string(preprocess(text, "t.c", {}, path, options).text.size());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  const std::string two = "#include \"h.h\"\n", twice = two + two;
  EXPECT_EQ(said(two, {.flags = {}, .max_depth = 2}).find("t.c"), std::string::npos);
  EXPECT_NE(said(two, {.flags = {}, .max_depth = 1}).find("h.h:1: headers that include each other deeper than 100"),
            std::string::npos);
  EXPECT_NE(said(twice, {.flags = {"-DDEEP"}, .max_depth = 2}).find("g.h:2: headers that include each other"),
            std::string::npos);
  EXPECT_EQ(said(twice, {.flags = {"-DDEEP"}, .max_depth = 3}).find("t.c"), std::string::npos);
  EXPECT_EQ(said(twice, {.flags = {}, .max_headers = 4}).find("t.c"), std::string::npos);
  EXPECT_NE(said(twice, {.flags = {}, .max_headers = 3}).find("h.h:1: includes more than 20,000 headers"),
            std::string::npos);
  EXPECT_EQ(said("int a;\n", {.flags = {}, .max_bytes = 7}), "7");
  EXPECT_EQ(said("int a;\n", {.flags = {}, .max_bytes = 6}), "t.c:1: with its headers larger than 1 GiB");
}

TEST(PreprocessLines, IncludeLinesAreFoundWhateverTheConditions) {
  const auto found = [](const std::string& text) {
    std::string said;
    for (const IncludeLine& line : include_lines(text))
      said += (line.quoted ? "\"" : "<") + line.name + " " + std::to_string(line.line) + ";";
    return said;
  };
  EXPECT_EQ(found("#include <a.h>\n#if 0\n  #  include \"b/c.h\" // x\n#endif\n"), "<a.h 1;\"b/c.h 3;");
  EXPECT_EQ(found("#include<a.h>"), "<a.h 1;");
  EXPECT_EQ(found("include <a.h>\n"), "");
  EXPECT_EQ(found("x #include <a.h>\n"), "");
  EXPECT_EQ(found("#define include <a.h>\n"), "");
  EXPECT_EQ(found("\n\t#\tinclude\t<a.h>\n"), "<a.h 2;");
  EXPECT_EQ(found("#include A\n\"a.h\"\n"), "");
  EXPECT_EQ(found("#include <a.h\n>\n"), "");
  EXPECT_EQ(found("#include \"a.h\n\"\n"), "");
  EXPECT_EQ(found("#include <>\n"), "< 1;");
  EXPECT_EQ(found("#include"), "");
  EXPECT_EQ(found("#include_next <a.h>\n"), "<a.h 1;");
  std::string many;
  for (int i = 0; i < 10'001; ++i) many += "#include <a>\n";
  EXPECT_EQ(include_lines(many).size(), 10'000U);
  EXPECT_EQ(include_lines(many).back().line, 10'000U);
}

TEST(PreprocessLines, HeadersThatAreGivenAreThoseOfNoPackage) {
  const Scratch scratch;
  for (const char* name : {"own.h", "stdint.h", "arm_acle.h", "sub/own_too.h"}) write_text(scratch.root() / name, "");
  const IncludePath path({scratch.root().string()}), nowhere({});
  const auto given = [&](const std::string& text) { return includes_given(text, {}, path); };
  EXPECT_TRUE(given("#include <stdint.h>\n#include \"own.h\"\n"));
  EXPECT_TRUE(given("#include <sub/own_too.h>\n"));
  EXPECT_TRUE(given("#include <arm_acle.h>\n"));
  EXPECT_FALSE(given("#include <stdint.h>\n"));
  EXPECT_FALSE(given("#include <own_too.h>\n"));
  EXPECT_FALSE(given("int a;\n"));
  EXPECT_FALSE(includes_given("#include \"own.h\"\n", {}, nowhere));
}

}  // namespace
}  // namespace detent::models::tvm
