#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "app/explore/threads.hpp"
#include "app/replay/failure_file.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

constexpr std::uint64_t kFew = 200;

/// A few executions of a small program, on two workers.
ThreadExploreRequest sample_of(const std::string& model, const std::string& strategy = "rotate") {
  ThreadExploreRequest made;
  made.line.model = model;
  made.strategy = strategy;
  made.budget = kFew;
  return made;
}

Answer answered(const ThreadExploreRequest& request) {
  return explore_threads(request, load(request.line.model, {.split = request.line.split}));
}

Answer answered(const std::string& model, const std::function<void(ThreadExploreRequest&)>& change) {
  ThreadExploreRequest request = sample_of(model);
  change(request);
  return answered(request);
}

std::uint64_t sync_of(const Answer& answer, const char* point) {
  return answer.json.at("sync").at(point).get<std::uint64_t>();
}

TEST(ThreadStrategies, EachStaysWithinTheBudgetAndSaysWhatItDoesNotKnow) {
  for (const char* strategy : {"dfs", "states", "bounded", "pct", "pos", "random", "rotate"}) {
    const Answer answer = answered(sample_of("diamond", strategy));
    EXPECT_EQ(answer.outcome, Outcome::kUnknown) << strategy;
    EXPECT_EQ(answer.json["verdict"], "unknown") << strategy;
    EXPECT_EQ(answer.json["executions"], kFew) << strategy;
    EXPECT_EQ(answer.json["strategy"], strategy);
    EXPECT_TRUE(answer.json["traces"]["total"].is_null()) << strategy;
    EXPECT_EQ(answer.json["traces"]["exact"], false) << strategy;
    EXPECT_TRUE(answer.json["failure"].is_null()) << strategy;
  }
}

TEST(ThreadStrategies, OnlyDrawnSchedulesEstimateWhatWasNotSeen) {
  for (const char* drawn : {"pct", "pos", "random", "rotate"}) {
    const Answer answer = answered(sample_of("diamond", drawn));
    EXPECT_GT(answer.json["unseen_mass"].get<double>(), 0) << drawn;
    const bool is_said = std::ranges::any_of(answer.lines, [](const std::string& line) {
      return line.starts_with("  unseen traces have ") && line.ends_with(" of the probability (Good-Turing estimate)");
    });
    EXPECT_TRUE(is_said) << drawn;
  }
  for (const char* ordered : {"dfs", "bounded", "states"}) {
    EXPECT_TRUE(answered(sample_of("diamond", ordered)).json["unseen_mass"].is_null()) << ordered;
  }
}

TEST(ThreadStrategies, SameRequestGivesTheSameBytesAndAnotherSeedOthers) {
  for (const char* strategy : {"dfs", "random"}) {
    expect_same_answer(answered(sample_of("diamond", strategy)), answered(sample_of("diamond", strategy)));
  }
  ThreadExploreRequest other = sample_of("diamond", "random");
  other.line.seeds.schedule = 99;
  EXPECT_NE(answered(sample_of("diamond", "random")).json["steps"], answered(other).json["steps"]);
}

TEST(ThreadOptionsOfTheAnswer, AnswerContainsTheEngine) {
  const Answer answer = answered("diamond", [](ThreadExploreRequest& request) {
    request.line.engine = {.workers = 3, .mode = DETENT_MODE_LAYERED};
    request.line.threads.memory = "sc";
  });
  EXPECT_EQ(answer.json["mode"], "layered");
  EXPECT_EQ(answer.json["scheduler"], "role");
  EXPECT_EQ(answer.json["workers"], 3);
  EXPECT_EQ(answer.json["memory"], "sc");
  EXPECT_EQ(answer.lines.front(),
            "diamond: layered engine, 3 workers, 3 threads; layered, 3 workers, sequential consistency: no law broken "
            "in a sample: 200 executions, 19 traces (rotate)");
}

TEST(ThreadOptionsOfTheAnswer, MemoryModelDecidesHowManyTracesThereAre) {
  ThreadExploreRequest request = sample_of("chain:2", "dfs");
  request.budget = 0;
  const Answer weak = answered(request);
  request.line.threads.memory = "sc";
  const Answer strong = answered(request);
  EXPECT_EQ(weak.outcome, Outcome::kHolds);
  EXPECT_EQ(strong.outcome, Outcome::kHolds);
  EXPECT_GE(weak.json["executions"].get<std::uint64_t>(), strong.json["executions"].get<std::uint64_t>());
}

