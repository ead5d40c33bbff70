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
  EXPECT_EQ(refusal_of([] { return catalogue_of("dreams"); }), "dreams: choose models, platforms, policies or kernels");
  EXPECT_EQ(refusal_of([] { return catalogue_of(""); }), ": choose models, platforms, policies or kernels");
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

}  // namespace
}  // namespace detent::app
