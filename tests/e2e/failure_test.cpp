// Failing schedules end to end: explore -> file and line -> replay on threads, in simulated time, under the explorer.
#include <gtest/gtest.h>

#include <string>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

/// A reader of bytes that a later op reuses, which becomes ready only after a chain of `length` ops.
std::string write_reuse_after_chain(const std::string& path, int length) {
  const auto range = [](int at) { return nlohmann::json{{"region", "ws"}, {"offset", at * 8}, {"size", 8}}; };
  const auto list = [](std::initializer_list<nlohmann::json> ranges) {
    return nlohmann::json(nlohmann::json::array_t(ranges));
  };
  nlohmann::json graph{
      {"schema", "detent.graph/1"}, {"name", "reuse"}, {"regions", {{{"name", "ws"}, {"size", 1024}}}}};
  graph["edges"] = {{0, 1}, {0, 2}};
  const auto add = [&](const std::string& name, const nlohmann::json& reads, const nlohmann::json& writes) {
    graph["ops"].push_back({{"id", graph["ops"].size()}, {"name", name}, {"reads", reads}, {"writes", writes}});
  };
  add("producer", nlohmann::json::array(), list({range(0)}));
  add("reader", list({range(0)}), list({range(1)}));
  for (int i = 0; i < length; ++i) {
    add("link" + std::to_string(i), nlohmann::json::array(), list({range(2 + i)}));
    graph["edges"].push_back({2 + i, 3 + i});
  }
  add("writer", nlohmann::json::array(), list({range(0)}));
  write_file(path, graph.dump());
  return path;
}

/// Replay twice in a world and expect success and the same bytes; gives the answer.
nlohmann::json replay(const std::string& source, const std::string& options) {
  const std::string command = "replay " + source + " " + options + " --reproducible --json -";
  const Answer answer = run_detent(command);
  EXPECT_EQ(answer.exit_code, 0) << command << "\n" << answer.error << answer.output;
  EXPECT_EQ(run_detent(command).output, answer.output) << command;
  return parse(answer);
}

TEST(Failure, AReuseAfterAChainOf16IsOneConstraintAndRepeatsEverywhere) {
  const std::string directory = scratch("failure_chain");
  const std::string model = write_reuse_after_chain(directory + "/reuse.json", 16);
  const std::string file = directory + "/failure.txt";
  const std::string command = "explore " + model + " --failure " + file + " --json " + directory + "/answer.json";
  const Answer answer = run_detent(command);
  EXPECT_EQ(answer.exit_code, 1) << answer.error;
  const nlohmann::json json = nlohmann::json::parse(read_file(directory + "/answer.json"));
  EXPECT_EQ(json["traces"]["total"], 2);
  EXPECT_EQ(json["executions"], 2);
  const nlohmann::json& failure = json["failure"];
  EXPECT_EQ(failure["constraints"].size(), 1U);
  EXPECT_EQ(failure["constraints"][0]["text"], "op 18 (writer) before op 1 (reader)");
  ASSERT_EQ(failure["table"].size(), 2U) << failure["note"];
  EXPECT_EQ(failure["table"][0]["columns"].size(), 2U);
  EXPECT_EQ(failure["table"][0]["digest"], failure["digest"]);
  EXPECT_NE(answer.output.find("op 18 (writer) before op 1 (reader)"), std::string::npos);
  EXPECT_NE(answer.output.find("\n-> "), std::string::npos) << answer.output;
  EXPECT_NE(answer.output.find("detent replay " + file), std::string::npos);

  const nlohmann::json native = replay(file, "--runs 50");
  EXPECT_EQ(native["runs"], 50);
  EXPECT_EQ(native["reproduced"], 50);
  EXPECT_EQ(native["gates"], true);
  for (const char* world : {"native", "sim", "explore"}) {
    const std::string on = std::string("--on ") + world;
    EXPECT_EQ(replay(file, on)["digest"], failure["digest"]) << world;
    EXPECT_EQ(replay("'" + failure["replay"].get<std::string>() + "'", on)["digest"], failure["digest"]) << world;
    EXPECT_EQ(replay(directory + "/answer.json", on)["same"], true) << world;
  }
  const std::string before = read_file(file);
  run_detent(command);
  EXPECT_EQ(read_file(file), before) << "the same bytes each time";
}

