// Times of an op by class of cores: read, written, kept, and taken along to another class.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/input_error.hpp"
#include "models/builder/split.hpp"
#include "models/core/core_class.hpp"
#include "models/devices/fallbacks.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "models/zoo/zoo.hpp"

namespace detent::models {
namespace {

std::string graph_of(const std::string& times, const std::string& more = "") {
  return R"({"schema": "detent.graph/1", "name": "g", "regions": [{"name": "ws", "size": 8}], "ops": [{"id": 0, "time_ps": )" +
         times + more + "}], \"edges\": []}";
}

Model read_times(const std::string& times, const std::string& more = "") {
  return parse_graph(graph_of(times, more), "g.json");
}

std::string times_refusal(const std::string& times, const std::string& more = "") {
  try {
    static_cast<void>(read_times(times, more));
  } catch (const InputError& refused) {
    return refused.what();
  }
  return "";
}

const std::pair<std::uint64_t, std::uint64_t> kOnCpu{90, 100}, kOnNpu{12, 12};

TEST(ClassTimes, OfAGraph) {
  const Model model = read_times(R"({"cpu": [90, 100], "npu": 12})");
  EXPECT_EQ(model.ops[0].core_class, "cpu");
  EXPECT_EQ(model.ops[0].time_ps, kOnCpu);
  EXPECT_EQ(model.ops[0].times_by_class.size(), 2U);
  const Model other = read_times(R"({"cpu": [90, 100], "npu": 12})", R"(, "core": "npu")");
  EXPECT_EQ(other.ops[0].time_ps, kOnNpu);
  EXPECT_EQ(parse_graph(format_graph(other), "g.json"), other) << format_graph(other);
  EXPECT_EQ(decode_package(encode_package(other), "g.pkg"), other);
}

TEST(ClassTimes, OfAGraphAreReadStrictly) {
  EXPECT_NE(times_refusal(R"({"npu": 12})").find("no time on class \"cpu\", of which the op is"), std::string::npos);
  EXPECT_NE(times_refusal("{}").find("no time on class"), std::string::npos);
  EXPECT_NE(times_refusal(R"({"cpu": 1, "delay": 2})").find("\"delay\" is the class of transfer delays"),
            std::string::npos);
  EXPECT_NE(times_refusal(R"({"cpu": 1, "cpu": 2})"), "");
  EXPECT_NE(times_refusal(R"({"cpu": [2, 1]})"), "");
  EXPECT_NE(times_refusal(R"({"cpu": {"npu": 1}})"), "");
  EXPECT_NE(times_refusal(R"({"cpu": 1, "": 2})"), "");
  std::string many = R"({"cpu": 1)";
  for (int i = 0; i < 20; ++i) many += ", \"c" + std::to_string(i) + "\": 1";
  EXPECT_NE(times_refusal(many + "}").find("classes of cores besides"), std::string::npos);
}

TEST(ClassTimes, TheLongestCountsAmongTheTimesOfAGraph) {
  const std::string most = std::to_string(std::uint64_t{1} << 62U);
  const std::string two = R"({"schema": "detent.graph/1", "regions": [{"name": "ws", "size": 8}], "ops": [
    {"id": 0, "time_ps": {"cpu": 1, "npu": )" +
                          most + R"(}}, {"id": 1, "time_ps": {"cpu": 1, "npu": )" + most + R"(}}], "edges": []})";
  EXPECT_THROW(static_cast<void>(parse_graph(two, "g.json")), InputError);
}

TEST(ClassTimes, AreOfTheClassThatTheOpIsMovedTo) {
  Model model = read_times(R"({"cpu": [90, 100], "npu": 12})");
  Op& op = model.ops[0];
  EXPECT_TRUE(may_be_on(op, "npu"));
  EXPECT_FALSE(may_be_on(op, "dsp"));
  move_to_class(op, "npu");
  EXPECT_EQ(op.core_class, "npu");
  EXPECT_EQ(op.time_ps, kOnNpu);
  EXPECT_THROW(move_to_class(op, "dsp"), std::invalid_argument);
  EXPECT_EQ(op.core_class, "npu");
  Op plain;
  plain.time_ps = kOnCpu;
  move_to_class(plain, "dsp");
  EXPECT_EQ(plain.time_ps, kOnCpu) << "nobody says otherwise";
}

TEST(ClassTimes, PackagesThatSayDifferentTimes) {
  Model model = read_times(R"({"cpu": [90, 100], "npu": 12})");
  model.ops[0].time_ps = kOnNpu;
  EXPECT_THROW(static_cast<void>(encode_package(model)), InputError);
  model.ops[0].time_ps = kOnCpu;
  model.ops[0].times_by_class.erase("cpu");
  EXPECT_THROW(static_cast<void>(encode_package(model)), InputError);
}

/// image -> conv, whose times are 900 on the CPU and 90 on the NPU.
Model network() {
  Model model = build_zoo_model("resnet18:32");
  Op& op = *std::ranges::find(model.ops, "conv2d_f32", &Op::kernel);
  op.times_by_class = {{"cpu", {800, 900}}, {"npu", {80, 90}}};
  op.time_ps = op.times_by_class["cpu"];
  return model;
}

TEST(ClassTimes, BandsShareThem) {
  Model model = network();
  const std::string name = std::ranges::find(model.ops, "conv2d_f32", &Op::kernel)->name;
  ASSERT_GT(split_rows(model, {.bands = 2}), 0U);
  std::uint64_t sum = 0;
  for (const Op& op : model.ops) {
    if (!op.name.starts_with(name + "#")) continue;
    EXPECT_EQ(op.time_ps, op.times_by_class.at("cpu"));
    sum += op.times_by_class.at("npu").second;
  }
  EXPECT_GE(sum, 90U);
  EXPECT_LE(sum, 92U);
}

TEST(ClassTimes, FallbacksHaveThoseOfTheirClass) {
  Model model = network();
  std::vector<FallbackOn> wanted(model.ops.size());
  const auto at = static_cast<std::size_t>(std::ranges::find(model.ops, "conv2d_f32", &Op::kernel) - model.ops.begin());
  move_to_class(model.ops[at], "npu");
  wanted[at] = {.core_class = "cpu", .slower = 1};
  add_fallbacks(model, wanted);
  const std::pair<std::uint64_t, std::uint64_t> on_cpu{800, 900};
  EXPECT_EQ(model.ops[at + 1].time_ps, on_cpu);
  EXPECT_TRUE(model.ops[at + 1].times_by_class.empty());
}

}  // namespace
}  // namespace detent::models
