// What a model is made of, against the model itself.
#include "app/model/show.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <string>

#include "base/temp_directory.hpp"

namespace detent::app {
namespace {

Answer shown(const std::string& model, const std::string& accelerator = "") {
  ShowRequest request;
  request.request.model = model;
  request.model.accelerator = accelerator;
  return show_model(request);
}

TEST(Show, FiguresAreThoseOfTheModel) {
  const Answer answer = shown("yolov8n");
  const Json& json = answer.json;
  EXPECT_EQ(json["schema"], "detent.show/1");
  EXPECT_EQ(json["ops"], 94);
  EXPECT_EQ(
      json["inputs"][0],
      (Json{
          {"name", "images"}, {"type", "f32"}, {"shape", {1, 3, 640, 640}}, {"layout", "plain"}, {"bytes", 4915200}}));
  EXPECT_EQ(json["outputs"][0]["shape"], (Json{1, 84, 8400}));
  std::uint64_t ops = 0, flops = 0;
  for (const Json& row : json["kernels"]) {
    ops += row["ops"].get<std::uint64_t>();
    flops += row["flops"].get<std::uint64_t>();
  }
  EXPECT_EQ(ops, 94U);
  EXPECT_EQ(json["flops"], flops);
  EXPECT_NEAR(static_cast<double>(flops), 8.75e9, 0.01e9);
  EXPECT_EQ(json["kernels"][0]["kernel"], "conv2d_f32");
  EXPECT_NE(std::ranges::find(answer.lines, "input     images: f32 1x3x640x640, 4.7 MiB"), answer.lines.end());
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
}

TEST(Show, LevelsAreCountedAlongEdges) {
  EXPECT_EQ(shown("chain:7").json["depth"], 7);
  EXPECT_EQ(shown("chain:7").json["widest_level"], 1);
  EXPECT_EQ(shown("wide:5").json["depth"], 3);
  EXPECT_EQ(shown("wide:5").json["widest_level"], 5);
}

TEST(Show, OpsOnTheNpuAreARowOfTheirOwn) {
  const Json cpu_rows = shown("resnet18").json["kernels"], npu_rows = shown("resnet18", "npu").json["kernels"];
  const auto on_npu = [](const Json& row) { return row["core"] == "npu"; };
  EXPECT_TRUE(std::none_of(cpu_rows.begin(), cpu_rows.end(), on_npu));
  EXPECT_TRUE(std::any_of(npu_rows.begin(), npu_rows.end(), on_npu));
}

TEST(Show, BytesWithoutAShapeAndGuardsAreShown) {
  const TempDirectory directory;
  const std::string file = (directory.path() / "g.json").string();
  std::ofstream(file) << R"({"schema": "detent.graph/2", "name": "g", "regions": [{"name": "w", "size": 2048}],
    "ops": [{"id": 0, "writes": [{"region": "w", "offset": 0, "size": 8, "value": "c"}]},
            {"id": 1, "guard": "c=yes", "reads": [{"region": "w", "offset": 0, "size": 8, "value": "c"}]}],
    "edges": [[0, 1]]})";
  const Answer answer = shown(file);
  EXPECT_EQ(answer.json["regions"], (Json{{{"name", "w"}, {"kind", "workspace"}, {"bytes", 2048}}}));
  EXPECT_NE(std::ranges::find(answer.lines, "workspace w: 2.0 KiB"), answer.lines.end());
  EXPECT_EQ(answer.json["kernels"][0]["bytes"], 16);
}

TEST(Show, WhatCannotBeExecutedIsShownWithTheReason) {
  const TempDirectory place;
  const std::string file = (place.path() / "g.json").string();
  std::ofstream(file) << R"({"schema": "detent.graph/1", "name": "g", "regions": [{"name": "x", "size": 64}],
    "ops": [{"id": 0, "kernel": "later.c:f", "writes": [{"region": "x", "offset": 0, "size": 64}]}], "edges": []})";
  const Answer answer = shown(file);
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds) << "it can be looked at all the same";
  const std::string why =
      "there is no file later.c (for the kernel f, ops[0].kernel) in the folder of the graph; write it there";
  EXPECT_EQ(answer.json["not_executable"], why);
  EXPECT_EQ(std::ranges::count(answer.lines, "cannot be executed: " + why), 1);
  EXPECT_FALSE(shown("diamond").json.contains("not_executable"));
}

TEST(Show, UnknownModelsAreRefused) { EXPECT_THROW(shown("no_such_model"), std::exception); }

}  // namespace
}  // namespace detent::app
