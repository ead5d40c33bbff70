// The registry, and specs such as "yolov8n:320" -> models.
#include "models/zoo/zoo.hpp"

#include <charconv>

#include "base/input_error.hpp"
#include "models/builder/split.hpp"
#include "models/core/decisions.hpp"
#include "models/devices/assign_core_class.hpp"
#include "models/zoo/entries.hpp"

namespace detent::models {
namespace {

ExpectedVerdict violated(std::string property, std::string status) {
  return {.holds = false, .property = std::move(property), .status = std::move(status), .racing_ops = {}, .kind = ""};
}

ExpectedVerdict race(std::string kind, std::string first, std::string second) {
  return {.holds = false,
          .property = "buffer_races",
          .status = "OK",
          .racing_ops = {std::move(first), std::move(second)},
          .kind = std::move(kind)};
}

const ExpectedVerdict kGood{.holds = true, .property = "", .status = "OK", .racing_ops = {}, .kind = ""};

std::vector<ZooEntry> make_entries() {
  namespace z = zoo_entries;
  return {
      {"yolov8n", "object detector, 80 classes; 94 ops, 8.7 GFLOP at 640", "yolov8n[:SIZE]", {640}, kGood, z::yolov8n},
      {"yolov8n_npu",
       "yolov8n on two devices: convolutions and matrix products on npu, the rest on cpu",
       "yolov8n_npu[:SIZE]",
       {640},
       kGood,
       z::yolov8n_npu},
      {"resnet18", "image classifier, 1000 classes", "resnet18[:SIZE]", {224}, kGood, z::resnet18},
      {"mobilenetv2",
       "image classifier with depthwise convolutions",
       "mobilenetv2[:SIZE]",
       {224},
       kGood,
       z::mobilenetv2},
      {"yolov8n_int8",
       "yolov8n quantised to int8: integers from the image to the logits of boxes and classes",
       "yolov8n_int8[:SIZE]",
       {640},
       kGood,
       z::yolov8n_int8},
      {"resnet18_int8",
       "resnet18 quantised to int8: integers from the image to the logits",
       "resnet18_int8[:SIZE]",
       {224},
       kGood,
       z::resnet18_int8},
      {"mobilenetv2_int8",
       "mobilenetv2 quantised to int8: integers from the image to the logits",
       "mobilenetv2_int8[:SIZE]",
       {224},
       kGood,
       z::mobilenetv2_int8},
      {"branchnet",
       "small branchy network on two core classes, cpu and npu",
       "branchnet[:BRANCHES]",
       {6},
       kGood,
       z::branchnet},
      {"branchnet_int8",
       "branchnet quantised to int8: integers from the image to the logits",
       "branchnet_int8[:BRANCHES]",
       {6},
       kGood,
       z::branchnet_int8},
      {"calibration",
       "every kind of layer at many shapes, for calibrate --fit; no network",
       "calibration[:SECTIONS]",
       {11},
       kGood,
       z::calibration},
      {"cascade",
       "a small classifier, and a large one that runs where the small one is not sure: an IF",
       "cascade[:SIZE]",
       {64},
       kGood,
       z::cascade},
      {"refine",
       "a loop that refines its result, at most BOUND times: a WHILE",
       "refine[:BOUND]",
       {10},
       kGood,
       z::refine},
      {"fallback",
       "a classifier with two convolutions on an NPU that may fail, and the same ones for a core",
       "fallback[:SIZE]",
       {32},
       kGood,
       z::fallback},
      {"diamond", "one op, BRANCHES side by side, one join", "diamond[:BRANCHES]", {2}, kGood, z::diamond},
      {"chain", "OPS one after the other", "chain[:OPS]", {16}, kGood, z::chain},
      {"wide", "OPS side by side between a fork and a join", "wide[:OPS]", {64}, kGood, z::wide},
      {"random", "random layers", "random[:SEED[:OPS]]", {1, 64}, kGood, z::layered},
      {"erdos", "random DAG, every op reads up to three earlier ones", "erdos[:SEED[:OPS]]", {1, 64}, kGood, z::erdos},
      {"series_parallel",
       "random series-parallel DAG",
       "series_parallel[:SEED[:OPS]]",
       {1, 64},
       kGood,
       z::series_parallel},
      {"bad_reuse_war",
       "a writer takes over bytes that an unordered op still reads",
       "bad_reuse_war",
       {},
       race("war", "slow_reader", "late_writer"),
       z::bad_reuse_war},
      {"bad_reuse_waw",
       "two unordered ops write the same bytes",
       "bad_reuse_waw",
       {},
       race("waw", "spill", "producer"),
       z::bad_reuse_waw},
      {"bad_cycle", "three ops wait for each other", "bad_cycle", {}, violated("structure", "CYCLE"), z::bad_cycle},
      {"bad_duplicate_edge",
       "one edge is listed twice",
       "bad_duplicate_edge",
       {},
       violated("structure", "DUPLICATE_EDGE"),
       z::bad_duplicate_edge},
      {"bad_overlap",
       "two tensors that live at the same time share bytes, though every op is ordered",
       "bad_overlap",
       {},
       violated("memory_plan", "OVERLAP"),
       z::bad_overlap},
      {"bad_out_of_arena",
       "a tensor ends past the end of its region",
       "bad_out_of_arena",
       {},
       violated("memory_plan", "OUT_OF_REGION"),
       z::bad_out_of_arena},
      {"bad_branch",
       "an op reads what only one of two branches writes",
       "bad_branch",
       {},
       violated("value_flow", "OK"),
       z::bad_branch},
      {"bad_retry",
       "an op overwrites its input and may fail, and its fallback reads what it has left",
       "bad_retry",
       {},
       violated("value_flow", "GUARD"),
       z::bad_retry},
  };
}

ZooParameters read_parameters(const ZooEntry& entry, std::string_view spec) {
  ZooParameters parameters = entry.defaults;
  std::size_t index = 0;
  for (std::size_t at = spec.find(':'); at != std::string_view::npos; ++index) {
    const std::size_t end = spec.find(':', at + 1);
    const std::string_view text = spec.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || rest != text.data() + text.size() || index >= parameters.size()) {
      throw InputError(std::string(spec), "", "parameters do not fit; use " + entry.usage);
    }
    parameters[index] = value;
    at = end;
  }
  return parameters;
}

}  // namespace

