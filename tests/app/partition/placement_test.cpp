#include "app/partition/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/model/loaded_model.hpp"
#include "app/settings/op_settings.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

std::vector<PlacementDevice> devices_of(const std::string& platform, const std::string& names = "",
                                        const std::vector<std::string>& abilities = {}) {
  return placement_devices(sim::find_platform(platform), names, abilities);
}

std::string refused(const std::string& names, const std::vector<std::string>& abilities) {
  return refusal_of([&] { return devices_of("quad_npu", names, abilities); });
}

TEST(PlacementDevices, AreTheClassesOfThePlatform) {
  const std::vector<PlacementDevice> devices = devices_of("quad_npu");
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[0].name, "cpu");
  EXPECT_EQ(devices[0].performance, 1);
  EXPECT_TRUE(devices[0].executes("softmax_f32"));
  EXPECT_EQ(devices[1].name, "npu");
  // 1.5 GHz * 8 * 0.5 against 1 GHz * 2048 * 0.4
  EXPECT_DOUBLE_EQ(devices[1].performance, 6.0 / 819.2);
  EXPECT_TRUE(devices[1].executes("conv2d_f32") && devices[1].executes("gemm_f32"));
  EXPECT_FALSE(devices[1].executes("softmax_f32"));
  const std::vector<PlacementDevice> three = devices_of("rk3588");
  ASSERT_EQ(three.size(), 3U);
  EXPECT_EQ(three[2].name, "little");
  EXPECT_TRUE(three[2].executes("softmax_f32")) << "a class of CPUs";
  EXPECT_FALSE(devices_of("orin_nano")[1].executes("softmax_f32")) << "a GPU";
}

TEST(PlacementDevices, OptionsSayWhichAndWhatTheyExecute) {
  const std::vector<PlacementDevice> devices = devices_of("rk3588", "little,npu", {"npu=soft*,mix"});
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[0].name, "npu") << "in the order of the platform";
  EXPECT_TRUE(devices[0].executes("softmax_f32") && devices[0].executes("mix"));
  EXPECT_FALSE(devices[0].executes("conv2d_f32"));
  EXPECT_EQ(refused("cpu,gpu", {}), "--devices cpu,gpu: the platform has no class 'gpu'; it has cpu, npu");
  EXPECT_EQ(refused("cpu,cpu", {}), "--devices cpu,cpu: names 'cpu' twice");
  EXPECT_EQ(refused("", {"npu"}), "--can npu: write a class and its kernels, such as npu=conv2d_f32,gemm*");
  EXPECT_EQ(refused("", {"npu=a,"}), "--can npu=a,: a kernel is missing; `detent list kernels` names them");
  EXPECT_EQ(refused("", {"dsp=a"}), "--can dsp=a: the platform has no class 'dsp'; it has cpu, npu");
}

/// resnet18 on cpu, npu, and what NNAPI's rules choose.
class PlacementOfANetwork : public testing::Test {
 protected:
  [[nodiscard]] std::vector<OpChoices> choices(std::vector<bool> placed = {}) const {
    placed.resize(model_.ops.size());
    return op_choices(model_, devices_, placed);
  }
  std::vector<PlacementDevice> devices_ = devices_of("quad_npu");
  models::Model model_ = load("resnet18:64", {}).model;
};

TEST_F(PlacementOfANetwork, TheFasterDeviceThatExecutesTheKernelIsChosen) {
  const Placement placement = nnapi_placement(model_, devices_, choices());
  for (std::size_t op = 0; op < placement.size(); ++op) {
    EXPECT_EQ(placement[op], devices_[1].executes(model_.ops[op].kernel) ? 1U : 0U) << model_.ops[op].name;
  }
  devices_[1].performance = 1;
  EXPECT_EQ(nnapi_placement(model_, devices_, choices()), Placement(model_.ops.size(), 0)) << "a tie is the CPU's";
  devices_[1].performance = 0.5;
  devices_.push_back({.name = "dsp", .kernels = {"*"}, .performance = 0.5});
  const Placement three = nnapi_placement(model_, devices_, choices());
  for (std::size_t op = 0; op < three.size(); ++op) {
    EXPECT_EQ(three[op], devices_[1].executes(model_.ops[op].kernel) ? 1U : 2U) << "a tie is the earlier device's";
  }
}

TEST_F(PlacementOfANetwork, WhatIsGivenStays) {
  std::vector<bool> placed(model_.ops.size());
  placed[1] = true;  // a convolution, on the CPU
  model_.ops[2].time_ps = {1, 2};
  model_.ops[2].core_class = "npu";
  const std::vector<OpChoices> made = choices(placed);
  EXPECT_EQ(made[1].devices, std::vector<std::uint32_t>{0});
  EXPECT_EQ(made[1].reason, "--set gives its class");
  EXPECT_EQ(made[2].devices, std::vector<std::uint32_t>{1});
  EXPECT_EQ(made[2].reason, "its time is given, of class npu");
  EXPECT_EQ(made[0].reason, "");
  model_.ops[3].workers = 1;
  EXPECT_EQ(choices()[3].reason, "its workers are given, of class cpu");
  model_.ops[3].workers = 0;
  const Placement placement = nnapi_placement(model_, devices_, made);
  EXPECT_EQ(placement[1], 0U);
  EXPECT_EQ(placement[2], 1U);
  model_.ops[2].core_class = "gpu";
  EXPECT_EQ(refusal_of([&] { return choices(); }).rfind("op 2 (", 0), 0U);
}

