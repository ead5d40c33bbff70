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

constexpr std::uint32_t kRegions = 2;
constexpr std::array<const char*, 5> kJitters = {"worst", "uniform", "triangular", "pareto", "lognormal"};
constexpr std::array<const char*, 4> kPolicies = {"id", "priority", "critical-path", "random"};

/// Numbers from RapidCheck's stream: the same value on every machine.
class Draw {
 public:
  explicit Draw(const rc::Random& random) : random_(random) {}
  /// In [0, n), n > 0.
  std::uint32_t below(std::uint64_t n) { return static_cast<std::uint32_t>(random_.next() % n); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  /// [least, most] up to `most`.
  std::pair<std::uint64_t, std::uint64_t> span(std::uint64_t most) {
    const std::uint64_t high = below(most + 1);
    return {below(high + 1), high};
  }

 private:
  rc::Random random_;
};

Range draw_range(Draw& draw, bool strided) {
  Range range{draw.below(kRegions), draw.below(24), 1 + draw.below(8), 1, 0};
  if (strided && draw.one_in(3)) {
    range.count = 2 + draw.below(3);
    range.stride = range.size + draw.below(3);
  }
  return range;
}

std::vector<Range> draw_ranges(Draw& draw, bool strided) {
  std::vector<Range> ranges(draw.below(3));
  for (Range& range : ranges) range = draw_range(draw, strided);
  return ranges;
}

CaseOp draw_op(Draw& draw, const GraphOptions& options) {
  CaseOp op;
  std::tie(op.best_ps, op.worst_ps) = draw.span(options.most_ps);
  if (options.delays && draw.one_in(5)) std::tie(op.release_min_ps, op.release_max_ps) = draw.span(options.most_ps);
  op.npu = options.npu && draw.one_in(3);
  op.priority = static_cast<std::int32_t>(draw.below(5)) - 2;
  for (std::uint32_t m = 0; options.mutexes && m < 2; ++m) {
    if (draw.one_in(3)) op.mutexes.push_back(m);
  }
  if (options.commutes && draw.one_in(2)) op.commute_group = draw.below(2);
  op.reads = draw_ranges(draw, options.strided);
  op.writes = draw_ranges(draw, options.strided);
  return op;
}

/// Edges follow a hidden order of the ops, so that they close no cycle whatever the ids.
std::vector<CaseEdge> draw_edges(Draw& draw, std::uint32_t count, const GraphOptions& options) {
  std::vector<std::uint32_t> ranking(count);
  for (std::uint32_t i = 0; i < count; ++i) ranking[i] = i;
  if (!options.ascending && draw.one_in(2)) {
    for (std::uint32_t i = count; i-- > 1;) std::swap(ranking[i], ranking[draw.below(i + 1)]);
  }
  std::vector<CaseEdge> edges;
  const std::uint32_t density = 1 + draw.below(12);  // a few edges to many
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = a + 1; b < count; ++b) {
      if (draw.below(30) >= density) continue;
      CaseEdge edge{ranking[a], ranking[b], 0, 0};
      if (options.delays && draw.one_in(6)) std::tie(edge.min_ps, edge.max_ps) = draw.span(options.most_ps);
      edges.push_back(edge);
    }
  }
  return edges;
}

GraphCase draw_case(Draw draw, int size, const GraphOptions& options) {
  GraphCase g;
  const auto grown = static_cast<std::uint32_t>(std::min(size + 10, 100));
  const std::uint32_t count = 1 + draw.below(std::max(1U, options.most_ops * grown / 100));
  for (std::uint32_t i = 0; i < count; ++i) g.ops.push_back(draw_op(draw, options));
  g.edges = draw_edges(draw, count, options);
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

models::Op to_op(const CaseOp& from, std::size_t id) {
  models::Op op;
  op.name = "op" + std::to_string(id);
  op.kernel = "mix";
  op.core_class = from.npu ? "npu" : "cpu";
  op.config.resize(sizeof(detent_mix_config));
  op.in_place = true;
  op.time_ps = {from.best_ps, from.worst_ps};
  if (from.release_max_ps != 0) op.release_ps = {from.release_min_ps, from.release_max_ps};
  op.priority = from.priority;
  for (const std::uint32_t mutex : from.mutexes) op.mutexes.push_back("m" + std::to_string(mutex));
  if (from.commute_group != DETENT_NONE) op.commutes = "g" + std::to_string(from.commute_group);
  return op;
}

void show_ranges(std::ostream& os, const char* word, const std::vector<Range>& ranges) {
  for (const Range& r : ranges) {
    os << ' ' << word << " r" << r.region << '[' << r.offset << ',' << r.offset + r.size << ')';
    if (r.count > 1) os << 'x' << r.count << '/' << r.stride;
  }
}

}  // namespace

