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
  EXPECT_EQ(format_time(1000), "1.00 ns");
  EXPECT_EQ(format_time(9'990), "9.99 ns");
  EXPECT_EQ(format_time(10'000), "10.0 ns");
  EXPECT_EQ(format_time(99'900), "99.9 ns");
  EXPECT_EQ(format_time(100'000), "100 ns");
  EXPECT_EQ(format_time(1'000'000), "1.00 us");
  EXPECT_EQ(format_time(1'000'000'000), "1.00 ms");
  EXPECT_EQ(format_time(1'000'000'000'000), "1.00 s");
  EXPECT_EQ(format_time(5'000'000'000'000'000), "5000 s");
}

TEST(Output, BytesHaveAUnit) {
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(8'808'038), "8.4 MiB");
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(1024 * 1024), "1.0 MiB");
  EXPECT_EQ(format_bytes(1024 * 1024 * 1024), "1.0 GiB");
  EXPECT_EQ(format_bytes(1024ULL * 1024 * 1024 * 5000), "5000.0 GiB");
}

TEST(Output, ProgressIsToldOfWorkThatTakesLong) {
  const Progress::Clock::time_point begin{};
  const auto after = [&](int ms) { return begin + std::chrono::milliseconds(ms); };
  Progress progress({}, "runs\n", begin);
  EXPECT_EQ(progress.line_at(100, 1000, after(0)), std::nullopt);
  EXPECT_EQ(progress.line_at(100, 1000, after(1999)), std::nullopt);
  EXPECT_EQ(progress.line_at(100, 1000, after(2000)), "runs\\x0a 100/1000 (0 per second, 0 s left)");
  EXPECT_EQ(progress.line_at(200, 1000, after(2199)), std::nullopt);
  EXPECT_EQ(progress.line_at(210, 1000, after(2200)), "runs\\x0a 210/1000 (50 per second, 16 s left)");
  EXPECT_EQ(progress.line_at(300, 1000, after(2399)), std::nullopt);
  EXPECT_EQ(progress.line_at(500, 1000, after(4000)), "runs\\x0a 500/1000 (100 per second, 5 s left)");
  EXPECT_EQ(progress.line_at(1000, 1000, after(9000)), "runs\\x0a 1000/1000 (100 per second, 0 s left)");
}

}  // namespace
}  // namespace detent::cli
