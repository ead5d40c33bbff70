// A device in every mode of the engine: the bytes of its outputs are those of the run without it.
#include "harness/device/device.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/digest.hpp"
#include "harness/run_native.hpp"
#include "models/devices/assign_core_class.hpp"
#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/support/desc_tables.hpp"

namespace detent::harness {
namespace {

models::LoweredModel on_npu(const char* spec) {
  return models::lower(models::make_zoo_model(spec, {.accelerator = "npu"}));
}

NativeOptions options_of(detent_mode mode, std::uint32_t workers) {
  NativeOptions options;
  options.engine.mode = mode;
  options.engine.workers = workers;
  return options;
}

std::uint64_t digest_on(Device& device, const detent_desc& desc, NativeOptions options) {
  options.extend = [&device](InstanceOptions& words) { device.serve(words); };
  const Run run = run_native(desc, options);
  EXPECT_EQ(run.result.error.status, DETENT_OK) << describe_error(desc, run.result.error);
  return run.digest;
}

std::uint64_t blocks_of(const detent_desc& desc, detent_slice slice, std::uint32_t without) {
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i + without < slice.count; ++i) {
    const detent_tensor& tensor = desc.tensors[desc.tensor_refs[slice.first + i]];
    bytes += tensor.block_bytes * tensor.block_count;
  }
  return bytes;
}

bool is_of(const detent_desc& desc, std::uint32_t op, const char* core_class) {
  return std::strcmp(desc.classes[desc.ops[op].core_class].name, core_class) == 0;
}

TEST(Device, OutputsAreThoseWithoutItInEveryMode) {
  for (const char* spec : {"branchnet", "cascade", "refine", "fallback", "yolov8n:64"}) {
    const models::LoweredModel lowered = on_npu(spec);
    const detent_desc& desc = lowered.desc();
    const std::uint64_t expected = run_native(desc, options_of(DETENT_MODE_SERIAL, 0)).digest;
    Device device({.module = "software"}, desc);
    EXPECT_EQ(digest_on(device, desc, options_of(DETENT_MODE_SERIAL, 0)), expected) << spec;
    for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
      for (const std::uint32_t workers : {1U, 2U}) {
        EXPECT_EQ(digest_on(device, desc, options_of(mode, workers)), expected)
            << spec << " " << mode_name(mode) << " " << workers;
      }
    }
  }
}

TEST(Device, CountsTheBlocksThatItCopies) {
  const models::LoweredModel lowered = on_npu("branchnet");
  const detent_desc& desc = lowered.desc();
  Device device({.module = "software"}, desc);
  digest_on(device, desc, options_of(DETENT_MODE_CLOSED_LOOP, 2));
  digest_on(device, desc, options_of(DETENT_MODE_CLOSED_LOOP, 2));
  detent_device_counters expected{};
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    if (!is_of(desc, op, "npu")) continue;
    expected.ops += 2;
    expected.read_bytes += 2 * (blocks_of(desc, desc.ops[op].inputs, 0) + blocks_of(desc, desc.ops[op].weights, 0));
    expected.written_bytes += 2 * blocks_of(desc, desc.ops[op].outputs, 0);
  }
  const detent_device_counters done = device.counters();
  ASSERT_GT(expected.ops, 0U);
  EXPECT_EQ(device.needs().op_count * 2, expected.ops);
  EXPECT_EQ(done.ops, expected.ops);
  EXPECT_EQ(done.read_bytes, expected.read_bytes);
  EXPECT_EQ(done.written_bytes, expected.written_bytes);
  EXPECT_GE(done.most_commands, 1U);
  EXPECT_LE(done.most_commands, device.module().table().slots);
}

TEST(Device, OpsWhoseGuardDoesNotHoldAreNoCommands) {
  const models::LoweredModel lowered = on_npu("cascade");
  const detent_desc& desc = lowered.desc();
  Device device({.module = "software"}, desc);
  digest_on(device, desc, options_of(DETENT_MODE_CLOSED_LOOP, 1));
  std::uint32_t unguarded = 0;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    if (is_of(desc, op, "npu") && (desc.ops[op].flags & DETENT_OP_GUARDED) == 0) ++unguarded;
  }
  EXPECT_GE(device.counters().ops, unguarded);
  EXPECT_LE(device.counters().ops, device.needs().op_count);
}

