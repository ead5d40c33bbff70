#include "app/settings/kernels.hpp"

#include <gtest/gtest.h>

#include "app/replay/replay_line.hpp"
#include "app/replay/replay_worlds.hpp"
#include "app/runs/native_run.hpp"
#include "app/runs/simulated_run.hpp"
#include "app/settings/op_settings.hpp"
#include "models/files/package.hpp"
#include "models/plan/plan_check.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

std::string kernels_text(const std::string& rows) { return "schema = \"detent.set/1\"\n[kernels]\n" + rows; }

TEST(Kernels, RowsAreReadStrictly) {
  const std::vector<KernelRule> rules =
      parse_op_settings(kernels_text("\"conv*\" = \"conv2d_winograd_f32\"\nhead = \"conv2d_f32\"\n"), "s").kernels;
  EXPECT_EQ(rules, (std::vector<KernelRule>{{"conv*", "conv2d_winograd_f32"}, {"head", "conv2d_f32"}}));
  const auto refusal = [](const std::string& rows) {
    return refusal_of([&] { return parse_op_settings(kernels_text(rows), "s.toml"); });
  };
  EXPECT_EQ(refusal("a = \"gemm_f32\""),
            "s.toml:3: 'kernels.a' must be conv2d_winograd_f32, or conv2d_f32 for what a pattern shall leave as it is");
  EXPECT_EQ(refusal(""), "s.toml:2: 'kernels' is empty; give a row such as \"*\" = \"conv2d_winograd_f32\"");
  for (const char* rows :
       {"a = 1", "a = [\"conv2d_f32\"]", "\"\" = \"conv2d_f32\"", "a = { kernel = \"conv2d_f32\" }"}) {
    EXPECT_NE(refusal(rows), "") << rows;
  }
}

class KernelsOfAModel : public ::testing::Test {
 protected:
  [[nodiscard]] std::string choose(const std::string& rows) {
    return refusal_of(
        [&] { return summary_ = choose_kernels(place_.write("s.toml", kernels_text(rows)), false, model_).summary; });
  }
  [[nodiscard]] models::Op& op(const std::string& name) {
    return *std::ranges::find(model_.ops, name, &models::Op::name);
  }
  TemporaryDirectory place_;
  models::Model model_ = load("yolov8n:64", {.weights = false}).model;
  std::string file_ = place_.file("s.toml");
  std::string summary_;
};

TEST_F(KernelsOfAModel, APatternTakesWhatTheKernelIsForOnTheCpu) {
  op("model.2.m.0.cv2").core_class = "npu";
  ASSERT_EQ(choose("\"*\" = \"conv2d_winograd_f32\"\n\"detect.p4.cls.1\" = \"conv2d_winograd_f32\"\n"), "");
  EXPECT_EQ(op("model.2.m.0.cv1").kernel, "conv2d_winograd_f32");
  EXPECT_EQ(op("model.2.m.0.cv2").kernel, "conv2d_f32") << "it is an NPU's";
  EXPECT_EQ(op("detect.p4.cls.1").kernel, "conv2d_winograd_f32") << "of one tile, but by its own name";
  EXPECT_EQ(op("detect.p4.cls.0").kernel, "conv2d_f32") << "of one tile";
  EXPECT_EQ(op("model.1").kernel, "conv2d_f32") << "it has a stride";
  EXPECT_EQ(summary_, "conv2d_winograd_f32 of 2 ops from " + file_);
  EXPECT_TRUE(models::find_plan_faults(model_).empty()) << "planned anew";
}

TEST_F(KernelsOfAModel, AnOpsOwnRowComesBeforePatterns) {
  ASSERT_EQ(choose("\"*\" = \"conv2d_winograd_f32\"\n\"model.2.m.0.cv1\" = \"conv2d_f32\"\n"), "");
  EXPECT_EQ(op("model.2.m.0.cv1").kernel, "conv2d_f32");
  EXPECT_EQ(op("model.2.m.0.cv2").kernel, "conv2d_winograd_f32");
}

TEST_F(KernelsOfAModel, RowsThatDoNothingAreRefused) {
  EXPECT_EQ(choose("\"model.0\" = \"conv2d_winograd_f32\""),
            file_ +
                ": op 'model.0' reads an image that is not C16; conv2d_winograd_f32 is for 3x3 convolutions of C16 "
                "images without stride, dilation or groups");
  EXPECT_EQ(choose("\"detect.*\" = \"conv2d_winograd_f32\""),
            file_ +
                ": 'detect.*' matches no op that conv2d_winograd_f32 is for: 3x3 convolutions of C16 images without "
                "stride, dilation or groups, of class cpu and 14 tiles of 4x4 pixels or more");
  EXPECT_EQ(choose("nothing = \"conv2d_winograd_f32\""),
            file_ + ": 'nothing' is no op of yolov8n:64; detent graph MODEL -o FILE lists its ops");
  EXPECT_EQ(choose("\"*\" = \"conv2d_winograd_f32\"\n\"model.2.m.0.cv?\" = \"conv2d_f32\""),
            file_ +
                ": op 'model.2.m.0.cv1' has kernel conv2d_winograd_f32 by '*' and conv2d_f32 by 'model.2.m.0.cv?'; "
                "give it a row of its own name");
  EXPECT_EQ(choose("\"model.9.m.0\" = \"conv2d_f32\"").rfind(file_ + ": op 'model.9.m.0' is no conv2d_f32", 0), 0U);
}

