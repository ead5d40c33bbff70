// Pairs of positions -> whether a path leads along: by search, then by labels, then by sweeps of bits.
#include "verify/graph/paths.hpp"

#include <algorithm>

#include "base/ids.hpp"

namespace detent::verify {
namespace {

/// Positions of the direct predecessors, by position.
Rows<std::uint32_t> predecessor_lists(const Order& order) {
  return {order.op_count(), [&](const auto& put) {
            for (std::uint32_t p = 0; p < order.op_count(); ++p) {
              for (const std::uint32_t q : order.successors(p)) put(q, p);
            }
          }};
}

constexpr std::size_t kMostLanes = 512;

}  // namespace

/// Intervals of a depth-first traversal: what an op reaches lies within its interval. Not the other way round.
/// @see  Yildirim, Chaoji and Zaki 2010 (GRAIL)
class ReachLabels {
 public:
  /// @param reversed  successors are followed the last one first: other intervals
  ReachLabels(const Order& order, bool reversed) : low_(order.op_count()), rank_(order.op_count(), DETENT_NONE) {
    for (std::uint32_t root = 0; root < order.op_count(); ++root) {
      if (rank_[root] == DETENT_NONE) traverse(order, root, reversed);
    }
  }
  /// False: no path leads from `from` to `to`.
  [[nodiscard]] bool may_reach(const PositionPair& pair) const {
    return low_[pair.from] <= low_[pair.to] && rank_[pair.to] <= rank_[pair.from];
  }

 private:
  struct Visit {
    std::uint32_t position;
    std::uint32_t next;  ///< successor
  };

  void traverse(const Order& order, std::uint32_t root, bool reversed) {
    stack_.push_back({root, 0});
    low_[root] = DETENT_NONE;
    while (!stack_.empty()) {
      Visit& top = stack_.back();
      const auto successors = order.successors(top.position);
      if (top.next == successors.size()) {
        rank_[top.position] = done_++;
        low_[top.position] = std::min(low_[top.position], rank_[top.position]);
        stack_.pop_back();
        continue;
      }
      const std::uint32_t q = successors[reversed ? successors.size() - 1 - top.next : top.next];
      if (rank_[q] == DETENT_NONE) {  // its low is taken on return
        stack_.push_back({q, 0});
        low_[q] = DETENT_NONE;
        continue;
      }
      low_[top.position] = std::min(low_[top.position], low_[q]);
      ++top.next;
    }
  }

