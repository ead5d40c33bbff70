// Planned Model -> op graph.
#include "models/core/op_graph.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/input_error.hpp"
#include "models/core/dag.hpp"

namespace detent::models {
namespace {

/// Region, offset, size, values.
using RangeKey = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::vector<std::uint32_t>>;

/// Collects the byte ranges of one graph, each once.
class RangeTable {
 public:
  RangeTable(const Model& model, Model& graph) : model_(model), graph_(graph) {}

  void append(TensorId tensor, std::vector<std::uint32_t>& ids) {
    const ByteSet bytes = bytes_of(model_, tensor);
    const Tensor& root = model_.tensors.at(bytes.root);
    if (root.region >= model_.regions.size()) {
      throw InputError(model_.name, "tensors[" + std::to_string(tensor) + "]", root.name + " has no place; plan first");
    }
    for (std::uint64_t i = 0; i < bytes.count; ++i) {
      const std::uint32_t id = range({region(root.region), root.offset_bytes + bytes.first + i * bytes.stride,
                                      bytes.block, model_.tensors[tensor].values});
      if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    }
  }

 private:
  std::uint32_t range(const RangeKey& key) {
    const auto [entry, is_new] = ids_.emplace(key, static_cast<std::uint32_t>(graph_.tensors.size()));
    if (!is_new) return entry->second;
    const auto& [region, offset, size, values] = key;
    graph_.tensors.push_back(range_tensor(graph_, region, offset, size, values));
    return entry->second;
  }

  /// Regions are taken over when first touched, in that order.
  std::uint32_t region(std::uint32_t id) {
    const auto [entry, is_new] = regions_.emplace(id, static_cast<std::uint32_t>(graph_.regions.size()));
    if (is_new) {
      const Region& from = model_.regions[id];
      graph_.regions.push_back({.name = from.name, .size_bytes = from.size_bytes, .align_bytes = from.align_bytes});
    }
    return entry->second;
  }

  const Model& model_;
  Model& graph_;
  std::map<RangeKey, std::uint32_t> ids_;
  std::map<std::uint32_t, std::uint32_t> regions_;
};

}  // namespace

Tensor range_tensor(const Model& graph, std::uint32_t region, std::uint64_t offset, std::uint64_t size,
                    const std::vector<std::uint32_t>& values) {
  Tensor tensor;
  for (const std::uint32_t value : values) {
    tensor.name += (tensor.name.empty() ? "" : "|") + graph.value_names[value];
  }
  if (!values.empty()) tensor.name += " in ";
  tensor.name += graph.regions[region].name + "[" + std::to_string(offset) + "," + std::to_string(offset + size) + ")";
  tensor.values = values;
  tensor.role = TensorRole::kRange;
  tensor.dtype = DETENT_U8;
  tensor.size_bytes = size;
  tensor.block_bytes = size;
  tensor.align_bytes = 1;
  tensor.region = region;
  tensor.offset_bytes = offset;
  return tensor;
}

Model to_op_graph(const Model& model) {
  Model graph;
  graph.name = model.name;
  graph.edges = model.edges;
  graph.value_names = model.value_names;
  graph.decisions = model.decisions;
  graph.demands = model.demands;
  RangeTable ranges(model, graph);
  // Only ends that name a value are ends of an op graph.
  for (const auto& [from, to] : {std::pair(&model.inputs, &graph.inputs), std::pair(&model.outputs, &graph.outputs)}) {
    for (const TensorId tensor : *from) {
      if (!model.tensors.at(tensor).values.empty()) ranges.append(tensor, *to);
    }
  }
  for (const Op& op : model.ops) {
    Op bare;
    bare.name = op.name;
    bare.kernel = "mix";
    bare.core_class = op.core_class;
    bare.time_ps = op.time_ps;
    bare.times_by_class = op.times_by_class;
    bare.release_ps = op.release_ps;
    bare.priority = op.priority;
    bare.workers = op.workers;
    bare.mutexes = op.mutexes;
    bare.commutes = op.commutes;
    bare.guards = op.guards;
    if (op.footprint == Footprint::kUnknown) bare.footprint = op.footprint;
    for (const TensorId tensor : op.inputs) ranges.append(tensor, bare.inputs);
    for (const TensorId tensor : op.outputs) ranges.append(tensor, bare.outputs);
    for (const TensorId tensor : op.scratch) ranges.append(tensor, bare.outputs);
    graph.ops.push_back(std::move(bare));
  }
  return graph;
}

}  // namespace detent::models
