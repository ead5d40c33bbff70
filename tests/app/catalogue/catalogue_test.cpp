#include "app/catalogue/catalogue.hpp"

#include <gtest/gtest.h>

#include <set>

#include "app/catalogue/platform_list.hpp"
#include "app/model/loaded_model.hpp"
#include "harness/run_native.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

TEST(CatalogueOf, NamesAreUnique) {
  for (const char* what : {"models", "policies", "kernels"}) {
    std::set<std::string> names;
    for (const auto& [name, text] : catalogue_of(what)) EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_FALSE(names.empty()) << what;
  }
}

TEST(CatalogueOf, EveryPolicyOfTheHarnessHasAText) {
  const CatalogueRows rows = catalogue_of("policies");
  ASSERT_EQ(rows.size(), harness::policy_names().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].first, harness::policy_names()[i]);
    EXPECT_FALSE(rows[i].second.empty()) << rows[i].first;
  }
}

TEST(CatalogueOf, EveryModelHasADescription) {
  for (const auto& [usage, text] : catalogue_of("models")) EXPECT_FALSE(text.empty()) << usage;
}

TEST(CatalogueOf, UnknownWordIsRefusedWithTheChoices) {
  EXPECT_EQ(refusal_of([] { return catalogue_of("dreams"); }),
            "dreams: choose models, platforms, policies, kernels or operators");
  EXPECT_EQ(refusal_of([] { return catalogue_of(""); }), ": choose models, platforms, policies, kernels or operators");
}

TEST(AllPlatforms, AreSortedByNameAndFoundByName) {
  const std::vector<sim::Platform> platforms = all_platforms();
  ASSERT_FALSE(platforms.empty());
  for (std::size_t i = 0; i < platforms.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(platforms[i - 1].name, platforms[i].name);
    }
    EXPECT_EQ(platform_json(sim::find_platform(platforms[i].name)), platform_json(platforms[i]));
  }
}

TEST(PlatformTable, NoPlatformLeavesTheHead) { EXPECT_EQ(platform_table({}).size(), 1U); }

TEST(PlatformTable, BareCoresHaveNoNpu) {
  const sim::Platform platform = sim::plain_platform({{"cpu", 3}});
  EXPECT_EQ(platform_table({platform}).back(),
            "plain           3 cpu                    -        1e+03 GB/s    0       0      0");
  const Json json = platform_json(platform);
  EXPECT_EQ(json["npu"], "-");
  EXPECT_EQ(json["cores"], Json::array({{{"class", "cpu"}, {"count", 3}}}));
}

std::string other_name(const std::string& word, const std::string& wanted) {
  return refusal_of([&] {
    refuse_other_name(word, wanted);
    return 0;
  });
}

TEST(OtherName, AModelWhereAPlatformIsWantedAndTheReverse) {
  EXPECT_EQ(other_name("yolov8n:320", "a platform"),
            "yolov8n:320: is a model of the zoo, not a platform; detent check yolov8n:320 --out DIR takes it");
  EXPECT_EQ(other_name("quad_npu", "a model"),
            "quad_npu: is a platform, not a model; a chip is given by --platform quad_npu");
  EXPECT_EQ(other_name("quad_npu", "a log of runs"),
            "quad_npu: is a platform, not a log of runs; a chip is given by --platform quad_npu");
  EXPECT_EQ(other_name("yolov8n", "a model"), "");
  EXPECT_EQ(other_name("quad_npu", "a platform"), "");
  EXPECT_EQ(other_name("nothing", "a model"), "");
}

std::string swapped(const std::string& output, const std::string& model) {
  return refusal_of([&] {
    refuse_swapped("--out", output, model);
    return 0;
  });
}

TEST(Swapped, AModelAsOutputIsSaidWhereTheModelIsNone) {
  EXPECT_EQ(
      swapped("yolov8n", "my dir"),
      "--out yolov8n: is a model of the zoo, and MODEL is 'my dir', which is not there; write yolov8n --out 'my dir'");
  EXPECT_EQ(swapped("yolov8n", "yolov8n"), "") << "a folder may have the name of a model";
  EXPECT_EQ(swapped("yolov8n", "/"), "") << "what is there is read";
  EXPECT_EQ(swapped("o", "nothing"), "");
}

}  // namespace
}  // namespace detent::app
