// Paths: does a path lead from one op to another? Exact for many pairs at once, without the closure of all ops.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/lists/rows.hpp"
#include "verify/graph/order.hpp"

namespace detent::verify {

/// Two ops by their positions in an Order.
struct PositionPair {
  std::uint32_t from = 0, to = 0;
  bool operator==(const PositionPair&) const = default;
};

struct PathOptions {
  /// Ops that the search back from one `to` marks, further ones than its direct predecessors; 0: those alone.
  std::uint32_t most_marked = 256;
};

class ReachLabels;

/// Answers several lists of pairs about one order.
class PathFinder {
 public:
  /// @param order  outlives this
  explicit PathFinder(const Order& order, const PathOptions& options = {});
  ~PathFinder();
  PathFinder(const PathFinder&) = delete;
  PathFinder& operator=(const PathFinder&) = delete;

  /// By pair: does a path of at least one edge lead from `from` to `to`?
  ///
  /// Each step leaves to the next what it does not decide: a search back from each `to` as far as its earliest `from`;
  /// labels, which tell most pairs without a path; sweeps over the ops between the earliest `from` and the last `to` of
  /// 512 of them at a time. Where ops that are asked about stand close to each other, O(ops + edges + pairs); at worst
  /// O(ops * edges / 64).
  std::vector<bool> find(std::span<const PositionPair> pairs);

 private:
  void search_all();
  void search(std::uint32_t to, std::span<const std::uint32_t> asked);
  [[nodiscard]] bool are_marked(std::uint32_t to, std::span<const std::uint32_t> asked) const;
  void drop_by_labels();
  void sweep_all();
  void sweep(std::uint32_t earliest, std::uint32_t last);

  const Order& order_;
  const PathOptions options_;
  const Rows<std::uint32_t> predecessors_;
  std::vector<std::unique_ptr<const ReachLabels>> labels_;  ///< made by the first list that needs them
  std::span<const PositionPair> pairs_;                     ///< that are asked for
  std::vector<bool> found_;
  std::vector<std::uint32_t> marked_for_, marked_;
  std::vector<std::uint32_t> undecided_;  ///< pairs, ascending by `to`
  std::size_t words_ = 0;
  std::vector<Word> bits_;
  std::vector<std::uint32_t> lane_of_;
};

/// The same of one list.
std::vector<bool> find_paths(const Order& order, std::span<const PositionPair> pairs, const PathOptions& options = {});

}  // namespace detent::verify
