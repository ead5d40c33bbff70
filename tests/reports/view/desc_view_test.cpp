// Reads of a Desc that may be broken: ids right behind a table and slices that end there are left out, whatever the
// memory behind it holds.
#include "reports/view/desc_view.hpp"

#include <gtest/gtest.h>

#include "tests/reports/samples/sample.hpp"

namespace detent::reports::desc_views {
namespace {

/// Two ops that share a byte, and one more of everything behind the tables.
class Cut {
 public:
  Cut() {
    for (const char* region : {"r0", "behind"}) tables_.add_region(region, DETENT_REGION_WORKSPACE, 64);
    for (std::uint32_t i = 0; i < 3; ++i) tables_.add_tensor(i == 2 ? "behind" : "t" + std::to_string(i), 0, i, 2);
    tables_.add_op("a", "k0", {}, {0});
    tables_.add_op("b", "k0", {}, {1});
    tables_.add_op("behind", "k1", {}, {2});
    tables_.add_edge(0, 1);
    tables_.add_edge(0, 2);
    desc = *tables_.desc();
    --desc.op_count;
    --desc.tensor_count;
    --desc.region_count;
  }
  detent_desc desc{};

 private:
  samples::Tables tables_;
};

TEST(DescView, NamesEndWithTheirTables) {
  const Cut cut;
  EXPECT_EQ(op_count(&cut.desc), 2U);
  EXPECT_EQ(op_name(&cut.desc, 1), "b");
  EXPECT_EQ(op_name(&cut.desc, 2), "op 2");
  EXPECT_EQ(tensor_name(&cut.desc, 1), "t1");
  EXPECT_EQ(tensor_name(&cut.desc, 2), "tensor 2");
  EXPECT_EQ(region_name(&cut.desc, 0), "r0");
  EXPECT_EQ(region_name(&cut.desc, 1), "region 1");
  EXPECT_EQ(kernel_name(&cut.desc, 0), "k0");
  EXPECT_EQ(kernel_name(&cut.desc, 2), "");
  detent_desc no_kernels = cut.desc;
  no_kernels.kernel_count = 0;
  EXPECT_EQ(kernel_name(&no_kernels, 0), "") << "number 0 of no kernels";
  no_kernels.class_count = 0;
  EXPECT_EQ(class_name(&no_kernels, 0), "");
  EXPECT_NE(class_name(&cut.desc, 0), "");
  EXPECT_EQ(op_name(nullptr, 0), "op 0");
  EXPECT_EQ(real_op_count(nullptr), 0U);
}

TEST(DescView, EdgesAndTensorsEndWithTheirTables) {
  const Cut cut;
  EXPECT_EQ(successors_of(&cut.desc, 0), std::vector<std::uint32_t>{1});
  EXPECT_EQ(all_predecessors(&cut.desc), (std::vector<std::vector<std::uint32_t>>{{}, {0}}));
  EXPECT_EQ(writes_of(&cut.desc, 1), std::vector<std::uint32_t>{1});
  EXPECT_TRUE(writes_of(&cut.desc, 2).empty());
  detent_desc fewer = cut.desc;
  fewer.tensor_count = 1;
  EXPECT_TRUE(writes_of(&fewer, 1).empty()) << "its tensor is behind the table";
  EXPECT_EQ(writes_of(&fewer, 0), std::vector<std::uint32_t>{0});
  fewer.tensor_ref_count = 1;
  EXPECT_EQ(writes_of(&fewer, 0), std::vector<std::uint32_t>{0}) << "a slice that ends with its table";
  fewer.tensor_ref_count = 0;
  EXPECT_TRUE(writes_of(&fewer, 0).empty());
}

TEST(DescView, ConflictsAreSharedBytesUpToALimit) {
  const Cut cut;
  const std::vector<Conflict> found = conflicts_of(&cut.desc, 0, 1, 10);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_STREQ(found[0].kind, "waw");
  EXPECT_EQ(found[0].tensor_a, 0U);
  EXPECT_EQ(found[0].tensor_b, 1U);
  EXPECT_EQ(found[0].offset_bytes, 1U);
  EXPECT_EQ(found[0].size_bytes, 1U);
  EXPECT_TRUE(conflicts_of(&cut.desc, 0, 1, 0).empty());
  EXPECT_TRUE(conflicts_of(&cut.desc, 0, 2, 10).empty()) << "an op behind the table";
}

TEST(DescView, ChainsOfViewsEndAtTheirBaseOrNowhere) {
  samples::Tables tables;
  tables.add_region("r", DETENT_REGION_WORKSPACE, 64);
  for (const char* name : {"base", "view", "of_view", "closed", "broken"}) tables.add_tensor(name, 0, 0, 4);
  for (detent_tensor& tensor : tables.tensors) tensor.alias_of = DETENT_NONE;
  tables.tensors[1].alias_of = 0;
  tables.tensors[2].alias_of = 1;
  tables.tensors[3].alias_of = 3;
  tables.tensors[4].alias_of = 5;
  const detent_desc* desc = tables.desc();
  EXPECT_EQ(root_tensor(desc, 0), 0U);
  EXPECT_EQ(root_tensor(desc, 2), 0U);
  EXPECT_EQ(root_tensor(desc, 3), 3U);
  EXPECT_EQ(root_tensor(desc, 4), 4U);
  EXPECT_EQ(root_tensor(nullptr, 7), 7U);
}

}  // namespace
}  // namespace detent::reports::desc_views
