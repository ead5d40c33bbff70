// detent replay: two runs of one line, compared with what was recorded and with each other.
#include "app/replay/replay.hpp"

#include <gtest/gtest.h>

#include <string>

#include "app/explore/ops.hpp"
#include "app/replay/replay_line.hpp"
#include "app/replay/replay_worlds.hpp"
#include "app/runs/native_run.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

ReplayRequest replay_of(const std::string& source) {
  ReplayRequest made;
  made.source = source;
  return made;
}

std::string native_line(const std::string& model = "diamond") {
  RunRequest run;
  run.request = {.model = model, .seeds = {.schedule = 3}, .reproducible = true};
  run.schedule.engine.workers = 2;
  return run_once(run).json["replay"].get<std::string>();
}

/// The file of a failing schedule. @return  its name
std::string write_failure(const TemporaryDirectory& place) {
  OpExploreRequest explored;
  explored.request.model = "bad_reuse_war";
  explored.failure.file = place.file("failure.txt");
  EXPECT_EQ(explore_orders(explored, load("bad_reuse_war", {}), {}).outcome, Outcome::kViolated);
  return explored.failure.file;
}

TEST(Replay, ARunThatIsRepeatedHolds) {
  const std::string line = native_line();
  const Replayed replayed = replay(replay_of(line));
  EXPECT_EQ(replayed.answer.outcome, Outcome::kHolds);
  EXPECT_EQ(replayed.answer.json["same"], true);
  EXPECT_EQ(replayed.answer.json["model"], "diamond");
  EXPECT_EQ(replayed.answer.json["seed"], 3);
  EXPECT_EQ(replayed.answer.json["replay"], line);
  EXPECT_FALSE(replayed.answer.json.contains("difference"));
  EXPECT_FALSE(replayed.answer.json.contains("warnings"));
  EXPECT_TRUE(replayed.warnings.empty());
}

TEST(Replay, AnotherDigestIsAViolationThatNamesBoth) {
  ReplayLine line = parse_replay_line(native_line());
  const std::string digest = line.digest;
  line.digest = "00ff00ff00ff00ff";
  const Replayed replayed = replay(replay_of(format_replay_line(line)));
  EXPECT_EQ(replayed.answer.outcome, Outcome::kViolated);
  EXPECT_EQ(replayed.answer.json["same"], false);
  EXPECT_EQ(replayed.answer.json["difference"], "digest " + digest + " instead of 00ff00ff00ff00ff");
  EXPECT_EQ(replayed.answer.lines.back(), "VIOLATED: digest " + digest + " instead of 00ff00ff00ff00ff");
}

TEST(Replay, AnotherMakespanIsADifferenceThatNamesBoth) {
  ReplayLine line;
  line.on = "sim";
  line.makespan_ps = 1000;
  ReplayOutcome outcome;
  outcome.status = "OK";
  outcome.makespan_ps = 1200;
  EXPECT_EQ(difference_to(line, outcome), "makespan 1200 ps instead of 1000 ps");
  outcome.makespan_ps = 0;
  EXPECT_EQ(difference_to(line, outcome), "");
  line.on = "native";
  outcome.makespan_ps = 1200;
  EXPECT_EQ(difference_to(line, outcome), "");
}

TEST(Replay, TheHashNamesTheRunAndNotWhatCameOfIt) {
  ReplayLine line = parse_replay_line(native_line());
  const Json whole = replay(replay_of(format_replay_line(line))).answer.json;
  line.digest.clear();
  const Json open = replay(replay_of(format_replay_line(line))).answer.json;
  EXPECT_EQ(open["run_hash"], whole["run_hash"]);
  EXPECT_NE(open["replay"], whole["replay"]);
  line.seeds.schedule += 1;
  EXPECT_NE(replay(replay_of(format_replay_line(line))).answer.json["run_hash"], whole["run_hash"]);
}

TEST(Replay, TheModelMayLieElsewhere) {
  const TemporaryDirectory place;
  ReplayRequest wanted = replay_of(native_line());
  wanted.model = "chain:3";
  const Replayed replayed = replay(wanted);
  EXPECT_EQ(replayed.answer.json["model"], "chain:3");
  EXPECT_EQ(replayed.answer.outcome, Outcome::kViolated) << "another model gives other bytes";
}

TEST(Replay, AFailureHoldsInEveryWorld) {
  const TemporaryDirectory place;
  ReplayRequest wanted = replay_of(write_failure(place));
  for (const char* world : {"", "native", "sim", "explore"}) {
    wanted.on = world;
    const Replayed replayed = replay(wanted);
    EXPECT_EQ(replayed.answer.outcome, Outcome::kHolds) << world;
    EXPECT_TRUE(replayed.warnings.empty()) << world;
    if (*world != '\0') {
      EXPECT_EQ(replayed.answer.json["on"], world);
    }
  }
}

TEST(Replay, AFailureOfAnotherModelIsRefusedUnlessForced) {
  const TemporaryDirectory place;
  ReplayRequest wanted = replay_of(write_failure(place));
  wanted.model = "wide:3";
  const std::string refusal = refusal_of([&] { return replay(wanted); });
  EXPECT_TRUE(refusal.starts_with(wanted.source + ": was recorded with model_hash ")) << refusal;
  EXPECT_TRUE(refusal.ends_with("; give the same model (--model), or --force to try it with this one")) << refusal;
  wanted.force = true;
  const Replayed replayed = replay(wanted);
  ASSERT_EQ(replayed.warnings.size(), 1U);
  EXPECT_EQ(replayed.warnings.front() + "; give the same model (--model), or --force to try it with this one", refusal);
  EXPECT_EQ(replayed.answer.json["warnings"], Json(replayed.warnings));
}

TEST(Replay, AnAnswerIsASourceByItsLine) {
  const TemporaryDirectory place;
  const std::string line = native_line();
  const std::string file = place.write("run.json", Json{{"schema", "detent.run/1"}, {"replay", line}}.dump());
  expect_same_answer(replay(replay_of(file)).answer, replay(replay_of(line)).answer);
  const std::string other = place.write("other.json", R"({"schema": "detent.plan/1"})");
  EXPECT_EQ(refusal_of([&] { return replay(replay_of(other)); }),
            other +
                ": is not a detent-failure/1 file and has no \"replay\" line; answers of run, simulate, check and "
                "explore have one");
}

TEST(Replay, WhatIsNoSourceIsRefused) {
  const TemporaryDirectory place;
  EXPECT_NE(refusal_of([&] { return replay(replay_of(place.file("missing"))).answer; }), "");
  EXPECT_NE(refusal_of([&] { return replay(replay_of("detent-replay/1 model=diamond world=moon")); }), "");
  EXPECT_NE(refusal_of([] { return replay(replay_of("detent-replay/1 model=nothing")).answer; }), "");
}

TEST(Replay, StepsOfThreadsStayUnderTheExplorer) {
  ReplayRequest wanted = replay_of("detent-replay/1 model=chain:1 on=explore level=threads workers=1 choices=t1:#0");
  wanted.on = "native";
  EXPECT_EQ(
      refusal_of([&] { return replay(wanted); }),
      "--on native: choices are steps of the engine's own threads, which only the explorer orders; leave --on out");
}

}  // namespace
}  // namespace detent::app
