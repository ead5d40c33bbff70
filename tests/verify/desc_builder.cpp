// DescSpec -> tables.
#include "tests/verify/desc_builder.hpp"

#include <algorithm>

namespace detent::verify::testing {

const char* DescTables::keep(std::string name) {
  names.push_back(std::move(name));
  return names.back().c_str();
}

detent_slice DescTables::add_ranges(const std::vector<Range>& ranges, const std::string& stem) {
  const detent_slice slice{static_cast<std::uint32_t>(tensor_refs.size()), static_cast<std::uint32_t>(ranges.size())};
  for (const Range& range : ranges) {
    detent_tensor tensor{};
    tensor.name = keep(stem + std::to_string(tensor_refs.size() - slice.first));
    tensor.region = range.region;
    tensor.flags = DETENT_TENSOR_RANGE;
    tensor.offset_bytes = range.offset;
    tensor.size_bytes = (range.count - 1) * range.stride + range.size;
    tensor.block_bytes = range.size;
    tensor.stride_bytes = range.count > 1 ? range.stride : 0;
    tensor.block_count = range.count;
    tensor.align_bytes = 1;
    tensor.alias_of = DETENT_NONE;
    tensor.live_begin = DETENT_NONE;
    tensor.live_end = DETENT_NONE;
    tensor.dtype = DETENT_U8;
    tensor_refs.push_back(static_cast<std::uint32_t>(tensors.size()));
    tensors.push_back(tensor);
  }
  return slice;
}

DescTables::DescTables(const DescSpec& spec) : classes{{"cpu", DETENT_CLASS_WORKERS}, {"delay", DETENT_CLASS_ASYNC}} {
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
    op.successors = {static_cast<std::uint32_t>(successors.size()), static_cast<std::uint32_t>(next[id].size())};
    successors.insert(successors.end(), next[id].begin(), next[id].end());
    op.mutexes = {static_cast<std::uint32_t>(mutex_refs.size()), static_cast<std::uint32_t>(from.mutexes.size())};
    mutex_refs.insert(mutex_refs.end(), from.mutexes.begin(), from.mutexes.end());
    op.commute_group = from.commute_group;
    ops.push_back(op);
    costs.push_back({from.best_ps, from.worst_ps, 0, 0, 0});
  }
  for (std::uint32_t m = 0; m < spec.mutex_count; ++m) mutex_names.push_back(keep("m" + std::to_string(m)));
  refresh();
}

void DescTables::refresh() {
  const auto count = [](const auto& table) { return static_cast<std::uint32_t>(table.size()); };
  desc.name = "test";
  desc.regions = regions.data();
  desc.region_count = count(regions);
  desc.tensors = tensors.data();
  desc.tensor_count = count(tensors);
  desc.ops = ops.data();
  desc.op_count = count(ops);
  desc.tensor_refs = tensor_refs.data();
  desc.tensor_ref_count = count(tensor_refs);
  desc.successors = successors.data();
  desc.successor_count = count(successors);
  desc.mutex_refs = mutex_refs.data();
  desc.mutex_ref_count = count(mutex_refs);
  desc.mutex_count = count(mutex_names);
  desc.mutex_names = mutex_names.data();
  desc.kernels = kernels.data();
  desc.kernel_count = count(kernels);
  desc.classes = classes.data();
  desc.class_count = count(classes);
  desc.costs = costs.data();
}

DescSpec make_ops(std::uint32_t count) {
  DescSpec spec;
  for (std::uint32_t i = 0; i < count; ++i) {
    spec.ops.emplace_back();
    spec.ops.back().name = "op" + std::to_string(i);
  }
  return spec;
}

std::uint64_t Random::next() {
  state += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
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
