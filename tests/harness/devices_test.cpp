// Devices: which class of cores a name means, and which of their calls meet which fault.
#include "harness/faults/devices.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "tests/verify/random_graph.hpp"

namespace detent::harness {
namespace {

using verify::testing::DescTables;
using verify::testing::GraphSpec;

/// Ops 0, 2 and 4 are of class "cpu", 1 and 3 of "npu".
DescTables cpu_and_npu() {
  GraphSpec spec = verify::testing::make_ops(5);
  spec.classes = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", DETENT_CLASS_WORKERS}};
  spec.ops[1].core_class = spec.ops[3].core_class = 1;
  return DescTables(spec);
}

std::string text_of(const DeviceCalls::Call& call) {
  const std::string delay = call.delay_ps == LateOp::kNever ? "never" : std::to_string(call.delay_ps);
  return std::to_string(call.number) + ": " + std::to_string(call.code) + " " + delay;
}

std::string refusal_of_device(const detent_desc& desc, const std::string& device) {
  try {
    require_device(desc, device);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

TEST(Calls, AreEveryOneOneOrOneAndAllLaterOnes) {
  const auto text = [](const Calls& calls) {
    std::string included;
    for (std::uint64_t call = 1; call <= 4; ++call) included += calls.include(call) ? std::to_string(call) : "";
    return included;
  };
  EXPECT_EQ(text({}), "1234");
  EXPECT_EQ(text({.first = 1}), "1");
  EXPECT_EQ(text({.first = 3}), "3");
  EXPECT_EQ(text({.first = 3, .onward = true}), "34");
  EXPECT_EQ(text({.first = 1, .onward = true}), "1234");
  EXPECT_TRUE((Calls{.first = 3, .onward = true}).include(std::uint64_t{1} << 40U));
  EXPECT_FALSE((Calls{.first = 3}).include((std::uint64_t{1} << 32U) + 3));
}

TEST(Devices, AreTheClassesOfTheDesc) {
  const DescTables tables = cpu_and_npu();
  EXPECT_EQ(require_device(tables.desc, "cpu"), 0U);
  EXPECT_EQ(require_device(tables.desc, "npu"), 1U);
  EXPECT_EQ(refusal_of_device(tables.desc, "gpu"), "device gpu: the model has the classes cpu, npu");
  EXPECT_EQ(refusal_of_device(tables.desc, "NPU"), "device NPU: the model has the classes cpu, npu");
  EXPECT_EQ(devices_of_ops(tables.desc), (std::vector<std::uint32_t>{0, 1, 0, 1, 0}));
}

TEST(Devices, NameThatNoWordCanHoldIsRefusedThoughTheDescHasIt) {
  DescTables tables = cpu_and_npu();
  for (const char* const name : {"", "npu 1", "npu,1", "npu=1", "npu+", "npu;cpu", "nph\xc3\xbc"}) {
    tables.classes[1].name = name;
    EXPECT_EQ(refusal_of_device(tables.desc, name),
              "device \"" + std::string(name) +
                  "\": faults name classes of letters, digits, '_' and '-' only; rename the class");
  }
  tables.classes[1].name = "dsp_0-B";
  EXPECT_EQ(require_device(tables.desc, "dsp_0-B"), 1U);
}

TEST(Devices, ClassesOfOneNameAreOneDevice) {
  DescTables tables = cpu_and_npu();
  tables.classes[1].name = "cpu";
  EXPECT_EQ(devices_of_ops(tables.desc), (std::vector<std::uint32_t>{0, 0, 0, 0, 0}));
  DeviceCalls calls({.failing_devices = {{.device = "cpu", .calls = {.first = 2}}}}, tables.desc);
  EXPECT_EQ(text_of(calls.begin(0)), "1: 0 0");
  EXPECT_EQ(text_of(calls.begin(1)), "2: 1 0");
}

TEST(Devices, DescThatWillNotBindIsLookedAtWithinItsTables) {
  DescTables tables = cpu_and_npu();
  tables.ops[1].core_class = 7;
  tables.classes[1].name = nullptr;
  EXPECT_EQ(devices_of_ops(tables.desc), (std::vector<std::uint32_t>{0, 0, 0, 1, 0}));
  EXPECT_EQ(refusal_of_device(tables.desc, "npu"), "device npu: the model has the classes cpu, ");
}

TEST(DeviceCalls, AreCountedDeviceByDeviceWhicheverOpIsOnIt) {
  const DescTables tables = cpu_and_npu();
  DeviceCalls calls({.failing_devices = {{.device = "npu", .calls = {.first = 2}, .code = 7}}}, tables.desc);
  EXPECT_EQ(text_of(calls.begin(0)), "1: 0 0");
  EXPECT_EQ(text_of(calls.begin(2)), "2: 0 0");
  EXPECT_EQ(text_of(calls.begin(3)), "1: 0 0");
  EXPECT_EQ(text_of(calls.begin(1)), "2: 7 0");
  EXPECT_EQ(text_of(calls.begin(1)), "3: 0 0");
  EXPECT_EQ(text_of(calls.begin(4)), "3: 0 0");
}

TEST(DeviceCalls, OfSeveralFaultsOfOneCallTheOneWithTheLargestNumberCounts) {
  const DescTables tables = cpu_and_npu();
  DeviceCalls calls({.failing_devices = {{.device = "cpu", .code = 3},
                                         {.device = "cpu", .calls = {.first = 2, .onward = true}, .code = 4},
                                         {.device = "cpu", .calls = {.first = 3}, .code = 5}},
                     .late_devices = {{.device = "cpu", .calls = {.first = 2, .onward = true}, .delay_ps = 9},
                                      {.device = "cpu", .calls = {.first = 4}}}},
                    tables.desc);
  EXPECT_EQ(text_of(calls.begin(0)), "1: 3 0");
  EXPECT_EQ(text_of(calls.begin(0)), "2: 4 9");
  EXPECT_EQ(text_of(calls.begin(0)), "3: 5 9");
  EXPECT_EQ(text_of(calls.begin(0)), "4: 4 never");
  EXPECT_EQ(text_of(calls.begin(1)), "1: 0 0");
}

}  // namespace
}  // namespace detent::harness
