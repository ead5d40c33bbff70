#include "base/words/near.hpp"

#include <gtest/gtest.h>

namespace detent {
namespace {

TEST(Near, DistanceCountsLettersAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("platform", "platform"), 0U);
  EXPECT_EQ(edit_distance("platfrom", "platform"), 1U);
  EXPECT_EQ(edit_distance("yolov8", "yolov8n"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("quad-NPU", "quad_npu"), 0U);
}

TEST(Near, NearestIsASlipAwayOrNone) {
  const std::vector<std::string> names{"yolov8n", "resnet18", "mobilenetv2", "wide", "quad_npu"};
  EXPECT_EQ(nearest("yolov8", names), "yolov8n");
  EXPECT_EQ(nearest("mobilenet", names), "mobilenetv2");
  EXPECT_EQ(nearest("wied", names), "wide");
  EXPECT_EQ(nearest("quadnpu", names), "quad_npu");
  EXPECT_EQ(nearest("elephant", names), std::nullopt);
  EXPECT_EQ(nearest("x", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
  EXPECT_EQ(nearest("wide", {}), std::nullopt);
  EXPECT_EQ(did_you_mean("wied", names), "; did you mean wide?");
  EXPECT_EQ(did_you_mean("elephant", names), "");
}

TEST(Near, ChoicesEndWithOr) {
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(choices_text(names), "a, b or c");
  EXPECT_EQ(choices_text(names, 2), "a, b, ...");
  EXPECT_EQ(choices_text(std::vector<std::string>{"a"}), "a");
}

}  // namespace
}  // namespace detent
