#include "app/answer/verdicts.hpp"

#include <gtest/gtest.h>

namespace detent::app {
namespace {

using verify::Outcome;

verify::Verdict verdict(verify::Property property, Outcome outcome, std::size_t witnesses = 0) {
  verify::Verdict made{.property = property, .outcome = outcome, .summary = "because", .witnesses = {}};
  for (std::size_t i = 0; i < witnesses; ++i) {
    made.witnesses.push_back(
        {.text = "witness " + std::to_string(i), .ops = {static_cast<std::uint32_t>(i)}, .schedule = {}});
  }
  return made;
}

TEST(Verdicts, ViolatedBeforeUnknownBeforeHolds) {
  EXPECT_EQ(outcome_of({}), Outcome::kHolds);
  EXPECT_EQ(outcome_of({verdict(verify::Property::kBound, Outcome::kHolds)}), Outcome::kHolds);
  EXPECT_EQ(outcome_of({verdict(verify::Property::kBound, Outcome::kHolds),
                        verdict(verify::Property::kThreads, Outcome::kUnknown)}),
            Outcome::kUnknown);
  EXPECT_EQ(outcome_of({verdict(verify::Property::kBound, Outcome::kViolated),
                        verdict(verify::Property::kThreads, Outcome::kUnknown)}),
            Outcome::kViolated);
}

TEST(Verdicts, LinesShowTheFirstFiveWitnesses) {
  const Lines lines = verdict_lines({verdict(verify::Property::kBufferRaces, Outcome::kViolated, 7)});
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines.front(), "buffer_races  violated  because");
  EXPECT_EQ(lines[1], "    witness 0");
  EXPECT_EQ(lines[5], "    witness 4");
  EXPECT_EQ(lines[6], "    and 2 more; --json FILE lists them");
}

TEST(Verdicts, WhatIsNotShownIsCountedThoughNotListed) {
  verify::Verdict many = verdict(verify::Property::kBufferRaces, Outcome::kViolated, 16);
  many.total = 40;
  EXPECT_EQ(verdict_lines({many}).back(), "    and 35 more; --json FILE lists 11 of them");
  many.witnesses.resize(3);
  EXPECT_EQ(verdict_lines({many}).back(), "    and 37 more; --json FILE lists none");
  many.total = 3;
  EXPECT_EQ(verdict_lines({many}).back(), "    witness 2");
  many.total = 0;
  EXPECT_EQ(verdict_lines({many}).back(), "    witness 2");
}

TEST(Verdicts, LongPropertiesMoveTheColumnOfAll) {
  const Lines lines = verdict_lines({verdict(verify::Property::kBound, Outcome::kHolds),
                                     verdict(verify::Property::kEngineSchedules, Outcome::kHolds)});
  EXPECT_EQ(lines[0].find("holds"), lines[1].find("holds"));
}

TEST(Verdicts, JsonHasEveryWitnessAndTheFirstOneApart) {
  const Json json = verdicts_json({verdict(verify::Property::kBufferRaces, Outcome::kViolated, 7),
                                   verdict(verify::Property::kMemoryPlan, Outcome::kHolds)});
  EXPECT_EQ(json[0]["outcome"], "violated");
  EXPECT_EQ(json[0]["witnesses"].size(), 7U);
  EXPECT_EQ(json[0]["witness"], json[0]["witnesses"][0]);
  EXPECT_EQ(json[0]["witness"]["ops"], Json::array({0}));
  EXPECT_EQ(json[0]["findings"], 7);
  EXPECT_TRUE(json[1]["witness"].is_null());
  EXPECT_EQ(json[1]["findings"], 0);
}

TEST(Answer, LinesAreAppendedInOrder) {
  Lines lines{"a"};
  append(lines, {"b", "c"});
  EXPECT_EQ(lines, (Lines{"a", "b", "c"}));
}

TEST(Answer, ReplayLinesAreReadFromTheTopOfAnAnswerOnly) {
  EXPECT_EQ(replay_line_of("a.json", R"({"replay": "detent-replay/1 model=m"})"), "detent-replay/1 model=m");
  EXPECT_EQ(replay_line_of("a.json", R"({"inner": {"replay": "x"}})"), std::nullopt);
  EXPECT_EQ(replay_line_of("a.json", R"({"replay": 4})"), std::nullopt);
  EXPECT_EQ(replay_line_of("a.json", "[]"), std::nullopt);
  EXPECT_ANY_THROW(static_cast<void>(replay_line_of("a.json", "{")));
}

}  // namespace
}  // namespace detent::app
