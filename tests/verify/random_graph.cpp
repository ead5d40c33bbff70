#include "tests/verify/random_graph.hpp"

#include <utility>

namespace detent::verify::testing {

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

GraphSpec make_random_spec(std::uint64_t seed, const RandomSpec& shape) {
  Random random{seed};
  GraphSpec spec = make_ops(shape.op_count);
  spec.regions = workspaces(std::vector<std::uint64_t>(shape.region_count, shape.region_bytes));
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
