// B27, B31, B45, B46: what ops read and write.
#include <gtest/gtest.h>

#include "tests/runtime/desc_builder.hpp"

namespace detent::test {
namespace {

TEST(CheckProducers, B27_NoProducer) {
  DescBuilder b = make_diamond();
  b.ops[1].outputs.count = 0;  // "left" no longer writes b, which "join" reads
  expect_refused(b, {.status = DETENT_PRODUCER, .op = 3u, .tensor = 2u});
}

TEST(CheckProducers, B27_TwoProducersOfOneTensor) {
  DescBuilder b = make_diamond();
  b.tensor_refs[b.ops[2].outputs.first] = 2;  // "right" writes b, too
  expect_refused(b, {.status = DETENT_PRODUCER, .op = 2u, .other_op = 1u, .tensor = 2u});
}

TEST(CheckProducers, B27_InputIsNotForOpsToWrite) {
  DescBuilder b = make_diamond();
  b.tensor_refs[b.ops[1].outputs.first] = 0;
  expect_refused(b, {.status = DETENT_PRODUCER, .op = 1u, .tensor = 0u});
}

/// in -> {band 0, band 1} -> join(base) -> out; the bands are views 2 and 3 of base 1.
struct Bands {
  DescBuilder b;
  Bands(const TensorSpec& first, const TensorSpec& second) {
    b.add_region("input", DETENT_REGION_INPUT, 64);
    b.add_region("workspace", DETENT_REGION_WORKSPACE, 256);
    b.add_region("output", DETENT_REGION_OUTPUT, 64);
    b.add_tensor({.name = "in", .region = 0});
    b.add_tensor({.name = "base", .region = 1, .block_bytes = 256, .live_begin = 0, .live_end = 2});
    b.add_tensor(first);
    b.add_tensor(second);
    b.add_tensor({.name = "out", .region = 2});
    b.add_op({.name = "band0", .inputs = {0}, .outputs = {2}});
    b.add_op({.name = "band1", .inputs = {0}, .outputs = {3}});
    b.add_op({.name = "join", .inputs = {1}, .outputs = {4}});
    b.add_edge(0, 2);
    b.add_edge(1, 2);
    b.inputs = {0};
    b.outputs = {4};
  }
};

TensorSpec dense(std::uint64_t offset, std::uint64_t bytes) {
  return {.name = "band", .region = 1, .offset_bytes = offset, .block_bytes = bytes, .alias_of = 1};
}

TensorSpec strided(std::uint64_t offset, std::uint64_t bytes) {
  TensorSpec spec = dense(offset, bytes);
  spec.stride_bytes = 64;
  spec.block_count = 4;
  return spec;
}

TEST(CheckProducers, DisjointBandsAreOneProduction) {
  Bands halves(dense(0, 128), dense(128, 128));
  EXPECT_EQ(check_status(halves.b), DETENT_OK);
  Bands interleaved(strided(0, 16), strided(16, 48));
  EXPECT_EQ(check_status(interleaved.b), DETENT_OK);
}

TEST(CheckProducers, B27_BandsThatShareAByte) {
  Bands halves(dense(0, 132), dense(128, 128));
  expect_refused(halves.b, {.status = DETENT_PRODUCER, .op = 0u, .other_op = 1u, .tensor = 2u, .other_tensor = 3u});
  Bands interleaved(strided(0, 20), strided(16, 48));
  EXPECT_EQ(check_status(interleaved.b), DETENT_PRODUCER);
}

TEST(CheckProducers, B27_BandsThatLeaveAGapBeforeAWholeRead) {
  Bands halves(dense(0, 124), dense(128, 128));
  expect_refused(halves.b, {.status = DETENT_PRODUCER, .op = 2u, .tensor = 1u});
}

TEST(CheckProducers, ReadsOfViewsOfWhatIsProduced) {
  Bands read_view(dense(0, 128), dense(128, 64));
  read_view.b.tensor_refs[read_view.b.ops[2].inputs.first] = read_view.b.add_tensor(dense(96, 64));
  EXPECT_EQ(check_status(read_view.b), DETENT_OK);
  Bands read_gap(dense(0, 128), dense(128, 64));
  read_gap.b.tensor_refs[read_gap.b.ops[2].inputs.first] = read_gap.b.add_tensor(dense(192, 64));
  EXPECT_EQ(check_status(read_gap.b), DETENT_PRODUCER);
}

TEST(CheckProducers, RangesAreExempt) {
  DescBuilder b;
  b.add_region("ws", DETENT_REGION_WORKSPACE, 64);
  b.add_tensor({.name = "range", .flags = DETENT_TENSOR_RANGE});
  b.add_op({.inputs = {0}, .outputs = {0}});
  b.add_op({.inputs = {0}, .outputs = {0}});
  EXPECT_EQ(check_status(b), DETENT_OK);
}

TEST(CheckProducers, B31_OutputNeverWritten) {
  DescBuilder b = make_diamond();
  b.ops[3].outputs.count = 0;
  expect_refused(b, {.status = DETENT_OUTPUT_UNWRITTEN, .tensor = 4u});
  b = make_diamond();
  b.outputs = {0};  // an input is not written by any op
  EXPECT_EQ(check_status(b), DETENT_OUTPUT_UNWRITTEN);
}

TEST(CheckProducers, OutputsMayBeBasesOrViews) {
  Bands bands(dense(0, 128), dense(128, 128));
  bands.b.outputs = {4, 1, 2, 3};
  EXPECT_EQ(check_status(bands.b), DETENT_OK);
}

TEST(CheckInPlace, B45_OutputSharesBytesWithItsInput) {
  DescBuilder b = make_diamond();
  for (detent_tensor& t : b.tensors) t.live_begin = t.live_end = DETENT_NONE;
  b.tensors[2].offset_bytes = 60;
  expect_refused(b, {.status = DETENT_IN_PLACE, .op = 1u, .tensor = 2u, .other_tensor = 1u});
  b.ops[1].flags = DETENT_OP_IN_PLACE;
  EXPECT_EQ(check_status(b), DETENT_OK);
}

TEST(CheckInPlace, B45_OutputThatIsAViewOfItsInput) {
  DescBuilder b = make_diamond();
  b.tensor_refs[b.ops[1].outputs.first] = b.add_tensor({.name = "a2", .region = 1, .alias_of = 1});
  b.tensor_refs[b.ops[3].inputs.first] = 5;
  b.tensors[1].live_end = 3;  // a lives on in its view
  b.ops[1].flags = DETENT_OP_IN_PLACE;
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.ops[1].flags = 0;
  EXPECT_EQ(check_status(b), DETENT_PRODUCER);  // not declared, so it is a second production of the bytes of a
}

TEST(CheckInPlace, B42_ScratchSharesBytesWithItsOpsTensors) {
  DescBuilder b = make_diamond();
  const std::uint32_t scratch = b.add_tensor({.name = "scratch", .region = 1, .offset_bytes = 192});
  b.tensor_refs.push_back(scratch);
  b.ops[1].scratch = {static_cast<std::uint32_t>(b.tensor_refs.size() - 1), 1};
  EXPECT_EQ(check_status(b), DETENT_OK);
  b.tensors[scratch].offset_bytes = 124;
  expect_refused(b, {.status = DETENT_OVERLAP, .op = 1u, .other_tensor = 2u});
}

struct Weighted {
  alignas(64) inline static const float kData[16] = {};
  DescBuilder b = make_diamond();
  std::uint32_t weight;
  Weighted() {
    const std::uint32_t region = b.add_region("weights", DETENT_REGION_WEIGHTS, 64, 64, kData);
    weight = b.add_tensor({.name = "w", .region = region});
    b.tensor_refs.push_back(weight);
    b.ops[1].weights = {static_cast<std::uint32_t>(b.tensor_refs.size() - 1), 1};
  }
};

TEST(CheckWeights, WeightsInTheirRegionPass) {
  Weighted fixture;
  EXPECT_EQ(check_status(fixture.b), DETENT_OK);
}

TEST(CheckWeights, B46_WeightIsWritten) {
  for (detent_slice detent_op::*role : {&detent_op::outputs, &detent_op::scratch}) {
    Weighted fixture;
    fixture.b.ops[2].*role = fixture.b.ops[1].weights;
    expect_refused(fixture.b, {.status = DETENT_WEIGHT_WRITTEN, .op = 2u, .tensor = fixture.weight});
  }
}

TEST(CheckWeights, B46_WeightOutsideWeightRegions) {
  Weighted fixture;
  fixture.b.tensors[fixture.weight].region = 1;
  fixture.b.tensors[fixture.weight].offset_bytes = 192;
  EXPECT_EQ(check_status(fixture.b), DETENT_WEIGHT_WRITTEN);
}

}  // namespace
}  // namespace detent::test
