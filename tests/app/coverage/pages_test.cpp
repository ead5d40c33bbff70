// Gcovr's answers: what is made of them, and of a gcovr that fails or writes something else.
#include "app/coverage/pages.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

class CoveragePagesOf : public ::testing::Test {
 protected:
  /// A gcovr that writes these as --json-summary and --json, one page, and its arguments into `words`.
  CoverageTools gcovr(const std::string& figures, const std::string& lines, const std::string& end = "exit 0") {
    const std::string text =
        "#!/bin/sh\nfor word in \"$@\"; do echo \"$word\" >>" + place_.file("words") +
        "; done\nwhile [ $# -gt 1 ]; do\n case \"$1\" in\n  --json-summary) echo '" + figures +
        "' >\"$2\";;\n  --json) echo '" + lines +
        "' >\"$2\";;\n  --html-details) echo '<td>1970-01-01 00:00:00+00:00</td>' >\"$2\";;\n esac\n shift\ndone\n" +
        end + "\n";
    fs::permissions(place_.write("gcovr", text), fs::perms::owner_all);
    return {.compiler = "", .gcovr = place_.file("gcovr"), .gcov = {"/a b/llvm-cov", "gcov"}};
  }
  CoveragePages pages(const CoverageTools& tools) {
    return coverage_pages(tools, place_.file("."), {"a.b/c+d.c"}, "T");
  }

  TemporaryDirectory place_;
};

constexpr const char* kFigures =
    R"({"files":[{"filename":"b.c","line_covered":1,"line_total":2,"branch_covered":3,"branch_total":4,"function_covered":5,"function_total":6},)"
    R"({"filename":"a.c","line_covered":0,"line_total":1,"branch_covered":0,"branch_total":0,"function_covered":0,"function_total":2}]})";
constexpr const char* kLines =
    R"({"files":[{"file":"a.c","functions":[{"name":"z","lineno":4,"execution_count":0},{"name":"y","lineno":9,"execution_count":0},)"
    R"({"name":"x","lineno":1,"execution_count":2}]},{"file":"other.c","functions":[]}]})";

TEST_F(CoveragePagesOf, FiguresByNameAndFunctionsByLine) {
  const CoveragePages made = pages(gcovr(kFigures, kLines));
  const auto& files = made.figures.files;
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].name, "a.c");
  ASSERT_EQ(files[0].uncovered.size(), 2U);
  EXPECT_EQ(files[0].uncovered[0].name, "z");
  EXPECT_EQ(files[0].uncovered[1].line, 9U);
  EXPECT_EQ(files[1].branches.covered, 3U);
  const reports::FileCoverage total = made.figures.total();
  EXPECT_EQ(total.lines.total, 3U);
  EXPECT_EQ(total.lines.covered, 1U);
  EXPECT_EQ(total.functions.total, 8U);
  ASSERT_EQ(made.pages.size(), 1U) << "the JSON is not for users";
  EXPECT_EQ(made.pages[0].name, "coverage.html");
  EXPECT_EQ(made.pages[0].bytes, "<td>not recorded</td>\n");
}

TEST_F(CoveragePagesOf, TheCommandNamesWhatCountsAndReadsNoConfiguration) {
  static_cast<void>(pages(gcovr(kFigures, kLines)));
  const std::string words = bytes_of(place_.file("words"));
  EXPECT_NE(words.find("--filter\na\\.b/c\\+d\\.c$\n"), std::string::npos) << words;
  EXPECT_NE(words.find("--gcov-executable\n'/a b/llvm-cov' gcov\n"), std::string::npos) << words;
  EXPECT_NE(words.find("--config\n/dev/null\n"), std::string::npos) << words;
  EXPECT_NE(words.find("--timestamp\n0\n"), std::string::npos) << words;
}

TEST_F(CoveragePagesOf, AGcovrThatFailsIsQuoted) {
  const std::string refusal =
      refusal_of([&] { return pages(gcovr(kFigures, kLines, "echo no such; echo option\nexit 2")); });
  EXPECT_EQ(refusal, "--coverage: " + place_.file("gcovr") + " failed: no such option ; it must be gcovr 5.1 or newer");
}

TEST_F(CoveragePagesOf, WhatIsNotKnownIsRefused) {
  for (const char* const figures : {"{}", R"({"files":[{"filename":"a.c"}]})", "no JSON"}) {
    EXPECT_NE(refusal_of([&] { return pages(gcovr(figures, kLines)); }), "") << figures;
  }
  EXPECT_NE(refusal_of([&] {
              return pages(gcovr(kFigures, R"({"files":[{"file":"a.c"}]})"));
            }).find("writes what is not known here"),
            std::string::npos);
  EXPECT_EQ(refusal_of([&] { return pages(gcovr(R"({"files":[]})", R"({"files":[]})")); }),
            "--coverage: no counter was found of any source of the model; is there code in it?");
}

}  // namespace
}  // namespace detent::app
