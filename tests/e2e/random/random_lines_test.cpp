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

class RandomLines : public testing::TestWithParam<LineParts> {};

TEST_P(RandomLines, EveryAnswerIsAsBefore) {
  const LineParts& parts = GetParam();
  const fs::path before = fs::current_path();
  fs::current_path(scratch("random_lines_" + parts.name));
  for (const LineFile& file : line_files()) write_file(file.name, file.content);
  std::vector<Digested> answers;
  for (const std::string& line : random_lines(parts)) {
    const bool is_json = says_times(parts) || answers.size() % 2 == 0;
    const std::string arguments = line + (is_json ? " --reproducible --json -" : "");
    answers.push_back({arguments, arguments, whole_answer(arguments, kOutputs)});
  }
  fs::current_path(before);
  expect_digests("lines_" + parts.name + ".txt", answers);
}

INSTANTIATE_TEST_SUITE_P(Commands, RandomLines, testing::ValuesIn(all_line_parts()),
                         [](const testing::TestParamInfo<LineParts>& part) { return part.param.name; });

}  // namespace
}  // namespace detent::e2e
