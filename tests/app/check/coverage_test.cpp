#include "app/check/coverage.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/check/check.hpp"
#include "app/explore/failure_story.hpp"
#include "app/runs/simulated_run.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

namespace explore = verify::explore;

using verify::Outcome;

/// A check's part of the work that coverage looks at, without the check.
CoverageResult covered(const std::string& model, const CoverageOptions& options, const ScheduleOptions& schedule = {},
                       const CheckResult& before = {}) {
  return cover_schedules({.model = model, .seeds = {.schedule = 3}}, schedule, options, load(model, {}), before);
}

const verify::Verdict* verdict_of(const CoverageResult& result, verify::Property property) {
  const auto place = std::ranges::find(result.verdicts, property, &verify::Verdict::property);
  return place == result.verdicts.end() ? nullptr : &*place;
}

TEST(Coverage, ZeroSchedulesCoverNothing) {
  const CoverageResult result = covered("diamond", {.schedules = 0});
  EXPECT_EQ(result.coverage.note, "no schedules were explored: --schedules 0");
  EXPECT_TRUE(result.verdicts.empty());
  EXPECT_TRUE(result.coverage.cover_goals.empty());
  EXPECT_FALSE(result.coverage.engine);
  EXPECT_FALSE(result.coverage.ops);
}

TEST(Coverage, EngineIsSampledInTheModeThatIsAskedFor) {
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    const CoverageResult result = covered("diamond", {.workers = 2}, {.engine = {.mode = mode}});
    ASSERT_TRUE(result.coverage.engine) << mode;
    EXPECT_EQ(result.coverage.engine->mode, harness::mode_name(mode));
    EXPECT_EQ(result.coverage.engine->workers, 2U);
    EXPECT_EQ(result.coverage.engine->search, "rotate (pct, pos, random)");
    EXPECT_FALSE(result.coverage.engine->programs.empty());
    EXPECT_EQ(verdict_of(result, verify::Property::kEngineSchedules), nullptr) << "only a broken law is a verdict";
  }
}

TEST(Coverage, MoreWorkersThanTheSampleTakesAreCappedForTheEngineAlone) {
  const CoverageResult result = covered("diamond", {.workers = 64});
  ASSERT_TRUE(result.coverage.engine);
  EXPECT_EQ(result.coverage.engine->workers, 4U);
}

TEST(Coverage, WithoutKernelsOrdersOfOpsAreNotExecutedWithANote) {
  const CoverageResult result = covered("diamond", {.execute = false});
  EXPECT_EQ(result.coverage.note, "no kernel was executed: orders of ops are judged without runs only");
  EXPECT_FALSE(result.coverage.ops);
  EXPECT_TRUE(result.coverage.engine) << "the engine needs no kernels of the model";
}

TEST(Coverage, OfVeryManyOpsPairsAreNotLookedAtWithANote) {
  const CoverageResult result = covered("chain:4097", {.schedules = 2});
  EXPECT_NE(result.coverage.note.find("more than 4096 ops: pairs of ops were not looked at"), std::string::npos)
      << result.coverage.note;
  EXPECT_FALSE(result.coverage.ops);
  EXPECT_TRUE(covered("chain:4096", {.schedules = 2}).coverage.ops);
}

TEST(Coverage, OrdersOfOpsAreExecutedWithinTheBudget) {
  const CoverageResult few = covered("bad_reuse_war", {.schedules = 2});
  ASSERT_TRUE(few.coverage.ops);
  EXPECT_LE(few.coverage.ops->executions, 2U);
  ASSERT_NE(verdict_of(few, verify::Property::kOpSchedules), nullptr);
}

TEST(Coverage, ScheduleThatChangesTheBytesIsAViolationWithAStory) {
  const CoverageResult result = covered("bad_reuse_war", {});
  ASSERT_NE(verdict_of(result, verify::Property::kOpSchedules), nullptr);
  EXPECT_EQ(verdict_of(result, verify::Property::kOpSchedules)->outcome, Outcome::kViolated);
  ASSERT_EQ(result.failures.size(), 1U);
  EXPECT_FALSE(result.failures.front().constraints.empty());
}

TEST(Coverage, RacingModelsAlwaysComeWithAFailingSchedule) {
  for (const char* model : {"bad_reuse_war", "bad_reuse_waw"}) {
    for (const std::uint64_t schedules : {0U, 1U, 2U}) {
      CoverageOptions options;
      if (schedules != 0) options.schedules = schedules;
      const CoverageResult result = covered(model, options);
      ASSERT_EQ(result.failures.size(), 1U) << model << ' ' << schedules;
      EXPECT_EQ(result.failures.front().level, "ops");
      EXPECT_NE(result.failures.front().digest, result.failures.front().serial_digest) << "it was executed";
      EXPECT_FALSE(result.failures.front().replay.empty());
    }
  }
}

TEST(Coverage, ARaceThatIsNotExecutedComesWithItsSchedule) {
  const CoverageResult result = covered("bad_reuse_war", {.execute = false});
  ASSERT_EQ(result.failures.size(), 1U);
  const reports::FailureStory& story = result.failures.front();
  EXPECT_EQ(story.constraints.size(), 1U);
  EXPECT_EQ(story.digest, "") << "nothing ran";
  EXPECT_EQ(story.replay, "");
  EXPECT_EQ(
      story.shown,
      "the two ops meet on these bytes in the other order; no run was compared (no kernel is executed in this check)");
  EXPECT_EQ(story.tables.size(), 2U) << "what fails beside what is right";
}

