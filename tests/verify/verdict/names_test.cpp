// Names in witnesses: of what is in the tables; of an id right behind a table, the number alone.
#include "verify/verdict/names.hpp"

#include <gtest/gtest.h>

#include <array>

namespace detent::verify {
namespace {

TEST(VerdictNames, EndWithTheirTables) {
  std::array<detent_op, 3> ops{};
  std::array<detent_tensor, 3> tensors{};
  std::array<detent_region, 3> regions{};
  ops[0].name = tensors[0].name = regions[0].name = "first";
  ops[1].name = tensors[1].name = regions[1].name = "";
  ops[2].name = tensors[2].name = regions[2].name = "behind";
  detent_desc desc{};
  desc.ops = ops.data();
  desc.tensors = tensors.data();
  desc.regions = regions.data();
  desc.op_count = desc.tensor_count = desc.region_count = 2;
  EXPECT_EQ(op_name(desc, 0), "op 0 (first)");
  EXPECT_EQ(op_name(desc, 1), "op 1");
  EXPECT_EQ(op_name(desc, 2), "op 2");
  EXPECT_EQ(tensor_name(desc, 0), "tensor 0 (first)");
  EXPECT_EQ(tensor_name(desc, 1), "tensor 1");
  EXPECT_EQ(tensor_name(desc, 2), "tensor 2");
  EXPECT_EQ(region_name(desc, 0), "first");
  EXPECT_EQ(region_name(desc, 1), "region 1");
  EXPECT_EQ(region_name(desc, 2), "region 2");
  EXPECT_EQ(byte_range_name(desc, 0, 8, 4), "bytes [8, 12) of first");
}

}  // namespace
}  // namespace detent::verify
