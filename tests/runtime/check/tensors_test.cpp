// B32, B40, B41, B43, B44, B46 to B50: regions, tensors and views by themselves.
#include <gtest/gtest.h>

#include "runtime/check/check.h"
#include "tests/effort.hpp"
#include "tests/runtime/desc_builder.hpp"

namespace detent::test {
namespace {

/// The diamond with one field of tensor "b" (index 2) changed.
template <typename Field, typename Value>
detent_error with_tensor(Field detent_tensor::*field, Value value) {
  DescBuilder b = make_diamond();
  b.tensors[2].*field = static_cast<Field>(value);
  return check(b.refresh());
}

TEST(CheckTensors, B32_DimsZeroOrNegative) {
  for (const std::int32_t dim : {0, -1, INT32_MIN}) {
    DescBuilder b = make_diamond();
    b.tensors[2].dims[0] = dim;
    expect_refused(b, {.status = DETENT_SHAPE, .tensor = 2u});
  }
}

TEST(CheckTensors, B32_ProductOverflows) {
  DescBuilder b = make_diamond();
  b.tensors[2].rank = 6;
  std::fill_n(b.tensors[2].dims, 6, INT32_MAX);
  EXPECT_EQ(check_status(b), DETENT_SHAPE);
  std::fill_n(b.tensors[2].dims, 6, 1 << 11);  // 2^66 elements: 4 * 2^66 wraps to 0 in 64 bits
  EXPECT_EQ(check_status(b), DETENT_SHAPE);
}

TEST(CheckTensors, B32_RankDtypeAndLayout) {
  EXPECT_EQ(with_tensor(&detent_tensor::rank, 7).status, DETENT_SHAPE);
  EXPECT_EQ(with_tensor(&detent_tensor::dtype, 8).status, DETENT_SHAPE);
  EXPECT_EQ(with_tensor(&detent_tensor::layout, 2).status, DETENT_SHAPE);
  EXPECT_EQ(with_tensor(&detent_tensor::layout, DETENT_LAYOUT_C16).status, DETENT_SHAPE);
}

TEST(CheckTensors, B32_SizeDisagreesWithDims) {
  DescBuilder b = make_diamond();
  b.tensors[2].dims[0] = 15;
  EXPECT_EQ(check_status(b), DETENT_SHAPE);
}

TEST(CheckTensors, B32_C16CountsPaddingChannels) {
  DescBuilder b = make_diamond();
  detent_tensor& t = b.tensors[2];
  t.layout = DETENT_LAYOUT_C16;
  t.rank = 4;
  const std::int32_t dims[] = {1, 3, 1, 1};
  std::copy(dims, dims + 4, t.dims);  // 16 floats, 3 of them channels
  EXPECT_EQ(check_status(b), DETENT_OK);
  t.dims[1] = 17;
  EXPECT_EQ(check_status(b), DETENT_SHAPE);
  t.dims[1] = 8;
  t.dims[0] = 2;
  EXPECT_EQ(check_status(b), DETENT_SHAPE);
}

TEST(CheckTensors, B32_Blocks) {
  DescBuilder b = make_diamond();
  detent_tensor& t = b.tensors[2];
  t.block_bytes = 16;
  t.block_count = 4;
  t.stride_bytes = 16;
  EXPECT_EQ(check_status(b), DETENT_OK);
  t.stride_bytes = 15;
  EXPECT_EQ(check_status(b), DETENT_SHAPE);
  t.stride_bytes = 20;  // 3 * 20 + 16 = 76, not 64
  EXPECT_EQ(check_status(b), DETENT_SHAPE);
  t.block_count = 1;
  EXPECT_EQ(check_status(b), DETENT_SHAPE);
  t.block_bytes = 64;
  EXPECT_EQ(check_status(b), DETENT_SHAPE);  // one block has stride 0
  t.stride_bytes = UINT64_MAX;
  t.block_count = UINT32_MAX;
  EXPECT_EQ(check_status(b), DETENT_SHAPE);
}

TEST(CheckTensors, B40_OutsideTheRegion) {
  const detent_error error = with_tensor(&detent_tensor::offset_bytes, 196);
  EXPECT_EQ(error.status, DETENT_OUT_OF_REGION);
  EXPECT_EQ(error.tensor, 2u);
  EXPECT_EQ(error.region, 1u);
  DescBuilder b = make_diamond();
  b.regions[1].size_bytes = DETENT_MAX_BYTES + 1;
  EXPECT_EQ(check_status(b), DETENT_OUT_OF_REGION);
}

TEST(CheckTensors, B41_OffsetWraps) {
  EXPECT_EQ(with_tensor(&detent_tensor::offset_bytes, UINT64_MAX - 63).status, DETENT_OFFSET_WRAP);
  EXPECT_EQ(with_tensor(&detent_tensor::offset_bytes, UINT64_MAX).status, DETENT_OFFSET_WRAP);
}

TEST(CheckTensors, B46_ActivationAmongWeights) {
  alignas(64) static const float kWeights[16] = {};
  DescBuilder b = make_diamond();
  const std::uint32_t region = b.add_region("weights", DETENT_REGION_WEIGHTS, 64, 64, kWeights);
  b.add_tensor({.name = "w", .region = region});
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.tensors[5].live_begin = 0;
  b.tensors[5].live_end = 1;
  expect_refused(b, {.status = DETENT_WEIGHT_WRITTEN, .tensor = 5u});
}

TEST(CheckTensors, WeightsNeedDataAndOthersHaveNone) {
  static const std::uint64_t kData[8] = {};
  DescBuilder b = make_diamond();
  b.add_region("weights", DETENT_REGION_WEIGHTS, 64, 8);
  EXPECT_EQ(check(b.refresh()).region, 3u);
  EXPECT_EQ(check_status(b), DETENT_INVALID_ARGUMENT);
  b = make_diamond();
  b.regions[1].data = kData;
  EXPECT_EQ(check_status(b), DETENT_INVALID_ARGUMENT);
}

TEST(CheckTensors, B47_SizeZero) {
  EXPECT_EQ(with_tensor(&detent_tensor::size_bytes, 0).status, DETENT_EMPTY);
  EXPECT_EQ(with_tensor(&detent_tensor::block_bytes, 0).status, DETENT_EMPTY);
  EXPECT_EQ(with_tensor(&detent_tensor::block_count, 0).status, DETENT_EMPTY);
  DescBuilder b = make_diamond();
  b.regions[2].size_bytes = 0;
  EXPECT_EQ(check(b.refresh()).region, 2u);
  EXPECT_EQ(check_status(b), DETENT_EMPTY);
}

TEST(CheckTensors, B48_Alignment) {
  EXPECT_EQ(with_tensor(&detent_tensor::align_bytes, 0).status, DETENT_ALIGNMENT);
  EXPECT_EQ(with_tensor(&detent_tensor::align_bytes, 12).status, DETENT_ALIGNMENT);
  EXPECT_EQ(with_tensor(&detent_tensor::align_bytes, 128).status, DETENT_ALIGNMENT);  // more than the region's
  DescBuilder b = make_diamond();
  b.tensors[3].offset_bytes = 132;
  b.tensors[3].align_bytes = 64;
  EXPECT_EQ(check_status(b), DETENT_ALIGNMENT);
  b = make_diamond();
  b.regions[0].align_bytes = 48;
  EXPECT_EQ(check_status(b), DETENT_ALIGNMENT);
}

TEST(CheckTensors, B48_WeightDataBreaksItsRegionsAlignment) {
  alignas(64) static const std::uint8_t kData[128] = {};
  DescBuilder b = make_diamond();
  b.add_region("weights", DETENT_REGION_WEIGHTS, 64, 64, kData + 4);
  EXPECT_EQ(check_status(b), DETENT_ALIGNMENT);
}

TEST(CheckTensors, B49_Lifetimes) {
  for (const auto& [begin, end] : {std::pair{2u, 1u}, {DETENT_NONE, 2u}, {1u, DETENT_NONE}, {1u, 4u}}) {
    DescBuilder b = make_diamond();
    b.tensors[2].live_begin = begin;
    b.tensors[2].live_end = end;
    expect_refused(b, {.status = DETENT_LIFETIME, .tensor = 2u});
  }
}

TEST(CheckTensors, B49_UseOutsideOfTheLifetime) {
  DescBuilder b = make_diamond();
  b.tensors[1].live_end = 1;  // op 2 reads it, too
  expect_refused(b, {.status = DETENT_LIFETIME, .op = 2u, .tensor = 1u});
  b = make_diamond();
  b.tensors[1].live_begin = 1;  // op 0 writes it
  expect_refused(b, {.status = DETENT_LIFETIME, .op = 0u, .tensor = 1u});
  b = make_diamond();
  b.add_tensor({.name = "view", .region = 1, .alias_of = 1});
  b.tensor_refs[b.ops[2].inputs.first] = 5;
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.tensors[1].live_end = 1;
  expect_refused(b, {.status = DETENT_LIFETIME, .op = 2u, .tensor = 5u});
  b = make_diamond();
  b.add_tensor({.name = "scratch", .region = 1, .offset_bytes = 192, .live_begin = 1, .live_end = 2});
  b.ops[3].scratch = {static_cast<std::uint32_t>(b.tensor_refs.size()), 1};
  b.tensor_refs.push_back(5);
  expect_refused(b, {.status = DETENT_LIFETIME, .op = 3u, .tensor = 5u});
}

TEST(CheckMemoryLimit, B50_RegionsLargerThanThePlatform) {
  DescBuilder b = make_diamond();
  EXPECT_EQ(check_memory_limit(b.refresh(), 0).status, DETENT_OK);
  EXPECT_EQ(check_memory_limit(b.refresh(), 384).status, DETENT_OK);
  const detent_error error = check_memory_limit(b.refresh(), 383);
  EXPECT_EQ(error.status, DETENT_MEMORY_LIMIT);
  EXPECT_EQ(error.region, 2u);
}

TEST(CheckMemoryLimit, B50_SumThatWraps) {
  DescBuilder b = make_diamond();
  b.regions[0].size_bytes = UINT64_MAX;
  EXPECT_EQ(check_memory_limit(b.refresh(), 0).status, DETENT_MEMORY_LIMIT);
}

/// The diamond with a view "v" (index 5) of "a" (index 1, bytes 0 to 64 of the workspace).
DescBuilder with_view(std::uint64_t offset_bytes, std::uint64_t size_bytes) {
  DescBuilder b = make_diamond();
  b.add_tensor({.name = "v", .region = 1, .offset_bytes = offset_bytes, .block_bytes = size_bytes, .alias_of = 1});
  return b;
}

TEST(CheckAlias, ViewsAndViewsOfViewsPass) {
  DescBuilder b = with_view(0, 64);
  b.add_tensor({.name = "vv", .region = 1, .offset_bytes = 32, .block_bytes = 32, .alias_of = 5});
  EXPECT_EQ(check_status(b), DETENT_OK);
}

TEST(CheckAlias, B43_ItselfAndCycles) {
  DescBuilder b = with_view(0, 64);
  b.tensors[5].alias_of = 5;
  EXPECT_EQ(check_status(b), DETENT_ALIAS);
  b = with_view(0, 64);
  b.add_tensor({.name = "vv", .region = 1, .block_bytes = 64, .alias_of = 5});
  b.tensors[5].alias_of = 6;
  const detent_error error = check(b.refresh());
  EXPECT_EQ(error.status, DETENT_ALIAS);
  EXPECT_TRUE(error.tensor == 5 || error.tensor == 6);
}

TEST(CheckAlias, B43_SmallerBaseOrOutsideIt) {
  DescBuilder larger = with_view(0, 68);
  expect_refused(larger, {.status = DETENT_ALIAS, .tensor = 5u, .other_tensor = 1u});
  DescBuilder beyond = with_view(32, 64);
  EXPECT_EQ(check_status(beyond), DETENT_ALIAS);
  DescBuilder elsewhere = with_view(0, 64);
  elsewhere.tensors[5].region = 2;
  EXPECT_EQ(check_status(elsewhere), DETENT_ALIAS);
}

TEST(CheckAlias, B44_AcrossTypeOrAlignment) {
  DescBuilder b = with_view(0, 64);
  b.tensors[5].dtype = DETENT_I32;
  EXPECT_EQ(check_status(b), DETENT_ALIAS_TYPE);
  b = with_view(4, 32);
  b.tensors[5].align_bytes = 8;
  EXPECT_EQ(check_status(b), DETENT_ALIAS_TYPE);
}

TEST(CheckAlias, B49_ViewsClaimNoLifetime) {
  DescBuilder b = with_view(0, 64);
  b.tensors[5].live_begin = 0;
  b.tensors[5].live_end = 1;
  EXPECT_EQ(check_status(b), DETENT_LIFETIME);
}

TEST(CheckAlias, LongChainsAreFollowedOnce) {
  DescBuilder b = with_view(0, 64);
  const std::uint32_t kViews = effort(200'000u);
  for (std::uint32_t i = 5; i < kViews; ++i) b.add_tensor({.name = "v", .region = 1, .alias_of = i});
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.tensors[5].alias_of = kViews;
  EXPECT_EQ(check_status(b), DETENT_ALIAS);
}

}  // namespace
}  // namespace detent::test
