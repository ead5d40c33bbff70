// Desc -> topological positions -> closure in column blocks.
#include "verify/graph/order.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <stdexcept>
#include <string>

#include "base/assert.hpp"
#include "verify/graph/paths.hpp"

namespace detent::verify {
namespace {

constexpr std::uint32_t kMaxBlockWidth = 2048;

void refuse(const detent_desc& desc, const std::string& what) {
  throw std::invalid_argument(std::string(desc.name != nullptr ? desc.name : "desc") + ": " + what +
                              "; `detent verify` prints the structure verdict with the ops concerned");
}

std::vector<std::uint32_t> count_predecessors_checked(const detent_desc& desc) {
  std::vector<std::uint32_t> waiting(desc.op_count, 0);
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_slice& slice = desc.ops[op].successors;
    if (slice.first > desc.successor_count || slice.count > desc.successor_count - slice.first) {
      refuse(desc, "the successors of op " + std::to_string(op) + " lie outside their table");
    }
    for (std::uint32_t k = 0; k < slice.count; ++k) {
      const std::uint32_t target = desc.successors[slice.first + k];
      if (target >= desc.op_count) refuse(desc, "op " + std::to_string(op) + " has a successor that does not exist");
      ++waiting[target];
    }
  }
  return waiting;
}

/// Each edge to a greater id. @param desc  checked
bool do_edges_ascend(const detent_desc& desc) {
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_slice& slice = desc.ops[op].successors;
    const std::span targets(desc.successors + slice.first, slice.count);
    if (std::ranges::any_of(targets, [op](std::uint32_t target) { return target <= op; })) return false;
  }
  return true;
}

}  // namespace

Order::Order(const detent_desc& desc) : position_of_(desc.op_count, DETENT_NONE) {
  std::vector<std::uint32_t> waiting = count_predecessors_checked(desc);
  if (do_edges_ascend(desc)) {
    op_at_.resize(desc.op_count);
    std::iota(op_at_.begin(), op_at_.end(), 0U);
    position_of_ = op_at_;
    index_edges(desc);
    return;
  }
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (waiting[op] == 0) ready.push(op);
  }
  op_at_.reserve(desc.op_count);
  while (!ready.empty()) {
    const OpId op = ready.top();
    ready.pop();
    position_of_[op] = static_cast<std::uint32_t>(op_at_.size());
    op_at_.push_back(op);
    const detent_slice& slice = desc.ops[op].successors;
    for (std::uint32_t k = 0; k < slice.count; ++k) {
      if (--waiting[desc.successors[slice.first + k]] == 0) ready.push(desc.successors[slice.first + k]);
    }
  }
  if (op_at_.size() < desc.op_count) refuse(desc, "the op graph has a cycle");
  index_edges(desc);
}

void Order::index_edges(const detent_desc& desc) {
  first_.reserve(std::size_t{desc.op_count} + 1);
  first_.push_back(0);
  targets_.reserve(desc.successor_count);
  for (const OpId op : op_at_) {
    const detent_slice& slice = desc.ops[op].successors;
    for (std::uint32_t k = 0; k < slice.count; ++k) {
      targets_.push_back(position_of_[desc.successors[slice.first + k]]);
    }
    first_.push_back(static_cast<std::uint32_t>(targets_.size()));
  }
}

ReachBlock::ReachBlock(const Order& order, std::uint32_t width) : order_(order), words_(width / 64) {
  DETENT_ASSERT(width > 0);
  DETENT_ASSERT(width % 64 == 0);
  bits_.resize(std::size_t{order.op_count()} * words_);
}

