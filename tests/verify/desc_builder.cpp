// DescSpec -> tables.
#include "tests/verify/desc_builder.hpp"

#include <algorithm>

namespace detent::verify::testing {

detent_slice DescTables::add_ranges(const std::vector<Range>& ranges, const std::string& stem) {
  const detent_slice slice{static_cast<std::uint32_t>(tensor_refs.size()), static_cast<std::uint32_t>(ranges.size())};
  for (const Range& range : ranges) {
    const char* name = keep(stem + std::to_string(tensor_refs.size() - slice.first));
    tensor_refs.push_back(static_cast<std::uint32_t>(tensors.size()));
    tensors.push_back(support::range_tensor(name, range.region, range.offset, range.size, range.count, range.stride));
  }
  return slice;
}

DescTables::DescTables(const DescSpec& spec) {
  kernels = {"mix", "delay"};
  classes = {{"cpu", DETENT_CLASS_WORKERS}, {"delay", DETENT_CLASS_ASYNC}};
  for (std::size_t i = 0; i < spec.region_bytes.size(); ++i) {
    regions.push_back({keep("r" + std::to_string(i)), DETENT_REGION_WORKSPACE, spec.region_bytes[i], 64, nullptr});
  }
  std::vector<std::vector<std::uint32_t>> next(spec.ops.size());
  std::vector<std::uint32_t> indegree(spec.ops.size(), 0);
  for (const auto& [from, to] : spec.edges) {
    next[from].push_back(to);
    if (to < indegree.size()) ++indegree[to];
  }
  for (std::uint32_t id = 0; id < spec.ops.size(); ++id) {
    const OpSpec& from = spec.ops[id];
    detent_op op{};
    op.name = keep(from.name);
    op.id = id;
    op.kernel = (from.flags & DETENT_OP_DELAY) != 0 ? 1 : 0;
    op.core_class = from.core_class;
    op.flags = from.flags;
    op.inputs = add_ranges(from.reads, from.name + ".r");
    op.outputs = add_ranges(from.writes, from.name + ".w");
    op.scratch = add_ranges(from.scratch, from.name + ".s");
    op.entry_count = indegree[id];
    std::sort(next[id].begin(), next[id].end());
    op.mutexes = support::append(mutex_refs, from.mutexes);
    op.commute_group = from.commute_group;
    ops.push_back(op);
    costs.push_back({from.best_ps, from.worst_ps, 0, 0, 0});
  }
  set_successors(next);
  for (std::uint32_t m = 0; m < spec.mutex_count; ++m) mutex_names.push_back(keep("m" + std::to_string(m)));
  refresh();
}

void DescTables::refresh() {
  desc.name = "test";
  point(desc);
}

DescSpec make_ops(std::uint32_t count) {
  DescSpec spec;
  for (std::uint32_t i = 0; i < count; ++i) {
    spec.ops.emplace_back();
    spec.ops.back().name = "op" + std::to_string(i);
  }
  return spec;
}

namespace {

Range draw_range(Random& random, const RandomSpec& shape) {
  Range range;
  range.region = random.below(shape.region_count);
  if (random.below(100) < shape.percent_strided) {
    range.size = 1 + random.below(3);
    range.stride = range.size + random.below(6);
    range.count = 2 + random.below(4);
  } else {
    range.size = 1 + random.below(shape.region_bytes / 4);
  }
  const std::uint64_t extent = (range.count - 1) * range.stride + range.size;
  range.offset = random.below(shape.region_bytes - static_cast<std::uint32_t>(extent) + 1);
  return range;
}

std::vector<Range> draw_ranges(Random& random, const RandomSpec& shape, std::uint32_t most) {
  std::vector<Range> ranges;
  for (std::uint32_t n = random.below(most + 1); n > 0; --n) ranges.push_back(draw_range(random, shape));
  return ranges;
}

}  // namespace

DescSpec make_random_spec(std::uint64_t seed, const RandomSpec& shape) {
  Random random{seed};
  DescSpec spec = make_ops(shape.op_count);
  spec.region_bytes.assign(shape.region_count, shape.region_bytes);
  spec.mutex_count = shape.mutex_count;
  std::vector<std::uint32_t> id(shape.op_count);
  for (std::uint32_t i = 0; i < shape.op_count; ++i) id[i] = i;
  for (std::uint32_t i = shape.op_count; i-- > 1;) {
    const std::uint32_t k = random.below(i + 1);
    if (shape.shuffle_ids) std::swap(id[i], id[k]);
  }
  for (std::uint32_t a = 0; a < shape.op_count; ++a) {
    for (std::uint32_t b = a + 1; b < shape.op_count; ++b) {
      if (random.below(100) < shape.percent_edges) spec.edges.emplace_back(id[a], id[b]);
    }
  }
  for (OpSpec& op : spec.ops) {
    op.reads = draw_ranges(random, shape, shape.max_reads);
    op.writes = draw_ranges(random, shape, shape.max_writes);
    for (std::uint32_t m = 0; m < shape.mutex_count; ++m) {
      if (random.below(4) == 0) op.mutexes.push_back(m);
    }
    if (shape.group_count > 0 && random.below(2) == 0) op.commute_group = random.below(shape.group_count);
  }
  return spec;
}

std::vector<std::vector<bool>> close_naively(const detent_desc& desc) {
  const std::uint32_t n = desc.op_count;
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t k = 0; k < desc.ops[a].successors.count; ++k) {
      reach[a][desc.successors[desc.ops[a].successors.first + k]] = true;
    }
  }
  for (std::uint32_t k = 0; k < n; ++k) {
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = 0; b < n && reach[a][k]; ++b) {
        if (reach[k][b]) reach[a][b] = true;
      }
    }
  }
  return reach;
}

}  // namespace detent::verify::testing
