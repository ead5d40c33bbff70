// Faults on the command line: what run and simulate say of them, their exit codes, and lines that repeat them.
#include <gtest/gtest.h>

#include <vector>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

using Ops = std::vector<std::uint32_t>;

/// 0 before 1 and 2, both before 3: 100 ns, 200 ns, 300 ns, 100 ns; every op writes what the next ones read.
std::string diamond_file() {
  const std::string path = scratch("faults") + "/diamond.json";
  write_file(path, R"({"schema": "detent.graph/1", "name": "d", "regions": [{"name": "ws", "size": 64}], "ops": [
    {"id": 0, "name": "a", "time_ps": 100000, "writes": [{"region": "ws", "offset": 0, "size": 8}]},
    {"id": 1, "name": "b", "time_ps": 200000, "reads": [{"region": "ws", "offset": 0, "size": 8}],
     "writes": [{"region": "ws", "offset": 8, "size": 8}]},
    {"id": 2, "name": "c", "time_ps": 300000, "reads": [{"region": "ws", "offset": 0, "size": 8}],
     "writes": [{"region": "ws", "offset": 16, "size": 8}]},
    {"id": 3, "name": "d", "time_ps": 100000, "reads": [{"region": "ws", "offset": 8, "size": 16}],
     "writes": [{"region": "ws", "offset": 24, "size": 8}]}],
    "edges": [[0, 1], [0, 2], [1, 3], [2, 3]]})");
  return path;
}

nlohmann::json told(const std::string& arguments, int exit_code) {
  const Answer answer = run_detent(arguments + " --json - --quiet");
  EXPECT_EQ(answer.exit_code, exit_code) << arguments << "\n" << answer.output << answer.error;
  return parse(answer);
}

/// The line of an answer gives the same again, natively and in simulation; a line that says otherwise does not.
void expect_replays(const nlohmann::json& json) {
  const auto line = json["replay"].get<std::string>();
  const Answer again = run_detent("replay '" + line + "'");
  EXPECT_EQ(again.exit_code, 0) << line << "\n" << again.output << again.error;
  const std::string status = " status=" + json["status"].get<std::string>();
  std::string other = line;
  ASSERT_NE(other.find(status), std::string::npos) << line;
  other.replace(other.find(status), status.size(), " status=STALLED");
  EXPECT_EQ(run_detent("replay '" + other + "'").exit_code, 1) << other;
}

struct Case {
  std::string options;
  std::string status;
  Ops began, in_flight;
};

TEST(Faults, ANativeRunTellsHowItEnded) {
  const std::string model = diamond_file();
  const nlohmann::json digest = told("run " + model, 0)["digest"];
  for (const Case& c : std::vector<Case>{{"--fail-op 1=42", "KERNEL_FAILED", {0, 1}, {}},
                                         {"--fail-op 1,1=-3", "KERNEL_FAILED", {0, 1}, {}},
                                         {"--hang-op 1 --deadline-op 5us", "TIMEOUT", {0, 1}, {1}},
                                         {"--late-op 1=9us --deadline-op 5us", "TIMEOUT", {0, 1}, {1}},
                                         {"--late-op 1=5us --deadline-op 5us", "OK", {0, 1, 2, 3}, {}},
                                         {"--cancel-at 2", "CANCELLED", {0, 1, 2}, {}},
                                         {"--cancel-at 1:end", "CANCELLED", {0, 1}, {}},
                                         {"--answer-twice 2", "OK", {0, 1, 2, 3}, {}},
                                         {"--fail-op 1 --cancel-at 0", "CANCELLED", {0}, {}}}) {
    for (const char* engine : {" --workers 0 ", " --workers 1 ", " --workers 1 --mode static "}) {
      const nlohmann::json json = told("run " + model + engine + c.options, 0);
      EXPECT_EQ(json["status"], c.status) << engine << c.options;
      EXPECT_EQ(json["began"].get<Ops>(), c.began) << engine << c.options;
      EXPECT_EQ(json["in_flight"].get<Ops>(), c.in_flight) << engine << c.options;
      EXPECT_EQ(json["again"]["status"], "OK") << engine << c.options;
      EXPECT_EQ(json["again"]["digest"], digest) << engine << c.options;
      EXPECT_EQ(json["verdicts"][0]["property"], "fault_response");
      expect_replays(json);
    }
  }
}