TEST(ThreadOptionsOfTheAnswer, EachKindOfChoiceIsMet) {
  const auto met = [](const char* point, const std::function<void(ThreadExploreRequest&)>& change) {
    EXPECT_EQ(sync_of(answered("diamond", [](ThreadExploreRequest&) {}), point), 0U) << point;
    EXPECT_GT(sync_of(answered("diamond", change), point), 0U) << point;
  };
  met("spurious", [](ThreadExploreRequest& request) { request.line.threads.spurious = 1; });
  met("timeouts", [](ThreadExploreRequest& request) { request.line.threads.op_deadline_ps = 1000; });
  met("failed_starts", [](ThreadExploreRequest& request) { request.line.threads.failing_starts = 1; });
}

TEST(ThreadOptionsOfTheAnswer, WithoutEarlyTimeoutsADeadlineIsNeverMissed) {
  const Answer answer = answered("diamond", [](ThreadExploreRequest& request) {
    request.line.threads.op_deadline_ps = 1000;
    request.early_timeouts = 0;
  });
  EXPECT_EQ(sync_of(answer, "timeouts"), 0U);
}

TEST(ThreadOptionsOfTheAnswer, RunsCancelsAndFailingOpsTakeMoreOrOtherSteps) {
  const Answer plain = answered("diamond", [](ThreadExploreRequest&) {});
  const auto steps = [](const Answer& answer) { return answer.json["steps"].get<std::uint64_t>(); };
  const Answer twice = answered("diamond", [](ThreadExploreRequest& request) { request.line.threads.runs = 2; });
  const Answer cancelled =
      answered("diamond", [](ThreadExploreRequest& request) { request.line.threads.cancel = true; });
  const Answer failing =
      answered("diamond", [](ThreadExploreRequest& request) { request.line.threads.failing_ops = {0}; });
  const Answer spinning =
      answered("diamond", [](ThreadExploreRequest& request) { request.line.engine.spin_limit = 3; });
  EXPECT_GT(steps(twice), steps(plain));
  EXPECT_LT(steps(failing), steps(plain)) << "nothing follows an op that fails";
  EXPECT_NE(steps(cancelled), steps(plain));
  EXPECT_NE(steps(spinning), steps(plain));
  for (const Answer* answer : {&twice, &cancelled, &failing, &spinning}) EXPECT_TRUE(answer->json["failure"].is_null());
}

TEST(ThreadOptionsOfTheAnswer, ContradictionsAreRefusedWithTheRemedy) {
  const auto refused = [](const std::function<void(ThreadExploreRequest&)>& change) {
    return refusal_of([&] { return answered("diamond", change).outcome; });
  };
  EXPECT_EQ(refused([](ThreadExploreRequest& request) { request.line.engine.workers = 0; }),
            "threads: no workers; give 1 or more");
  EXPECT_EQ(refused([](ThreadExploreRequest& request) { request.line.threads.runs = 0; }),
            "threads: no runs; give 1 or more");
  EXPECT_EQ(refused([](ThreadExploreRequest& request) { request.line.threads.failing_ops = {4}; }),
            "threads: failing op 4 does not exist");
  EXPECT_EQ(refused([](ThreadExploreRequest& request) { request.early_timeouts = 1; }),
            "threads: early timeouts need a deadline");
  EXPECT_EQ(refused([](ThreadExploreRequest& request) { request.line.engine.policy = "given"; }),
            "threads: policy given: choose id, priority or critical-path, which keep no state");
  EXPECT_NE(refused([](ThreadExploreRequest& request) { request.line.engine.workers = 65; }), "");
}

TEST(ThreadSchedules, OneThatHoldsIsKeptInAFileThatRepeatsIt) {
  const TemporaryDirectory place;
  ThreadExploreRequest request = sample_of("diamond");
  request.line.threads.choices = "t1:#0";
  request.failure_file = place.file("schedule.txt");
  const Answer answer = answered(request);
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(place.file_count(), 1U);
  const FailureRecord record = parse_failure(request.failure_file, bytes_of(request.failure_file));
  EXPECT_EQ(format_replay_line(runnable_line(record)), answer.json["replay"].get<std::string>());
  EXPECT_EQ(answer.lines.back(), "  replay    detent replay " + request.failure_file);
}

}  // namespace
}  // namespace detent::app
