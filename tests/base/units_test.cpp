#include "base/units.hpp"

#include <gtest/gtest.h>

namespace detent {
namespace {

TEST(Units, TimesHaveThreeDigitsAndAUnit) {
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
  EXPECT_EQ(format_time(1'000'000), "1.00 µs");
  EXPECT_EQ(format_time(1'000'000'000), "1.00 ms");
  EXPECT_EQ(format_time(1'000'000'000'000), "1.00 s");
  EXPECT_EQ(format_time(5'000'000'000'000'000), "5000 s");
}

TEST(Units, TimesThatRoundUpToTheNextPowerOfTenKeepThreeDigits) {
  EXPECT_EQ(format_time(9'994), "9.99 ns");
  EXPECT_EQ(format_time(9'996), "10.0 ns");
  EXPECT_EQ(format_time(99'940), "99.9 ns");
  EXPECT_EQ(format_time(99'960), "100 ns");
  EXPECT_EQ(format_time(999'499), "999 ns");
  EXPECT_EQ(format_time(999'500), "1.00 µs");
  EXPECT_EQ(format_time(9'999'000'000), "10.0 ms");
  EXPECT_EQ(format_time(999'999'999'999), "1.00 s");
}

TEST(Units, BytesHaveAUnit) {
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(8'808'038), "8.4 MiB");
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(1024 * 1024), "1.0 MiB");
  EXPECT_EQ(format_bytes(1024 * 1024 * 1024), "1.0 GiB");
  EXPECT_EQ(format_bytes(1024ULL * 1024 * 1024 * 5000), "5000.0 GiB");
}

TEST(Units, BoundsAreNeverPrintedLess) {
  EXPECT_EQ(format_time(26'749'999'999), "26.7 ms");
  EXPECT_EQ(format_time_up(26'700'000'001), "26.8 ms");
  EXPECT_EQ(format_time_up(26'700'000'000), "26.7 ms");
  EXPECT_EQ(format_time_up(999), "999 ps");
  EXPECT_EQ(format_time_up(999'000'001), "1.00 ms");
  EXPECT_EQ(round_up(1234, 2), 1300U);
}

}  // namespace
}  // namespace detent