const std::vector<ZooEntry>& zoo() {
  static const std::vector<ZooEntry> entries = make_entries();
  return entries;
}

const ZooEntry* find_zoo_entry(std::string_view spec) {
  const std::string_view name = spec.substr(0, spec.find(':'));
  for (const ZooEntry& entry : zoo()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

Model build_zoo_model(std::string_view spec) {
  const ZooEntry* entry = find_zoo_entry(spec);
  if (entry == nullptr) {
    std::string names;
    for (const ZooEntry& known : zoo()) names += (names.empty() ? "" : ", ") + known.name;
    throw InputError(std::string(spec), "", "no such model in the zoo; use one of " + names);
  }
  Model model = entry->build(read_parameters(*entry, spec));
  model.name = std::string(spec);
  return model;
}

std::size_t prepare_model(Model& model, const ZooOptions& options) {
  if (options.weight_seed != 0) model.weight_seed = options.weight_seed;
  const std::size_t split = options.split > 1 ? split_rows(model, {.bands = options.split}) : 0;
  if (!options.accelerator.empty()) assign_class(model, options.accelerator, accelerated_kernels());
  if (!options.leaves_places && (split > 0 || !has_plan(model))) plan_memory(model, options.plan);
  derive_decisions(model);
  return split;
}

Model make_zoo_model(std::string_view spec, const ZooOptions& options) {
  Model model = build_zoo_model(spec);
  prepare_model(model, options);
  return model;
}

}  // namespace detent::models
