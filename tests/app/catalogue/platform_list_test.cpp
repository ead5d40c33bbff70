#include "app/catalogue/platform_list.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace detent::app {
namespace {

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(PlatformList, DocumentIsWhatTheProgramPrints) {
  EXPECT_EQ(read_text(std::string(DETENT_SOURCE_DIR) + "/docs/PLATFORMS.md"), platforms_markdown(all_platforms()))
      << "run `detent list platforms --markdown > docs/PLATFORMS.md`";
}

TEST(PlatformList, TableHasALinePerPlatform) {
  const std::vector<sim::Platform> platforms = all_platforms();
  const std::vector<std::string> lines = platform_table(platforms);
  ASSERT_EQ(lines.size(), platforms.size() + 1);
  for (std::size_t i = 0; i < platforms.size(); ++i) {
    EXPECT_TRUE(lines[i + 1].starts_with(platforms[i].name + " ")) << lines[i + 1];
  }
}

TEST(PlatformList, JsonHasEveryNumberWithItsSource) {
  const Json row = platform_json(sim::find_platform("am62a"));
  EXPECT_EQ(row["name"], "am62a");
  EXPECT_EQ(row["npu"], "32x32 ws");
  EXPECT_EQ(row["cores"][0]["count"], 4);
  std::uint32_t flagged = 0;
  bool has_clock = false;
  for (const Json& number : row["numbers"]) {
    const auto source = number["source"].get<std::string>();
    flagged += source != "default" ? 1U : 0U;
    if (number["key"] == "cpu.clock_hz") {
      has_clock = true;
      EXPECT_EQ(number["value"], 1'400'000'000U);
      EXPECT_TRUE(source.starts_with("seen: "));
    }
  }
  EXPECT_TRUE(has_clock);
  const Json& count = row["provenance"];
  EXPECT_EQ(flagged, count["seen"].get<std::uint32_t>() + count["derived"].get<std::uint32_t>() +
                         count["memory"].get<std::uint32_t>());
}

TEST(PlatformList, PlatformsWithoutAnNpuSayNone) {
  EXPECT_EQ(platform_json(sim::find_platform("orin_nano"))["npu"], "-");
}

}  // namespace
}  // namespace detent::app
