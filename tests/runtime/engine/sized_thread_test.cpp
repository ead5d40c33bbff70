// Ops whose first output has a size that is known at run time: what is accepted, what is looked at in a run, what is
// told afterwards, on the CPU and on a device.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <detent/detent.h>

#include "tests/runtime/backends/npu_context.hpp"
#include "tests/runtime/desc_builder.hpp"

namespace detent::test {
namespace {

constexpr std::int32_t kBound = 8;  // floats of the output; 16 of the input

void make_extents(detent_tensor& tensor) {
  tensor.dtype = DETENT_I64;
  tensor.block_bytes = tensor.size_bytes = 8;
  tensor.dims[0] = 1;
  tensor.align_bytes = 8;
}

/// Tensors 0 x, 1 selected, 2 extents, 3 out; no ops.
DescBuilder make_tensors(detent_class_kind kind) {
  DescBuilder b;
  b.kernels = {"select", "sum"};
  b.classes = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", kind}};
  b.add_region("input", DETENT_REGION_INPUT, 64);
  b.add_region("workspace", DETENT_REGION_WORKSPACE, 64);
  b.add_region("output", DETENT_REGION_OUTPUT, 128);
  b.add_tensor({.name = "x", .region = 0});
  b.add_tensor({.name = "selected", .region = 1, .block_bytes = 4 * kBound});
  b.add_tensor({.name = "extents", .region = 2});
  b.add_tensor({.name = "out", .region = 2, .offset_bytes = 64});
  make_extents(b.tensors[2]);
  b.inputs = {0};
  return b;
}

/// x -> select -> {selected, extents} -> sum -> out; extents are an output, too.
DescBuilder make_selection(std::uint32_t core_class = 0, detent_class_kind kind = DETENT_CLASS_WORKERS) {
  DescBuilder b = make_tensors(kind);
  support::DescTables& tables = b;
  tables.add_op({.name = "select",
                 .inputs = {0},
                 .outputs = {1, 2},
                 .flags = DETENT_OP_SIZED,
                 .core_class = core_class,
                 .kernel = 0});
  tables.add_op({.name = "sum", .inputs = {1, 2}, .outputs = {3}, .core_class = core_class, .kernel = 1});
  b.add_edge(0, 1);
  b.outputs = {3, 2};
  return b;
}

/// The first `count` floats are 1 to count, the others negative.
detent_result run_with(Npu& npu, std::uint32_t count, float first = 1) {
  float x[16];
  for (std::uint32_t i = 0; i < 16; ++i) x[i] = i < count ? static_cast<float>(i + 1) : -1.0F;
  if (count != 0 || std::isnan(first)) x[0] = first;
  std::memcpy(detent_region_base(npu.context(), 0), x, sizeof x);
  detent_result result{};
  result.error.status = detent_run(npu.context(), &result);
  return result;
}

float out_of(const Npu& npu, std::uint32_t tensor) {
  float value = 0;
  std::memcpy(&value, detent_tensor_data(npu.context(), tensor), sizeof value);
  return value;
}

struct Extents {
  detent_status status;
  std::vector<std::int64_t> values;
  bool operator==(const Extents&) const = default;
};

Extents extents_of(const Npu& npu, std::uint32_t tensor) {
  std::int64_t values[DETENT_MAX_RANK] = {77};
  std::uint32_t rank = 0;
  const detent_status status = detent_tensor_extents(npu.context(), tensor, values, &rank);
  return {status, {values, values + rank}};
}

TEST(SizedOps, TellTheirSizeInEveryModeOnTheCpuAndOnADevice) {
  for (const std::uint32_t core_class : {0U, 1U}) {
    for (const detent_class_kind kind : {DETENT_CLASS_WORKERS, DETENT_CLASS_ASYNC}) {
      for (const detent_mode mode :
           {DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
        DescBuilder b = make_selection(core_class, kind);
        Npu npu(b.refresh(), 2, mode);
        ASSERT_EQ(npu.status(), DETENT_OK);
        for (std::uint32_t count = 0; count <= 16; ++count) {
          const detent_result result = run_with(npu, count);
          const bool fits = count <= kBound;
          ASSERT_EQ(result.error.status, fits ? DETENT_OK : DETENT_KERNEL_FAILED) << count;
          ASSERT_EQ(extents_of(npu, 1), (Extents{fits ? DETENT_OK : DETENT_INSUFFICIENT_SIZE, {count}}));
          if (fits) {
            ASSERT_EQ(out_of(npu, 3), static_cast<float>(count * (count + 1) / 2));
            continue;
          }
          ASSERT_EQ(result.error.op, 0U);
          ASSERT_EQ(result.error.code, DETENT_INSUFFICIENT_SIZE);
          ASSERT_EQ(detent_reset(npu.context()), DETENT_OK);
        }
        ASSERT_EQ(run_with(npu, 3, std::nanf("")).error.code, DETENT_SHAPE) << "below 0";
        ASSERT_EQ(extents_of(npu, 1), (Extents{DETENT_SHAPE, {-1}}));
      }
    }
  }
}

TEST(SizedOps, TensorsOfOthersAreAsLargeAsTheirDims) {
  DescBuilder b = make_selection();
  Npu npu(b.refresh(), 1);
  EXPECT_EQ(extents_of(npu, 0), (Extents{DETENT_OK, {16}}));
  EXPECT_EQ(extents_of(npu, 2), (Extents{DETENT_OK, {1}}));
  EXPECT_EQ(extents_of(npu, 4), (Extents{DETENT_INVALID_ARGUMENT, {}}));
  std::int64_t values[DETENT_MAX_RANK];
  std::uint32_t rank = 0;
  EXPECT_EQ(detent_tensor_extents(nullptr, 0, values, &rank), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_tensor_extents(npu.context(), 0, nullptr, &rank), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_tensor_extents(npu.context(), 0, values, nullptr), DETENT_INVALID_ARGUMENT);
}

TEST(SizedOps, ExtentsThatAreNoOutputAreNotTold) {
  DescBuilder b = make_selection();
  b.outputs = {3};
  Npu npu(b.refresh(), 1);
  ASSERT_EQ(run_with(npu, 3).error.status, DETENT_OK);
  EXPECT_EQ(extents_of(npu, 1), (Extents{DETENT_UNSUPPORTED, {}}));
  EXPECT_EQ(out_of(npu, 3), 6);
}

/// Ops 0: select, which may fail; 1: sum of what it selected, where it has not; 2: sum of x, where it has.
DescBuilder make_fallback(std::uint32_t core_class, detent_class_kind kind) {
  DescBuilder b = make_tensors(kind);
  const std::uint32_t failures = b.add_region("failures", DETENT_REGION_WORKSPACE, 64);
  const std::uint32_t failed =
      b.add_tensor({.name = "failed", .region = failures, .align_bytes = 1, .live_begin = 0, .live_end = 2});
  b.tensors[failed].dtype = DETENT_BOOL;
  b.tensors[failed].block_bytes = b.tensors[failed].size_bytes = 1;
  b.tensors[failed].dims[0] = 1;
  const std::uint32_t said = b.add_region("said", DETENT_REGION_WORKSPACE, 64);
  b.tensors[2].region = said;
  support::DescTables& tables = b;
  constexpr std::uint32_t kSelect = DETENT_OP_SIZED | DETENT_OP_FALLIBLE;
  constexpr std::uint32_t kGood = DETENT_OP_GUARDED | DETENT_OP_IF_FALSE;
  tables.add_op({.inputs = {0}, .outputs = {1, 2, failed}, .flags = kSelect, .core_class = core_class, .kernel = 0});
  tables.add_op({.inputs = {1, 2, failed}, .outputs = {3}, .flags = kGood, .core_class = core_class, .kernel = 1});
  tables.add_op({.inputs = {0, failed}, .outputs = {3}, .flags = DETENT_OP_GUARDED, .kernel = 1});
  b.add_edge(0, 1);
  b.add_edge(0, 2);
  b.outputs = {3};
  return b;
}

TEST(SizedOps, OneThatIsTooLargeHasFailedAndItsFallbackRuns) {
  for (const std::uint32_t core_class : {0U, 1U}) {
    for (const detent_class_kind kind : {DETENT_CLASS_WORKERS, DETENT_CLASS_ASYNC}) {
      DescBuilder b = make_fallback(core_class, kind);
      Npu npu(b.refresh(), 2);
      ASSERT_EQ(npu.status(), DETENT_OK);
      for (std::uint32_t count = 0; count <= 16; ++count) {
        ASSERT_EQ(run_with(npu, count).error.status, DETENT_OK);
        ASSERT_EQ(npu.byte(4), count <= kBound ? 0 : 1);
        ASSERT_EQ(out_of(npu, 3), static_cast<float>(count * (count + 1) / 2));
      }
    }
  }
}

TEST(SizedOps, AGuardedOneIsLookedAtWhereItIsExecuted) {
  for (const std::uint32_t core_class : {0U, 1U}) {
    DescBuilder b = make_tensors(DETENT_CLASS_WORKERS);
    const std::uint32_t guard = b.add_region("guard", DETENT_REGION_INPUT, 64);
    const std::uint32_t taken = b.add_tensor({.name = "taken", .region = guard, .align_bytes = 1});
    b.tensors[taken].dtype = DETENT_BOOL;
    b.tensors[taken].block_bytes = b.tensors[taken].size_bytes = 1;
    b.tensors[taken].dims[0] = 1;
    support::DescTables& tables = b;
    tables.add_op({.inputs = {0, taken},
                   .outputs = {1, 2},
                   .flags = DETENT_OP_SIZED | DETENT_OP_GUARDED,
                   .core_class = core_class,
                   .kernel = 0});
    tables.add_op({.inputs = {1, 2, taken}, .outputs = {3}, .flags = DETENT_OP_GUARDED, .kernel = 1});
    b.add_edge(0, 1);
    b.inputs = {0, taken};
    b.outputs = {3};
    Npu npu(b.refresh(), 1);
    ASSERT_EQ(npu.status(), DETENT_OK);
    auto* const value = static_cast<std::uint8_t*>(detent_tensor_data(npu.context(), taken));
    *value = 1;
    EXPECT_EQ(run_with(npu, 3).error.status, DETENT_OK);
    EXPECT_EQ(out_of(npu, 3), 6);
    EXPECT_EQ(run_with(npu, 9).error.code, DETENT_INSUFFICIENT_SIZE);
    ASSERT_EQ(detent_reset(npu.context()), DETENT_OK);
    *value = 0;
    EXPECT_EQ(run_with(npu, 9).error.status, DETENT_OK) << "not executed: what it said before is not looked at";
  }
}

TEST(SizedOps, ExtentsOfAnotherShapeAreRefused) {
  const auto status_with = [](const auto& change) {
    DescBuilder b = make_selection();
    change(b);
    return check_status(b);
  };
  EXPECT_EQ(status_with([](DescBuilder&) {}), DETENT_OK);
  EXPECT_EQ(status_with([](DescBuilder& b) { b.ops[0].outputs.count = 1; }), DETENT_SHAPE) << "no extents";
  EXPECT_EQ(status_with([](DescBuilder& b) { b.ops[0].outputs.count = 0; }), DETENT_SHAPE);
  EXPECT_EQ(status_with([](DescBuilder& b) { b.tensors[2].dtype = DETENT_F64; }), DETENT_SHAPE);
  EXPECT_EQ(status_with([](DescBuilder& b) {
              b.tensors[2].block_bytes = b.tensors[2].size_bytes = 16;
              b.tensors[2].dims[0] = 2;
            }),
            DETENT_SHAPE)
      << "of two dimensions";
  EXPECT_EQ(status_with([](DescBuilder& b) {
              b.tensors[2].rank = 2;
              b.tensors[2].dims[1] = 1;
            }),
            DETENT_SHAPE);
  EXPECT_EQ(status_with([](DescBuilder& b) {
              b.tensors[2].rank = 0;
              b.tensors[2].flags = DETENT_TENSOR_RANGE;
            }),
            DETENT_SHAPE);
  EXPECT_EQ(status_with([](DescBuilder& b) {
              b.tensors[1].rank = 0;
              b.tensors[1].flags = DETENT_TENSOR_RANGE;
            }),
            DETENT_SHAPE);
  EXPECT_EQ(status_with([](DescBuilder& b) { b.ops[0].flags |= 128; }), DETENT_INVALID_ARGUMENT);
  DescBuilder b = make_fallback(0, DETENT_CLASS_WORKERS);
  b.ops[0].outputs = {b.ops[0].outputs.first + 1, 2};
  EXPECT_EQ(check_status(b), DETENT_SHAPE) << "extents alone, and what it says of its failure";
}

}  // namespace
}  // namespace detent::test