  std::vector<std::uint32_t> low_;   ///< least rank of what the op reaches, itself included
  std::vector<std::uint32_t> rank_;  ///< in post-order
  std::vector<Visit> stack_;
  std::uint32_t done_ = 0;
};

PathFinder::PathFinder(const Order& order, const PathOptions& options)
    : order_(order), options_(options), predecessors_(predecessor_lists(order)) {}

PathFinder::~PathFinder() = default;

std::vector<bool> PathFinder::find(std::span<const PositionPair> pairs) {
  pairs_ = pairs;
  found_.assign(pairs.size(), false);
  undecided_.clear();
  search_all();
  if (!undecided_.empty()) drop_by_labels();
  if (!undecided_.empty()) sweep_all();
  return std::move(found_);
}

// ---- Search back from each `to`.

void PathFinder::search_all() {
  const Rows<std::uint32_t> by_target(order_.op_count(), [&](const auto& put) {
    for (std::uint32_t i = 0; i < pairs_.size(); ++i) put(pairs_[i].to, i);
  });
  marked_for_.assign(order_.op_count(), DETENT_NONE);
  for (std::uint32_t to = 0; to < order_.op_count(); ++to) {
    if (!by_target[to].empty()) search(to, by_target[to]);
  }
}

void PathFinder::search(std::uint32_t to, std::span<const std::uint32_t> asked) {
  std::uint32_t earliest = to;
  for (const std::uint32_t i : asked) earliest = std::min(earliest, pairs_[i].from);
  marked_.clear();
  const auto mark_before = [&](std::uint32_t position) {
    for (const std::uint32_t p : predecessors_[position]) {
      if (p < earliest || marked_for_[p] == to) continue;
      if (position != to && marked_.size() >= options_.most_marked) return false;
      marked_for_[p] = to;
      marked_.push_back(p);
    }
    return true;
  };
  bool is_whole = mark_before(to);
  std::size_t look_at = 1;  // at growing distances: most are found close by
  for (std::size_t k = 0; k < marked_.size() && is_whole; ++k) {
    if (k + 1 == look_at) {
      look_at *= 2;
      if (are_marked(to, asked)) break;
    }
    is_whole = mark_before(marked_[k]);
  }
  for (const std::uint32_t i : asked) {
    const bool is_marked = pairs_[i].from < to && marked_for_[pairs_[i].from] == to;
    found_[i] = is_marked;
    if (!is_marked && !is_whole && pairs_[i].from < to) undecided_.push_back(i);
  }
}

bool PathFinder::are_marked(std::uint32_t to, std::span<const std::uint32_t> asked) const {
  return std::ranges::all_of(asked, [&](std::uint32_t i) { return marked_for_[pairs_[i].from] == to; });
}

// ---- Labels.

void PathFinder::drop_by_labels() {
  if (labels_.empty()) {
    for (const bool reversed : {false, true}) labels_.push_back(std::make_unique<const ReachLabels>(order_, reversed));
  }
  std::erase_if(undecided_, [&](std::uint32_t i) {
    return std::ranges::any_of(labels_, [&](const auto& labels) { return !labels->may_reach(pairs_[i]); });
  });
}

// ---- Sweeps: a lane of bits per `to`, from the last one back to the earliest `from`.

void PathFinder::sweep_all() {
  words_ = (std::min(kMostLanes, undecided_.size()) + 63) / 64;
  bits_.resize(order_.op_count() * words_);
  lane_of_.assign(order_.op_count(), DETENT_NONE);
  std::size_t begin = 0;
  while (begin < undecided_.size()) {  // ascending by `to`
    std::uint32_t lanes = 0;
    std::uint32_t last = DETENT_NONE;
    std::uint32_t earliest = DETENT_NONE;
    std::size_t end = begin;
    for (; end < undecided_.size(); ++end) {
      const PositionPair& pair = pairs_[undecided_[end]];
      if (pair.to != last && lanes == words_ * 64) break;
      if (pair.to != last) lane_of_[pair.to] = lanes++;
      last = pair.to;
      earliest = std::min(earliest, pair.from);
    }
    sweep(earliest, last);
    for (; begin < end; ++begin) {
      const PositionPair& pair = pairs_[undecided_[begin]];
      const std::uint32_t lane = lane_of_[pair.to];
      found_[undecided_[begin]] = (bits_[pair.from * words_ + lane / 64] >> (lane % 64) & 1U) != 0;
    }
    std::fill(lane_of_.begin() + earliest, lane_of_.begin() + last + 1, DETENT_NONE);
  }
}

void PathFinder::sweep(std::uint32_t earliest, std::uint32_t last) {
  for (std::uint32_t p = last + 1; p-- > earliest;) {
    Word* const to = bits_.data() + p * words_;
    std::fill(to, to + words_, Word{0});
    for (const std::uint32_t q : order_.successors(p)) {
      if (q > last) continue;
      if (lane_of_[q] != DETENT_NONE) to[lane_of_[q] / 64] |= Word{1} << (lane_of_[q] % 64);
      const Word* const from = bits_.data() + q * words_;
      for (std::size_t w = 0; w < words_; ++w) to[w] |= from[w];
    }
  }
}

std::vector<bool> find_paths(const Order& order, std::span<const PositionPair> pairs, const PathOptions& options) {
  if (pairs.empty()) return {};
  return PathFinder(order, options).find(pairs);
}

}  // namespace detent::verify