TEST_F(PlacementOfANetwork, AnOpThatNoDeviceExecutesIsRefused) {
  devices_.erase(devices_.begin());
  EXPECT_NE(refusal_of([&] { return choices(); }).find("no device executes kernel"), std::string::npos);
}

TEST_F(PlacementOfANetwork, AnOpThatTheFirstDeviceMayNotExecuteIsElsewhere) {
  devices_[0].kernels = {"[none]"};
  devices_[1].kernels = {"*"};
  devices_[1].performance = 3;
  EXPECT_EQ(nnapi_placement(model_, devices_, choices()), Placement(model_.ops.size(), 1));
}

TEST_F(PlacementOfANetwork, EveryOpIsInOneStepBehindWhatItReads) {
  const Placement placement = nnapi_placement(model_, devices_, choices());
  std::vector<std::size_t> step_of(model_.ops.size(), SIZE_MAX), place(model_.ops.size());
  const std::vector<PlacementStep> steps = steps_of(model_, devices_, placement);
  EXPECT_GT(steps.size(), 2U);
  for (std::size_t at = 0; at < steps.size(); ++at) {
    for (std::size_t in = 0; in < steps[at].ops.size(); ++in) {
      const std::uint32_t op = steps[at].ops[in];
      EXPECT_EQ(step_of[op], SIZE_MAX);
      EXPECT_EQ(placement[op], steps[at].device);
      step_of[op] = at;
      place[op] = in;
    }
  }
  EXPECT_EQ(std::ranges::count(step_of, SIZE_MAX), 0);
  for (const models::Edge& edge : model_.edges) {
    EXPECT_LT(std::pair(step_of[edge.from], place[edge.from]), std::pair(step_of[edge.to], place[edge.to]));
  }
  const std::vector<PlacementStep> one = steps_of(model_, devices_, Placement(model_.ops.size(), 1));
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].device, 1U);
  EXPECT_EQ(one[0].ops.size(), model_.ops.size());
}

/// Three ops in a row: the first is faster on the CPU, the second on the NPU, the third has a time on the NPU alone.
class PlacementByTimes : public testing::Test {
 protected:
  [[nodiscard]] models::Model graph() const {
    return load(place_.write("g.json", R"({"schema": "detent.graph/1", "regions": [{"name": "ws", "size": 64}], "ops": [
      {"id": 0, "time_ps": {"cpu": 50, "npu": 60}, "writes": [{"region": "ws", "offset": 0, "size": 8}]},
      {"id": 1, "time_ps": {"cpu": 60, "npu": [40, 50]}, "reads": [{"region": "ws", "offset": 0, "size": 8}]},
      {"id": 2, "core": "npu", "time_ps": {"npu": 7}},
      {"id": 3, "time_ps": 7}],
      "edges": [[0, 1], [1, 2], [2, 3]]})"),
                {})
        .model;
  }
  TemporaryDirectory place_;
  std::vector<PlacementDevice> devices_ = devices_of("quad_npu");
};

TEST_F(PlacementByTimes, OpsMayBeWhereTheyHaveATime) {
  const models::Model model = graph();
  const std::vector<OpChoices> choices = op_choices(model, devices_, std::vector<bool>(4));
  EXPECT_EQ(choices[0].devices, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(choices[2].devices, std::vector<std::uint32_t>{1});
  EXPECT_EQ(choices[3].devices, std::vector<std::uint32_t>{0});
  EXPECT_EQ(choices[3].reason, "its time is given, of class cpu");
  EXPECT_NE(refusal_of([&] {
              return op_choices(model, devices_of("quad_npu", "cpu"), std::vector<bool>(4));
            }).find("op 2 (op2): has a time on no device"),
            std::string::npos);
}

TEST_F(PlacementByTimes, NnapiTakesTheFasterClassOfEachOp) {
  const models::Model model = graph();
  const std::vector<OpChoices> choices = op_choices(model, devices_, std::vector<bool>(4));
  EXPECT_EQ(nnapi_placement(model, devices_, choices), (Placement{0, 1, 1, 0}));
}

TEST_F(PlacementByTimes, SettingsMoveThem) {
  models::Model model = graph();
  apply_op_settings(place_.write("s.toml", "schema = \"detent.set/1\"\n[ops]\nop0 = { class = \"npu\" }\n"), model);
  const std::pair<std::uint64_t, std::uint64_t> on_npu{60, 60};
  EXPECT_EQ(model.ops[0].time_ps, on_npu);
  const std::string path = place_.write("t.toml", "schema = \"detent.set/1\"\n[ops]\nop0 = { class = \"dsp\" }\n");
  EXPECT_EQ(refusal_of([&] { return apply_op_settings(path, model); }),
            path + ": op 'op0' has no time on class dsp, but on cpu, npu");
}

}  // namespace
}  // namespace detent::app
