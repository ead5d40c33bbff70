#include "base/words/quantity.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace detent {
namespace {

TEST(Quantity, TimesHaveUnitsOrArePicoseconds) {
  EXPECT_EQ(read_time_ps("5ms"), 5'000'000'000U);
  EXPECT_EQ(read_time_ps("250us"), 250'000'000U);
  EXPECT_EQ(read_time_ps("250\xC2\xB5s"), 250'000'000U);
  EXPECT_EQ(read_time_ps("1.5s"), 1'500'000'000'000U);
  EXPECT_EQ(read_time_ps("900ps"), 900U);
  EXPECT_EQ(read_time_ps("20 ns"), 20'000U);
  EXPECT_EQ(read_time_ps("7"), 7U);
  EXPECT_EQ(read_time_ps("1.5e3"), 1'500U);
  EXPECT_EQ(read_time_ps("0.001ns"), 1U);
}

TEST(Quantity, WhatIsNoTimeIsRefused) {
  for (const char* text : {"", "ms", "5m", "5sec", "-1", "+1", "0.5ps", "0.0001ns", "1.", ".5s", "1e", "5ms ", " 5ms",
                           "18446744073709551616", "1e30", "19000000s", "nan", "5  ms", "1e1000000"}) {
    EXPECT_EQ(read_time_ps(text), std::nullopt) << text;
  }
}

TEST(Quantity, SizesArePowersOf1024OrOf1000) {
  EXPECT_EQ(read_bytes("65536"), 65'536U);
  EXPECT_EQ(read_bytes("64KiB"), 65'536U);
  EXPECT_EQ(read_bytes("1.5MiB"), 1'572'864U);
  EXPECT_EQ(read_bytes("2MB"), 2'000'000U);
  EXPECT_EQ(read_bytes("3B"), 3U);
  EXPECT_EQ(read_bytes("64KB"), std::nullopt);
  EXPECT_EQ(read_bytes("64K"), std::nullopt);
  EXPECT_EQ(read_bytes("0.3B"), std::nullopt);
}

TEST(Quantity, CountsMayHaveAnExponent) {
  EXPECT_EQ(read_count("1e6"), 1'000'000U);
  EXPECT_EQ(read_count("1.3e9"), 1'300'000'000U);
  EXPECT_EQ(read_count("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(read_count("1.0"), 1U);
  EXPECT_EQ(read_count("2.5"), std::nullopt);
  EXPECT_EQ(read_count("0x10"), std::nullopt);
}

TEST(Quantity, SixtyDigitsAreRead) {
  EXPECT_EQ(read_count("1." + std::string(59, '0')), 1U);
  EXPECT_EQ(read_count("1." + std::string(60, '0')), std::nullopt);
  EXPECT_EQ(read_count(std::string(59, '0') + "7"), 7U);
  EXPECT_EQ(read_count(std::string(60, '0') + "7"), std::nullopt);
  EXPECT_EQ(read_count("0." + std::string(58, '0') + "7e59"), 7U);
}

/// digits, fraction and exponent by long multiplication: d.f e p == df * 10^(p - |f|).
TEST(Quantity, EveryShortNumberIsWhatItsDigitsSay) {
  for (std::uint64_t digits = 0; digits < 30; ++digits) {
    for (std::uint64_t fraction = 0; fraction < 100; ++fraction) {
      for (int power = -3; power <= 4; ++power) {
        const std::string text = std::to_string(digits) + "." + std::to_string(fraction / 10) +
                                 std::to_string(fraction % 10) + "e" + std::to_string(power);
        std::uint64_t value = digits * 100 + fraction;  // hundredths
        bool is_whole = true;
        int left = power - 2;
        for (; left > 0; --left) value *= 10;
        for (; left < 0; ++left) {
          is_whole = is_whole && value % 10 == 0;
          value /= 10;
        }
        ASSERT_EQ(read_count(text), is_whole ? std::optional(value) : std::nullopt) << text;
      }
    }
  }
}

TEST(Quantity, NumbersEndAtSixtyFourBits) {
  EXPECT_EQ(read_count("1.8446744073709551615e19"), UINT64_MAX);
  EXPECT_EQ(read_count("18446744073709551616"), std::nullopt);
  EXPECT_EQ(read_time_ps("18446744073.709551615ms"), UINT64_MAX);
  EXPECT_EQ(read_time_ps("18446744073709551.615ns"), UINT64_MAX);
  EXPECT_EQ(read_time_ps("18446744073709551.616ns"), std::nullopt);
  EXPECT_EQ(read_bytes("17179869183GiB"), 17'179'869'183U << 30U);
  EXPECT_EQ(read_bytes("17179869184GiB"), std::nullopt);
  EXPECT_EQ(read_bytes("0e999"), 0U);
  EXPECT_EQ(read_bytes("1e-1"), std::nullopt);
  EXPECT_EQ(read_bytes("10e-1"), 1U);
}

TEST(Quantity, RefusalsSayWhatIsWrong) {
  EXPECT_EQ(refuse_time("soon"), "must be a time such as 5ms, 250us, 1.5s or 900ps (bare numbers are picoseconds)");
  EXPECT_EQ(refuse_time("5m"), "must be a time such as 5ms, 250us, 1.5s or 900ps (bare numbers are picoseconds)");
  EXPECT_EQ(refuse_time("0.5ps").rfind("is not a whole number of picoseconds; write a time such as 5ms", 0), 0U);
  EXPECT_EQ(refuse_time("0.0001ns").rfind("is not a whole number of picoseconds", 0), 0U);
  EXPECT_EQ(refuse_time("1e30").rfind("is above 2^64 - 1 picoseconds", 0), 0U);
  EXPECT_EQ(refuse_time("20000000s").rfind("is above 2^64 - 1 picoseconds", 0), 0U);
  EXPECT_EQ(refuse_time("99999999999999999999ms").rfind("is above 2^64 - 1 picoseconds", 0), 0U);
  EXPECT_EQ(refuse_time(std::string(70, '1')).rfind("is above 2^64 - 1 picoseconds", 0), 0U);
  EXPECT_EQ(refuse_bytes("0.5").rfind("is not a whole number of bytes; write a size such as 64KiB", 0), 0U);
  EXPECT_EQ(refuse_bytes("big"), "must be a size such as 64KiB, 1.5MiB or 65536 (bare numbers are bytes)");
}

}  // namespace
}  // namespace detent
