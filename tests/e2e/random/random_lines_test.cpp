// Whole answers to command lines drawn at random, against golden files of digests: whatever a combination of options
// says or writes differently is seen, words of errors too.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/e2e/program.hpp"
#include "tests/e2e/random/command_lines.hpp"
#include "tests/e2e/random/digests.hpp"

namespace detent::e2e {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kOutputs = {"out",     "out.json", "out.toml",  "out.html",  "out.xml",
                                           "out.npy", "out.raw",  "out.sarif", "fixed.json"};

/// Says the command a time of this machine, so that only its JSON, told to leave it out, is the same again?
bool says_times(const LineParts& parts) { return parts.name == "run" || parts.name == "check"; }

/// @param kind  of the golden file and the scratch directory
void expect_answers_to_lines(const LineParts& parts, LineSet set, const std::string& kind) {
  const fs::path before = fs::current_path();
  fs::current_path(scratch("random_" + kind + "_" + parts.name));
  for (const LineFile& file : line_files()) write_file(file.name, file.content);
  std::vector<Digested> answers;
  for (const std::string& line : random_lines(parts, set)) {
    const bool is_json = says_times(parts) || answers.size() % 2 == 0;
    const std::string arguments = line + (is_json ? " --reproducible --json -" : "");
    answers.push_back({arguments, arguments, whole_answer(arguments, kOutputs)});
  }
  fs::current_path(before);
  expect_digests(kind + "_" + parts.name + ".txt", answers);
}

class RandomLines : public testing::TestWithParam<LineParts> {};

TEST_P(RandomLines, EveryAnswerIsAsBefore) { expect_answers_to_lines(GetParam(), LineSet::kFirst, "lines"); }

class FurtherLines : public RandomLines {};

TEST_P(FurtherLines, EveryAnswerIsAsBefore) { expect_answers_to_lines(GetParam(), LineSet::kFurther, "further"); }

std::string name_of(const testing::TestParamInfo<LineParts>& part) { return part.param.name; }

/// Some lines of the others take seconds, or have a deadline that this machine keeps or does not.
std::vector<LineParts> quick_parts() {
  std::vector<LineParts> parts = all_line_parts();
  std::erase_if(parts, [](const LineParts& part) {
    return part.name == "explore_threads" || part.name == "partition" || part.name == "pool" || part.name == "run";
  });
  return parts;
}

INSTANTIATE_TEST_SUITE_P(Commands, RandomLines, testing::ValuesIn(all_line_parts()), name_of);
INSTANTIATE_TEST_SUITE_P(Commands, FurtherLines, testing::ValuesIn(quick_parts()), name_of);

}  // namespace
}  // namespace detent::e2e
