#include "bench/networks/difference.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace detent::bench {
namespace {

TEST(Difference, EqualOutputsHaveNone) {
  const Difference difference = difference_of({0.0F, -2.5F, 640.0F}, {0.0F, -2.5F, 640.0F});
  EXPECT_EQ(difference.absolute, 0);
  EXPECT_EQ(difference.relative, 0);
  EXPECT_TRUE(difference.within);
}

TEST(Difference, IsTheLargestOfAllElements) {
  const Difference difference = difference_of({100.0F, 1.0F, 8.0F}, {100.0625F, 1.0F, 8.5F});
  EXPECT_DOUBLE_EQ(difference.absolute, 0.5);
  EXPECT_DOUBLE_EQ(difference.relative, 0.5 / 8.5);
  EXPECT_FALSE(difference.within);
}

TEST(Difference, MayBeAShareOfThePeersElement) {
  EXPECT_TRUE(difference_of({640.5F}, {640.0F}).within);
  EXPECT_FALSE(difference_of({640.75F}, {640.0F}).within);
  EXPECT_FALSE(difference_of({1e-4F}, {2e-4F}).within);  // of two probabilities
}

TEST(Difference, ElementsNearZeroMayDifferByLittle) {
  const Difference difference = difference_of({5e-7F}, {0.0F});
  EXPECT_TRUE(difference.within);
  EXPECT_EQ(difference.relative, 0);
}

TEST(Difference, WhatIsNoNumberIsNotWithin) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(difference_of({nan}, {1.0F}).within);
  EXPECT_FALSE(difference_of({1.0F}, {nan}).within);
  EXPECT_FALSE(difference_of({nan}, {nan}).within);
  EXPECT_FALSE(difference_of({1.0F}, {std::numeric_limits<float>::infinity()}).within);
}

TEST(Difference, OutputsOfOtherSizesAreNotWithin) {
  EXPECT_FALSE(difference_of({1.0F}, {1.0F, 1.0F}).within);
  EXPECT_FALSE(difference_of({}, {1.0F}).within);
}

}  // namespace
}  // namespace detent::bench
