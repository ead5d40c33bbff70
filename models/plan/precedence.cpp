// Edges and users -> which workspace tensors wholly precede which. Reachability in blocks of 512 users at a time.
#include <algorithm>
#include <array>

#include "models/core/dag.hpp"
#include "models/plan/internal.hpp"

namespace detent::models::planner {
namespace {

constexpr std::size_t kBlockWords = 8;
constexpr std::size_t kBlockLanes = kBlockWords * 64;
using LaneBits = std::array<std::uint64_t, kBlockWords>;

// One lane stands for one (item, user): which ops come strictly after that user.
struct Lane {
  std::uint32_t item;
  OpId op;
};

struct Graph {
  std::vector<std::uint32_t> order;
  std::vector<std::vector<std::uint32_t>> predecessors;
};

Graph make_graph(const Model& model) {
  Graph graph{topological_order(model), std::vector<std::vector<std::uint32_t>>(model.ops.size())};
  for (const Edge& edge : model.edges) graph.predecessors[edge.to].push_back(edge.from);
  return graph;
}

// after[op]: the lanes of the block whose user is a strict ancestor of op.
void propagate(const Graph& graph, const Lane* lanes, std::size_t count, std::vector<LaneBits>& own,
               std::vector<LaneBits>& after) {
  for (std::size_t i = 0; i < count; ++i) own[lanes[i].op][i / 64] |= 1ULL << (i % 64);
  for (const OpId op : graph.order) {
    LaneBits bits{};
    for (const std::uint32_t from : graph.predecessors[op]) {
      for (std::size_t w = 0; w < kBlockWords; ++w) bits[w] |= after[from][w] | own[from][w];
    }
    after[op] = bits;
  }
  for (std::size_t i = 0; i < count; ++i) own[lanes[i].op] = {};
}

// Bit k of word i becomes bit i of word k.
void transpose(std::array<std::uint64_t, 64>& words) {
  std::uint64_t mask = 0x00000000FFFFFFFFULL;
  for (std::size_t half = 32; half != 0; half /= 2, mask ^= mask << half) {
    for (std::size_t i = 0; i < 64; i = ((i | half) + 1) & ~half) {
      const std::uint64_t swapped = ((words[i] >> half) ^ words[i | half]) & mask;
      words[i] ^= swapped << half;
      words[i | half] ^= swapped;
    }
  }
}

// Which lanes precede all users of the item.
LaneBits lanes_before(const Item& item, const std::vector<LaneBits>& after) {
  LaneBits all;
  all.fill(~0ULL);
  for (const std::uint32_t user : item.users) {
    for (std::size_t w = 0; w < kBlockWords; ++w) all[w] &= after[user][w];
  }
  return all;
}

// An item precedes another only if all its lanes do: strike out pairs where one does not, 64 others and 64 lanes at
// once.
void strike_out(const std::vector<Item>& items, const Lane* lanes, std::size_t count,
                const std::vector<LaneBits>& after, BitMatrix& before) {
  std::array<LaneBits, 64> of_others{};
  std::array<std::uint64_t, 64> of_lanes{};
  for (std::size_t first = 0; first < items.size(); first += 64) {
    const std::size_t others = std::min<std::size_t>(64, items.size() - first);
    for (std::size_t i = 0; i < others; ++i) of_others[i] = lanes_before(items[first + i], after);
    for (std::size_t w = 0; w * 64 < count; ++w) {
      for (std::size_t i = 0; i < 64; ++i) of_lanes[i] = of_others[i][w];
      transpose(of_lanes);
      const std::size_t end = std::min<std::size_t>(64, count - w * 64);
      for (std::size_t i = 0; i < end; ++i) before.row(lanes[w * 64 + i].item)[first / 64] &= of_lanes[i];
    }
  }
}

void fill_candidates(const std::vector<Item>& items, BitMatrix& before) {
  for (std::size_t row = 0; row < items.size(); ++row) {
    if (items[row].users.empty()) continue;
    for (std::size_t column = 0; column < items.size(); ++column) {
      if (column != row && !items[column].users.empty()) before.set(row, column);
    }
  }
}

BitMatrix parallel_precedence(const Model& model, const std::vector<Item>& items) {
  std::vector<Lane> lanes;
  for (std::uint32_t item = 0; item < items.size(); ++item) {
    for (const std::uint32_t user : items[item].users) lanes.push_back({item, user});
  }
  const Graph graph = make_graph(model);
  BitMatrix before(items.size());
  fill_candidates(items, before);
  std::vector<LaneBits> own(model.ops.size());
  std::vector<LaneBits> after(model.ops.size());
  for (std::size_t first = 0; first < lanes.size(); first += kBlockLanes) {
    const std::size_t count = std::min(kBlockLanes, lanes.size() - first);
    propagate(graph, lanes.data() + first, count, own, after);
    strike_out(items, lanes.data() + first, count, after, before);
  }
  return before;
}

BitMatrix serial_precedence(const Model& model, const std::vector<Item>& items) {
  std::vector<std::size_t> position(model.ops.size());
  std::size_t next = 0;
  for (const OpId op : topological_order(model)) position[op] = next++;
  std::vector<std::pair<std::size_t, std::size_t>> life;
  for (const Item& item : items) {
    std::pair<std::size_t, std::size_t> range{SIZE_MAX, 0};
    for (const std::uint32_t user : item.users) {
      range.first = std::min(range.first, position[user]);
      range.second = std::max(range.second, position[user]);
    }
    life.push_back(range);
  }
  BitMatrix before(items.size());
  for (std::size_t row = 0; row < items.size(); ++row) {
    for (std::size_t column = 0; column < items.size(); ++column) {
      const bool known = !items[row].users.empty() && !items[column].users.empty();
      if (known && life[row].second < life[column].first) before.set(row, column);
    }
  }
  return before;
}

}  // namespace

BitMatrix comparable(const BitMatrix& before) {
  BitMatrix related = before;
  std::array<std::uint64_t, 64> block{};
  for (std::size_t row = 0; row < before.words(); ++row) {
    const std::size_t rows = std::min<std::size_t>(64, before.size() - row * 64);
    for (std::size_t column = 0; column < before.words(); ++column) {
      block.fill(0);
      for (std::size_t i = 0; i < rows; ++i) block[i] = before.row(row * 64 + i)[column];
      transpose(block);
      const std::size_t columns = std::min<std::size_t>(64, before.size() - column * 64);
      for (std::size_t i = 0; i < columns; ++i) related.row(column * 64 + i)[row] |= block[i];
    }
  }
  return related;
}

BitMatrix precedence(const Model& model, const std::vector<Item>& items, PlanOrder order) {
  return order == PlanOrder::kSerial ? serial_precedence(model, items) : parallel_precedence(model, items);
}

}  // namespace detent::models::planner
