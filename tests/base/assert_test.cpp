#include "base/assert.hpp"

#include <gtest/gtest.h>

namespace detent {
namespace {

std::uint32_t half(std::uint32_t even) {
  DETENT_ASSERT(even % 2 == 0);
  return even / 2;
}

TEST(Assert, FactThatHoldsIsPassed) { EXPECT_EQ(half(6), 3U); }

TEST(AssertDeathTest, FactThatDoesNotHoldEndsTheProcessWithItsPlace) {
  EXPECT_DEATH(half(7), "detent: .*assert_test.cpp:[0-9]+: does not hold: even % 2 == 0; this is a fault of detent");
}

}  // namespace
}  // namespace detent
