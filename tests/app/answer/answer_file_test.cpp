#include <gtest/gtest.h>

#include "app/answer/answer.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

TEST(JsonHeader, NamesSchemaModelAndSeedFirst) {
  const Json header = json_header("bound", {.model = "diamond", .seeds = {.schedule = UINT64_MAX}});
  std::vector<std::string> keys;
  for (const auto& [key, value] : header.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"schema", "detent_version", "model", "seed"}));
  EXPECT_EQ(header["schema"], "detent.bound/1");
  EXPECT_EQ(header["model"], "diamond");
  EXPECT_EQ(header["seed"], UINT64_MAX);
}

TEST(AppendLines, KeepsTheOrderAndTakesAnEmptyList) {
  Lines lines{"a"};
  append(lines, {});
  append(lines, {"b", "c"});
  EXPECT_EQ(lines, (Lines{"a", "b", "c"}));
}

TEST(ParseAnswer, KeepsTheOrderOfKeys) {
  EXPECT_EQ(parse_answer("a.json", R"({"z":1,"a":[true,null,"x"]})").dump(), R"({"z":1,"a":[true,null,"x"]})");
}

TEST(ParseAnswer, HostileTextIsRefusedUnderTheNameOfItsFile) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const std::string& text :
       {std::string(), std::string("{"), std::string(R"({"a":1,"a":2})"), std::string("{} {}"), std::string("nan"),
        std::string(R"({"a":1e999})"), std::string("{\"a\":\"\xff\"}"), deep}) {
    const std::string refusal = refusal_of([&] { return parse_answer("a.json", text); });
    EXPECT_EQ(refusal.rfind("a.json", 0), 0U) << text.substr(0, 40) << ": " << refusal;
  }
}

TEST(ReplayLineOf, IsTheTextAtTheTopOnly) {
  EXPECT_EQ(replay_line_of("a", R"({"model":"m","replay":"detent-replay/1 model=m"})"), "detent-replay/1 model=m");
  EXPECT_EQ(replay_line_of("a", R"({"failure":{"replay":"inner"}})"), std::nullopt);
  EXPECT_EQ(replay_line_of("a", R"({"replay":7})"), std::nullopt);
  EXPECT_EQ(replay_line_of("a", R"(["replay","x"])"), std::nullopt);
  EXPECT_EQ(refusal_of([] { return replay_line_of("a", "{\"replay\":"); }).rfind("a", 0), 0U);
}

TEST(OutcomeOf, EmptyListHoldsAndAViolationCountsMost) {
  const auto of = [](std::vector<verify::Outcome> outcomes) {
    std::vector<verify::Verdict> verdicts;
    for (const verify::Outcome outcome : outcomes) verdicts.push_back({verify::Property::kBound, outcome, "", {}});
    return outcome_of(verdicts);
  };
  using verify::Outcome;
  EXPECT_EQ(of({}), Outcome::kHolds);
  EXPECT_EQ(of({Outcome::kHolds, Outcome::kUnknown}), Outcome::kUnknown);
  EXPECT_EQ(of({Outcome::kUnknown, Outcome::kViolated, Outcome::kHolds}), Outcome::kViolated);
}

TEST(VerdictLines, ShowFiveWitnessesAndCountTheRest) {
  verify::Verdict verdict{verify::Property::kBufferRaces, verify::Outcome::kViolated, "seven", {}};
  for (std::uint32_t i = 0; i < 7; ++i) verdict.witnesses.push_back({std::to_string(i), {i}, {}});
  const Lines lines = verdict_lines({verdict});
  EXPECT_EQ(lines, (Lines{"buffer_races  violated  seven", "    0", "    1", "    2", "    3", "    4",
                          "    and 2 more; --json FILE lists them"}));
  const Json json = verdicts_json({verdict});
  EXPECT_EQ(json[0]["witnesses"].size(), 7U);
  EXPECT_EQ(json[0]["witness"], json[0]["witnesses"][0]);
  EXPECT_TRUE(verdicts_json({{verify::Property::kBound, verify::Outcome::kHolds, "", {}}})[0]["witness"].is_null());
}

}  // namespace
}  // namespace detent::app
