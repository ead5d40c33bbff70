#include "app/model/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "base/units.hpp"
#include "models/core/dag.hpp"
#include "models/core/thunks.hpp"

namespace detent::app {
namespace {

using models::Model;
using models::Tensor;

/// By detent_dtype.
const char* type_name(detent_dtype type) {
  constexpr std::array kNames = {"u8", "i8", "i32", "f32", "bool", "f16", "i64", "f64"};
  const auto index = static_cast<std::size_t>(type);
  return index < kNames.size() ? kNames[index] : "?";
}

/// "1x3x640x640"; bytes have no shape.
std::string shape_text(const Tensor& tensor) {
  return tensor.dims.empty() ? "-" : fmt::format("{}", fmt::join(tensor.dims, "x"));
}

const char* layout_name(detent_layout layout) { return layout == DETENT_LAYOUT_C16 ? "c16" : "plain"; }

Json tensors_json(const Model& model, const std::vector<std::uint32_t>& ids) {
  Json list = Json::array();
  for (const TensorId id : ids) {
    const Tensor& tensor = model.tensors[id];
    list.push_back({{"name", tensor.name},
                    {"type", type_name(tensor.dtype)},
                    {"shape", tensor.dims},
                    {"layout", layout_name(tensor.layout)},
                    {"bytes", tensor.size_bytes}});
  }
  return list;
}

Lines tensor_lines(const char* what, const Model& model, const std::vector<std::uint32_t>& ids) {
  Lines lines;
  for (const TensorId id : ids) {
    const Tensor& tensor = model.tensors[id];
    lines.push_back(fmt::format("{:<9} {}: {} {}{}, {}", what, tensor.name, type_name(tensor.dtype), shape_text(tensor),
                                tensor.layout == DETENT_LAYOUT_C16 ? " in blocks of 16 channels" : "",
                                format_bytes(tensor.size_bytes)));
  }
  return lines;
}

/// By detent_region_kind.
const char* kind_name(detent_region_kind kind) {
  constexpr std::array kNames = {"workspace", "inputs", "outputs", "weights"};
  const auto index = static_cast<std::size_t>(kind);
  return index < kNames.size() ? kNames[index] : "?";
}

/// What all ops of one kernel and core class come to.
struct KernelRow {
  std::size_t ops = 0;
  std::uint64_t flops = 0;
  std::uint64_t bytes = 0;  ///< of their inputs, outputs and weights
};

using KernelTable = std::map<std::pair<std::string, std::string>, KernelRow>;

KernelTable kernels_of(const Model& model) {
  KernelTable table;
  for (const models::Op& op : model.ops) {
    KernelRow& row = table[{op.kernel, op.core_class}];
    ++row.ops;
    row.flops += op.flops;
    for (const auto* list : {&op.inputs, &op.outputs, &op.weights}) {
      for (const TensorId id : *list) row.bytes += model.tensors[id].block_bytes * model.tensors[id].block_count;
    }
  }
  return table;
}

struct GraphShape {
  std::size_t depth = 0;   ///< ops of the longest path
  std::size_t widest = 0;  ///< most ops whose longest paths from the entry are equally long
};

GraphShape shape_of(const Model& model) {
  const auto successors = models::successor_lists(model);
  std::vector<std::size_t> level(model.ops.size(), 0), width(model.ops.size() + 1, 0);
  GraphShape shape;
  for (const OpId op : models::topological_order(model)) {
    ++width[level[op]];
    shape.depth = std::max(shape.depth, level[op] + 1);
    shape.widest = std::max(shape.widest, width[level[op]]);
    for (const OpId next : successors[op]) level[next] = std::max(level[next], level[op] + 1);
  }
  return shape;
}

std::string flops_text(std::uint64_t flops) {
  if (flops == 0) return "-";
  constexpr std::array kUnits = {"", "k", "M", "G", "T", "P", "E"};
  auto value = static_cast<double>(flops);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return fmt::format("{:.3g} {}", value, kUnits[unit]);
}

}  // namespace

Answer show_model(const ShowRequest& options) {
  const LoadedModel loaded = load(options.request.model, options.model);
  const Model& model = loaded.model;
  const GraphShape shape = shape_of(model);
  const KernelTable kernels = kernels_of(model);
  std::uint64_t flops = 0;
  for (const models::Op& op : model.ops) flops += op.flops;

  Answer answer{.json = json_header("show", options.request)};
  Json& json = answer.json;
  json["name"] = model.name;
  json["ops"] = model.ops.size();
  json["edges"] = model.edges.size();
  json["depth"] = shape.depth;
  json["widest_level"] = shape.widest;
  json["flops"] = flops;
  json["inputs"] = tensors_json(model, model.inputs);
  json["outputs"] = tensors_json(model, model.outputs);
  answer.lines.push_back(fmt::format("{}: {}, {}, longest path {}, widest level {}", model.name,
                                     counted(model.ops.size(), "op"), counted(model.edges.size(), "edge"),
                                     counted(shape.depth, "op"), counted(shape.widest, "op")));
  append(answer.lines, tensor_lines("input", model, model.inputs));
  append(answer.lines, tensor_lines("output", model, model.outputs));

  Json regions = Json::array();
  for (const models::Region& region : model.regions) {
    regions.push_back({{"name", region.name}, {"kind", kind_name(region.kind)}, {"bytes", region.size_bytes}});
    answer.lines.push_back(
        fmt::format("{:<9} {}: {}", kind_name(region.kind), region.name, format_bytes(region.size_bytes)));
  }
  json["regions"] = std::move(regions);

  std::vector<std::pair<KernelTable::key_type, KernelRow>> rows(kernels.begin(), kernels.end());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second.flops, a.second.bytes) > std::pair(b.second.flops, b.second.bytes);
  });
  Json list = Json::array();
  answer.lines.push_back(fmt::format("{:>6} {:>9} {:>9}  {:<8} {}", "ops", "flops", "bytes", "core", "kernel"));
  for (const auto& [key, row] : rows) {
    list.push_back(
        {{"kernel", key.first}, {"core", key.second}, {"ops", row.ops}, {"flops", row.flops}, {"bytes", row.bytes}});
    answer.lines.push_back(fmt::format("{:>6} {:>9} {:>9}  {:<8} {}", row.ops, flops_text(row.flops),
                                       format_bytes(row.bytes), key.second, key.first));
  }
  json["kernels"] = std::move(list);
  json["static_schedules"] = Json::array();
  for (const models::WorkerLists& schedule : model.schedules) {
    std::vector<std::size_t> lengths;
    for (const std::vector<std::uint32_t>& ops : schedule.lists) lengths.push_back(ops.size());
    answer.lines.push_back(
        fmt::format("static schedule of {}: {} ops", counted(lengths.size(), "worker"), fmt::join(lengths, " + ")));
    json["static_schedules"].push_back({{"workers", lengths.size()}, {"ops", lengths}});
  }
  if (!loaded.settings.empty()) {
    json["settings"] = loaded.settings;
    answer.lines.push_back(loaded.settings);
  }
  if (const std::string missing = models::missing_code(model); !missing.empty()) {
    json["not_executable"] = missing;
    answer.lines.push_back("cannot be executed: " + missing);
  }
  return answer;
}

}  // namespace detent::app
