// Bad input: exit code 2, one line that says where, nothing half written.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>

#include "tests/build.hpp"
#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

void expect_refused(const std::string& arguments, const std::string& place) {
  const Answer answer = run_detent(arguments);
  EXPECT_EQ(answer.exit_code, 2) << arguments << "\n" << answer.output << answer.error;
  EXPECT_NE(answer.error.find(place), std::string::npos) << arguments << "\n" << answer.error;
  EXPECT_EQ(answer.output, "") << arguments;
}

TEST(Errors, UsageIsExitTwo) {
  EXPECT_EQ(run_detent("").exit_code, 2);
  expect_refused("dance", "dance: no such command; choose check, run");
  EXPECT_EQ(run_detent("run").exit_code, 2);
  EXPECT_EQ(run_detent("run diamond --workers -1").exit_code, 2);
  EXPECT_EQ(run_detent("--help").exit_code, 0);
  EXPECT_EQ(run_detent("check --help").exit_code, 0);
}

TEST(Errors, AFrontHasOpsOfAModelAndEveryOrder) {
  expect_refused("plan --pareto", "plan --pareto: give a MODEL");
  expect_refused("plan --pareto --problem buffers.csv", "--problem has no ops that take time");
  expect_refused("plan series_parallel:3:8 --pareto --order serial", "leave --order out");
  expect_refused("plan series_parallel:3:8 --pareto --max-nodes 9", "--max-nodes is for --problem");
  expect_refused("plan series_parallel:3:8 --points 9", "--points: has no effect without --pareto");
}

TEST(Errors, OutOfMemoryIsNoVerdict) {
  if (kIsInstrumented) GTEST_SKIP() << "sanitizers take more address space than any limit leaves";
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  const rlimit little{160U << 20U, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &little), 0);
  const Answer answer = run_detent("plan erdos:1:400000");
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(answer.exit_code, 3);
  EXPECT_EQ(answer.output, "");
  EXPECT_EQ(answer.error, "detent: out of memory: the model does not fit; try a smaller one or --timing-only\n");
}

TEST(Errors, UnknownNamesAreRefusedByName) {
  expect_refused("run no_such_model", "no_such_model");
  expect_refused("run diamond --mode sideways", "--mode sideways");
  expect_refused("run diamond --policy sideways", "sideways");
  expect_refused("simulate diamond --platform no_such_chip", "no_such_chip");
  expect_refused("simulate diamond --jitter wild", "--jitter wild");
}

TEST(Errors, OneLineNamesFileAndPlaceOfABadGraph) {
  const std::string path = scratch("bad_graph") + "/g.json";
  write_file(path, R"({"schema": "detent.graph/1", "name": "g", "regions": [{"name": "ws", "size": 64}],
    "ops": [{"id": 0, "name": "a", "reads": [{"region": "ws", "offset": 60, "size": 8}]}], "edges": []})");
  for (const char* command : {"run ", "verify ", "simulate --platform quad_npu ", "plan ", "check --out unused "}) {
    const Answer answer = run_detent(command + path);
    EXPECT_EQ(answer.exit_code, 2) << command << answer.output;
    EXPECT_NE(answer.error.find("g.json:"), std::string::npos) << answer.error;
    EXPECT_NE(answer.error.find("ops[0].reads[0]"), std::string::npos) << answer.error;
    EXPECT_EQ(std::ranges::count(answer.error, '\n'), 1) << answer.error;
  }
}

TEST(Errors, B20_CycleInAGraphFile) {
  const std::string path = scratch("cycle") + "/g.json";
  write_file(path, R"({"schema": "detent.graph/1", "name": "g", "regions": [],
    "ops": [{"id": 0, "name": "a"}, {"id": 1, "name": "b"}], "edges": [[0, 1], [1, 0]]})");
  expect_refused("verify " + path, "cycle");
}

TEST(Errors, NothingIsWrittenWhenTheModelIsBad) {
  const std::string directory = scratch("half_written");
  write_file(directory + "/g.json", "{\"schema\": \"detent.graph/1\"");
  EXPECT_EQ(run_detent("check " + directory + "/g.json --out " + directory + "/out").exit_code, 2);
  EXPECT_EQ(run_detent("import graph " + directory + "/g.json -o " + directory + "/g.detent").exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(directory + "/out/report.html"));
  EXPECT_FALSE(std::filesystem::exists(directory + "/g.detent"));
}

TEST(Errors, B17_InvalidAndOverflowingNumbersAreRefused) {
  for (const char* arguments :
       {"run diamond --seed -1", "run diamond --seed 18446744073709551616", "run diamond --seed 1.5",
        "run diamond --input-seed -3", "plan diamond --capacity -5", "explore diamond --budget -1",
        "simulate diamond --platform quad_npu --runs -5", "simulate diamond --platform quad_npu --runs 0",
        "verify diamond --smt --smt-limit nan", "verify diamond --smt --smt-limit inf",
        "simulate diamond --cores 2 --sensitivity --sensitivity-step nan"}) {
    const std::string words = arguments;
    expect_refused(words, words.substr(words.rfind("--"), words.rfind(' ') - words.rfind("--")));
  }
  EXPECT_EQ(run_detent("run diamond --seed 18446744073709551615").exit_code, 0);
}

TEST(Errors, TwoAnswersDoNotShareAFile) {
  const std::string directory = scratch("same_file");
  const std::string graph = directory + "/g.json";
  ASSERT_EQ(run_detent("graph diamond -o " + graph).exit_code, 0);
  const std::string before = read_file(graph);
  const std::string same = directory + "/same";
  expect_refused("verify diamond --smt2 " + same + " --smt2-plan " + directory + "/./same", "--smt2-plan");
  expect_refused("verify diamond --json " + same + " --smt2 " + same, "is also the file of --json");
  expect_refused("check diamond --out " + same + " --json " + same, "is also the file of --json");
  expect_refused("verify " + graph + " --json " + graph, "is also the file of MODEL");
  EXPECT_FALSE(std::filesystem::exists(same));
  EXPECT_EQ(read_file(graph), before);
}

TEST(Errors, OrderWithoutThePolicyGivenIsRefused) {
  const std::string order = scratch("order_unused") + "/order";
  write_file(order, "0 1 2 3 4 5\n");
  for (const char* command :
       {"run diamond --order ", "simulate diamond --cores 2 --order ", "check diamond --out unused --order "}) {
    expect_refused(command + order, "--policy given");
  }
}

TEST(Errors, AnAnswerThatCannotBeWrittenIsRefused) {
  EXPECT_EQ(run_detent("run diamond --json /nonexistent/answer.json").exit_code, 2);
}

}  // namespace
}  // namespace detent::e2e
