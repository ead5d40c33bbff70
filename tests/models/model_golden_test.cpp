// Models whole: layers of the builder, the zoo, memory plans, tables and emitted files, against golden files.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/input_error.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/concat.hpp"
#include "models/builder/elementwise.hpp"
#include "models/builder/layers.hpp"
#include "models/builder/random_model.hpp"
#include "models/builder/reorder.hpp"
#include "models/builder/split.hpp"
#include "models/core/op_graph.hpp"
#include "models/emit_c/emit_c.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "models/lower/lower.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/golden.hpp"
#include "tests/models/model_text.hpp"

namespace detent::models {
namespace {

std::string mark_of(const std::string& text) {
  return std::to_string(text.size()) + " bytes #" + std::to_string(fnv_of(text));
}

/// What a call refuses, "" for one that passes.
std::string said(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// Every layer of the builder, with every option.
Model every_layer() {
  Builder b("layers", 7);
  const auto image = b.input("image", {1, 3, 13, 11});
  const auto stem =
      conv(b, "stem", image, {.out_channels = 40, .kernel = 3, .stride = 2, .activation = DETENT_ACT_SILU});
  const auto wide =
      conv(b, "wide", stem, {.out_channels = 32, .kernel = 3, .dilation = 2, .activation = DETENT_ACT_RELU});
  const auto depth =
      conv(b, "depth", wide, {.out_channels = 32, .kernel = 5, .groups = 32, .activation = DETENT_ACT_RELU6});
  const auto group =
      conv(b, "group", depth, {.out_channels = 64, .groups = 4, .activation = DETENT_ACT_SIGMOID, .gain = 0.25F});
  const auto back = conv(b, "back", group, {.out_channels = 32, .kernel = 3, .pad = 1, .residual = wide});
  const auto most = max_pool(b, "most", back, {.kernel = 3, .stride = 1, .pad = 1});
  const auto mean = avg_pool(b, "mean", back, {.kernel = 2, .stride = 2});
  const auto up = upsample(b, "up", mean, 2);
  b.output(up);
  const auto low = channels(b, "low", most, 0, 16);
  const auto odd = channels(b, "odd", most, 5, 20);
  const auto tail = channels(b, "tail", stem, 32, 8);
  const auto all = concat(b, "all", {most, low, tail});
  const auto mixed = concat(b, "mixed", {odd, back});
  b.output(conv(b, "head", all, {.out_channels = 16}));
  const auto sums = binary(b, "sums", DETENT_BINARY_MUL, back, most, DETENT_ACT_RELU);
  const auto average = global_avg_pool(b, "average", sums);
  const auto scores = softmax(b, "scores", gemm(b, "dense", average, 10, DETENT_ACT_RELU));
  const auto matrix = b.constant("matrix", {10, 3}, std::vector<float>(30, 0.5F));
  const auto three = gemm_constant(b, "three", scores, matrix);
  b.output(three);
  const auto plain = to_plain(b, "plain", mixed, DETENT_ACT_SIGMOID);
  const auto turned = transpose(b, "turned", plain, {0, 2, 3, 1});
  const auto rows = b.reshape("rows", turned, {42, 52});
  const auto buffer = b.buffer("buffer", {84, 52});
  const auto upper = b.view("upper", buffer, {.dims = {42, 52}, .offset_bytes = 0, .block_bytes = 42 * 52 * 4});
  const auto columns = b.view(
      "columns", buffer,
      {.dims = {42, 4}, .offset_bytes = 42 * 52 * 4 + 16, .block_bytes = 16, .stride_bytes = 208, .block_count = 42});
  unary(b, "upper.unary", rows, DETENT_ACT_SILU, upper);
  const auto left = b.view("left", rows, {.dims = {42, 4}, .block_bytes = 16, .stride_bytes = 208, .block_count = 42});
  b.copy("columns.copy", left, columns);
  const auto scaled = binary_constant(b, "scaled", DETENT_BINARY_SUB, buffer, b.constant("factor", {1}, {8.0F}));
  b.output(concat(b, "stacked", {scaled, rows, rows}));
  b.output(image);
  const auto bytes = mix(b, "bytes", {mix(b, "other", {b.input("raw", {100}, DETENT_U8)}, 37)}, 1000);
  b.last_op().core_class = "npu";
  b.last_op().time_ps = {5, 7};
  b.last_op().priority = 3;
  b.last_op().workers = 5;
  b.output(bytes);
  b.output(
      to_c16(b, "again", b.view("window", plain, {.dims = {1, 2, 7, 6}, .offset_bytes = 168, .block_bytes = 336})));
  return b.finish();
}

TEST(ModelGolden, EveryLayerOfTheBuilder) {
  Model model = every_layer();
  std::string text = model_text(model) + "parameters " + std::to_string(parameter_count(model)) + " flops " +
                     std::to_string(total_flops(model)) + "\n";
  plan_memory(model);
  expect_golden(text + "== planned\n" + model_text(model), "models/golden/layers.txt");
}

TEST(ModelGolden, EveryLayerInBands) {
  Model model = every_layer();
  std::string text = std::to_string(split_rows(model, {.bands = 3, .min_flops = 1, .min_bytes = 1})) + " split\n";
  text += model_text(model);
  Model heavy = every_layer();
  text += std::to_string(split_rows(heavy, {.bands = 2, .min_flops = 50'000, .min_bytes = 5'000})) + " heavy\n";
  for (const Op& op : heavy.ops) text += op.name + " " + std::to_string(op.flops) + "\n";
  expect_golden(text, "models/golden/bands.txt");
}

TEST(ModelGolden, RefusalsOfTheBuilder) {
  Builder b("m");
  const auto image = b.input("image", {1, 3, 4, 4});
  const auto x = conv(b, "stem", image, {.out_channels = 20});
  const auto y = conv(b, "other", x, {.out_channels = 32, .stride = 2});
  const auto matrix = b.input("matrix", {4, 6});
  const auto raw = b.input("raw", {4, 6}, DETENT_U8);
  const auto weights = b.constant("weights", {6, 2}, std::vector<float>(12, 1.0F));
  const auto cube = b.constant("cube", {6, 2, 1}, std::vector<float>(12, 1.0F));
  const auto four = b.constant("four", {4}, std::vector<float>(4, 1.0F));
  const auto strided =
      b.view("strided", matrix, {.dims = {4, 2}, .block_bytes = 8, .stride_bytes = 24, .block_count = 4});
  std::string text;
  int number = 0;
  const auto refuse = [&](const std::function<void()>& call) {
    text += std::to_string(number++) + " " + said(call) + "\n";
  };
  refuse([&] { conv(b, "a", matrix, {.out_channels = 4}); });
  refuse([&] { conv(b, "b", x, {.out_channels = 0}); });
  refuse([&] { conv(b, "c", x, {.out_channels = 20, .groups = 0}); });
  refuse([&] { conv(b, "d", x, {.out_channels = 20, .groups = 3}); });
  refuse([&] { conv(b, "e", x, {.out_channels = 21, .groups = 4}); });
  refuse([&] { conv(b, "f", x, {.out_channels = 16, .residual = x}); });
  refuse([&] { conv(b, "g", x, {.out_channels = 4, .kernel = 9, .pad = 0}); });
  refuse([&] { max_pool(b, "h", image, {}); });
  refuse([&] { avg_pool(b, "i", matrix, {}); });
  refuse([&] { global_avg_pool(b, "j", image); });
  refuse([&] { gemm(b, "k", image, 4); });
  refuse([&] { gemm(b, "l", x, 4); });
  refuse([&] { b.constant("m", {3}, {1.0F, 2.0F}); });
  refuse([&] { gemm_constant(b, "n", image, weights); });
  refuse([&] { gemm_constant(b, "o", matrix, matrix); });
  refuse([&] { gemm_constant(b, "p", matrix, cube); });
  refuse([&] { gemm_constant(b, "q", matrix, four); });
  refuse([&] { gemm_constant(b, "r", b.reshape("r.rows", matrix, {6, 4}), weights); });
  refuse([&] { binary(b, "s", DETENT_BINARY_ADD, x, y); });
  refuse([&] { binary_constant(b, "t", DETENT_BINARY_ADD, matrix, four); });
  refuse([&] { binary_constant(b, "u", DETENT_BINARY_ADD, matrix, matrix); });
  refuse([&] { softmax(b, "v", image); });
  refuse([&] { softmax(b, "w", x); });
  refuse([&] { transpose(b, "x", image, {0, 1, 2}); });
  refuse([&] { transpose(b, "y", image, {0, 1, 1, 2}); });
  refuse([&] { transpose(b, "z", image, {0, 1, 2, 4}); });
  refuse([&] { transpose(b, "A", image, {0, 1, 2, -1}); });
  refuse([&] { to_plain(b, "B", image); });
  refuse([&] { to_c16(b, "C", x); });
  refuse([&] { to_c16(b, "D", matrix); });
  refuse([&] { mix(b, "E", {raw}, 0); });
  refuse([&] { mix(b, "F", {raw}, std::uint64_t{1} << 31); });
  refuse([&] { b.view("G", matrix, {.dims = {1}, .block_bytes = 0}); });
  refuse([&] { b.view("H", matrix, {.dims = {1}, .block_bytes = 4, .block_count = 0}); });
  refuse([&] { b.view("I", matrix, {.dims = {1}, .offset_bytes = 93, .block_bytes = 4}); });
  refuse([&] {
    b.view("J", matrix, {.dims = {2}, .offset_bytes = 0, .block_bytes = 4, .stride_bytes = 93, .block_count = 2});
  });
  refuse([&] { b.view("K", strided, {.dims = {1}, .block_bytes = 4}); });
  refuse([&] { b.view("L", matrix, {.dims = {1}, .offset_bytes = 92, .block_bytes = 4}); });
  refuse([&] { b.reshape("M", strided, {8}); });
  refuse([&] { b.reshape("N", matrix, {25}); });
  refuse([&] { b.reshape("O", x, {32, 16}); });
  refuse([&] { channels(b, "P", image, 0, 1); });
  refuse([&] { channels(b, "Q", x, -1, 4); });
  refuse([&] { channels(b, "R", x, 0, 0); });
  refuse([&] { channels(b, "S", x, 16, 5); });
  refuse([&] { concat(b, "T", {}); });
  refuse([&] { concat(b, "U", {x, y}); });
  refuse([&] { concat(b, "V", {x, image}); });
  refuse([&] { concat(b, "W", {matrix, raw}); });
  refuse([&] { concat(b, "X", {matrix, b.input("X.x", {4, 7})}); });
  refuse([&] { concat(b, "Y", {matrix, x}); });
  refuse([&] { unary(b, "Z", matrix, DETENT_ACT_RELU, b.buffer("Z.z", {5, 5})); });
  refuse([&] { b.input("0", {1, 0}); });
  refuse([&] { b.input("1", {1, -4}); });
  refuse([&] { b.input("2", {1 << 20, 1 << 20, 2}, DETENT_U8); });
  refuse([&] { b.input("3", {1 << 20, 1 << 20}, DETENT_U8); });
  refuse([&] { Builder("empty").finish(); });
  refuse([&] {
    Model model = every_layer();
    split_rows(model, {.bands = 0});
  });
  refuse([&] {
    Model model = every_layer();
    split_rows(model, {.bands = 65});
  });
  expect_golden(text, "models/golden/builder_refusals.txt");
}

std::string counts_of(const Model& model) {
  return std::to_string(model.ops.size()) + " ops " + std::to_string(model.tensors.size()) + " tensors " +
         std::to_string(model.edges.size()) + " edges " + std::to_string(parameter_count(model)) + " parameters " +
         std::to_string(total_flops(model)) + " flops";
}

TEST(ModelGolden, TheZooAsItIsBuilt) {
  std::string text;
  for (const char* spec : {"yolov8n",         "yolov8n:64",
                           "resnet18",        "resnet18:64",
                           "mobilenetv2",     "mobilenetv2:96",
                           "branchnet",       "branchnet:1",
                           "branchnet:9",     "calibration:1",
                           "calibration:4",   "calibration:8",
                           "calibration",     "diamond",
                           "diamond:512",     "chain",
                           "chain:1000",      "wide:1",
                           "wide:513",        "wide:1100",
                           "random",          "random:3:300",
                           "erdos",           "erdos:5:200",
                           "series_parallel", "series_parallel:9:150",
                           "bad_reuse_war",   "bad_reuse_waw",
                           "bad_cycle",       "bad_duplicate_edge",
                           "bad_overlap",     "bad_out_of_arena"}) {
    const Model model = build_zoo_model(spec);
    text += std::string(spec) + ": " + counts_of(model) + " " + mark_of(model_text(model)) + "\n";
  }
  for (const ZooEntry& entry : zoo()) {
    text += entry.name + " | " + entry.description + " | " + entry.usage + " | " + list_text(entry.defaults) + " | " +
            (entry.expected.holds ? "holds" : "violated") + " " + entry.expected.property + " " +
            entry.expected.status + " " + entry.expected.kind;
    for (const std::string& op : entry.expected.racing_ops) text += " " + op;
    text += "\n";
  }
  for (const char* spec : {"",
                           "yolo",
                           "yolov8n:",
                           "yolov8n:33",
                           "yolov8n:0",
                           "yolov8n:64:1",
                           "resnet18:0",
                           "resnet18:9",
                           "resnet18:100000",
                           "mobilenetv2:0",
                           "mobilenetv2:31",
                           "branchnet:0",
                           "branchnet:10000",
                           "calibration:0",
                           "calibration:12",
                           "diamond:0",
                           "diamond:513",
                           "chain:0",
                           "chain:2000001",
                           "wide:0",
                           "wide:x",
                           "random:1:0",
                           "random:1:2:3",
                           "erdos:1:2000001",
                           "bad_cycle:1"}) {
    text += std::string(spec) + " -> " + said([&] { (void)build_zoo_model(spec); }) + "\n";
  }
  expect_golden(text, "models/golden/zoo.txt");
}

/// A prepared model, its package, its tables and its op graph.
std::string prepared_text(const std::string& spec, const ZooOptions& options) {
  const Model model = make_zoo_model(spec, options);
  const LoweredModel lowered = lower(model, {.weights = false});
  std::string text = spec + " split " + std::to_string(options.split) +
                     (options.accelerator.empty() ? "" : " " + options.accelerator) + ": " + counts_of(model) +
                     "\n  model " + mark_of(model_text(model)) + "\n  package " + mark_of(encode_package(model)) +
                     "\n  tables " + mark_of(emit_desc_tables(lowered.desc())) + "\n";
  return text + "  graph " + mark_of(format_graph(to_op_graph(model))) + "\n";
}

TEST(ModelGolden, TheZooAsItIsPrepared) {
  std::string text;
  for (const char* spec : {"yolov8n:32", "resnet18:32", "mobilenetv2:32", "branchnet", "calibration:1", "diamond:9",
                           "chain", "wide:40", "random:2", "erdos:2", "series_parallel:2", "bad_reuse_war",
                           "bad_reuse_waw", "bad_cycle", "bad_duplicate_edge", "bad_overlap", "bad_out_of_arena"}) {
    text += prepared_text(spec, {});
    text += prepared_text(spec, {.split = 2, .accelerator = "npu", .weight_seed = 5});
  }
  expect_golden(text, "models/golden/zoo_prepared.txt");
}

std::string plan_text(Model model, const PlanOptions& options) {
  const MemoryPlan plan = plan_memory(model, options);
  std::string places;
  for (const Placement& place : plan.placements) {
    places += std::to_string(place.tensor) + " " + std::to_string(place.region) + ":" +
              std::to_string(place.offset_bytes) + "+" + std::to_string(place.size_bytes) + "\n";
  }
  return std::string(plan_order_name(plan.order)) + " align " + std::to_string(options.align_bytes) + " rounds " +
         std::to_string(options.rounds) + ": arena " + std::to_string(plan.arena_bytes) + " bound " +
         std::to_string(plan.lower_bound_bytes) + " unshared " + std::to_string(plan.unshared_bytes) + " peak " +
         (plan.peak.size() <= 12 ? list_text(plan.peak) : mark_of(list_text(plan.peak))) + " places " +
         mark_of(places) + " model " + mark_of(model_text(model)) + "\n";
}

TEST(ModelGolden, MemoryPlans) {
  std::string text;
  for (const char* spec :
       {"yolov8n:32", "resnet18:32", "branchnet:9", "wide:70", "chain:100", "random:1:70", "random:2:150", "erdos:3:90",
        "erdos:4:200", "series_parallel:5:130", "series_parallel:6:200"}) {
    const Model model = build_zoo_model(spec);
    text += std::string(spec) + "\n";
    for (const PlanOrder order : {PlanOrder::kParallel, PlanOrder::kSerial}) {
      text += plan_text(model, {.order = order, .rounds = 0});
      text += plan_text(model, {.order = order, .align_bytes = 256, .rounds = 40});
    }
  }
  const Model layers = every_layer();
  text += "layers\n" + plan_text(layers, {.rounds = 300}) +
          plan_text(layers, {.order = PlanOrder::kSerial, .align_bytes = 16});
  for (const std::uint64_t capacity : {1U, 20'000U, 40'000U})
    text += std::to_string(capacity) + " " + said([&] {
              Model model = every_layer();
              plan_memory(model, {.capacity_bytes = capacity});
            }) +
            "\n";
  expect_golden(text, "models/golden/memory_plans.txt");
}

TEST(ModelGolden, RandomModelsAndPlantedRaces) {
  std::string text;
  for (const RandomShape shape : {RandomShape::kLayered, RandomShape::kErdos, RandomShape::kSeriesParallel}) {
    for (const std::uint32_t ops : {1U, 2U, 7U, 40U}) {
      for (const std::uint64_t seed : {1U, 2U}) {
        Model model = make_random_model(
            {.seed = seed, .ops = ops, .shape = shape, .max_tensor_bytes = 300 * seed, .npu_share = 0.4});
        text += std::to_string(static_cast<int>(shape)) + " " + std::to_string(ops) + " " + std::to_string(seed) +
                ": " + mark_of(model_text(model));
        plan_memory(model);
        for (const RaceKind kind : {RaceKind::kWar, RaceKind::kWaw}) {
          Model racing = model;
          const auto race = plant_race(racing, kind, seed + 3);
          text += race ? " race " + std::to_string(race->first_op) + "-" + std::to_string(race->second_op) : " none";
          text += " " + std::to_string(fnv_of(model_text(racing)));
        }
        text += "\n";
      }
    }
  }
  for (const RandomOptions& options :
       {RandomOptions{.ops = 0}, RandomOptions{.max_tensor_bytes = 15}, RandomOptions{.max_tensor_bytes = 16},
        RandomOptions{.max_tensor_bytes = std::uint64_t{1} << 31}}) {
    text += said([&] { (void)make_random_model(options); }) + "\n";
  }
  expect_golden(text, "models/golden/random_models.txt");
}

TEST(ModelGolden, EmittedFiles) {
  Model model = every_layer();
  model.edges[0].min_ps = 10, model.edges[0].max_ps = 20;
  model.ops[1].release_ps = {{30, 40}};
  model.ops[2].mutexes = {"b", "a"};
  plan_memory(model);
  const LoweredModel lowered = lower(model, {.weights = false});
  std::string text;
  for (const EmittedFile& file : emit_c(lowered.desc(), {.sources = {{"own.c", "int a;\n"}, {"sub/own.h", "int b;\n"}},
                                                        .compile_flags = {"-O2", "-DX='a b'", "$#\\"},
                                                        .builtin_kernels = true,
                                                        .arena_bytes = 12345,
                                                        .port_bytes = 678,
                                                        .arena_workers = 3,
                                                        .default_workers = 2,
                                                        .log_records = 256,
                                                        .log_bytes = 99})) {
    if (file.path.starts_with("runtime/")) continue;
    const bool is_short = file.path == "README.md" || file.path == "desc.h" || file.path == "desc.c" ||
                          file.path == "Makefile" || file.path == "CMakeLists.txt";
    text += "== " + file.path + "\n" + (is_short ? file.text : mark_of(file.text) + "\n");
  }
  expect_golden(text, "models/golden/emitted.txt");
}

}  // namespace
}  // namespace detent::models