TEST(Failure, ForeignModelIsRefusedAndForeignEngineIsNoted) {
  const std::string directory = scratch("failure_identity");
  const std::string file = directory + "/failure.txt";
  const std::string model = write_reuse_after_chain(directory + "/reuse.json", 2);
  EXPECT_EQ(run_detent("explore " + model + " --failure " + file).exit_code, 1);
  const std::string moved = write_reuse_after_chain(directory + "/moved.json", 2);
  EXPECT_EQ(run_detent("replay " + file + " --model " + moved).exit_code, 0);
  const std::string other = write_reuse_after_chain(directory + "/other.json", 3);
  const Answer refused = run_detent("replay " + file + " --model " + other);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.error.find("model_hash"), std::string::npos);
  const Answer forced = run_detent("replay " + file + " --model " + other + " --force --json -");
  EXPECT_EQ(forced.exit_code, 1) << "op 4 is another op there: " << forced.error;
  EXPECT_NE(forced.error.find("warning"), std::string::npos);
  EXPECT_EQ(parse(forced)["warnings"].size(), 1U);

  std::string text = read_file(file);
  write_file(directory + "/cut.txt", text.substr(0, text.size() / 2));
  const Answer cut = run_detent("replay " + directory + "/cut.txt");
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_NE(cut.error.find("cut.txt:"), std::string::npos);
  write_file(directory + "/empty.txt", "");
  EXPECT_EQ(run_detent("replay " + directory + "/empty.txt").exit_code, 2);
  EXPECT_EQ(run_detent("explore " + model + " --failure " + directory + "/none/failure.txt").exit_code, 2);
}

TEST(Failure, AScheduleOfTheEnginesThreadsRepeatsStepByStep) {
  const std::string directory = scratch("failure_threads");
  const std::string explore = "explore diamond --level threads --workers 3 --choices 't1:#0' --spurious 1 --failure " +
                              directory + "/schedule.txt --reproducible --json ";
  const Answer recorded = run_detent(explore + directory + "/answer.json");
  EXPECT_EQ(recorded.exit_code, 0) << recorded.error;
  const nlohmann::json answer = nlohmann::json::parse(read_file(directory + "/answer.json"));
  EXPECT_NE(answer["replay"].get<std::string>().find(" level=threads "), std::string::npos);
  for (const std::string& source :
       {directory + "/answer.json", directory + "/schedule.txt", "'" + answer["replay"].get<std::string>() + "'"}) {
    const nlohmann::json json = replay(source, "");
    EXPECT_EQ(json["level"], "threads");
    EXPECT_EQ(json["on"], "explore");
    EXPECT_EQ(json["listing"], answer["listing"]);
    EXPECT_TRUE(json["law"].is_null());
  }
  for (const char* world : {"native", "sim"}) {
    const Answer refused = run_detent("replay " + directory + "/schedule.txt --on " + world);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.error.find("only the explorer"), std::string::npos) << refused.error;
  }
  std::string line = answer["replay"].get<std::string>();
  line.replace(line.find("choices="), std::string::npos, "choices=t1:1x400#0000000000000001");
  const Answer differs = run_detent("replay '" + line + "'");
  EXPECT_EQ(differs.exit_code, 1) << "that schedule does not fit";
}

TEST(Failure, RefusesBadUsage) {
  EXPECT_EQ(run_detent("replay 'detent-replay/1 model=diamond workers=2 policy=id' --on explore").exit_code, 2);
  EXPECT_EQ(run_detent("replay 'detent-replay/1 model=diamond workers=2' --on moon").exit_code, 2);
  EXPECT_EQ(run_detent("replay 'detent-replay/1 model=diamond workers=2' --runs 0").exit_code, 2);
}

TEST(Failure, PlainRunsRepeatSeveralTimes) {
  const nlohmann::json json = replay("'detent-replay/1 model=diamond workers=2'", "--runs 5");
  EXPECT_EQ(json["reproduced"], 5);
  EXPECT_EQ(json["gates"], false);
}

}  // namespace
}  // namespace detent::e2e
