#include "cli/output.hpp"

#include <gtest/gtest.h>

namespace detent::cli {
namespace {

TEST(Output, ProgressOfLongWorkIsPrinted) {
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
