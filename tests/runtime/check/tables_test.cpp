// B09, B28, B29 and pointers: nothing outside a table is followed.
#include <gtest/gtest.h>

#include <functional>

#include "tests/runtime/desc_builder.hpp"

namespace detent::test {
namespace {

detent_status after(const std::function<void(detent_desc&)>& change) {
  DescBuilder b = make_diamond();
  detent_desc& desc = b.refresh();
  change(desc);
  return check(desc).status;
}

TEST(CheckTables, NullPointers) {
  EXPECT_EQ(detent_check(nullptr, nullptr, 0, nullptr), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_check_bytes(nullptr), 0u);
  EXPECT_EQ(after([](detent_desc& d) { d.ops = nullptr; }), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(after([](detent_desc& d) { d.tensors = nullptr; }), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(after([](detent_desc& d) { d.regions = nullptr; }), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(after([](detent_desc& d) { d.successors = nullptr; }), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(after([](detent_desc& d) { d.config_bytes = nullptr; }), DETENT_INVALID_ARGUMENT);
}

TEST(CheckTables, NullNamesOfKernelsAndClasses) {
  DescBuilder b = make_diamond();
  b.kernels[1] = nullptr;
  EXPECT_EQ(check_status(b), DETENT_INVALID_ARGUMENT);
  DescBuilder c = make_diamond();
  c.classes[0].name = nullptr;
  EXPECT_EQ(check_status(c), DETENT_INVALID_ARGUMENT);
}

TEST(CheckTables, B09_CountsBeyondTheLimits) {
  EXPECT_EQ(after([](detent_desc& d) { d.op_count = UINT32_MAX; }), DETENT_TABLE_RANGE);
  EXPECT_EQ(after([](detent_desc& d) { d.region_count = DETENT_MAX_REGIONS + 1; }), DETENT_TABLE_RANGE);
  EXPECT_EQ(after([](detent_desc& d) { d.class_count = DETENT_MAX_CLASSES + 1; }), DETENT_TABLE_RANGE);
  EXPECT_EQ(after([](detent_desc& d) { d.tensor_count = UINT32_MAX; }), DETENT_TABLE_RANGE);
}

TEST(CheckTables, B09_SlicesOutsideTheirTables) {
  for (detent_slice detent_op::*slice : {&detent_op::inputs, &detent_op::outputs, &detent_op::weights,
                                         &detent_op::scratch, &detent_op::successors, &detent_op::mutexes}) {
    for (const detent_slice bad :
         {detent_slice{1000, 1}, detent_slice{0, 1000}, detent_slice{UINT32_MAX, 2}, detent_slice{1, UINT32_MAX}}) {
      DescBuilder b = make_diamond();
      b.refresh();
      b.ops[1].*slice = bad;
      expect_refused(b, {.status = DETENT_TABLE_RANGE, .op = 1u});
    }
  }
}

TEST(CheckTables, B09_IndicesOutsideTheirTables) {
  DescBuilder b = make_diamond();
  b.tensor_refs[0] = 5;
  EXPECT_EQ(check_status(b), DETENT_TABLE_RANGE);
  b = make_diamond();
  b.inputs[0] = 99;
  EXPECT_EQ(check_status(b), DETENT_TABLE_RANGE);
  b = make_diamond();
  b.outputs[0] = 5;
  EXPECT_EQ(check_status(b), DETENT_TABLE_RANGE);
  b = make_diamond();
  b.tensors[2].region = 3;
  EXPECT_EQ(check_status(b), DETENT_TABLE_RANGE);
  b = make_diamond();
  b.tensors[2].alias_of = 5;
  EXPECT_EQ(check_status(b), DETENT_TABLE_RANGE);
  b = make_diamond();
  b.mutex_refs = {0};
  EXPECT_EQ(check_status(b), DETENT_TABLE_RANGE);
}

TEST(CheckTables, B09_ConfigOutsideOrMisaligned) {
  DescBuilder b = make_diamond();
  b.ops[3].config_size = 9;
  EXPECT_EQ(check_status(b), DETENT_TABLE_RANGE);
  b = make_diamond();
  b.ops[0].config_offset = 4;
  EXPECT_EQ(check_status(b), DETENT_TABLE_RANGE);
  EXPECT_EQ(after([](detent_desc& d) { d.config_bytes += 1, d.config_byte_count -= 8; }), DETENT_ALIGNMENT);
}

TEST(CheckTables, B28_MoreTensorsThanTheMaximum) {
  DescBuilder b = make_diamond();
  b.tensor_refs.insert(b.tensor_refs.end(), DETENT_MAX_OP_TENSORS + 1, 0);
  b.ops[1].inputs = {0, DETENT_MAX_OP_TENSORS + 1};
  expect_refused(b, {.status = DETENT_TOO_MANY_TENSORS, .op = 1u});
}

TEST(CheckTables, B29_UnknownKernelOrClass) {
  DescBuilder b = make_diamond();
  b.ops[2].kernel = 2;
  EXPECT_EQ(check_status(b), DETENT_UNKNOWN_KERNEL);
  b = make_diamond();
  b.ops[2].core_class = 1;
  expect_refused(b, {.status = DETENT_UNKNOWN_KERNEL, .op = 2u});
}

TEST(CheckTables, B32_DelayHasNoTensors) {
  DescBuilder b = make_diamond();
  b.ops[1].flags = DETENT_OP_DELAY;
  EXPECT_EQ(check_status(b), DETENT_SHAPE);
}

TEST(CheckTables, F09_TooLittleWorkMemory) {
  DescBuilder b = make_diamond();
  const std::size_t needed = detent_check_bytes(&b.refresh());
  std::vector<std::uint8_t> work(needed + 8, 0xcd);
  for (std::size_t bytes = 0; bytes < needed; ++bytes) {
    ASSERT_EQ(detent_check(&b.refresh(), work.data(), bytes, nullptr), DETENT_NO_SPACE) << bytes;
  }
  EXPECT_EQ(detent_check(&b.refresh(), work.data() + 1, needed, nullptr), DETENT_OK);
  EXPECT_EQ(work[0], 0xcd);
  for (std::size_t i = needed + 1; i < work.size(); ++i) EXPECT_EQ(work[i], 0xcd);
}

struct ScheduleFixture {
  DescBuilder b = make_diamond();
  std::vector<std::uint32_t> ops{0, 1, 3, 2};
  std::vector<detent_slice> lists{{0, 3}, {3, 1}};
  detent_status status() {
    b.schedules = {{static_cast<std::uint32_t>(lists.size()), lists.data(), ops.data()}};
    return check_status(b);
  }
};

TEST(CheckSchedules, ListsThatCanBeFollowedPass) {
  ScheduleFixture fixture;
  EXPECT_EQ(fixture.status(), DETENT_OK);
}

TEST(CheckSchedules, DuplicateMissingAndOutOfRangeOpsAreRefused) {
  ScheduleFixture twice;
  twice.ops = {0, 1, 3, 1};
  EXPECT_EQ(twice.status(), DETENT_TABLE_RANGE);
  ScheduleFixture missing;
  missing.lists = {{0, 3}, {3, 0}};
  EXPECT_EQ(missing.status(), DETENT_TABLE_RANGE);
  ScheduleFixture unknown;
  unknown.ops = {0, 1, 3, 4};
  EXPECT_EQ(unknown.status(), DETENT_TABLE_RANGE);
  ScheduleFixture outside;
  outside.lists = {{0, 3}, {4, 1}};
  EXPECT_EQ(outside.status(), DETENT_TABLE_RANGE);
}

TEST(CheckSchedules, ListsThatWaitForThemselves) {
  ScheduleFixture fixture;
  fixture.ops = {0, 3, 1, 2};  // worker 0 waits at op 3 for op 1, which stands behind it
  EXPECT_EQ(fixture.status(), DETENT_CYCLE);
}

}  // namespace
}  // namespace detent::test