TEST(Device, ScratchpadOfTheLargestOpIsEnoughAndOneByteLessIsNot) {
  const models::LoweredModel lowered = on_npu("branchnet");
  const detent_desc& desc = lowered.desc();
  const detent_device_needs needs = Device({.module = "software"}, desc).needs();
  const std::uint64_t needed = needs.scratchpad_bytes;
  Device device({.module = "software", .scratchpad_bytes = needed}, desc);
  EXPECT_EQ(digest_on(device, desc, options_of(DETENT_MODE_CLOSED_LOOP, 1)),
            run_native(desc, options_of(DETENT_MODE_SERIAL, 0)).digest);
  std::string text;
  try {
    Device({.module = "software", .scratchpad_bytes = needed - 1}, desc);
  } catch (const std::invalid_argument& refusal) {
    text = refusal.what();
  }
  const std::string op = "software: op " + std::to_string(needs.largest_op) + " (" + desc.ops[needs.largest_op].name;
  EXPECT_EQ(text.find(op + ") needs " + std::to_string(needed) + " bytes of its memory, which has " +
                      std::to_string(needed - 1) + "; "),
            0U)
      << text;
  EXPECT_NE(text.find("give it more, split the op into bands, or keep it on the CPU"), std::string::npos) << text;
}

TEST(Device, InlineBackEndGivesTheSameBytesAndCountsThem) {
  const models::LoweredModel lowered = on_npu("branchnet");
  const detent_desc& desc = lowered.desc();
  Device device({.module = "software"}, desc);
  NativeOptions options = options_of(DETENT_MODE_CLOSED_LOOP, 3);
  options.backends = {device.inline_backend()};
  EXPECT_EQ(run_native(desc, options).digest, run_native(desc, options_of(DETENT_MODE_SERIAL, 0)).digest);
  EXPECT_EQ(device.counters().ops, device.needs().op_count);
  EXPECT_EQ(device.counters().most_commands, 0U);
}

/// Two ops write every other block of one region, side by side; a third reads all of it.
TEST(Device, BytesBetweenTheBlocksAreNotTouched) {
  support::DescTables tables;
  tables.kernels = {"mix"};
  tables.classes = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", DETENT_CLASS_WORKERS}};
  const std::uint32_t input = tables.add_region({.name = "input", .kind = DETENT_REGION_INPUT, .size_bytes = 64});
  const std::uint32_t work = tables.add_region({.name = "workspace", .size_bytes = 4096});
  const std::uint32_t output = tables.add_region({.name = "output", .kind = DETENT_REGION_OUTPUT, .size_bytes = 64});
  tables.add_tensor({.name = "in", .region = input});
  for (const std::uint64_t offset : {0U, 64U}) {
    tables.add_tensor({.name = offset == 0 ? "even" : "odd",
                       .region = work,
                       .offset_bytes = offset,
                       .stride_bytes = 128,
                       .block_count = 32});
  }
  tables.add_tensor({.name = "out", .region = output});
  for (const std::uint32_t outputs : {1U, 2U}) {
    tables.add_op({.name = outputs == 1 ? "even" : "odd",
                   .inputs = {0},
                   .outputs = {outputs},
                   .core_class = 1,
                   .config = {outputs}});
  }
  tables.add_op({.name = "join", .inputs = {1, 2}, .outputs = {3}, .core_class = 1, .config = {7}});
  tables.add_edge(0, 2);
  tables.add_edge(1, 2);
  tables.inputs = {0};
  tables.outputs = {3};
  const detent_desc& desc = tables.refresh();
  ASSERT_EQ(check_desc(desc).status, DETENT_OK);
  const std::uint64_t expected = run_native(desc, options_of(DETENT_MODE_SERIAL, 0)).digest;
  Device device({.module = "software"}, desc);
  for (int run = 0; run < 50; ++run) {
    EXPECT_EQ(digest_on(device, desc, options_of(DETENT_MODE_CLOSED_LOOP, 2)), expected);
  }
  // All of it in one tensor's place: the two keep their distance, and so does what join reads.
  EXPECT_GE(device.needs().scratchpad_bytes, 4096U);
  EXPECT_LT(device.needs().scratchpad_bytes, 2 * 4096U);
}