std::string digest_of(const std::string& set, std::uint32_t split, std::uint32_t workers) {
  RunRequest request;
  request.request.model = "yolov8n:64";
  request.model.set = set;
  request.model.split = split;
  request.schedule.engine.workers = workers;
  return run_once(request).json.at("digest").get<std::string>();
}

TEST(KernelsRun, OneDigestWhateverTheSplitTheWorkersAndTheClock) {
  const TemporaryDirectory place;
  const std::string set = place.write("s.toml", kernels_text("\"model.*\" = \"conv2d_winograd_f32\"\n"));
  const std::string digest = digest_of(set, 1, 1);
  EXPECT_NE(digest, digest_of("", 1, 1)) << "other roundings";
  EXPECT_EQ(digest_of(set, 1, 2), digest);
  EXPECT_EQ(digest_of(set, 3, 2), digest) << "bands are of whole tiles";
  SimulateRequest request;
  request.request.model = "yolov8n:64";
  request.simulation.cores = "cpu=2";
  request.simulation.runs = 1;
  request.model.set = set;
  const LoadedModel loaded = load(request.request.model, request.model);
  const Answer answer = simulate(request, loaded, simulated_platform(request.simulation), nullptr, {});
  EXPECT_EQ(answer.json.at("digest").get<std::string>(), digest);
}

std::size_t winograd_ops(const models::Model& model) {
  return static_cast<std::size_t>(std::ranges::count(model.ops, "conv2d_winograd_f32", &models::Op::kernel));
}

TEST(WinogradOption, ConvolutionsOnCpusAreComputedSoWhereItPays) {
  const LoadedModel loaded = load("yolov8n:64", {.winograd = true, .weights = false});
  EXPECT_EQ(winograd_ops(loaded.model), 2U);
  EXPECT_TRUE(loaded.winograd);
  EXPECT_EQ(loaded.settings, "conv2d_winograd_f32 of 2 ops");
  const LoadedModel direct = load("yolov8n:64", {.weights = false});
  EXPECT_EQ(winograd_ops(direct.model), 0U);
  EXPECT_FALSE(direct.winograd);
  EXPECT_EQ(direct.settings, "");
  EXPECT_EQ(load("diamond", {.winograd = true, .weights = false}).settings, "conv2d_winograd_f32 of 0 ops");
}

TEST(WinogradOption, WhatIsDecidedElsewhereStays) {
  const TemporaryDirectory place;
  const auto of = [](const std::string& model, const std::string& file) {
    return winograd_ops(load(model, {.winograd = true, .weights = false, .set = file}).model);
  };
  const auto set = [&](const char* name, const std::string& rows) {
    return place.write(name, "schema = \"detent.set/1\"\n" + rows);
  };
  EXPECT_EQ(of("yolov8n:64", set("moved.toml", "[ops]\n\"model.2.m.0.cv1\" = { class = \"npu\" }\n")), 0U);
  EXPECT_EQ(of("yolov8n:64", set("one.toml", "[kernels]\n\"model.2.m.0.cv1\" = \"conv2d_f32\"\n")), 1U);
  EXPECT_EQ(of("yolov8n:64", set("none.toml", "[kernels]\n\"*\" = \"conv2d_f32\"\n")), 0U);
  EXPECT_EQ(of("yolov8n:64", set("first.toml", "[ops]\n\"model.2.m.0.cv1\" = { priority = 3 }\n")), 2U);
  EXPECT_EQ(of("fallback", ""), 0U) << "what stands in computes the same bits";
  EXPECT_EQ(winograd_ops(load("yolov8n:64", {.winograd = true, .accelerator = "npu", .weights = false}).model), 0U);
}

TEST(WinogradOption, APackageIsPlannedAnew) {
  const TemporaryDirectory place;
  const std::string package = place.file("direct.pkg");
  models::write_package(load("yolov8n:64", {.weights = false}).model, package);
  const LoadedModel loaded = load(package, {.winograd = true, .weights = false});
  EXPECT_EQ(winograd_ops(loaded.model), 2U);
  EXPECT_TRUE(models::find_plan_faults(loaded.model).empty());
}

TEST(WinogradOption, AReplayLineSaysSo) {
  RunRequest request;
  request.request.model = "yolov8n:64";
  request.schedule.engine.workers = 1;
  const Answer direct = run_once(request);
  request.model.winograd = true;
  const Answer chosen = run_once(request);
  EXPECT_NE(chosen.json["digest"], direct.json["digest"]);
  for (const Answer* answer : {&chosen, &direct}) {
    const ReplayLine line = parse_replay_line(answer->json["replay"].get<std::string>());
    EXPECT_EQ(line.winograd, answer == &chosen);
    EXPECT_EQ(winograd_ops(load_for(line, {}).model), line.winograd ? 2U : 0U);
  }
  request.request.model = "diamond";
  EXPECT_FALSE(parse_replay_line(run_once(request).json["replay"].get<std::string>()).winograd)
      << "there was no choice";
}

}  // namespace
}  // namespace detent::app
