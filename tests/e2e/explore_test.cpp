// detent explore: exact counts, coverage, the minimal failure and its replay.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/build.hpp"
#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

/// Threads of accesses ("w0", "r1") as an op graph file; each variable has 8 bytes.
std::string write_program(const std::string& directory, const std::vector<std::vector<std::string>>& threads) {
  nlohmann::json graph{{"schema", "detent.graph/1"}, {"name", "program"}, {"edges", nlohmann::json::array()}};
  graph["regions"] = {{{"name", "vars"}, {"size", 64}}};
  graph["ops"] = nlohmann::json::array();
  for (const auto& thread : threads) {
    for (std::size_t i = 0; i < thread.size(); ++i) {
      const std::size_t id = graph["ops"].size();
      const nlohmann::json range{{"region", "vars"}, {"offset", (thread[i][1] - '0') * 8}, {"size", 8}};
      nlohmann::json op{{"id", id}, {"name", thread[i] + "_" + std::to_string(id)}};
      op["reads"] = thread[i][0] == 'r' ? nlohmann::json::array({range}) : nlohmann::json::array();
      op["writes"] = thread[i][0] == 'w' ? nlohmann::json::array({range}) : nlohmann::json::array();
      graph["ops"].push_back(std::move(op));
      if (i > 0) graph["edges"].push_back({id - 1, id});
    }
  }
  write_file(directory + "/program.json", graph.dump());
  return directory + "/program.json";
}

TEST(Explore, CountsTracesExactly) {
  const std::string directory = scratch("explore_count");
  const std::vector<std::vector<std::string>> writers(8, {"w0"});
  Answer answer = run_detent("explore " + write_program(directory, writers) + " --count --json -");
  EXPECT_EQ(answer.exit_code, 0) << answer.error;
  EXPECT_EQ(parse(answer)["traces"]["total"], 40320);
  EXPECT_EQ(parse(answer)["traces"]["exact"], true);
  const std::vector<std::vector<std::string>> threads(2, std::vector<std::string>(40, "w0"));
  answer = run_detent("explore " + write_program(directory, threads) + " --count --json -");
  EXPECT_EQ(parse(answer)["traces"]["total"], "107507208733336176461620");  // 80 over 40, beyond 64 bits
}

TEST(Explore, CountIsUnknownWhereALimitEndsIt) {
  const std::string program = write_program(scratch("explore_limit"), std::vector(12, std::vector<std::string>{"w0"}));
  const Answer answer = run_detent("explore " + program + " --count --max-states 10 --max-traces 100 --json -");
  EXPECT_EQ(answer.exit_code, 3);
  const nlohmann::json traces = parse(answer)["traces"];
  EXPECT_EQ(traces["exact"], false);
  EXPECT_NEAR(traces["estimate"].get<double>(), 479001600, 10);
  EXPECT_TRUE(traces.contains("standard_error"));
}

TEST(Explore, ARaceFreeModelHasOneTrace) {
  const Answer answer = run_detent("explore diamond --json -");
  EXPECT_EQ(answer.exit_code, 0) << answer.error;
  const nlohmann::json json = parse(answer);
  EXPECT_EQ(json["schema"], "detent.explore/1");
  EXPECT_EQ(json["traces"]["total"], 1);
  EXPECT_EQ(json["traces"]["seen"], 1);
  EXPECT_EQ(json["redundant"], 0);
  EXPECT_EQ(json["unseen_mass"], 0);
  EXPECT_TRUE(json["failure"].is_null());
  EXPECT_EQ(json["simulated"]["other_digest"], 0);
}

TEST(Explore, PairsCoverYolov8nInAtMost16Schedules) {
  const Answer answer = run_detent("explore yolov8n:64 --strategy pairs --json -");
  EXPECT_EQ(answer.exit_code, 0) << answer.error;
  const nlohmann::json json = parse(answer);
  EXPECT_LE(json["executions"], 16);
  EXPECT_EQ(json["pair_coverage"]["unordered_both"], json["pair_coverage"]["unordered_total"]);
  EXPECT_EQ(json["differing"], 0);
}

