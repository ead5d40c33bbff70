#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/instance.hpp"
#include "tests/runtime/desc_builder.hpp"

namespace detent::harness {
namespace {

detent_error error_of(detent_status status) {
  return {status, DETENT_NONE, DETENT_NONE, DETENT_NONE, DETENT_NONE, DETENT_NONE, 0};
}

TEST(DescribeError, NamesOpsTensorsAndRegion) {
  test::DescBuilder b = test::make_diamond();
  detent_error error = error_of(DETENT_OVERLAP);
  error.tensor = 2;
  error.other_tensor = 3;
  error.region = 1;
  EXPECT_EQ(describe_error(b.refresh(), error),
            "B42 OVERLAP: two tensors that live at the same time share bytes (tensor 2 \"b\", tensor 3 \"c\", region 1 "
            "\"workspace\"); move one of them or make their lifetimes disjoint");
  error = error_of(DETENT_CYCLE);
  error.op = 1;
  error.other_op = 3;
  EXPECT_EQ(describe_error(b.refresh(), error),
            "B20 CYCLE: the op graph has a cycle (op 1 \"left\", op 3 \"join\"); remove one edge of the cycle");
}

/// Tables with one more entry behind them than the Desc counts.
TEST(DescribeError, IdsBehindATableHaveNoName) {
  test::DescBuilder b = test::make_diamond();
  detent_desc desc = b.refresh();
  --desc.op_count;
  --desc.tensor_count;
  --desc.region_count;
  detent_error error = error_of(DETENT_OVERLAP);
  error.op = desc.op_count;
  error.tensor = desc.tensor_count;
  error.region = desc.region_count;
  const std::string text = describe_error(desc, error);
  EXPECT_NE(text.find("(op " + std::to_string(desc.op_count) + ", tensor " + std::to_string(desc.tensor_count) +
                      ", region " + std::to_string(desc.region_count) + ")"),
            std::string::npos)
      << text;
  --error.op;
  EXPECT_NE(describe_error(desc, error).find("op " + std::to_string(error.op) + " \""), std::string::npos);
}

TEST(DescribeError, KernelCodeAndGuard) {
  test::DescBuilder b = test::make_diamond();
  detent_error error = error_of(DETENT_KERNEL_FAILED);
  error.op = 2;
  error.code = -5;
  EXPECT_EQ(describe_error(b.refresh(), error),
            "F01 KERNEL_FAILED: a kernel returned an error (op 2 \"right\", code -5); look up the kernel's code; "
            "detent_reset makes the context usable again");
  error = error_of(DETENT_GUARD);
  error.op = 2;
  EXPECT_EQ(
      describe_error(b.refresh(), error),
      "B30 GUARD: the guard of an op is malformed (op 2 \"right\"); let the guard be a BOOL of one element that "
      "lives through the run and one op writes, alone; let an op that may fail leave its inputs as they are, and guard "
      "those that read its outputs by its not having failed");
}

TEST(DescribeError, IndicesOutsideTheTablesAndMissingNamesAreAllowed) {
  test::DescBuilder b = test::make_diamond();
  b.ops[0].name = nullptr;
  detent_error error = error_of(DETENT_SUCCESSOR_RANGE);
  error.op = 0;
  error.other_op = 4000;
  error.tensor = 4000;
  error.region = 4000;
  EXPECT_EQ(describe_error(b.refresh(), error),
            "B22 SUCCESSOR_RANGE: a successor is not an op (op 0, op 4000, tensor 4000, region 4000); name an op that "
            "exists");
  EXPECT_FALSE(describe_error(detent_desc{}, error).empty());
  // The first behind each table's last, which is a guard that has a name.
  detent_desc desc = b.refresh();
  std::vector<detent_op> ops(desc.ops, desc.ops + desc.op_count);
  std::vector<detent_tensor> tensors(desc.tensors, desc.tensors + desc.tensor_count);
  std::vector<detent_region> regions(desc.regions, desc.regions + desc.region_count);
  ops.push_back(ops.back()), tensors.push_back(tensors.back()), regions.push_back(regions.back());
  ops.back().name = tensors.back().name = regions.back().name = "behind";
  desc.ops = ops.data(), desc.tensors = tensors.data(), desc.regions = regions.data();
  error.other_op = desc.op_count;
  error.tensor = desc.tensor_count;
  error.region = desc.region_count;
  EXPECT_EQ(describe_error(desc, error).find("behind"), std::string::npos) << describe_error(desc, error);
}

TEST(DescribeError, EveryStatusHasItsOwnSentenceWithAdvice) {
  std::set<std::string> sentences;
  const detent_desc empty{};
#define DETENT_EXPECT_SENTENCE(name, number, catalogue, text)                    \
  if (DETENT_##name != DETENT_OK) {                                              \
    const std::string sentence = describe_error(empty, error_of(DETENT_##name)); \
    EXPECT_EQ(sentence.find(catalogue), 0u) << #name;                            \
    EXPECT_NE(sentence.find(text), std::string::npos) << sentence;               \
    sentences.insert(sentence.substr(sentence.rfind("; ")));                     \
  }
  DETENT_STATUS_LIST(DETENT_EXPECT_SENTENCE)
#undef DETENT_EXPECT_SENTENCE
  EXPECT_EQ(describe_error(empty, error_of(DETENT_OK)), "ok");
  EXPECT_GT(sentences.size(), 30u);
}

}  // namespace
}  // namespace detent::harness
