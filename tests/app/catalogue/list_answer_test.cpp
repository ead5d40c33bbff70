#include "app/catalogue/list_answer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/catalogue/catalogue.hpp"
#include "app/catalogue/platform_list.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

TEST(ListAnswer, EachNameHasARowAndALine) {
  for (const std::string what : {"models", "policies", "kernels"}) {
    const Answer answer = list_answer({}, what);
    const CatalogueRows rows = catalogue_of(what);
    ASSERT_EQ(answer.json[what].size(), rows.size()) << what;
    ASSERT_EQ(answer.lines.size(), rows.size()) << what;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& [name, text] = rows[i];
      const Json& row = answer.json[what][i];
      EXPECT_EQ(row["name"], name);
      EXPECT_EQ(row.contains("description"), !text.empty()) << name;
      if (!text.empty()) {
        EXPECT_EQ(row["description"], text);
      }
      EXPECT_TRUE(answer.lines[i].starts_with(name)) << answer.lines[i];
      EXPECT_TRUE(answer.lines[i].ends_with(text)) << answer.lines[i];
      if (text.empty()) {
        EXPECT_EQ(answer.lines[i], name) << "no blanks behind a name alone";
      }
    }
  }
}

TEST(ListAnswer, TextsBeginInOneColumn) {
  for (const std::string& line : list_answer({}, "policies").lines) {
    EXPECT_EQ(line[29], ' ') << line;
    EXPECT_NE(line[30], ' ') << line;
  }
}

TEST(ListAnswer, PlatformsHaveTheirShapeAndTheTableOfAll) {
  const Answer answer = list_answer({}, "platforms");
  EXPECT_EQ(answer.lines, platform_table(all_platforms()));
  ASSERT_EQ(answer.json["platforms"].size(), all_platforms().size());
  for (std::size_t i = 0; i < all_platforms().size(); ++i) {
    EXPECT_EQ(answer.json["platforms"][i], platform_json(all_platforms()[i]));
  }
}

TEST(ListAnswer, TheHeadNamesNoModel) {
  const Json json = list_answer({.model = "diamond"}, "models").json;
  EXPECT_EQ(json["schema"], "detent.list/1");
  EXPECT_FALSE(json.contains("model"));
}

TEST(ListAnswer, AnotherWordIsRefused) {
  EXPECT_EQ(refusal_of([] { return list_answer({}, "cores"); }),
            "cores: choose models, platforms, policies, kernels or operators");
}

TEST(Catalogue, NamesStandWithoutTheirArguments) {
  const std::vector<std::string> names = names_of("models");
  EXPECT_EQ(names.size(), catalogue_of("models").size());
  for (const std::string& name : names) EXPECT_EQ(name.find_first_of("[:"), std::string::npos) << name;
  EXPECT_EQ(std::ranges::count(names, "chain"), 1);
  EXPECT_EQ(std::ranges::count(names, "diamond"), 1);
  EXPECT_EQ(std::ranges::count(names_of("platforms"), "quad_npu"), 1);
  EXPECT_THROW((void)names_of("cores"), std::invalid_argument);
}

}  // namespace
}  // namespace detent::app
