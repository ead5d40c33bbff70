// Names and colours of ops in drawings: those of the page's data, whoever is in the graph and whoever is not.
#include "reports/html/op_look.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

#include "reports/html/drawings.hpp"
#include "reports/view/page_data.hpp"
#include "tests/reports/samples/sample.hpp"

namespace detent::reports {
namespace {

TEST(OpLook, OpsOfTheGraphAndFurtherOnesHaveTheirOwnColour) {
  const Json ops = Json::parse(R"({"name": ["stem", "head"], "colour": [2, 4],
    "further": [7, "late", 0, 0, 3, 9, "later", 0, 0, 5]})");
  const OpLook look(ops);
  EXPECT_EQ(look.name(0), "stem");
  EXPECT_EQ(look.name(1), "head");
  EXPECT_EQ(look.name(7), "late");
  EXPECT_EQ(look.name(9), "later");
  EXPECT_EQ(look.name(2), "op 2") << "nothing is known of it";
  EXPECT_EQ(look.style(0), "f2");
  EXPECT_EQ(look.style(1), "f4");
  EXPECT_EQ(look.style(7), "f3");
  EXPECT_EQ(look.style(9), "f5");
  EXPECT_EQ(look.style(2), "f6") << "the colour of all other ops";
}

TEST(OpLook, DrawingsAndLegendAgreeOnColours) {
  const samples::Sample sample = samples::hostile_names();
  const Json page = page_data(sample.data);
  const std::string drawn = still_timeline(page);
  std::map<std::string, std::uint64_t> wanted;
  for (const Json& run : page.at("timelines")) {
    for (const Json& lane : run.at("lanes")) {
      const Json& spans = lane.at("spans");
      for (std::size_t i = 0; i + 3 <= spans.size(); i += 3) {
        if (spans.at(i).get<std::int64_t>() < 0) continue;
        const Json& colour = page.at("ops").at("colour").at(spans.at(i).get<std::size_t>());
        ++wanted["f" + std::to_string(colour.get<std::uint64_t>())];
      }
    }
  }
  ASSERT_GT(wanted.size(), 0U);
  for (const auto& [style, times] : wanted) {
    std::uint64_t seen = 0;
    const std::string block = "<rect class=\"" + style + "\"";
    for (std::size_t at = 0; (at = drawn.find(block, at)) != std::string::npos; ++at) ++seen;
    EXPECT_EQ(seen, times) << style;
  }
}

}  // namespace
}  // namespace detent::reports
