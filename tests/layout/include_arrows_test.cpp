// The tree keeps the arrows of docs/ARCHITECTURE.md, and the checks that say so can fail.
#include <gtest/gtest.h>

#include "tests/layout/include_graph.hpp"

namespace detent::layout {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(Layout, EveryIncludeGoesAlongAnArrow) {
  const IncludeGraph graph = read_tree(DETENT_SOURCE_DIR);
  ASSERT_GT(graph.size(), 50U);
  EXPECT_EQ(joined(check_arrows(graph)), "");
}

TEST(Layout, ExternalHeadersStayInTheirFolder) {
  EXPECT_EQ(joined(check_external_headers(read_tree(DETENT_SOURCE_DIR))), "");
}

TEST(Layout, TheIncludeGraphHasNoCycle) { EXPECT_EQ(joined(check_cycles(read_tree(DETENT_SOURCE_DIR))), ""); }

TEST(Layout, PlantedArrowsAreCaught) {
  EXPECT_EQ(check_arrows({{"runtime/a.cpp", {"models/model.hpp"}}}).size(), 1U);
  EXPECT_EQ(check_arrows({{"models/a.cpp", {"runtime/detent.h"}}}).size(), 1U);
  EXPECT_EQ(check_arrows({{"models/a.cpp", {"harness/run.hpp"}}}).size(), 1U);
  EXPECT_EQ(check_arrows({{"sim/a.cpp", {"verify/verdict.hpp"}}}).size(), 1U);
  EXPECT_TRUE(check_arrows({{"cli/a.cpp", {"sim/simulate.hpp", "models/model.hpp"}}}).empty());
  EXPECT_TRUE(check_arrows({{"models/a.cpp", {"runtime/desc.h", "vector"}}}).empty());
}

TEST(Layout, PlantedExternalHeadersAreCaught) {
  EXPECT_EQ(check_external_headers({{"cli/a.cpp", {"systemc"}}}).size(), 1U);
  EXPECT_EQ(check_external_headers({{"tests/a.cpp", {"rapidcheck/gtest.h"}}}).size(), 1U);
  EXPECT_TRUE(check_external_headers({{"sim/a.cpp", {"systemc"}}}).empty());
}

TEST(Layout, PlantedCyclesAreCaught) {
  const IncludeGraph graph = {{"a.hpp", {"b.hpp"}}, {"b.hpp", {"c.hpp"}}, {"c.hpp", {"a.hpp", "vector"}}};
  EXPECT_EQ(joined(check_cycles(graph)), "a.hpp -> b.hpp -> c.hpp -> a.hpp\n");
}

}  // namespace
}  // namespace detent::layout
