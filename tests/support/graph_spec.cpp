#include "tests/support/graph_spec.hpp"

#include <ostream>

namespace detent::support {
namespace {

void show_ranges(std::ostream& os, const char* word, const std::vector<Range>& ranges) {
  for (const Range& r : ranges) {
    os << ' ' << word << " r" << r.region << '[' << r.offset << ',' << r.offset + r.size << ')';
    if (r.count > 1) os << 'x' << r.count << '/' << r.stride;
  }
}

}  // namespace

std::vector<RegionSpec> workspaces(const std::vector<std::uint64_t>& sizes_bytes) {
  std::vector<RegionSpec> regions;
  for (const std::uint64_t size_bytes : sizes_bytes) {
    regions.push_back({.name = "r" + std::to_string(regions.size()), .size_bytes = size_bytes});
  }
  return regions;
}

GraphSpec make_ops(std::uint32_t count) {
  GraphSpec spec;
  spec.regions = workspaces({256});
  for (std::uint32_t i = 0; i < count; ++i) spec.ops.push_back({.name = "op" + std::to_string(i)});
  return spec;
}

void add_dataflow(GraphSpec& spec, std::uint64_t size_bytes) {
  constexpr std::uint64_t kStride = 64;
  spec.regions = workspaces({kStride * spec.ops.size()});
  for (std::size_t op = 0; op < spec.ops.size(); ++op) spec.ops[op].writes.push_back({0, kStride * op, size_bytes});
  for (const Edge& edge : spec.edges) spec.ops[edge.to].reads.push_back({0, kStride * edge.from, size_bytes});
}

std::ostream& operator<<(std::ostream& os, const GraphSpec& graph) {
  for (std::size_t i = 0; i < graph.ops.size(); ++i) {
    const OpSpec& op = graph.ops[i];
    os << "\n  op " << i;
    if (op.core_class != 0) os << " " << graph.classes[op.core_class].name;
    os << " [" << op.best_ps << ',' << op.worst_ps << "] ps";
    if (op.release_max_ps != 0) os << " release [" << op.release_min_ps << ',' << op.release_max_ps << ']';
    if (op.priority != 0) os << " priority " << op.priority;
    if (op.workers != 0) os << " workers by bits " << op.workers;
    for (const std::uint32_t m : op.mutexes) os << " mutex m" << m;
    if (op.commute_group != DETENT_NONE) os << " commutes g" << op.commute_group;
    show_ranges(os, "reads", op.reads);
    show_ranges(os, "writes", op.writes);
  }
  if (!graph.edges.empty()) os << "\n  edges";
  for (const Edge& edge : graph.edges) {
    os << ' ' << edge.from << '>' << edge.to;
    if (edge.max_ps != 0) os << '+' << edge.min_ps << ".." << edge.max_ps;
  }
  return os;
}

}  // namespace detent::support
