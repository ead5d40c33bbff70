// Requirements: the file, its refusals, and states that follow from verdicts.
#include "app/bundle/requirements.hpp"

#include <gtest/gtest.h>

#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

std::string rows_refusal(const std::string& rows) {
  return refusal_of([&] { return parse_requirements("schema = \"detent.requirements/1\"\n" + rows, "r.toml").size(); });
}

TEST(Requirements, AreReadById) {
  const auto read = parse_requirements(
      "schema = \"detent.requirements/1\"\n[requirements]\n"
      "\"SYS 2\" = { properties = [\"bound\"] }\nSYS1 = { text = \"no races\", properties = [\"buffer_races\", "
      "\"determinism\"] }\n",
      "r.toml");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].id, "SYS 2");
  EXPECT_EQ(read[0].text, "");
  EXPECT_EQ(read[0].state, "unknown");
  EXPECT_EQ(read[1].text, "no races");
  EXPECT_EQ(read[1].properties, (std::vector<std::string>{"buffer_races", "determinism"}));
}

TEST(Requirements, RefusalsNameFileLineAndRemedy) {
  EXPECT_EQ(rows_refusal("[requirements]\nR = { properties = [\"buffer_race\"] }\n")
                .find("r.toml:3: unknown property "
                      "'buffer_race'; did you mean"),
            0U)
      << rows_refusal("[requirements]\nR = { properties = [\"buffer_race\"] }\n");
  EXPECT_NE(rows_refusal("[requirements]\nR = { properties = [\"zzzzzzzzzz\"] }\n").find("; give some of structure, "),
            std::string::npos);
  EXPECT_NE(rows_refusal("[requirements]\nR = { properties = [\"" + std::string(500, 'x') + "\"] }\n").find("xxx...'"),
            std::string::npos);
  EXPECT_NE(rows_refusal("[requirements]\nR = { properties = [] }\n")
                .find("r.toml:3: 'requirements.R.properties' must be a "
                      "list"),
            std::string::npos);
  EXPECT_NE(rows_refusal("[requirements]\nR = { properties = [1] }\n").find("must have names of properties"),
            std::string::npos);
  EXPECT_NE(rows_refusal("[requirements]\nR = { properties = [\"bound\", \"bound\"] }\n").find("has bound twice"),
            std::string::npos);
  EXPECT_NE(rows_refusal("[requirements]\n").find("'requirements' is empty; give a row"), std::string::npos);
  EXPECT_NE(rows_refusal("[requirements]\n\"\\u0001\" = { properties = [\"bound\"] }\n").find("control characters"),
            std::string::npos);
  EXPECT_NE(rows_refusal("[requirements]\nR = { property = [\"bound\"] }\n").find("unknown key"), std::string::npos);
  const TemporaryDirectory place;
  EXPECT_NE(refusal_of([&] {
              return read_requirements(place.write("a.json", "{}")).size();
            }).find("not a table of requirements; "),
            std::string::npos);
}

TEST(Requirements, StatesFollowFromVerdicts) {
  const std::vector<BundledVerdict> verdicts = {
      {"a", Outcome::kHolds, true, "", ""},         {"b", Outcome::kViolated, true, "", ""},
      {"c", Outcome::kUnknown, true, "", ""},       {"d", Outcome::kHolds, true, "", ""},
      {"d", Outcome::kViolated, true, "", ""},      {"e", Outcome::kHolds, true, "", "", true},
      {"f", Outcome::kViolated, true, "", "", true}};
  EXPECT_EQ(state_of({"a"}, verdicts), "satisfied");
  EXPECT_EQ(state_of({"a", "b"}, verdicts), "violated");
  EXPECT_EQ(state_of({"c", "b"}, verdicts), "violated") << "whatever is unknown beside it";
  EXPECT_EQ(state_of({"a", "c"}, verdicts), "unknown");
  EXPECT_EQ(state_of({"a", "not judged"}, verdicts), "unknown");
  EXPECT_EQ(state_of({"d"}, verdicts), "violated") << "one of two verdicts is enough";
  EXPECT_EQ(state_of({"a", "e"}, verdicts), "unknown") << "nobody measured what it rests on";
  EXPECT_EQ(state_of({"f"}, verdicts), "violated");
  EXPECT_EQ(state_of({}, verdicts), "unknown");
}

}  // namespace
}  // namespace detent::app
