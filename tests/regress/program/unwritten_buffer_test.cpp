// A buffer that an op of one branch writes and an op of every run reads: with the other outcome the runtime takes
// nothing of the network. `check` ended with that refusal alone and wrote no report, though value flow is violated;
// `simulate` told a longest run of 0 ps.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

const char* const kOneBranch = R"({"schema": "detent.graph/2", "name": "one_branch", "deadline": "5us",
"buffers": [{"name": "a", "size": 16}, {"name": "b", "size": 16}, {"name": "y", "size": 16, "role": "output"}],
"ops": [{"id": 0, "time_ps": 100, "writes": [{"buffer": "a"}]},
{"id": 1, "time_ps": 100, "guard": "c0=then", "reads": [{"buffer": "a"}], "writes": [{"buffer": "b"}]},
{"id": 2, "time_ps": 100, "reads": [{"buffer": "a"}, {"buffer": "b"}], "writes": [{"buffer": "y"}]}],
"edges": [[0, 1], [1, 2], [0, 2]]})";

TEST(UnwrittenBuffer, CheckSaysWhatIsWrongInAReport) {
  const std::string directory = scratch("unwritten_buffer"), file = directory + "/net.json";
  write_file(file, kOneBranch);
  const Answer answer =
      run_detent("check " + file + " --outcome c0=other --out " + directory + "/report --reproducible --json -");
  EXPECT_EQ(answer.exit_code, 1) << answer.error;
  const nlohmann::json json = parse(answer);
  std::string violated, deadline;
  for (const nlohmann::json& verdict : json["verdicts"]) {
    if (verdict["outcome"] == "violated") violated += std::string(verdict["property"]) + " ";
    if (verdict["property"] == "simulation") {
      EXPECT_EQ(verdict["summary"], "no run of outcomes c0=other can begin");
      EXPECT_NE(verdict["witness"].dump().find("B27 PRODUCER"), std::string::npos) << verdict;
    }
    if (verdict["property"] == "deadline") deadline = verdict["outcome"];
  }
  EXPECT_EQ(violated, "value_flow simulation ");
  EXPECT_EQ(deadline, "unknown");
  EXPECT_TRUE(std::filesystem::exists(directory + "/report/report.html"));
  const Answer other = run_detent("check " + file + " --outcome c0=then --out " + directory + "/other --json -");
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_GT(parse(other)["simulated"]["makespan_ps"]["max"], 0);
}

TEST(UnwrittenBuffer, SimulateTellsNoRun) {
  const std::string file = scratch("unwritten_buffer_simulated") + "/net.json";
  write_file(file, kOneBranch);
  const Answer answer = run_detent("simulate " + file + " --cores cpu=2 --outcome c0=other");
  EXPECT_EQ(answer.exit_code, 1) << answer.error;
  EXPECT_TRUE(answer.output.starts_with("FAILED: cannot be bound: B27 PRODUCER")) << answer.output;
  EXPECT_EQ(answer.output.find("longest run seen"), std::string::npos) << answer.output;
  const nlohmann::json json = parse(run_detent("simulate " + file + " --cores cpu=2 --outcome c0=other --json -"));
  EXPECT_EQ(json["status"], "FAILED");
  EXPECT_FALSE(json.contains("makespan_ps"));
  EXPECT_EQ(json["outcomes"], "c0=other");
  EXPECT_EQ(json["verdicts"][0]["outcome"], "unknown");
}

}  // namespace
}  // namespace detent::e2e