TEST(Coverage, UncoveredGoalsMakeTheVerdictUnknown) {
  const CoverageResult result = covered("diamond", {.workers = 2});
  const verify::Verdict* verdict = verdict_of(result, verify::Property::kCoverGoals);
  ASSERT_NE(verdict, nullptr);
  const auto& goals = result.coverage.cover_goals;
  const bool some_never = std::ranges::any_of(goals, &verify::explore::CoverGoal::never);
  EXPECT_EQ(verdict->outcome == Outcome::kHolds, !some_never) << verdict->summary;
  for (const char* subject : {"model", "engine"}) {
    EXPECT_NE(std::ranges::count(goals, subject, &verify::explore::CoverGoal::about), 0) << subject;
  }
}

/// Why two ops are never under way at once; "" where they may be.
std::string why_never_at_once(const CoverageResult& result) {
  const auto goal = std::ranges::find(result.coverage.cover_goals, "ops_at_once", &verify::explore::CoverGoal::name);
  if (goal == result.coverage.cover_goals.end()) return "no such goal";
  return goal->applicable ? "" : goal->evidence;
}

TEST(Coverage, OpsAreExpectedAtOnceWhereSeveralWorkersRun) {
  EXPECT_EQ(why_never_at_once(covered("diamond", {.workers = 2})), "");
  EXPECT_EQ(why_never_at_once(covered("diamond", {.workers = 1})), "one worker");
  EXPECT_EQ(why_never_at_once(covered("chain", {.workers = 2})), "a path orders every two ops");
  CheckResult ran;
  ran.native_workers = 3;
  EXPECT_EQ(why_never_at_once(covered("diamond", {}, {}, ran)), "") << "as many as the check's native runs had";
  EXPECT_EQ(why_never_at_once(covered("diamond", {}, {.engine = {.mode = DETENT_MODE_SERIAL}}, ran)), "one worker");
  EXPECT_EQ(why_never_at_once(covered("diamond", {.workers = 2}, {.engine = {.mode = DETENT_MODE_SERIAL}})),
            "one worker");
}

TEST(Coverage, AScheduleOfTheSampledEngineRepeatsFromItsLine) {
  const Request request{.model = "diamond", .seeds = {.input = 5, .schedule = 3}};
  const LoadedModel loaded = load("diamond", {});
  const explore::EngineGraph graph(loaded.desc());
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    for (const detent_scheduler scheduler : {DETENT_SCHEDULER_ROLE, DETENT_SCHEDULER_THREAD}) {
      for (const std::uint32_t workers : {1U, 2U, 3U}) {
        SCOPED_TRACE(fmt::format("mode {} scheduler {} workers {}", +mode, +scheduler, workers));
        const ScheduleOptions schedule{.engine = {.mode = mode, .scheduler = scheduler}};
        const ReplayLine program =
            sampled_program(request, schedule, {}, {.mode = mode, .scheduler = scheduler, .workers = workers});
        explore::ThreadOptions sampled;
        sampled.engine = {.workers = workers, .mode = mode, .scheduler = scheduler};
        explore::EngineSample sample;
        sample.schedule = explore::ThreadFailure{.law = "", .text = "planted", .choices = "t1:#0"};
        sample.replay = explore::replay_threads(graph.desc(), sampled, "t1:#0");
        EXPECT_FALSE(sample.replay.listing.empty());
        const reports::FailureStory story = make_engine_story(program, loaded, true, sample);
        EXPECT_EQ(story.note, "");
        EXPECT_EQ(story.workers, workers);
        EXPECT_NE(story.replay, "") << "the model makes other steps than its graph";
      }
    }
  }
}

TEST(Coverage, TheSampledProgramIsOfTheModelAsItIsChecked) {
  const CoverageOptions options{.split = 2,
                                .winograd = true,
                                .set = "set.toml",
                                .schedule = "lists.json",
                                .device = "npu=device.so",
                                .outcomes = "failed=1"};
  const ReplayLine program =
      sampled_program({.model = "diamond", .seeds = {.input = 5, .schedule = 3}}, {}, options, {.workers = 3});
  EXPECT_EQ(program.on, "explore");
  EXPECT_EQ(program.model, "diamond");
  EXPECT_EQ(program.seeds, (harness::Seeds{.input = 5, .schedule = 3}));
  EXPECT_EQ(program.split, 2U);
  EXPECT_TRUE(program.winograd);
  EXPECT_EQ(program.set, "set.toml");
  EXPECT_EQ(program.schedule, "lists.json");
  EXPECT_EQ(program.device, "npu=device.so");
  EXPECT_EQ(program.outcomes, "failed=1");
  EXPECT_EQ(program.engine.workers, 3U);
  EXPECT_EQ(program.threads.memory, "c11") << "as detent explore without words";
}

TEST(Coverage, EqualArgumentsGiveEqualAnswers) {
  const auto summary = [](const CoverageResult& result) {
    std::string text = result.coverage.note;
    for (const verify::Verdict& verdict : result.verdicts)
      text += verify::property_name(verdict.property) + verdict.summary + "\n";
    for (const auto& goal : result.coverage.cover_goals) text += goal.name + std::to_string(goal.count);
    return text;
  };
  for (const char* model : {"diamond", "bad_reuse_war", "erdos:1:6"}) {
    EXPECT_EQ(summary(covered(model, {})), summary(covered(model, {}))) << model;
  }
}

}  // namespace
}  // namespace detent::app