TEST(Faults, SeveralWorkersGiveTheSameStatus) {
  const std::string model = diamond_file();
  for (const char* mode : {"closed-loop", "layered", "static"}) {
    const std::string run = "run " + model + " --workers 2 --mode " + mode;
    const nlohmann::json failed = told(run + " --fail-op 1=42", 0);
    EXPECT_EQ(failed["status"], "KERNEL_FAILED");
    EXPECT_EQ(failed["error_op"], 1);
    EXPECT_EQ(failed["error_code"], 42);
    EXPECT_EQ(failed["replay"].get<std::string>().find(" began="), std::string::npos) << "the host's timing decides it";
    expect_replays(failed);
    expect_replays(told(run + " --hang-op 3 --deadline-op 5us", 0));
    const nlohmann::json unstarted = told(run + " --fail-start 1", 0);
    EXPECT_EQ(unstarted["status"], "WORKER_FAILED");
    expect_replays(unstarted);
  }
}

TEST(Faults, ASimulatedRunTellsHowItEndedAndWhen) {
  const std::string simulate = "simulate " + diamond_file() + " --cores 2 --jitter worst ";
  struct Timed {
    Case c;
    std::uint64_t makespan_ps;
  };
  for (const Timed& t :
       std::vector<Timed>{{{"--fail-op 1=42", "KERNEL_FAILED", {0, 1, 2}, {}}, 400'000},
                          {{"--cancel-at 150ns", "CANCELLED", {0, 1, 2}, {}}, 400'000},
                          {{"--cancel-at 0:end", "CANCELLED", {0}, {}}, 100'000},
                          {{"--late-op 1=100ns", "OK", {0, 1, 2, 3}, {}}, 500'000},
                          {{"--late-op 1=150ns", "OK", {0, 1, 2, 3}, {}}, 550'000},
                          {{"--deadline-op 350ns --fail-op 3", "KERNEL_FAILED", {0, 1, 2, 3}, {}}, 500'000}}) {
    const nlohmann::json json = told(simulate + t.c.options, 0);
    EXPECT_EQ(json["status"], t.c.status) << t.c.options;
    EXPECT_EQ(json["began"].get<Ops>(), t.c.began) << t.c.options;
    EXPECT_EQ(json["in_flight"].get<Ops>(), t.c.in_flight) << t.c.options;
    EXPECT_EQ(json["makespan_ps"]["max"], t.makespan_ps) << t.c.options;
    expect_replays(json);
  }
  const nlohmann::json hung = told(simulate + "--hang-op 1 --deadline-op 400ns", 0);
  EXPECT_EQ(hung["status"], "TIMEOUT");
  EXPECT_EQ(hung["error_op"], 1);
  EXPECT_EQ(hung["in_flight"].get<Ops>(), Ops{1});
  expect_replays(hung);
}

TEST(Faults, OneCallOfACampaignIsTheFaultOfOneRun) {
  const nlohmann::json json = told("simulate " + diamond_file() + " --cores 2 --runs 4 --seed 5 --fail-op 2,3=9", 0);
  EXPECT_EQ(json["statuses"], (nlohmann::json{{"KERNEL_FAILED", 1}, {"OK", 3}}));
  EXPECT_EQ(json["shown"]["run"], 2);
  EXPECT_NE(json["replay"].get<std::string>().find(" fail_op=2=9 "), std::string::npos) << json["replay"];
  expect_replays(json);
}

/// The model computes the same without its NPU. On one worker its ops are dispatched in one order in both worlds.
TEST(Faults, ADeviceFailsInTheSameOpsNativelyAndInSimulation) {
  const std::string native = "run fallback --workers 1 ";
  const std::string simulated = "simulate fallback --cores cpu=1,npu=1 --no-npu ";
  const nlohmann::json digest = told(native, 0)["digest"];
  for (const std::string words :
       {"--fail-device npu", "--fail-device npu,1=42", "--fail-device npu,2+", "--late-device npu,2=3us"}) {
    const nlohmann::json here = told(native + words, 0), there = told(simulated + words, 0);
    for (const nlohmann::json* json : {&here, &there}) {
      EXPECT_EQ((*json)["status"], "OK") << words;
      EXPECT_EQ((*json)["digest"], digest) << words;
      expect_replays(*json);
    }
    EXPECT_FALSE(here["device_faults"].empty()) << words;
    EXPECT_EQ(here["device_faults"], there["device_faults"]) << words;
    EXPECT_EQ(here["faults"], there["faults"]) << words;
  }
  const std::string hangs = "--hang-device npu,2 --deadline-op 20ms";
  const nlohmann::json hung = told(native + hangs, 0), hung_there = told(simulated + hangs, 0);
  EXPECT_EQ(hung["status"], "TIMEOUT");
  EXPECT_EQ(hung["error_op"], hung["device_faults"][0]["op"]);
  EXPECT_EQ(hung_there["error_op"], hung["error_op"]);
  expect_replays(hung);
  expect_replays(hung_there);
}

/// Four calls in each run: the tenth is the second of the third run, from which on the device is dead.
TEST(Faults, ADeviceThatDiesInACampaignIsDeadInEveryLaterRun) {
  const nlohmann::json json = told("simulate " + diamond_file() + " --cores 1 --runs 4 --fail-device cpu,10+=9", 0);
  EXPECT_EQ(json["statuses"], (nlohmann::json{{"KERNEL_FAILED", 2}, {"OK", 2}}));
  EXPECT_EQ(json["shown"]["run"], 2);
  EXPECT_EQ(json["device_faults"], (nlohmann::json{{{"device", "cpu"}, {"call", 10}, {"op", 1}}}));
  EXPECT_NE(json["replay"].get<std::string>().find(" fail_device=cpu,2+=9 "), std::string::npos) << json["replay"];
  expect_replays(json);
}

TEST(Faults, ExitCodesTellRefusedViolatedAndUnknown) {
  const std::string model = diamond_file();
  const std::string simulate = "simulate " + model + " --cores 2 --jitter worst ";
  EXPECT_EQ(run_detent("run " + model + " --workers 1 --fail-op 1,2").exit_code, 3) << "called once only";
  EXPECT_EQ(run_detent("run " + model + " --workers 1 --fail-device cpu,5").exit_code, 3) << "four calls";
  EXPECT_EQ(run_detent(simulate + "--late-device cpu,5+=1us").exit_code, 3) << "four calls";
  for (const std::string& unmet : {"run " + model + " --workers 1 --fail-op 1,2", simulate + "--fail-device cpu,5"}) {
    const auto line = told(unmet, 3)["replay"].get<std::string>();
    EXPECT_EQ(run_detent("replay '" + line + "'").exit_code, 0) << line << ": a run without faults";
  }
  EXPECT_EQ(run_detent(simulate + "--deadline-op 300ns").exit_code, 0);
  const Answer missed = run_detent(simulate + "--deadline-op 299ns");
  EXPECT_EQ(missed.exit_code, 1) << "a demand that the run does not meet";
  EXPECT_NE(missed.output.find("VIOLATED: an op ran past the deadline of 299ns"), std::string::npos) << missed.output;
  for (const char* refused :
       {"--fail-device npu", "--fail-device cpu,0", "--hang-device cpu", "--late-device cpu",
        "--fail-device cpu --fail-device cpu=2", "--fail-op 9", "--fail-op 1=0", "--hang-op 1", "--late-op 1",
        "--cancel-at 9", "--cancel-at 5us", "--deadline-op 0", "--fail-start 0", "--deadline-op 5 --output x"}) {
    const Answer answer = run_detent("run " + model + " " + refused);
    EXPECT_EQ(answer.exit_code, 2) << refused << answer.output;
    EXPECT_EQ(answer.output, "") << refused;
  }
  EXPECT_EQ(run_detent(simulate + "--fail-op 1 --campaign c.dcf").exit_code, 2);
}

TEST(Faults, TextAndHelpNameEveryFault) {
  const std::string model = diamond_file();
  const Answer answer = run_detent("run " + model + " --workers 1 --fail-op 1=42");
  for (const char* part :
       {"faults    --fail-op 1=42\n", "F01 KERNEL_FAILED", "op 1 \"b\", code 42",
        "began 0-1; in flight when the run returned none", "again     OK, 4 ops, digest ", "fault_response"}) {
    EXPECT_NE(answer.output.find(part), std::string::npos) << part << "\n" << answer.output;
  }
  const std::string help = run_detent("simulate --help").output;
  for (const char* part : {"--fail-op OP[,CALL[+]][=CODE]", "--late-op", "--hang-op", "--fail-device npu,3+=7",
                           "--late-device CLASS[,CALL[+]]=TIME", "--hang-device npu,2+", "--answer-twice",
                           "--cancel-at 15us", "--deadline-op 5ms", "--fail-start"}) {
    EXPECT_NE(help.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace detent::e2e
