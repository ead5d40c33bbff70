#include "app/model/schedule_options.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "app/simulate/jitter_text.hpp"

namespace detent::app {
namespace {

TEST(Names, JitterTakesASpread) {
  EXPECT_EQ(jitter_name(parse_jitter("uniform:0.25")), "uniform:0.25");
  EXPECT_EQ(parse_jitter("worst").kind, sim::Jitter::Kind::kWorst);
  for (const char* bad :
       {"", "wild", "uniform:", "uniform:x", "uniform:-1", "uniform:nan", "uniform:1e9", "uniform:0.1x"}) {
    EXPECT_THROW(parse_jitter(bad), std::invalid_argument) << bad;
  }
}

TEST(Names, JitterTakesRulesAndCorrelation) {
  const sim::Jitter jitter = parse_jitter("conv2d_f32=uniform:0.2,npu=worst,*=triangular:0.1,pareto;corr=core:0.5");
  ASSERT_EQ(jitter.rules.size(), 3U);
  EXPECT_EQ(jitter.rules[0].pattern, "conv2d_f32");
  EXPECT_EQ(jitter.rules[0].spread, 0.2);
  EXPECT_EQ(jitter.rules[1].kind, sim::Jitter::Kind::kWorst);
  EXPECT_EQ(jitter.rules[1].spread, 0.1);
  EXPECT_EQ(jitter.rules[2].pattern, "*");
  EXPECT_EQ(jitter.kind, sim::Jitter::Kind::kPareto);
  EXPECT_EQ(jitter.shape, 1.5);
  EXPECT_EQ(jitter.core_correlation, 0.5);
  EXPECT_EQ(parse_jitter("lognormal").shape, 1);
  EXPECT_EQ(parse_jitter("lognormal:2:0.25").shape, 0.25);
  EXPECT_EQ(parse_jitter("a=worst").kind, sim::Jitter::Kind::kUniform) << "what no rule names stays as it was";
}

TEST(Names, JitterHasOneSpelling) {
  for (const char* text : {"uniform:0.1", "worst:0.1", "pareto:0.1:1.5", "lognormal:3:0.5", "empirical:0.1",
                           "a=worst:0.1,b*=pareto:0.5:2,triangular:0.1;corr=core:0.25"}) {
    EXPECT_EQ(jitter_name(parse_jitter(text)), text);
  }
  EXPECT_EQ(jitter_name(parse_jitter("constant:0.2;corr=core:0")), "worst:0.2");
}

void expect_jitter_refused(const std::string& text, const std::string& place) {
  try {
    parse_jitter(text);
    ADD_FAILURE() << text;
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find(place), std::string::npos) << text << ": " << what;
    EXPECT_NE(what.find("*=triangular:0.1;corr=core:0.5"), std::string::npos) << what;
  }
}

TEST(Names, B71_BadJitterNamesThePlaceAndAnExample) {
  expect_jitter_refused("wild", "character 1: 'wild' is not a distribution");
  expect_jitter_refused("a=wild", "character 3: 'wild'");
  expect_jitter_refused("uniform:-1", "character 9: '-1' is not a spread");
  expect_jitter_refused("uniform:0.1:2", "character 12: 'uniform' takes a spread only");
  expect_jitter_refused("pareto:0.1:0", "character 12: '0' is not a shape");
  expect_jitter_refused("pareto:0.1:21", "character 12");
  expect_jitter_refused("pareto:0.1:1:1", "character 13: ',' or ';'");
  expect_jitter_refused("uniform,worst", "character 9: two distributions");
  expect_jitter_refused("=worst", "character 1: a rule begins");
  expect_jitter_refused("a=worst,", "character 9: '' is not a distribution");
  expect_jitter_refused("a=b=worst", "character 3: 'b'");
  expect_jitter_refused("worst;corr=core:1.5", "character 17: '1.5' is not a correlation");
  expect_jitter_refused("worst;corr=cpu:1", "character 7: only corr=core");
  expect_jitter_refused("worst;corr=core:1;x", "character 18: the correlation must be the last part");
  expect_jitter_refused("worst;corr=core:1,worst", "character 18");
  std::string many = "a=worst";
  for (int i = 0; i < 1000; ++i) many += ",a=worst";
  expect_jitter_refused(many, "more than 1000 rules");
  EXPECT_THROW(parse_jitter(std::string(70'000, 'a') + "=worst"), std::invalid_argument);
}

}  // namespace
}  // namespace detent::app
