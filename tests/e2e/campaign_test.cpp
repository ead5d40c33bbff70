// Campaigns through the program: shards, a process that is killed and resumed, merged answers, files that do not fit.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "tests/e2e/program.hpp"
#include "tests/effort.hpp"

namespace detent::e2e {
namespace {

namespace fs = std::filesystem;

/// Ten ops on two paths, each with a range of times.
std::string graph_file(const std::string& directory) {
  nlohmann::json graph = {{"schema", "detent.graph/1"}, {"name", "ten"}, {"regions", nlohmann::json::array()}};
  for (int op = 0; op < 10; ++op) {
    graph["ops"].push_back(
        {{"id", op}, {"name", fmt::format("op_{}", op)}, {"time_ps", {1000 * (op + 1), 2000 * (op + 1)}}});
    if (op >= 2) graph["edges"].push_back({op - 2, op});
  }
  write_file(directory + "/ten.json", graph.dump());
  return directory + "/ten.json";
}

/// "simulate GRAPH ..." of a campaign in a directory of its own.
class CampaignFiles {
 public:
  explicit CampaignFiles(const std::string& name, std::uint64_t runs)
      : directory_(scratch(name)), graph_(graph_file(directory_)), runs_(runs) {}

  [[nodiscard]] std::string path(const std::string& file) const { return directory_ + "/" + file; }
  [[nodiscard]] std::string simulate(const std::string& more, const std::string& jitter = "uniform:0.1") const {
    return fmt::format("simulate {} --runs {} --seed 7 --cores 2 --jitter '{}' {}", graph_, runs_, jitter, more);
  }
  /// Run a shard into its file. @return  what it said
  Answer shard(int index, int count, const std::string& more = "") const {
    return run_detent(simulate(
        fmt::format("--shard {}/{} --campaign {} {}", index, count, path(fmt::format("shard{}", index)), more)));
  }

 private:
  std::string directory_;
  std::string graph_;
  std::uint64_t runs_;
};

/// Start the program, kill it with SIGKILL as soon as its file has grown beyond `bytes`.
/// @return  true when the signal ended it, false when it was faster
bool run_and_kill(const std::string& arguments, const std::string& file, std::uint64_t bytes) {
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string command = "exec " + program_under_test() + " " + arguments + " >/dev/null 2>&1";
    ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;
  std::error_code error;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    const std::uint64_t size = fs::file_size(file, error);
    if (!error && size > bytes) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      break;
    }
    ::sched_yield();
  }
  return WIFSIGNALED(status);
}

