// Drawing, printing and converting GraphCase.
#include "properties/graph_case.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <ostream>

#include <detent/op_config.h>

#include "harness/engine_spec.hpp"
#include "models/files/graph_file.hpp"
#include "properties/faults.hpp"

namespace detent::laws {
namespace {

constexpr std::array<const char*, 5> kJitters = {"worst", "uniform", "triangular", "pareto", "lognormal"};
constexpr std::array<const char*, 5> kPolicies = {"id", "priority", "critical-path", "fifo", "random"};

GraphCase draw_case(Draw draw, int size, const GraphOptions& options) {
  GraphCase g;
  g.graph = draw_graph(draw, size, options.graph);
  const auto count = static_cast<std::uint32_t>(g.graph.ops.size());
  if (draw.one_in(2)) {
    for (std::uint32_t i = 0; i < count; ++i) g.schedule.push_back(draw.below(8));
  }
  g.workers = 1 + draw.below(options.most_workers);
  g.mode = static_cast<detent_mode>(draw.below(4));
  g.scheduler = draw.one_in(3) ? DETENT_SCHEDULER_THREAD : DETENT_SCHEDULER_ROLE;
  g.policy = kPolicies[draw.below(kPolicies.size())];
  g.seed = draw.below(1000);
  g.jitter = kJitters[draw.below(kJitters.size())];
  g.faulty_op = draw.below(count);
  if (options.faults)
    g.faults = draw_faults([&draw](std::uint64_t n) { return draw.below(n); }, count, options.moments);
  return g;
}

void add_ranges(models::Model& model, const std::vector<Range>& ranges, std::vector<std::uint32_t>& tensors) {
  for (const Range& range : ranges) {
    for (std::uint32_t block = 0; block < range.count; ++block) {
      models::Tensor t;
      t.role = models::TensorRole::kRange;
      t.dtype = DETENT_U8;
      t.size_bytes = t.block_bytes = range.size;
      t.align_bytes = 1;
      t.region = range.region;
      t.offset_bytes = range.offset + block * range.stride;
      t.name = model.regions[t.region].name + "[" + std::to_string(t.offset_bytes) + "," +
               std::to_string(t.offset_bytes + t.size_bytes) + ")";
      const auto same = std::find(model.tensors.begin(), model.tensors.end(), t);
      tensors.push_back(static_cast<std::uint32_t>(same - model.tensors.begin()));
      if (same == model.tensors.end()) model.tensors.push_back(t);
    }
  }
}

models::Op to_op(const OpSpec& from, std::size_t id) {
  models::Op op;
  op.name = "op" + std::to_string(id);
  op.kernel = "mix";
  op.core_class = is_npu(from) ? "npu" : "cpu";
  op.config.resize(sizeof(detent_mix_config));
  op.in_place = true;
  op.time_ps = {from.best_ps, from.worst_ps};
  if (from.release_max_ps != 0) op.release_ps = {from.release_min_ps, from.release_max_ps};
  op.priority = from.priority;
  for (const std::uint32_t mutex : from.mutexes) op.mutexes.push_back("m" + std::to_string(mutex));
  if (from.commute_group != DETENT_NONE) op.commutes = "g" + std::to_string(from.commute_group);
  return op;
}

}  // namespace

rc::Gen<GraphCase> graphs(const GraphOptions& options) {
  return rc::Gen<GraphCase>([options](const rc::Random& random, int size) {
    return rc::shrinkable::map(
        rc::shrinkable::shrinkRecur(draw_case(Draw(random), size, options),
                                    [](const GraphCase& g) { return rc::seq::fromContainer(smaller_cases(g)); }),
        [options](GraphCase g) {
          if (options.race_free) order_conflicts(g.graph);
          return g;
        });
  });
}

std::ostream& operator<<(std::ostream& os, const GraphCase& g) {
  os << g.graph.ops.size() << " ops; " << g.workers << " workers, " << harness::mode_name(g.mode)
     << (g.scheduler == DETENT_SCHEDULER_THREAD ? ", thread" : "") << ", policy " << g.policy << ", seed " << g.seed
     << ", jitter " << g.jitter << ", faulty op " << g.faulty_op;
  if (!g.faults.empty()) os << ", " << harness::format_faults(g.faults);
  os << g.graph;
  if (!g.schedule.empty()) os << "\n  schedule";
  for (const std::uint32_t choice : g.schedule) os << ' ' << choice;
  return os;
}

models::Model to_model(const GraphCase& g) {
  models::Model model;
  model.name = "case";
  for (const support::RegionSpec& region : g.graph.regions) {
    model.regions.push_back({region.name, region.kind, region.size_bytes, region.align_bytes});
  }
  for (const OpSpec& from : g.graph.ops) {
    models::Op op = to_op(from, model.ops.size());
    if (g.mode != DETENT_MODE_LAYERED) op.workers = from.workers & ((1U << g.workers) - 1);
    add_ranges(model, from.reads, op.inputs);
    add_ranges(model, from.writes, op.outputs);
    model.ops.push_back(std::move(op));
  }
  for (const Edge& edge : g.graph.edges) model.edges.push_back({edge.from, edge.to, edge.min_ps, edge.max_ps});
  return model;
}

models::LoweredModel lowered(const GraphCase& g) { return models::lower(to_model(g)); }

std::vector<std::uint32_t> order_of(const detent_desc& desc, const std::vector<std::uint32_t>& schedule) {
  std::vector<std::uint32_t> waits(desc.op_count);
  std::vector<std::uint32_t> ready;  // ascending
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    waits[op] = desc.ops[op].entry_count;
    if (waits[op] == 0) ready.push_back(op);
  }
  std::vector<std::uint32_t> order;
  while (!ready.empty()) {
    const std::size_t choice = order.size() < schedule.size() ? schedule[order.size()] % ready.size() : 0;
    const std::uint32_t op = ready[choice];
    ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(choice));
    order.push_back(op);
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t k = next.first; k < next.first + next.count; ++k) {
      const std::uint32_t to = desc.successors[k];
      if (--waits[to] == 0) ready.insert(std::lower_bound(ready.begin(), ready.end(), to), to);
    }
  }
  return order;
}

std::vector<std::uint32_t> cores_of(const detent_desc& desc, const GraphCase& g) {
  std::vector<std::uint32_t> cores;
  for (std::uint32_t c = 0; c < desc.class_count; ++c) {
    cores.push_back(desc.classes[c].kind == DETENT_CLASS_ASYNC ? 0 : c == 0 ? g.workers : 1);
  }
  return cores;
}

std::string save_case(const GraphCase& g, const std::string& path) {
  models::write_graph(to_model(g), path);
  return path;
}

}  // namespace detent::laws
