// A command never writes over a file that it reads, and never two answers into one file, whatever the spelling.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

constexpr const char* kGraph = R"({"schema": "detent.graph/1", "name": "one", "ops": [{"id": 0}], "edges": []})";

void expect_refused(const std::string& command, const std::string& file, const std::string& bytes) {
  const Answer answer = run_detent(command);
  EXPECT_EQ(answer.exit_code, 2) << command;
  EXPECT_NE(answer.error.find(": is also the file of "), std::string::npos) << command << answer.error;
  EXPECT_EQ(read_file(file), bytes) << command;
}

TEST(Regress, AnImportDoesNotWriteOverItsFile) {
  const std::string directory = scratch("regress_overwritten_input");
  const std::string file = directory + "/g.json";
  write_file(file, kGraph);
  expect_refused("import graph " + file + " -o " + file, file, kGraph);
  expect_refused("import graph " + file + " -o " + directory + "/../regress_overwritten_input/g.json", file, kGraph);
  expect_refused("import tvm " + file + " -o " + file, file, kGraph);
  expect_refused("replay " + file + " --json " + file, file, kGraph);
  expect_refused("merge " + directory + "/other " + file + " --json " + file, file, kGraph);
  expect_refused("run diamond --input " + file + " --output " + file, file, kGraph);
  expect_refused("npu --array 1,1 --layers " + file + " --json " + file, file, kGraph);
}

TEST(Regress, TwoAnswersWithTwoSpellingsOfANewFileAreRefused) {
  const std::string directory = scratch("regress_two_spellings");
  const std::string there = std::filesystem::relative(directory).string();
  const Answer answer = run_detent("run diamond --json " + there + "/a --output ./" + there + "/a");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.error.find("is also the file of --json; choose another one"), std::string::npos) << answer.error;
  EXPECT_FALSE(std::filesystem::exists(directory + "/a"));
}

}  // namespace
}  // namespace detent::e2e
