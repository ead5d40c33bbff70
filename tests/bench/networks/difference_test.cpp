#include "bench/networks/difference.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace detent::bench {
namespace {

TEST(Difference, EqualOutputsHaveNone) {
  const Difference difference = difference_of({0.0F, -2.5F, 640.0F}, {0.0F, -2.5F, 640.0F}, 3);
  EXPECT_EQ(difference.absolute, 0);
  EXPECT_EQ(difference.share, 0);
  EXPECT_TRUE(difference.within);
}

TEST(Difference, IsAShareOfTheLargestInItsRow) {
  const Difference difference = difference_of({-99.5F, 1.0F, 8.0F, 0.25F}, {-100.0F, 1.0F, 8.0F, 0.0F}, 2);
  EXPECT_DOUBLE_EQ(difference.absolute, 0.5);
  EXPECT_DOUBLE_EQ(difference.share, 0.25 / 8);
  EXPECT_FALSE(difference.within);
}

TEST(Difference, MayBeAsLargeAsTheTolerance) {
  EXPECT_TRUE(difference_of({640.5F, 0.5F}, {640.0F, 0.0F}, 2).within);
  EXPECT_FALSE(difference_of({640.75F, 0.0F}, {640.0F, 0.0F}, 2).within);
  EXPECT_FALSE(difference_of({640.0F, 0.75F}, {640.0F, 0.0F}, 2).within);
  EXPECT_FALSE(difference_of({640.0F, 0.5F}, {640.0F, 0.0F}, 1).within);  // rows of their own
}

TEST(Difference, RowsOfZerosMustBeZeros) {
  EXPECT_TRUE(difference_of({0.0F, 0.0F}, {0.0F, -0.0F}, 2).within);
  EXPECT_FALSE(difference_of({0.0F, 1e-9F}, {0.0F, 0.0F}, 2).within);
}

TEST(Difference, WhatIsNoFiniteNumberIsNotWithin) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(difference_of({nan}, {1.0F}, 1).within);
  EXPECT_FALSE(difference_of({1.0F}, {nan}, 1).within);
  EXPECT_FALSE(difference_of({nan}, {nan}, 1).within);
  EXPECT_FALSE(difference_of({1.0F}, {infinity}, 1).within);
  EXPECT_FALSE(difference_of({infinity}, {infinity}, 1).within);
}

TEST(Difference, OutputsOfOtherSizesAreNotWithin) {
  EXPECT_FALSE(difference_of({1.0F}, {1.0F, 1.0F}, 1).within);
  EXPECT_FALSE(difference_of({}, {1.0F}, 1).within);
  EXPECT_FALSE(difference_of({}, {}, 1).within);
}

constexpr StepLaw kLaw{.deviation = 1, .largest = 3};

TEST(StepDifference, CountsElementsByTheirDistance) {
  const StepDifference difference = step_difference_of({0, 1, -128, 127, 5}, {0, 2, -126, 127, 4}, kLaw);
  EXPECT_EQ(difference.counts, (std::vector<std::uint64_t>{2, 2, 1}));
  EXPECT_EQ(difference.elements, 5U);
  EXPECT_EQ(difference.largest(), 2U);
  EXPECT_DOUBLE_EQ(difference.share(), 0.6);
  EXPECT_DOUBLE_EQ(difference.deviation() * difference.deviation(), (1 + 1 + 4) / 5.0);
}

TEST(StepDifference, EqualElementsHaveNone) {
  const StepDifference difference = step_difference_of({3, -4}, {3, -4}, {.deviation = 0, .largest = 0});
  EXPECT_TRUE(difference.within);
  EXPECT_EQ(difference.largest(), 0U);
  EXPECT_EQ(difference.share(), 0);
  EXPECT_EQ(difference.deviation(), 0);
}

TEST(StepDifference, NeitherTheLargestNorTheDeviationMayBeAboveTheLaw) {
  EXPECT_TRUE(step_difference_of({3, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0}, kLaw).within);
  EXPECT_FALSE(step_difference_of({4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                                  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, kLaw)
                   .within);
  EXPECT_TRUE(step_difference_of({1, -1}, {0, 0}, kLaw).within);
  EXPECT_FALSE(step_difference_of({1, -2}, {0, 0}, kLaw).within);
}

TEST(StepDifference, WhatIsNoElementOfI8IsNotWithin) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float value : {nan, 0.5F, 128.0F, -129.0F, std::numeric_limits<float>::infinity()}) {
    EXPECT_FALSE(step_difference_of({value}, {0}, kLaw).within) << value;
    EXPECT_FALSE(step_difference_of({0}, {value}, kLaw).within) << value;
    EXPECT_FALSE(step_difference_of({value}, {value}, kLaw).within) << value;
  }
  EXPECT_FALSE(step_difference_of({0}, {0, 0}, kLaw).within);
  EXPECT_FALSE(step_difference_of({}, {}, kLaw).within);
}

}  // namespace
}  // namespace detent::bench