rc::Gen<GraphCase> graphs(const GraphOptions& options) {
  return rc::Gen<GraphCase>([options](const rc::Random& random, int size) {
    return rc::shrinkable::map(
        rc::shrinkable::shrinkRecur(draw_case(Draw(random), size, options),
                                    [](const GraphCase& g) { return rc::seq::fromContainer(smaller_cases(g)); }),
        [options](GraphCase g) {
          if (options.race_free) order_conflicts(g);
          return g;
        });
  });
}

std::ostream& operator<<(std::ostream& os, const GraphCase& g) {
  os << g.ops.size() << " ops; " << g.workers << " workers, " << harness::mode_name(g.mode)
     << (g.scheduler == DETENT_SCHEDULER_THREAD ? ", thread" : "") << ", policy " << g.policy << ", seed " << g.seed
     << ", jitter " << g.jitter << ", faulty op " << g.faulty_op;
  if (!g.faults.empty()) os << ", " << harness::format_faults(g.faults);
  for (std::size_t i = 0; i < g.ops.size(); ++i) {
    const CaseOp& op = g.ops[i];
    os << "\n  op " << i << (op.npu ? " npu" : "") << " [" << op.best_ps << ',' << op.worst_ps << "] ps";
    if (op.release_max_ps != 0) os << " release [" << op.release_min_ps << ',' << op.release_max_ps << ']';
    if (op.priority != 0) os << " priority " << op.priority;
    for (const std::uint32_t m : op.mutexes) os << " mutex m" << m;
    if (op.commute_group != DETENT_NONE) os << " commutes g" << op.commute_group;
    show_ranges(os, "reads", op.reads);
    show_ranges(os, "writes", op.writes);
  }
  if (!g.edges.empty()) os << "\n  edges";
  for (const CaseEdge& edge : g.edges) {
    os << ' ' << edge.from << '>' << edge.to;
    if (edge.max_ps != 0) os << '+' << edge.min_ps << ".." << edge.max_ps;
  }
  if (!g.schedule.empty()) os << "\n  schedule";
  for (const std::uint32_t choice : g.schedule) os << ' ' << choice;
  return os;
}

models::Model to_model(const GraphCase& g) {
  models::Model model;
  model.name = "case";
  for (std::uint32_t r = 0; r < kRegions; ++r) {
    model.regions.push_back({"r" + std::to_string(r), DETENT_REGION_WORKSPACE, GraphCase::kRegionBytes, 64});
  }
  for (const CaseOp& from : g.ops) {
    models::Op op = to_op(from, model.ops.size());
    add_ranges(model, from.reads, op.inputs);
    add_ranges(model, from.writes, op.outputs);
    model.ops.push_back(std::move(op));
  }
  for (const CaseEdge& edge : g.edges) model.edges.push_back({edge.from, edge.to, edge.min_ps, edge.max_ps});
  return model;
}

models::LoweredModel lowered(const GraphCase& g) { return models::lower(to_model(g)); }

verify::testing::DescSpec to_spec(const GraphCase& g) {
  verify::testing::DescSpec spec = verify::testing::make_ops(static_cast<std::uint32_t>(g.ops.size()));
  spec.region_bytes.assign(kRegions, GraphCase::kRegionBytes);
  for (std::size_t i = 0; i < g.ops.size(); ++i) {
    verify::testing::OpSpec& op = spec.ops[i];
    op.reads = g.ops[i].reads;
    op.writes = g.ops[i].writes;
    op.mutexes = g.ops[i].mutexes;
    op.commute_group = g.ops[i].commute_group;
    op.best_ps = g.ops[i].best_ps;
    op.worst_ps = g.ops[i].worst_ps;
  }
  spec.mutex_count = 2;
  for (const CaseEdge& edge : g.edges) spec.edges.emplace_back(edge.from, edge.to);
  return spec;
}

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
