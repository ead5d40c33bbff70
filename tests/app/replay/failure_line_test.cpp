// Failures to lines and back to runs, in every world; a schedule of an engine that misbehaves.
#include "app/replay/failure_line.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "app/explore/failure_story.hpp"
#include "app/explore/threads.hpp"
#include "app/replay/failure_identity.hpp"
#include "app/replay/replay_worlds.hpp"
#include "reports/text/failure_print.hpp"
#include "tests/golden.hpp"
#include "verify/explore/ops/explore.hpp"

namespace detent::app {
namespace {

namespace explore = verify::explore;

ReplayLine line_of_model(const std::string& model) {
  ReplayLine line;
  line.model = model;
  return line;
}

ReplayOutcome replay_on(ReplayLine line, const std::string& world, const ReplayWorld& how = {}) {
  line.on = world;
  const sim::Platform platform = world == "sim" ? platform_of(line) : sim::Platform{};
  const ReplayOutcome first = replay_in_world(line, load_for(line, platform), platform, how);
  EXPECT_EQ(first, replay_in_world(line, load_for(line, platform), platform, how)) << world;
  return first;
}

TEST(FailureLine, OneConstraintGivesTheSameBytesInEveryWorld) {
  const LoadedModel loaded = load("bad_reuse_war", {});
  const explore::OpSpace space(loaded.desc());
  const auto failure = explore::explore_ops(space, {}).failure;
  ASSERT_TRUE(failure.has_value());
  const ReplayLine line = failure_line(line_of_model("bad_reuse_war"), space, *failure);
  EXPECT_EQ(line.before.size(), 1U);
  EXPECT_TRUE(line.engine.order.empty()) << "the constraint alone decides the bytes";
  for (const char* world : {"native", "sim", "explore"}) {
    const ReplayOutcome outcome = replay_on(line, world, {.runs = 5});
    EXPECT_EQ(difference_to(line, outcome), "") << world;
    EXPECT_EQ(outcome.digest, line.digest) << world;
  }
  const ReplayOutcome native = replay_on(line, "native", {.runs = 20});
  EXPECT_TRUE(native.gated);
  EXPECT_EQ(native.reproduced, 20U);
}

/// Three writers of one tensor and a reader: several pairs are open, so one constraint does not decide the bytes.
std::string write_open_graph() {
  const std::string path = (std::filesystem::temp_directory_path() / "detent_failure_line.json").string();
  std::ofstream file(path, std::ios::trunc);
  file
      << R"({"schema": "detent.graph/1", "name": "open", "regions": [{"name": "r", "size": 32}], "edges": [], "ops": [)";
  for (int op = 0; op < 4; ++op) {
    const std::string range = R"([{"region": "r", "offset": 0, "size": 8}])";
    file << (op > 0 ? "," : "") << R"({"id": )" << op << R"(, "name": "op)" << op << R"(", "reads": )"
         << (op == 3 ? range : "[]") << R"(, "writes": )" << range << "}";
  }
  file << "]}";
  return path;
}

TEST(FailureLine, WhereOtherPairsAreOpenTheOrderDecides) {
  const std::string path = write_open_graph();
  const LoadedModel loaded = load(path, {});
  const explore::OpSpace space(loaded.desc());
  const auto failure = explore::explore_ops(space, {}).failure;
  ASSERT_TRUE(failure.has_value());
  const ReplayLine line = failure_line(line_of_model(path), space, *failure);
  EXPECT_FALSE(line.engine.order.empty());
  for (const char* world : {"native", "sim", "explore"}) {
    const ReplayOutcome outcome = replay_on(line, world);
    EXPECT_EQ(difference_to(line, outcome), "") << world << " " << outcome.note;
    EXPECT_EQ(outcome.digest, line.digest) << world;
  }
}

TEST(FailureLine, AChangedDigestIsADifference) {
  ReplayLine line =
      parse_replay_line("detent-replay/1 model=bad_reuse_war workers=2 before=3<1 digest=00ff00ff00ff00ff");
  for (const char* world : {"native", "sim", "explore"}) {
    EXPECT_NE(difference_to(line, replay_on(line, world)).find("instead of 00ff00ff00ff00ff"), std::string::npos);
  }
}

TEST(FailureLine, LinesThatDoNotFitTheModelAreRefused) {
  const auto run = [](const std::string& words, const std::string& world) {
    return replay_on(parse_replay_line("detent-replay/1 model=bad_reuse_war workers=2 " + words), world);
  };
  EXPECT_THROW(run("before=9<1", "native"), std::invalid_argument);
  EXPECT_THROW(run("before=1<1", "native"), std::invalid_argument);
  EXPECT_THROW(run("before=3<1,1<3", "explore"), std::invalid_argument);
  EXPECT_THROW(run("before=3<1 ops=77", "native"), std::invalid_argument);
  EXPECT_THROW(run("order=0,1", "explore"), std::invalid_argument);
  EXPECT_THROW(run("", "explore"), std::invalid_argument) << "nothing to explore";
}

TEST(FailureLine, AScheduleOfTheThreadsRepeatsStepByStep) {
  const LoadedModel loaded = load("diamond", {});
  ThreadExploreRequest wanted;
  wanted.line.model = "diamond";
  const explore::ThreadReplay recorded = explore::replay_threads(
      loaded.desc(), thread_options_of(thread_line(wanted.program(), "t1:#0", "", ""), loaded), "t1:#0");
  const ReplayLine line = thread_line(wanted.program(), "t1:#0", "", recorded.listing);
  const ReplayOutcome outcome = replay_on(line, "explore");
  EXPECT_EQ(difference_to(line, outcome), "");
  EXPECT_EQ(outcome.listing, recorded.listing);
  ReplayLine other = line;
  other.threads.listing = "0000000000000000";
  EXPECT_EQ(difference_to(other, outcome), "listing 58ad59c76f36232d instead of 0000000000000000");
  other = line;
  other.threads.law = "deadlock";
  EXPECT_EQ(difference_to(other, outcome), "no law broken () instead of law deadlock");
  other = line;
  other.threads.choices = "t1:1x400#0000000000000001";
  EXPECT_EQ(difference_to(other, replay_on(other, "explore")),
            "law nondeterminism (uncontrolled nondeterminism at step 1: the choice string belongs to another model, "
            "configuration or engine) instead of no law broken");
  other.engine.policy = "random";
  EXPECT_THROW(replay_on(other, "explore"), std::invalid_argument);
}

TEST(FailureStory, ShowsAColumnPerWorkerAndTheRightOrder) {
  const LoadedModel loaded = load("bad_reuse_war", {});
  const explore::OpSpace space(loaded.desc());
  const auto failure = explore::explore_ops(space, {}).failure;
  ASSERT_TRUE(failure.has_value());
  const reports::FailureStory story = make_failure_story(loaded, space, *failure, {.input_seed = 0, .replay = "line"});
  ASSERT_EQ(story.tables.size(), 2U) << story.note;
  for (const reports::StoryTable& table : story.tables) EXPECT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(story.tables[0].digest, story.digest);
  EXPECT_EQ(story.tables[1].digest, story.serial_digest);
  const std::string text = reports::story_tables_text(story);
  expect_golden(text + "\n", "app/replay/golden/story_of_a_late_writer.txt");
  EXPECT_EQ(text, reports::story_tables_text(make_failure_story(loaded, space, *failure, {})));
}

TEST(FailureStory, TellsTheStepsOfThreads) {
  explore::ThreadFailure failure{.law = "deadlock", .text = "all wait"};
  failure.constraints = {"slot 0 stops"};
  const explore::ThreadReplay replayed{
      .listing = "  1 slot 0\n", .steps = {{1, "slot 0", "reads role", false}, {2, "slot 1", "writes role", true}}};
  const reports::FailureStory story = make_thread_story(failure, replayed, 2, "line");
  EXPECT_EQ(story.title, "deadlock: all wait");
  EXPECT_EQ(story.listing, "  1 slot 0\n");
  ASSERT_EQ(story.tables.size(), 1U);
  EXPECT_EQ(story.tables[0].columns, (std::vector<std::string>{"slot 0", "slot 1"}));
  EXPECT_TRUE(story.tables[0].rows[1].cells[1].is_racing);
  EXPECT_TRUE(make_thread_story(failure, {}, 2, "").tables.empty());
}

TEST(FailureStory, OfTheEngineHasALineWhereTheModelRepeatsIt) {
  const LoadedModel loaded = load("diamond", {});
  ThreadExploreRequest wanted;
  wanted.line.model = "diamond";
  const explore::EngineGraph graph(loaded.desc());
  explore::EngineSample sample;
  sample.schedule = explore::ThreadFailure{.law = "", .text = "planted", .choices = "t1:#0"};
  sample.replay = explore::replay_threads(graph.desc(), {}, "t1:#0");
  reports::FailureStory story = make_engine_story(wanted.program(), loaded, true, sample);
  EXPECT_EQ(story.listing, sample.replay.listing);
  EXPECT_GE(story.tables.at(0).columns.size(), 2U);
  EXPECT_EQ(story.note, "");
  EXPECT_EQ(difference_to(parse_replay_line(story.replay), replay_on(parse_replay_line(story.replay), "explore")), "");
  sample.schedule->law = "deadlock";  // which the model does not show
  story = make_engine_story(wanted.program(), loaded, true, sample);
  EXPECT_EQ(story.replay, "");
  EXPECT_EQ(story.note, "Found on the graph of the model without its kernels: the same check finds it again.");
  sample.failed_on_fork = true;
  story = make_engine_story(wanted.program(), loaded, true, sample);
  EXPECT_EQ(story.replay, "");
  EXPECT_EQ(story.note, "Found on a fork of ops, which stands for no model: the same check finds it again.");
}

std::string hash_of_tree(const std::filesystem::path& root) {
  const std::string command =
      std::string(DETENT_CMAKE) + " -DROOT=" + root.string() + " -P " DETENT_SOURCE_DIR "/app/engine_hash.cmake 2>&1";
  FILE* const pipe = ::popen(command.c_str(), "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  ::pclose(pipe);
  return text.substr(0, text.find('\n'));
}

TEST(EngineHash, IsOfTheSourcesThatTheProgramWasBuiltFrom) {
  EXPECT_EQ(engine_hash(), hash_of_tree(DETENT_SOURCE_DIR "/runtime"));
  const std::filesystem::path copy = std::filesystem::temp_directory_path() / "detent_engine_hash";
  std::filesystem::remove_all(copy);
  std::filesystem::create_directory(copy);
  std::filesystem::copy_file(DETENT_SOURCE_DIR "/runtime/api/detent.cpp", copy / "detent.cpp");
  const std::string before = hash_of_tree(copy);
  EXPECT_EQ(before.size(), 16U);
  std::ofstream(copy / "detent.cpp", std::ios::app) << " ";
  EXPECT_NE(hash_of_tree(copy), before) << "one byte more is another engine";
  std::filesystem::remove_all(copy);
}

}  // namespace
}  // namespace detent::app
