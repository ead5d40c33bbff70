#include "verify/verdict/property.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/io.hpp"

namespace detent::verify {
namespace {

TEST(Property, EveryOneHasANameOfItsOwnATitleAndAClaim) {
  std::set<std::string> names;
  for (const PropertyText& text : all_properties()) {
    const std::string name = property_name(text.property);
    EXPECT_EQ(name, text.name);
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    EXPECT_TRUE(std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; })) << name;
    EXPECT_NE(std::string(text.title), "") << name;
    EXPECT_TRUE(std::string(text.claim).ends_with('.')) << name;
  }
}

TEST(Property, FormatsOfAnswersListEveryOneWithItsClaim) {
  std::string table = "| property | claim |\n|---|---|\n";
  for (const PropertyText& text : all_properties())
    table += std::string("| `") + text.name + "` | " + text.claim + " |\n";
  EXPECT_NE(read_regular_file(std::string(DETENT_SOURCE_DIR) + "/docs/FORMATS_ANSWERS.md", std::uint64_t{1} << 24U)
                .find(table + "\n"),
            std::string::npos)
      << table;
}

}  // namespace
}  // namespace detent::verify