TEST(Explore, ABadModelGivesTheMinimalFailureWhichReplays) {
  const std::string directory = scratch("explore_failure");
  const Answer answer = run_detent("explore bad_reuse_war --json " + directory + "/answer.json");
  EXPECT_EQ(answer.exit_code, 1) << answer.error;
  EXPECT_NE(answer.output.find("fails when"), std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(read_file(directory + "/answer.json"));
  const nlohmann::json& failure = json["failure"];
  EXPECT_EQ(failure["constraints"].size(), 1U);
  EXPECT_EQ(failure["names"], (std::vector<std::string>{"slow_reader", "late_writer"}));
  EXPECT_EQ(failure["kind"], "war");
  EXPECT_EQ(failure["native"]["reproduced"], failure["native"]["runs"]);
  EXPECT_EQ(json["simulated"]["other_digest"], 0);
  EXPECT_NE(failure["replay"].get<std::string>().find(" before="), std::string::npos);
  EXPECT_EQ(run_detent("replay " + directory + "/answer.json").exit_code, 0);
  EXPECT_EQ(run_detent("replay '" + failure["replay"].get<std::string>() + "'").exit_code, 0);
  EXPECT_EQ(run_detent("replay 'detent-replay/1 model=bad_reuse_war workers=2 before=9<1'").exit_code, 2);
  EXPECT_EQ(run_detent("replay 'detent-replay/1 model=bad_reuse_war workers=1 before=3<1'").exit_code, 2);
}

TEST(Explore, AFailureUnderADeviceRepeatsByItsLine) {
  const std::string place = scratch("explore_device");
  write_file(place + "/npu.toml", "schema = \"detent.set/1\"\n[ops]\n\"*\" = { class = \"npu\" }\n");
  const auto answer =
      parse(run_detent("explore bad_reuse_war --device software --set " + place + "/npu.toml --json -"));
  EXPECT_EQ(answer["verdict"], "violated");
  EXPECT_GT(answer["device"]["ops"], 0);
  const std::string line = answer["replay"];
  EXPECT_NE(line.find(" device=software"), std::string::npos) << line;
  const Answer again = run_detent("replay '" + line + "'");
  EXPECT_EQ(again.exit_code, 0) << again.output << again.error;
  const Answer several = run_detent("explore diamond chain:2 --level threads --device software");
  EXPECT_EQ(several.exit_code, 2);
  EXPECT_NE(several.error.find("--device: is of one model"), std::string::npos) << several.error;
}

TEST(Explore, EveryStrategyAnswersTheSameBytesTwice) {
  const std::string program =
      write_program(scratch("explore_twice"), {{"w0", "r1"}, {"w1", "r0"}, {"w0", "w1"}, {"r2"}});
  for (const char* strategy : {"dfs", "sample", "pairs", "triples", "pct", "pos", "random"}) {
    const std::string command =
        "explore " + program + " --strategy " + strategy + " --budget 30 --seed 5 --reproducible --json -";
    const Answer answer = run_detent(command);
    EXPECT_EQ(answer.exit_code, 1) << strategy << answer.error;
    EXPECT_EQ(answer.output, run_detent(command).output) << strategy;
    const nlohmann::json json = parse(answer);
    EXPECT_EQ(json["executions"].get<int>() - json["traces"]["seen"].get<int>(), json["redundant"].get<int>());
    EXPECT_EQ(run_detent("replay '" + json["replay"].get<std::string>() + "'").exit_code, 0) << strategy;
  }
}

TEST(Explore, RefusesBadUsage) {
  EXPECT_EQ(run_detent("explore diamond --strategy luck").exit_code, 2);
  EXPECT_EQ(run_detent("explore diamond --level moon").exit_code, 2);
  EXPECT_EQ(run_detent("explore bad_cycle").exit_code, 2);
  EXPECT_EQ(run_detent("explore nothing").exit_code, 2);
}

TEST(Explore, TheEngineItselfUnderEveryScheduleOfItsThreads) {
  const std::string path = scratch("explore_engine") + "/fork.json";
  write_file(path, R"({"schema": "detent.graph/1", "name": "fork", "regions": [{"name": "r", "size": 64}],
    "ops": [{"id": 0, "name": "a", "reads": [], "writes": [{"region": "r", "offset": 0, "size": 8}]},
            {"id": 1, "name": "b", "reads": [{"region": "r", "offset": 0, "size": 8}], "writes": []},
            {"id": 2, "name": "c", "reads": [{"region": "r", "offset": 0, "size": 8}], "writes": []}],
    "edges": [[0, 1], [0, 2]]})");
  const std::string command = "explore " + path + " --level threads --workers 2 --json - ";
  const Answer all = run_detent(command);
  EXPECT_EQ(all.exit_code, 0) << all.error;
  const nlohmann::json json = parse(all);
  EXPECT_EQ(json["level"], "threads");
  EXPECT_EQ(json["memory"], "c11");
  EXPECT_EQ(parse(run_detent(command + "--memory sc"))["memory"], "sc");
  EXPECT_TRUE(json["traces"]["exact"].get<bool>());
  EXPECT_GT(json["executions"].get<int>(), 10);
  EXPECT_GT(json["sync"]["role_held"].get<int>(), 0);
  EXPECT_EQ(run_detent(command).output, all.output);
  const Answer sampled = run_detent(command + "--strategy rotate --budget 20 --seed 3 --spurious 1");
  EXPECT_EQ(sampled.exit_code, 3) << "20 random schedules prove nothing";
  EXPECT_EQ(parse(sampled)["executions"], 20);
  EXPECT_EQ(run_detent(command + "--strategy pairs").exit_code, 2);
  EXPECT_EQ(run_detent("explore " + path + " --strategy rotate").exit_code, 2);
  const Answer replay = run_detent(command + "--choices nonsense");
  EXPECT_EQ(replay.exit_code, 2);
}

