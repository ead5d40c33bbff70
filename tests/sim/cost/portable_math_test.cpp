// exp and log against libm, and their bits against what they were when they were written.
#include "sim/cost/portable_math.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace detent::sim::test {
namespace {

TEST(PortableMath, AgreesWithLibm) {
  for (int i = -6900; i <= 6900; ++i) {
    const double x = i / 10.0;
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 1e-15) << x;
  }
  for (int i = 1; i < 20000; ++i) {
    const double x = std::ldexp(1 + i / 1000.0, i % 300 - 150);
    EXPECT_NEAR(portable_log(x), std::log(x), 1e-16 + std::abs(std::log(x)) * 1e-15) << x;
  }
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_log(1), 0);
}

TEST(PortableMath, BitsAreFixed) {
  std::uint64_t sum = 0;
  for (int i = 1; i <= 1000; ++i) {
    sum = sum * 31 + std::bit_cast<std::uint64_t>(portable_exp(i / 7.0 - 70));
    sum = sum * 31 + std::bit_cast<std::uint64_t>(portable_log(i / 7.0));
  }
  EXPECT_EQ(sum, 4403498971430537390U);
}

}  // namespace
}  // namespace detent::sim::test