void ReachBlock::compute(std::uint32_t first) {
  DETENT_ASSERT(first < order_.op_count());
  first_ = first;
  column_count_ = std::min(words_ * 64, order_.op_count() - first);
  const std::uint32_t end = first_ + column_count_;
  for (std::uint32_t p = end; p-- > 0;) {
    Word* const to = bits_.data() + std::size_t{p} * words_;
    std::fill(to, to + words_, Word{0});
    for (const std::uint32_t q : order_.successors(p)) {
      if (q >= end) continue;
      if (q >= first_) to[(q - first_) / 64] |= Word{1} << ((q - first_) % 64);
      const Word* const from = row(q);
      for (std::uint32_t w = 0; w < words_; ++w) to[w] |= from[w];
    }
  }
}

std::uint32_t block_width(std::uint32_t op_count) {
  return std::clamp((std::min(op_count, kMaxBlockWidth) + 63) / 64 * 64, 64U, kMaxBlockWidth);
}

namespace {

std::vector<Relation> relate_by_paths(const Order& order,
                                      std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs) {
  std::vector<PositionPair> asked;
  asked.reserve(pairs.size());
  for (const auto& [a, b] : pairs) {
    const std::uint32_t at_a = order.position_of(a), at_b = order.position_of(b);
    asked.push_back({std::min(at_a, at_b), std::max(at_a, at_b)});
  }
  const std::vector<bool> has_path = find_paths(order, asked);
  std::vector<Relation> relations(pairs.size(), Relation::kUnordered);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!has_path[i]) continue;
    relations[i] = asked[i].from == order.position_of(pairs[i].first) ? Relation::kBefore : Relation::kAfter;
  }
  return relations;
}

}  // namespace

std::vector<Relation> relate_pairs(const Order& order, std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs) {
  if (order.op_count() > kMaxClosedOps) return relate_by_paths(order, pairs);
  const auto later = [&](std::size_t i) {
    return std::max(order.position_of(pairs[i].first), order.position_of(pairs[i].second));
  };
  std::vector<std::size_t> by_column(pairs.size());
  std::iota(by_column.begin(), by_column.end(), std::size_t{0});
  std::sort(by_column.begin(), by_column.end(), [&](std::size_t x, std::size_t y) { return later(x) < later(y); });
  std::vector<Relation> relations(pairs.size(), Relation::kUnordered);
  ReachBlock block(order, block_width(order.op_count()));
  for (const std::size_t i : by_column) {
    const std::uint32_t a = order.position_of(pairs[i].first);
    const std::uint32_t b = order.position_of(pairs[i].second);
    const std::uint32_t column = std::max(a, b);
    if (column >= block.first() + block.column_count())
      block.compute(column / (block.words() * 64) * (block.words() * 64));
    if (block.precedes(std::min(a, b), column - block.first())) {
      relations[i] = a < b ? Relation::kBefore : Relation::kAfter;
    }
  }
  return relations;
}

std::uint64_t count_unordered_pairs(const detent_desc& desc, const Order& order) {
  const auto is_real = [&](Position position) {
    return (desc.ops[order.op_at(position)].flags & DETENT_OP_DELAY) == 0;
  };
  ReachBlock block(order, block_width(order.op_count()));
  std::vector<Word> real(block.words());
  std::uint64_t real_count = 0;
  std::uint64_t ordered = 0;
  for (std::uint32_t first = 0; first < order.op_count(); first += block.words() * 64) {
    block.compute(first);
    std::fill(real.begin(), real.end(), Word{0});
    for (std::uint32_t c = 0; c < block.column_count(); ++c) {
      if (!is_real(first + c)) continue;
      real[c / 64] |= Word{1} << (c % 64);
      ++real_count;
    }
    for (std::uint32_t p = 0; p < first + block.column_count(); ++p) {
      if (!is_real(p)) continue;
      const Word* const row = block.row(p);
      for (std::uint32_t w = 0; w < block.words(); ++w) {
        ordered += static_cast<std::uint64_t>(std::popcount(row[w] & real[w]));
      }
    }
  }
  return real_count == 0 ? 0 : real_count * (real_count - 1) / 2 - ordered;
}

}  // namespace detent::verify
