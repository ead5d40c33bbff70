// Every model of the zoo gets the verdict that its entry states, from detent_check and from the checkers of verify/.
#include <gtest/gtest.h>

#include <vector>

#include <detent/detent.h>

#include "models/builder/random_model.hpp"
#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/static/memory_plan.hpp"
#include "verify/static/structure.hpp"

namespace detent::models {
namespace {

std::string bind_status(const detent_desc& desc) {
  std::vector<std::uint64_t> work(detent_check_bytes(&desc) / 8 + 16);
  detent_error error{};
  return detent_status_name(detent_check(&desc, work.data(), work.size() * 8, &error));
}

verify::Verdict check(const std::string& property, const detent_desc& desc) {
  if (property == "structure") return verify::check_structure(desc);
  if (property == "memory_plan") return verify::check_memory_plan(desc);
  return verify::check_buffer_races(desc);
}

class ZooVerdict : public testing::TestWithParam<ZooEntry> {};

TEST_P(ZooVerdict, VerdictsOfEveryModelAreThoseStated) {
  const ZooEntry& entry = GetParam();
  const LoweredModel lowered = lower(make_zoo_model(entry.name), {.weights = false});
  const detent_desc& desc = lowered.desc();
  EXPECT_EQ(bind_status(desc), entry.expected.status);
  for (const char* property : {"structure", "memory_plan", "buffer_races"}) {
    const verify::Verdict verdict = check(property, desc);
    // A race between two tensors is a fault of the plan too; a cycle leaves nothing to ask of it.
    const bool is_plan = property == std::string("memory_plan");
    const bool must_fail =
        entry.expected.property == property || (is_plan && entry.expected.property == "buffer_races");
    const bool is_asked = property != std::string("buffer_races") && !(is_plan && entry.expected.status == "CYCLE");
    const bool must_hold = entry.expected.holds || (is_asked && !must_fail);
    if (must_fail) {
      EXPECT_EQ(verdict.outcome, verify::Outcome::kViolated) << property;
    }
    if (must_hold) {
      EXPECT_EQ(verdict.outcome, verify::Outcome::kHolds) << property << " " << verdict.summary;
    }
  }
}

TEST_P(ZooVerdict, RacingPairsAreExactlyThoseStated) {
  const ExpectedVerdict& expected = GetParam().expected;
  if (!expected.holds && expected.property != "buffer_races") return;  // refused before races can be asked for
  const LoweredModel lowered = lower(make_zoo_model(GetParam().name), {.weights = false});
  const detent_desc& desc = lowered.desc();
  const verify::RaceReport report = verify::find_races(desc);
  ASSERT_EQ(report.races.listed.size(), expected.holds ? 0U : 1U);
  if (expected.holds) return;
  const verify::Race& race = report.races.listed[0];
  EXPECT_EQ(desc.ops[race.op_a].name, expected.racing_ops[0]);
  EXPECT_EQ(desc.ops[race.op_b].name, expected.racing_ops[1]);
  EXPECT_STREQ(verify::hazard_name(race.kind), expected.kind.c_str());
}

INSTANTIATE_TEST_SUITE_P(Entries, ZooVerdict, testing::ValuesIn(zoo()),
                         [](const auto& entry) { return entry.param.name; });

TEST(SplitVerdict, BandsDoNotRace) {
  for (const char* name : {"yolov8n:320", "resnet18:64", "mobilenetv2:96"}) {
    const LoweredModel lowered = lower(make_zoo_model(name, {.split = 4}), {.weights = false});
    EXPECT_EQ(bind_status(lowered.desc()), "OK") << name;
    EXPECT_EQ(verify::check_buffer_races(lowered.desc()).outcome, verify::Outcome::kHolds) << name;
    EXPECT_EQ(verify::check_memory_plan(lowered.desc()).outcome, verify::Outcome::kHolds) << name;
  }
}

TEST(PlantedRaceVerdict, PlantedRaceIsTheOnlyOneFound) {
  int planted = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (const RaceKind kind : {RaceKind::kWar, RaceKind::kWaw}) {
      Model model = make_random_model({.seed = seed, .ops = 60, .shape = static_cast<RandomShape>(seed % 3)});
      plan_memory(model);
      const auto race = plant_race(model, kind, seed);
      const LoweredModel lowered = lower(model);
      EXPECT_EQ(bind_status(lowered.desc()), "OK") << seed;
      const verify::RaceReport report = verify::find_races(lowered.desc());
      ASSERT_EQ(report.races.listed.size(), race ? 1U : 0U) << seed;
      if (!race) continue;
      ++planted;
      EXPECT_EQ(report.races.listed[0].op_a, race->first_op);
      EXPECT_EQ(report.races.listed[0].op_b, race->second_op);
      EXPECT_EQ(report.races.listed[0].kind,
                kind == RaceKind::kWar ? verify::HazardKind::kWar : verify::HazardKind::kWaw);
    }
  }
  EXPECT_GT(planted, 40);
}

}  // namespace
}  // namespace detent::models
