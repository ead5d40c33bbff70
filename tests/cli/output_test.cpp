#include "cli/output.hpp"

#include <gtest/gtest.h>

namespace detent::cli {
namespace {

TEST(Output, TimesHaveThreeDigitsAndAUnit) {
  EXPECT_EQ(format_time(0), "0 ps");
  EXPECT_EQ(format_time(999), "999 ps");
  EXPECT_EQ(format_time(1270), "1.27 ns");
  EXPECT_EQ(format_time(15'900'000'000), "15.9 ms");
  EXPECT_EQ(format_time(2'000'000'000'000), "2.00 s");
}

TEST(Output, BytesHaveAUnit) {
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(8'808'038), "8.4 MiB");
}

TEST(Output, JsonHeaderNamesSchemaAndModel) {
  const Common common = {.model = "chain", .json = "", .seed = 4};
  const Json header = json_header("run", common);
  EXPECT_EQ(header["schema"], "detent.run/1");
  EXPECT_EQ(header["model"], "chain");
  EXPECT_EQ(header["seed"], 4);
}

}  // namespace
}  // namespace detent::cli
