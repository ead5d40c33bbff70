// Byte sets of views, data dependencies, topological order.
#include "models/core/dag.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <string>
#include <utility>

#include "base/input_error.hpp"

namespace detent::models {
namespace {

// Does [begin, end) touch a block of the set?
bool interval_touches(std::uint64_t begin, std::uint64_t end, const ByteSet& set) {
  std::uint64_t index = 0;  // first block that ends after `begin`
  if (set.count > 1 && begin >= set.first + set.block) index = (begin - set.first - set.block) / set.stride + 1;
  return index < set.count && set.first + index * set.stride < end &&
         begin < set.first + index * set.stride + set.block;
}

void append(std::vector<Edge>& edges, std::uint32_t from, std::uint32_t to) {
  if (from != to) edges.push_back({from, to, 0, 0});
}

// Edges among the accesses to one root. Lists of earlier writes and reads stay short in real networks.
void derive_root_edges(const Model& model, std::span<const Access> accesses, std::vector<Edge>& edges) {
  struct Seen {
    OpId op;
    ByteSet bytes;
  };
  std::vector<Seen> writes;
  std::vector<Seen> reads;
  ByteSet bytes;
  std::uint32_t tensor = kNone;  // whose bytes these are: most often all accesses have one
  for (const Access& access : accesses) {
    if (access.tensor != tensor) bytes = bytes_of(model, access.tensor);
    tensor = access.tensor;
    for (const Seen& earlier : writes) {
      if (bytes_overlap(earlier.bytes, bytes)) append(edges, earlier.op, access.op);
    }
    if (access.writes) {
      for (const Seen& earlier : reads) {
        if (bytes_overlap(earlier.bytes, bytes)) append(edges, earlier.op, access.op);
      }
    }
    (access.writes ? writes : reads).push_back({access.op, bytes});
  }
}

// Bytes within a root, or, for ranges, which name places themselves, within a region.
struct Extent {
  bool is_range = false;
  std::uint32_t of = kNone;
  std::uint64_t begin = 0, end = 0, bytes = 0;
};

Extent extent_of(const Model& model, TensorId tensor) {
  const ByteSet set = bytes_of(model, tensor);
  const Tensor& root = model.tensors[set.root];
  const bool is_range = root.role == TensorRole::kRange;
  const std::uint64_t base = is_range ? root.offset_bytes : 0;
  return {is_range, is_range ? root.region : set.root, base + set.first, base + set.end(), set.count * set.block};
}

std::uint64_t shared_bytes(const Extent& a, const Extent& b) {
  if (a.is_range != b.is_range || a.of != b.of) return 0;
  const std::uint64_t begin = std::max(a.begin, b.begin), end = std::min(a.end, b.end);
  return begin >= end ? 0 : std::min({end - begin, a.bytes, b.bytes});
}

}  // namespace

std::uint64_t bytes_over(const Model& model, OpId from, OpId to) {
  std::uint64_t bytes = 0;
  for (const std::uint32_t written : model.ops[from].outputs) {
    for (const std::uint32_t read : model.ops[to].inputs) {
      bytes += shared_bytes(extent_of(model, TensorId(written)), extent_of(model, TensorId(read)));
    }
  }
  return bytes;
}

ByteSet bytes_of(const Model& model, TensorId tensor_id) {
  const Tensor& tensor = model.tensors.at(tensor_id);
  ByteSet set{tensor_id, 0, tensor.block_bytes, tensor.stride_bytes, tensor.block_count};
  for (std::size_t steps = 0; model.tensors[set.root].alias_of != kNone; ++steps) {
    if (steps > model.tensors.size()) throw InputError(model.name, "tensor " + tensor.name, "views form a cycle (B43)");
    set.first += model.tensors[set.root].alias_offset_bytes;
    set.root = model.tensors[set.root].alias_of;
  }
  return set;
}

bool bytes_overlap(const ByteSet& a, const ByteSet& b) {
  if (a.root != b.root || a.first >= b.end() || b.first >= a.end()) return false;
  const ByteSet& few = a.count <= b.count ? a : b;
  const ByteSet& many = a.count <= b.count ? b : a;
  for (std::uint64_t i = 0; i < few.count; ++i) {
    const std::uint64_t begin = few.first + i * few.stride;
    if (interval_touches(begin, begin + few.block, many)) return true;
  }
  return false;
}

Rows<Access> accesses_by_root(const Model& model) {
  std::vector<bool> is_view;  // few are; a tensor itself is much to look at where there are very many
  is_view.reserve(model.tensors.size());
  for (const Tensor& tensor : model.tensors) is_view.push_back(tensor.alias_of != kNone);
  const auto root_of = [&](TensorId tensor) {
    return is_view.at(tensor) ? bytes_of(model, tensor).root : std::uint32_t{tensor};
  };
  return {model.tensors.size(), [&](const auto& put) {
            const auto add = [&](OpId op, const std::vector<std::uint32_t>& tensors, bool writes) {
              for (const TensorId tensor : tensors) put(root_of(tensor), {op, tensor, writes});
            };
            for (OpId op = 0; op < model.ops.size(); ++op) {
              add(op, model.ops[op].inputs, false);
              add(op, model.ops[op].outputs, true);
              add(op, model.ops[op].scratch, true);
            }
          }};
}

std::vector<Edge> derive_edges(const Model& model) {
  std::vector<Edge> edges;
  const Rows<Access> all = accesses_by_root(model);
  for (std::size_t root = 0; root < all.size(); ++root) {
    const std::span<const Access> accesses = all[root];
    const bool written = std::any_of(accesses.begin(), accesses.end(), [](const Access& a) { return a.writes; });
    if (written) derive_root_edges(model, accesses, edges);
  }
  const auto ends = [](const Edge& edge) { return std::pair(edge.from, edge.to); };
  std::ranges::sort(edges, {}, ends);
  const auto repeated = std::ranges::unique(edges, {}, ends);
  edges.erase(repeated.begin(), repeated.end());
  return edges;
}

namespace {

void require_sound_edges(const Model& model) {
  for (std::size_t i = 0; i < model.edges.size(); ++i) {
    const Edge& edge = model.edges[i];
    if (edge.from < model.ops.size() && edge.to < model.ops.size()) continue;
    throw InputError(model.name, "edges[" + std::to_string(i) + "]", "an end is not an op of the model (B22)");
  }
}

}  // namespace

Rows<std::uint32_t> successor_lists(const Model& model) {
  require_sound_edges(model);
  return {model.ops.size(), [&](const auto& put) {
            for (const Edge& edge : model.edges) put(edge.from, edge.to);
          }};
}

std::vector<std::uint32_t> topological_order(const Model& model) {
  require_sound_edges(model);
  if (std::ranges::all_of(model.edges, [](const Edge& edge) { return edge.from < edge.to; })) {
    std::vector<std::uint32_t> ids(model.ops.size());
    std::iota(ids.begin(), ids.end(), 0U);
    return ids;
  }
  const auto successors = successor_lists(model);
  std::vector<std::uint32_t> indegree(model.ops.size(), 0);
  for (const Edge& edge : model.edges) ++indegree[edge.to];
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (OpId op = 0; op < model.ops.size(); ++op) {
    if (indegree[op] == 0) ready.push(op);
  }
  std::vector<std::uint32_t> order;
  order.reserve(model.ops.size());
  while (!ready.empty()) {
    const OpId op = ready.top();
    ready.pop();
    order.push_back(op);
    for (const std::uint32_t next : successors[op]) {
      if (--indegree[next] == 0) ready.push(next);
    }
  }
  if (order.size() != model.ops.size()) throw InputError(model.name, "edges", "the op graph has a cycle (B20)");
  return order;
}

}  // namespace detent::models