TEST(Campaign, KilledAndResumedShardsMergeToTheBytesOfOneProcess) {
  const CampaignFiles files("campaign_killed", effort(200'000U));
  ASSERT_EQ(run_detent(files.simulate("--quiet --json " + files.path("whole.json"))).exit_code, 0);

  const std::string shard1 = "--shard 1/2 --campaign " + files.path("shard1");
  EXPECT_TRUE(run_and_kill(files.simulate(shard1), files.path("shard1"), 4096)) << "killed after its first block";
  const Answer unfinished = run_detent(fmt::format("merge {}", files.path("shard1")));
  EXPECT_EQ(unfinished.exit_code, 2) << unfinished.output;

  ASSERT_EQ(files.shard(0, 2).exit_code, 0);
  const Answer resumed = run_detent(files.simulate(shard1 + " --resume"));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.error;
  EXPECT_NE(resumed.output.find("runs are there"), std::string::npos) << resumed.output;

  const Answer merged = run_detent(
      fmt::format("merge {} {} --json {}", files.path("shard1"), files.path("shard0"), files.path("merged.json")));
  EXPECT_EQ(merged.exit_code, 0) << merged.error;
  EXPECT_TRUE(read_file(files.path("merged.json")) == read_file(files.path("whole.json")));

  const std::string by_simulate = fmt::format("--quiet --json {} --merge {} {}", files.path("merged2.json"),
                                              files.path("shard0"), files.path("shard1"));
  EXPECT_EQ(run_detent(files.simulate(by_simulate)).exit_code, 0);
  EXPECT_TRUE(read_file(files.path("merged2.json")) == read_file(files.path("whole.json")));
}

TEST(Campaign, MergedRunsAreJudgedByADeadlineAsThoseOfOneProcess) {
  const CampaignFiles files("campaign_deadline", 100);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(files.shard(i, 2).exit_code, 0);
  for (const char* const deadline : {"1s", "1ns"}) {
    const std::string words = fmt::format("--quiet --deadline {} --json ", deadline);
    const int exit_code = run_detent(files.simulate(words + files.path("whole.json"))).exit_code;
    EXPECT_EQ(exit_code, std::string(deadline) == "1ns" ? 1 : 0);
    const std::string parts = files.path("shard1") + " " + files.path("shard0");
    EXPECT_EQ(run_detent("merge " + parts + " " + words + files.path("merged.json")).exit_code, exit_code);
    EXPECT_TRUE(read_file(files.path("merged.json")) == read_file(files.path("whole.json"))) << deadline;
  }
}

TEST(Campaign, AnyNumberOfShardsInAnyOrderGivesTheSameBytes) {
  const CampaignFiles files("campaign_shards", 1000);
  ASSERT_EQ(run_detent(files.simulate("--quiet --keep-worst 3 --json " + files.path("whole.json"))).exit_code, 0);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(files.shard(i, 3).exit_code, 0);
  for (const char* order : {"0 1 2", "2 1 0", "1 2 0"}) {
    std::string list;
    std::istringstream words(order);
    for (std::string word; words >> word;) list += files.path("shard" + word) + " ";
    ASSERT_EQ(run_detent("merge --quiet --keep-worst 3 " + list + "--json " + files.path("merged.json")).exit_code, 0);
    EXPECT_TRUE(read_file(files.path("merged.json")) == read_file(files.path("whole.json"))) << order;
  }
  EXPECT_EQ(files.shard(0, 3, "--resume").exit_code, 0) << "nothing left to do";
}

void expect_campaign_refused(const std::string& arguments, const std::vector<std::string>& words) {
  const Answer answer = run_detent(arguments);
  EXPECT_EQ(answer.exit_code, 2) << arguments << "\n" << answer.output << answer.error;
  for (const std::string& word : words) {
    EXPECT_NE(answer.error.find(word), std::string::npos) << word << " in: " << answer.error;
  }
}

TEST(Campaign, FilesOfOtherOptionsAreRefusedNamingTheDifference) {
  const CampaignFiles files("campaign_other", 300);
  ASSERT_EQ(files.shard(0, 2).exit_code, 0);
  ASSERT_EQ(files.shard(1, 2).exit_code, 0);
  const std::string before = read_file(files.path("shard0"));
  const std::string file = "--shard 0/2 --campaign " + files.path("shard0");
  expect_campaign_refused(files.simulate(file), {"shard0: exists", "--resume"});
  expect_campaign_refused(files.simulate(file + " --resume", "uniform:0.2"),
                          {"--jitter is uniform:0.1 there and uniform:0.2 here"});
  expect_campaign_refused(files.simulate(file + " --resume --no-overheads"), {"--no-overheads is not given there"});
  expect_campaign_refused(files.simulate("--shard 1/2 --resume --campaign " + files.path("shard0")),
                          {"is for runs 0 to 149, not for runs 150 to 299"});
  expect_campaign_refused("merge " + files.path("shard0"), {"runs 150 to 299 are missing"});
  expect_campaign_refused("merge " + files.path("shard1"), {"runs 0 to 149 are missing"});
  expect_campaign_refused(fmt::format("merge {0} {0} {1}", files.path("shard0"), files.path("shard1")),
                          {"begins with run 0", "also holds"});
  EXPECT_EQ(run_detent(files.simulate("--shard 1/2 --quiet --campaign " + files.path("foreign"), "worst")).exit_code,
            0);
  expect_campaign_refused(fmt::format("merge {} {}", files.path("shard0"), files.path("foreign")),
                          {"foreign: holds another campaign", "--jitter is worst there"});
  EXPECT_TRUE(read_file(files.path("shard0")) == before);
}

TEST(Campaign, AModelThatChangedIsRefused) {
  const CampaignFiles files("campaign_model", 100);
  ASSERT_EQ(files.shard(0, 1).exit_code, 0);
  std::string graph = read_file(files.path("ten.json"));
  graph.replace(graph.find("2000"), 4, "2001");
  write_file(files.path("ten.json"), graph);
  expect_campaign_refused("merge " + files.path("shard0"), {"model_hash", "MODEL (content)"});
}

TEST(Campaign, B04_DamagedFilesAreRefusedByMergeAndRepairedByResume) {
  const CampaignFiles files("campaign_damaged", 5000);
  ASSERT_EQ(files.shard(0, 1).exit_code, 0);
  const std::string whole = read_file(files.path("shard0"));
  write_file(files.path("shard0"), whole.substr(0, whole.size() - 100));
  expect_campaign_refused("merge " + files.path("shard0"), {"shard0: byte", "cut off", "--resume"});
  std::string flipped = whole;
  flipped[whole.size() - 100] = static_cast<char>(flipped[whole.size() - 100] ^ 1);
  write_file(files.path("shard0"), flipped);
  expect_campaign_refused("merge " + files.path("shard0"), {"checksum"});
  EXPECT_EQ(files.shard(0, 1, "--resume").exit_code, 0);
  EXPECT_TRUE(read_file(files.path("shard0")) == whole);
  write_file(files.path("shard0"), "");
  expect_campaign_refused("merge " + files.path("shard0"), {"byte 0: the file is empty"});
}

TEST(Campaign, OptionsThatContradictEachOtherAreRefused) {
  const CampaignFiles files("campaign_words", 10);
  for (const char* shard : {"2/2", "x", "1", "-1/2", "0/0", "0/11", "1/2/3", ""}) {
    if (*shard != '\0') expect_campaign_refused(files.simulate(std::string("--shard ") + shard), {"--shard"});
  }
  expect_campaign_refused(files.simulate("--resume"), {"--resume: add --campaign"});
  expect_campaign_refused(files.simulate("--shard 0/2 --merge x"), {"--merge"});
  expect_campaign_refused(files.simulate("--campaign /nonexistent/file"), {"there is no folder /nonexistent"});
  expect_campaign_refused("merge /nonexistent/file", {"/nonexistent/file"});
  expect_campaign_refused("merge " + files.path("ten.json"),
                          {"ten.json: is an op graph, not a campaign file of detent simulate"});
}

TEST(Campaign, AnswerHasSpreadHistogramAndReplayableWorstRuns) {
  const CampaignFiles files("campaign_answer", 500);
  const nlohmann::json answer = parse(run_detent(files.simulate("--keep-worst 2 --json -")));
  EXPECT_GT(answer["makespan_ps"]["standard_error"], 0);
  EXPECT_GT(answer["makespan_ps"]["mean"], answer["makespan_ps"]["min"]);
  std::uint64_t counted = 0;
  for (const std::uint64_t count : answer["histogram"]["counts"]) counted += count;
  EXPECT_EQ(counted, 500U);
  ASSERT_EQ(answer["worst"].size(), 2U);
  EXPECT_EQ(answer["worst"][0]["makespan_ps"], answer["makespan_ps"]["max"]);
  for (const auto& run : answer["worst"]) {
    const Answer replayed = run_detent("replay '" + run["replay"].get<std::string>() + "'");
    EXPECT_EQ(replayed.exit_code, 0) << replayed.output << replayed.error;
  }
}

TEST(Campaign, SensitivityNamesWhatTheMaximumDependsOn) {
  const CampaignFiles files("campaign_sensitivity", 200);
  const nlohmann::json answer = parse(run_detent(files.simulate("--sensitivity --json -")));
  const auto& rows = answer["sensitivity"];
  ASSERT_GE(rows.size(), 10U);
  double sum = 0;
  for (const auto& row : rows) {
    if (row["kind"] == "op") sum += row["elasticity"].get<double>();
  }
  EXPECT_NEAR(sum, 1, 0.05) << "two paths without overheads: the longer one is the makespan";
  EXPECT_EQ(answer["sensitivity_of"]["ops_tried"], 10U);
  EXPECT_EQ(answer["sensitivity_of"]["max_ps"], answer["makespan_ps"]["max"]);
  const Answer table = run_detent(files.simulate("--sensitivity"));
  EXPECT_NE(table.output.find("maximum depends on"), std::string::npos);
  EXPECT_EQ(run_detent(files.simulate("--sensitivity --sensitivity-step 0")).exit_code, 2);
}

TEST(Campaign, JitterOfEveryKindGoesThroughTheProgram) {
  const CampaignFiles files("campaign_jitter", 50);
  for (const char* jitter : {"pareto:0.1:1.2", "lognormal", "op_1*=worst,cpu=triangular:0.1;corr=core:0.7"}) {
    const Answer once = run_detent(files.simulate("--json -", jitter));
    EXPECT_EQ(once.exit_code, 0) << once.error;
    EXPECT_EQ(parse(once)["jitter"], jitter);
    const Answer replayed = run_detent("replay '" + parse(once)["replay"].get<std::string>() + "'");
    EXPECT_EQ(replayed.exit_code, 0) << replayed.output << replayed.error;
  }
  expect_campaign_refused(files.simulate("", "empirical"), {"op 0 (op_0) is empirical", "detent calibrate"});
  expect_campaign_refused(files.simulate("", "op=wild"), {"--jitter op=wild", "character 4", "*=triangular:0.1"});
}

}  // namespace
}  // namespace detent::e2e
