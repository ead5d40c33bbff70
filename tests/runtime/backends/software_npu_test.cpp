// The software NPU by its table: commands of ops of both kinds of classes, failures, what it refuses.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include <detent/detent.h>
#include <detent/device.h>

#include "tests/runtime/desc_builder.hpp"

namespace detent::test {
namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, Free>;

Memory allocate(std::size_t bytes) {
  constexpr std::size_t kAlign = DETENT_CACHE_LINE;
  return Memory(std::aligned_alloc(kAlign, (bytes + kAlign - 1) / kAlign * kAlign));
}

/// Adds 1 to every byte; of an op whose config says so it writes half of them and fails.
std::int32_t increment(const detent_kernel_args* args) {
  const auto* x = static_cast<const std::uint8_t*>(args->inputs[0].data);
  auto* y = static_cast<std::uint8_t*>(args->outputs[0].data);
  std::uint64_t failing = 0;
  std::memcpy(&failing, args->config, sizeof failing);
  const std::size_t bytes = args->outputs[0].tensor->size_bytes;
  for (std::size_t i = 0; i < (failing != 0 ? bytes / 2 : bytes); ++i) y[i] = static_cast<std::uint8_t>(x[i] + 1);
  return static_cast<std::int32_t>(failing);
}

/// y = x + 1, computed in two steps by way of the scratch tensor; weights are added, too.
std::int32_t increment_by_scratch(const detent_kernel_args* args) {
  const auto* x = static_cast<const std::uint8_t*>(args->inputs[0].data);
  const auto* w = static_cast<const std::uint8_t*>(args->weights[0].data);
  auto* s = static_cast<std::uint8_t*>(args->scratch[0].data);
  auto* y = static_cast<std::uint8_t*>(args->outputs[0].data);
  for (std::size_t i = 0; i < 64; ++i) s[i] = static_cast<std::uint8_t>(x[i] + w[i]);
  for (std::size_t i = 0; i < 64; ++i) y[i] = static_cast<std::uint8_t>(s[i] + 1);
  return 0;
}

/// Fills the blocks of y with 9.
std::int32_t fill_blocks(const detent_kernel_args* args) {
  const detent_tensor& y = *args->outputs[0].tensor;
  for (std::uint32_t block = 0; block < y.block_count; ++block) {
    std::memset(static_cast<std::uint8_t*>(args->outputs[0].data) + block * y.stride_bytes, 9, y.block_bytes);
  }
  return 0;
}

constexpr detent_kernel kKernels[] = {
    {"increment", increment, nullptr}, {"by_scratch", increment_by_scratch, nullptr}, {"fill", fill_blocks, nullptr}};
constexpr detent_kernel_table kTable{kKernels, 3};
alignas(64) constexpr std::uint8_t kWeights[64] = {5, 6, 7};

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

/// A context over an opened device.
class Npu {
 public:
  Npu(const detent_desc& desc, std::uint32_t workers, detent_mode mode = DETENT_MODE_CLOSED_LOOP)
      : own_port_(make_port(own_memory_)), port_(make_port(port_memory_)) {
    const detent_device_module& module = *detent_software_npu();
    const detent_device_config opened{&own_port_, 0, &kTable, detent_complete};
    detent_device_needs needs{};
    EXPECT_EQ(module.measure(&desc, &opened, &needs), DETENT_OK);
    memory_ = allocate(needs.memory_bytes);
    EXPECT_EQ(module.open(memory_.get(), needs.memory_bytes, &desc, &opened, &backends_[0]), DETENT_OK);
    backends_[1] = detent_cpu_backend("*", &kTable);
    config_ = detent_default_config(&port_);
    config_.backends = backends_;
    config_.backend_count = 2;
    config_.worker_count = workers;
    config_.mode = mode;
    const std::size_t bytes = detent_arena_bytes(&desc, &config_);
    arena_ = allocate(bytes);
    status_ = detent_init(arena_.get(), bytes, &desc, &config_, &context_, nullptr);
  }
  ~Npu() {
    EXPECT_TRUE(context_ == nullptr || detent_deinit(context_) == DETENT_OK);
    detent_software_npu()->close(memory_.get());
  }
  Npu(const Npu&) = delete;
  Npu& operator=(const Npu&) = delete;

  [[nodiscard]] detent_status status() const { return status_; }
  [[nodiscard]] detent_context* context() const { return context_; }
  detent_result run(std::uint8_t value) {
    std::memset(detent_region_base(context_, 0), value, 64);
    detent_result result{};
    result.error.status = detent_run(context_, &result);
    return result;
  }
  [[nodiscard]] std::uint8_t byte(std::uint32_t tensor, std::size_t at = 0) const {
    return static_cast<const std::uint8_t*>(detent_tensor_data(context_, tensor))[at];
  }
  [[nodiscard]] detent_device_counters counters() const {
    detent_device_counters counters{};
    detent_software_npu()->count(memory_.get(), &counters);
    return counters;
  }

 private:
  static detent_port make_port(Memory& memory) {
    detent_port port{};
    memory = allocate(detent_port_posix_bytes());
    EXPECT_EQ(detent_port_posix(memory.get(), detent_port_posix_bytes(), &port), DETENT_OK);
    return port;
  }
  Memory own_memory_, port_memory_, memory_, arena_;
  detent_port own_port_, port_;
  detent_backend backends_[2]{};
  detent_config config_{};
  detent_context* context_ = nullptr;
  detent_status status_ = DETENT_OK;
};

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
  const detent_device_config good{&posix, 0, &kTable, detent_complete};
  EXPECT_EQ(open_npu(desc, {.config = good}), DETENT_OK);
  EXPECT_EQ(open_npu(desc, {.config = good}), DETENT_OK) << "after it was closed";
  EXPECT_EQ(open_npu(desc, {.config = good, .missing_bytes = 1}), DETENT_NO_SPACE);
  EXPECT_EQ(open_npu(desc, {.config = good, .misaligned_bytes = 8}), DETENT_ALIGNMENT);
  EXPECT_EQ(open_npu(desc, {.config = {&single, 0, &kTable, detent_complete}}), DETENT_WORKER_FAILED);
  EXPECT_EQ(open_npu(desc, {.config = {nullptr, 0, &kTable, detent_complete}}), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(open_npu(desc, {.config = {&posix, 0, nullptr, detent_complete}}), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(open_npu(desc, {.config = {&posix, 0, &kTable, nullptr}}), DETENT_INVALID_ARGUMENT);
  // Two tensors of 64 bytes, each on a cache line of its own.
  EXPECT_EQ(open_npu(desc, {.config = {&posix, 256, &kTable, detent_complete}}), DETENT_OK);
  EXPECT_EQ(open_npu(desc, {.config = {&posix, 255, &kTable, detent_complete}}), DETENT_NO_SPACE);
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
  detent_device_config config{&posix, 64, &kTable, detent_complete};
  EXPECT_EQ(detent_software_npu()->measure(&desc, &config, &needs), DETENT_NO_SPACE);
  EXPECT_EQ(needs.largest_op, 0U);
  EXPECT_EQ(needs.op_count, 3U);
  EXPECT_EQ(needs.scratchpad_bytes, 256U);
}

}  // namespace
}  // namespace detent::test