TEST(Device, ClassesThatNobodyWouldServeKeepTheWorkersAsTheyAre) {
  const models::LoweredModel lowered = on_npu("branchnet");
  Device device({.module = "software"}, lowered.desc());
  InstanceOptions words;
  words.worker_count = 2;
  device.serve(words);
  EXPECT_EQ(words.worker_classes, (std::vector<std::uint32_t>{0, 0, 1, 1}));
  EXPECT_EQ(words.worker_count, 4U);
  ASSERT_EQ(words.backends.size(), 1U);
  EXPECT_NE(words.backends.front().dispatch, nullptr);
  for (const detent_mode mode : {DETENT_MODE_STATIC, DETENT_MODE_SERIAL}) {
    InstanceOptions fixed;
    fixed.mode = mode;
    fixed.worker_count = 2;
    device.serve(fixed);
    EXPECT_TRUE(fixed.worker_classes.empty()) << mode_name(mode);
    EXPECT_EQ(fixed.worker_count, 2U) << mode_name(mode);
  }
  InstanceOptions full;
  full.worker_count = DETENT_MAX_WORKERS - 1;
  device.serve(full);
  EXPECT_EQ(full.worker_count, DETENT_MAX_WORKERS - 1);
}

TEST(Device, FaultsMeetItsOpsOnTheThreadsThatCall) {
  const models::LoweredModel lowered = on_npu("fallback");
  const detent_desc& desc = lowered.desc();
  const std::uint64_t expected = run_native(desc, options_of(DETENT_MODE_SERIAL, 0)).digest;
  Device device({.module = "software"}, desc);
  NativeOptions options = options_of(DETENT_MODE_CLOSED_LOOP, 1);
  options.backends = {device.inline_backend()};
  options.extend = [&device](InstanceOptions& words) { device.serve(words); };
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    if ((desc.ops[op].flags & DETENT_OP_FALLIBLE) != 0) options.faults.failing_ops.push_back({.op = op, .code = 5});
  }
  const auto run = run_native(desc, options);
  EXPECT_EQ(run.result.error.status, DETENT_OK);
  EXPECT_EQ(run.digest, expected);
  EXPECT_EQ(run.faults->slots, 1U);
  EXPECT_EQ(device.counters().most_commands, 0U);
}

TEST(Device, DescThatBreaksARuleOpensNothing) {
  const models::LoweredModel lowered = models::lower(models::make_zoo_model("bad_cycle"));
  Device device({.module = "software"}, lowered.desc());
  EXPECT_EQ(device.needs().op_count, 0U);
  EXPECT_EQ(device.counters().ops, 0U);
  NativeOptions options;
  options.backends = {device.inline_backend()};
  EXPECT_EQ(run_native(lowered.desc(), options).result.error.status, DETENT_CYCLE);
}

TEST(DeviceSpec, TextAndBack) {
  EXPECT_EQ(read_device("software"), (DeviceSpec{.module = "software"}));
  EXPECT_EQ(read_device("software:2MiB"), (DeviceSpec{.module = "software", .scratchpad_bytes = 2 * 1024 * 1024}));
  EXPECT_EQ(read_device("./a:b.so"), (DeviceSpec{.module = "./a:b.so"}));
  EXPECT_EQ(read_device("./a:b.so:4096"), (DeviceSpec{.module = "./a:b.so", .scratchpad_bytes = 4096}));
  for (const DeviceSpec& spec :
       {DeviceSpec{.module = "software"}, DeviceSpec{.module = "x/y.so", .scratchpad_bytes = 12}}) {
    EXPECT_EQ(read_device(device_text(spec)), spec);
  }
  EXPECT_EQ(device_text({}), "");
  EXPECT_THROW(read_device(""), std::invalid_argument);
  EXPECT_THROW(read_device(":64"), std::invalid_argument);
  EXPECT_THROW(read_device("software:0"), std::invalid_argument);
}

}  // namespace
}  // namespace detent::harness
