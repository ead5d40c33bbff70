// The software NPU by its table: commands of ops of both kinds of classes, failures, what it refuses.
#include <gtest/gtest.h>

#include <cstring>

#include <detent/detent.h>
#include <detent/device.h>

#include "tests/runtime/backends/npu_context.hpp"
#include "tests/runtime/desc_builder.hpp"

namespace detent::test {
namespace {

/// in -> op 0 -> op 1 ... -> out on class "npu"; with `branches` side by side from the input.
DescBuilder make_chain(std::uint32_t ops, detent_class_kind kind, bool side_by_side = false) {
  DescBuilder b;
  b.kernels = {"increment", "by_scratch"};
  b.classes = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", kind}};
  const std::uint32_t input = b.add_region("input", DETENT_REGION_INPUT, 64);
  const std::uint32_t output = b.add_region("output", DETENT_REGION_OUTPUT, std::uint64_t{ops} * 64);
  b.add_tensor({.name = "in", .region = input});
  for (std::uint32_t op = 0; op < ops; ++op) {
    b.add_tensor({.name = "t", .region = output, .offset_bytes = std::uint64_t{op} * 64});
    support::DescTables& tables = b;
    tables.add_op(
        {.name = "op", .inputs = {side_by_side ? 0 : op}, .outputs = {op + 1}, .core_class = 1, .config = {0}});
    if (op > 0 && !side_by_side) b.add_edge(op - 1, op);
  }
  b.inputs = {0};
  b.outputs = {ops};
  return b;
}

TEST(SoftwareNpu, ExecutesOpsOfBothKindsOfClassesInEveryModeManyTimes) {
  for (const detent_class_kind kind : {DETENT_CLASS_WORKERS, DETENT_CLASS_ASYNC}) {
    for (const detent_mode mode :
         {DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
      for (const bool side_by_side : {false, true}) {
        DescBuilder b = make_chain(6, kind, side_by_side);
        Npu npu(b.refresh(), 2, mode);
        ASSERT_EQ(npu.status(), DETENT_OK);
        for (std::uint32_t run = 0; run < 40; ++run) {
          ASSERT_EQ(npu.run(static_cast<std::uint8_t>(run)).error.status, DETENT_OK);
          for (std::uint32_t op = 0; op < 6; ++op) {
            ASSERT_EQ(npu.byte(op + 1, 63), run + (side_by_side ? 1 : op + 1)) << "op " << op;
          }
        }
        EXPECT_EQ(npu.counters().ops, 240U);
        EXPECT_EQ(npu.counters().read_bytes, 240U * 64U);
        EXPECT_EQ(npu.counters().written_bytes, 240U * 64U);
        EXPECT_LE(npu.counters().most_commands, 6U);
      }
    }
  }
}

TEST(SoftwareNpu, AFailureIsTheOpsAndItsOutputsStayAsTheyWere) {
  DescBuilder b = make_chain(3, DETENT_CLASS_WORKERS);
  b.config[1] = 9;
  Npu npu(b.refresh(), 2);
  ASSERT_EQ(npu.status(), DETENT_OK);
  std::memset(detent_tensor_data(npu.context(), 2), 77, 64);
  const detent_result result = npu.run(1);
  EXPECT_EQ(result.error.status, DETENT_KERNEL_FAILED);
  EXPECT_EQ(result.error.op, 1U);
  EXPECT_EQ(result.error.code, 9);
  EXPECT_EQ(npu.byte(1), 2);
  EXPECT_EQ(npu.byte(2), 77);
  EXPECT_EQ(npu.counters().written_bytes, 64U);
  ASSERT_EQ(detent_reset(npu.context()), DETENT_OK);
  EXPECT_EQ(npu.run(1).error.op, 1U);
}

TEST(SoftwareNpu, AnOpInPlaceReadsAndWritesTheSamePlaceOfTheScratchpad) {
  DescBuilder b;
  b.kernels = {"increment", "by_scratch"};
  b.classes = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", DETENT_CLASS_WORKERS}};
  const std::uint32_t input = b.add_region("input", DETENT_REGION_INPUT, 64);
  const std::uint32_t output = b.add_region("output", DETENT_REGION_OUTPUT, 64);
  b.add_tensor({.name = "in", .region = input});
  b.add_tensor({.name = "x", .region = output});
  support::DescTables& tables = b;
  tables.add_op({.name = "first", .inputs = {0}, .outputs = {1}, .core_class = 1, .config = {0}});
  tables.add_op(
      {.name = "again", .inputs = {1}, .outputs = {1}, .flags = DETENT_OP_IN_PLACE, .core_class = 1, .config = {0}});
  b.add_edge(0, 1);
  b.inputs = {0};
  b.outputs = {1};
  Npu npu(b.refresh(), 1);
  ASSERT_EQ(npu.status(), DETENT_OK);
  EXPECT_EQ(npu.run(10).error.status, DETENT_OK);
  EXPECT_EQ(npu.byte(1, 5), 12);
}

TEST(SoftwareNpu, WeightsAndScratchAreInTheScratchpadToo) {
  DescBuilder b;
  b.kernels = {"increment", "by_scratch"};
  b.classes = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", DETENT_CLASS_WORKERS}};
  const std::uint32_t input = b.add_region("input", DETENT_REGION_INPUT, 64);
  const std::uint32_t weights = b.add_region("weights", DETENT_REGION_WEIGHTS, 64, 64, kWeights);
  const std::uint32_t work = b.add_region("work", DETENT_REGION_WORKSPACE, 64);
  const std::uint32_t output = b.add_region("output", DETENT_REGION_OUTPUT, 64);
  for (const std::uint32_t region : {input, weights, work, output}) b.add_tensor({.region = region});
  support::DescTables& tables = b;
  tables.add_op({.inputs = {0}, .outputs = {3}, .weights = {1}, .scratch = {2}, .core_class = 1, .kernel = 1});
  b.inputs = {0};
  b.outputs = {3};
  Npu npu(b.refresh(), 1);
  ASSERT_EQ(npu.status(), DETENT_OK);
  std::memset(detent_tensor_data(npu.context(), 2), 200, 64);
  EXPECT_EQ(npu.run(10).error.status, DETENT_OK);
  EXPECT_EQ(npu.byte(3, 0), 16);
  EXPECT_EQ(npu.byte(3, 1), 17);
  EXPECT_EQ(npu.byte(3, 3), 11);
  EXPECT_EQ(npu.byte(2), 200) << "scratch of the host was written";
  EXPECT_EQ(npu.counters().read_bytes, 128U);
  EXPECT_EQ(npu.counters().written_bytes, 64U);
}

TEST(SoftwareNpu, WhatLiesBetweenTheBlocksOfAnOutputStaysAsItWas) {
  DescBuilder b;
  b.kernels = {"increment", "by_scratch", "fill"};
  b.classes = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", DETENT_CLASS_WORKERS}};
  const std::uint32_t input = b.add_region("input", DETENT_REGION_INPUT, 64);
  const std::uint32_t output = b.add_region("output", DETENT_REGION_OUTPUT, 320);
  b.add_tensor({.region = input});
  b.add_tensor({.region = output, .stride_bytes = 128, .block_count = 3});
  support::DescTables& tables = b;
  tables.add_op({.inputs = {0}, .outputs = {1}, .core_class = 1, .kernel = 2});
  b.inputs = {0};
  b.outputs = {1};
  Npu npu(b.refresh(), 1);
  ASSERT_EQ(npu.status(), DETENT_OK);
  std::memset(detent_region_base(npu.context(), 1), 77, 320);
  EXPECT_EQ(npu.run(10).error.status, DETENT_OK);
  for (std::size_t at = 0; at < 320; ++at) EXPECT_EQ(npu.byte(1, at), at % 128 < 64 ? 9 : 77) << at;
  EXPECT_EQ(npu.counters().written_bytes, 192U);
}

TEST(SoftwareNpu, KernelsThatItLacksAndOtherClassesAreLeftToOthers) {
  DescBuilder b = make_chain(2, DETENT_CLASS_WORKERS);
  b.ops[1].core_class = 0;
  Npu npu(b.refresh(), 1);
  ASSERT_EQ(npu.status(), DETENT_OK);
  EXPECT_EQ(npu.run(1).error.status, DETENT_OK);
  EXPECT_EQ(npu.byte(2), 3);
  EXPECT_EQ(npu.counters().ops, 1U);
}

/// What measure and open say.
struct Opening {
  detent_device_config config{};
  std::size_t missing_bytes = 0, misaligned_bytes = 0;
};

detent_status open_npu(const detent_desc& desc, const Opening& opening) {
  const detent_device_module& module = *detent_software_npu();
  detent_device_needs needs{};
  const detent_status measured = module.measure(&desc, &opening.config, &needs);
  if (measured != DETENT_OK) return measured;
  const Memory memory = allocate(needs.memory_bytes + DETENT_CACHE_LINE);
  auto* at = static_cast<std::uint8_t*>(memory.get()) + opening.misaligned_bytes;
  detent_backend backend{};
  const detent_status status =
      module.open(at, needs.memory_bytes - opening.missing_bytes, &desc, &opening.config, &backend);
  if (status == DETENT_OK) module.close(at);
  return status;
}

TEST(SoftwareNpu, OpensOnlyWithAllThatItNeeds) {
  DescBuilder b = make_chain(2, DETENT_CLASS_WORKERS);
  const detent_desc& desc = b.refresh();
  const Memory memory = allocate(detent_port_posix_bytes());
  detent_port posix{};
  ASSERT_EQ(detent_port_posix(memory.get(), detent_port_posix_bytes(), &posix), DETENT_OK);
  const detent_port single = detent_port_single();
  const detent_device_config good{&posix, 0, &kTable, detent_complete, nullptr, 0};
  EXPECT_EQ(open_npu(desc, {.config = good}), DETENT_OK);
  EXPECT_EQ(open_npu(desc, {.config = good}), DETENT_OK) << "after it was closed";
  EXPECT_EQ(open_npu(desc, {.config = good, .missing_bytes = 1}), DETENT_NO_SPACE);
  EXPECT_EQ(open_npu(desc, {.config = good, .misaligned_bytes = 8}), DETENT_ALIGNMENT);
  EXPECT_EQ(open_npu(desc, {.config = {&single, 0, &kTable, detent_complete, nullptr, 0}}), DETENT_WORKER_FAILED);
  EXPECT_EQ(open_npu(desc, {.config = {nullptr, 0, &kTable, detent_complete, nullptr, 0}}), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(open_npu(desc, {.config = {&posix, 0, nullptr, detent_complete, nullptr, 0}}), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(open_npu(desc, {.config = {&posix, 0, &kTable, nullptr, nullptr, 0}}), DETENT_INVALID_ARGUMENT);
  // Two tensors of 64 bytes, each on a cache line of its own.
  EXPECT_EQ(open_npu(desc, {.config = {&posix, 256, &kTable, detent_complete, nullptr, 0}}), DETENT_OK);
  EXPECT_EQ(open_npu(desc, {.config = {&posix, 255, &kTable, detent_complete, nullptr, 0}}), DETENT_NO_SPACE);
  ASSERT_EQ(posix.claim(posix.self), DETENT_OK);
  EXPECT_EQ(open_npu(desc, {.config = good}), DETENT_BUSY);
  posix.release(posix.self);
  detent_device_needs needs{};
  EXPECT_EQ(detent_software_npu()->measure(nullptr, &good, &needs), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_software_npu()->measure(&desc, &good, nullptr), DETENT_INVALID_ARGUMENT);
}

TEST(SoftwareNpu, SaysWhichOpNeedsTheMost) {
  DescBuilder b = make_chain(3, DETENT_CLASS_WORKERS);
  const detent_desc& desc = b.refresh();
  const Memory memory = allocate(detent_port_posix_bytes());
  detent_port posix{};
  ASSERT_EQ(detent_port_posix(memory.get(), detent_port_posix_bytes(), &posix), DETENT_OK);
  detent_device_needs needs{};
  detent_device_config config{&posix, 64, &kTable, detent_complete, nullptr, 0};
  EXPECT_EQ(detent_software_npu()->measure(&desc, &config, &needs), DETENT_NO_SPACE);
  EXPECT_EQ(needs.largest_op, 0U);
  EXPECT_EQ(needs.op_count, 3U);
  EXPECT_EQ(needs.scratchpad_bytes, 256U);
}

}  // namespace
}  // namespace detent::test