TEST(Explore, StatesInsteadOfTraces) {
  if (kIsInstrumented) GTEST_SKIP() << "states do not merge in instrumented builds";
  const nlohmann::json states =
      parse(run_detent("explore diamond --level threads --workers 2 --strategy states --json -"));
  EXPECT_EQ(states["verdict"], "holds");
  EXPECT_GT(states["states"].get<int>(), 10);
  EXPECT_TRUE(states["traces"]["total"].is_null()) << "states tell no traces apart";
  EXPECT_TRUE(states["redundancy"].is_null());
}

TEST(Explore, UncoveredGoalsAreListedAsFindings) {
  const nlohmann::json one = parse(run_detent("explore branchnet --json -"));
  EXPECT_EQ(one["redundancy"], 1.0);
  ASSERT_EQ(one["findings"].size(), 1U) << "one trace needs one schedule, which shows one order";
  EXPECT_NE(one["findings"][0].get<std::string>().find("both_orders"), std::string::npos);
  const nlohmann::json pairs = parse(run_detent("explore branchnet --strategy pairs --json -"));
  EXPECT_TRUE(pairs["findings"].empty()) << pairs["findings"];
  EXPECT_EQ(pairs["cover_goals"].size(), 3U);
  const nlohmann::json sampled =
      parse(run_detent("explore chain:2 --level threads --workers 2 --strategy pct --budget 5 --json -"));
  EXPECT_FALSE(sampled["findings"].empty()) << "two ops in a row leave the queue empty";
  EXPECT_GE(sampled["unseen_mass"].get<double>(), 0.0);
  const nlohmann::json complete = parse(run_detent("explore chain:2 --level threads --workers 2 --json -"));
  EXPECT_TRUE(complete["findings"].empty()) << "what no schedule shows cannot happen";
  EXPECT_EQ(complete["unseen_mass"], 0.0);
  EXPECT_NE(run_detent("explore branchnet").output.find("not covered"), std::string::npos);
}

TEST(ExploreThreads, FaultsAreInjectedOnRequestAndRepeatFromTheLine) {
  const std::string threads = "explore diamond:2 --level threads --budget 50 --strategy rotate ";
  for (const char* fault :
       {"--fail-op 0", "--fail-op 0 --fail-op 2", "--fail-device cpu", "--failing-starts 1", "--duplicate-answers 1",
        "--deadline 1000", "--deadline 1000 --early-timeouts 3 --cancel --spurious 1",
        "--runs 2 --spin 1 --mode static"}) {
    const Answer answer = run_detent(threads + fault);
    EXPECT_EQ(answer.exit_code, 3) << fault << answer.output << answer.error << "a sample that breaks no law";
  }
  const nlohmann::json whole = parse(run_detent("explore diamond:2 --level threads --choices 't1:#0' --json -"));
  const nlohmann::json failed =
      parse(run_detent("explore diamond:2 --level threads --fail-op 0 --choices 't1:#0' --json -"));
  EXPECT_NE(failed["listing"], whole["listing"]) << "the kernel did fail";
  const std::string line = failed["replay"];
  EXPECT_NE(line.find(" failing_ops=0"), std::string::npos) << line;
  EXPECT_EQ(run_detent("replay '" + line + "'").exit_code, 0) << line;
  const std::string shaped =
      parse(run_detent("explore diamond:2 --level threads --deadline 1000 --runs 2 --spin 1 --cancel "
                       "--choices 't1:#0' --json -"))["replay"];
  EXPECT_NE(shaped.find(" cancel=1 runs=2 spin=1 deadline_ps=1000 early_timeouts=1"), std::string::npos) << shaped;
  EXPECT_EQ(run_detent("replay '" + shaped + "'").exit_code, 0) << shaped;
  EXPECT_EQ(run_detent(threads + "--early-timeouts 1").exit_code, 2) << "there is no deadline that could pass";
  const Answer none = run_detent(threads + "--fail-op 99");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.error.find("failing op 99 does not exist"), std::string::npos) << none.error;
  for (const char* fault : {"--fail-op 0", "--deadline 1000", "--cancel", "--runs 2"}) {
    const Answer level = run_detent(std::string("explore diamond:2 ") + fault);
    EXPECT_EQ(level.exit_code, 2) << fault;
    EXPECT_NE(level.error.find("--level threads"), std::string::npos) << level.error;
  }
}

}  // namespace
}  // namespace detent::e2e
