// SearchPath: depth first over schedules. The decisions of an execution are the nodes of a path; the next execution
// repeats the path up to the last node at which something is left to be tried, and tries it.
#pragma once

#include "verify/explore/threads/order/log.hpp"
#include "verify/explore/threads/world/turns.hpp"

namespace detent::verify::explore {

/// What each node keeps, whatever the search. A Node of a SearchPath derives from it and says in `bool try_next()`
/// whether another thread is left to be chosen, and chooses it.
struct PathNode {
  std::uint64_t trail = 0;  ///< of the execution when it asked
  ThreadId chosen = 0;
  std::uint32_t count = 0;  ///< > 0: a choice of values below it, `chosen` of them
};

/// A node at which every thread that could go on is tried, lowest first.
struct PlainNode : PathNode {
  std::uint64_t left = 0;  ///< threads still to be tried
  bool try_next() {
    if (left == 0) return false;
    chosen = static_cast<ThreadId>(__builtin_ctzll(left));
    left &= left - 1;
    return true;
  }
};

template <typename Node>
class SearchPath {
 public:
  void begin_execution() { depth_ = 0; }
  /// The decision that is asked for has been made by an earlier execution.
  [[nodiscard]] bool repeats() const { return depth_ < nodes_.size(); }
  /// Go past the node of that decision; nullptr: the program is not where it was then.
  const Node* pass(const Turns& turns) {
    if (nodes_[depth_].trail == turns.execution().trail()) return &nodes_[depth_++];
    if (diverged_at_ == 0) diverged_at_ = depth_ + 1;
    return nullptr;
  }
  /// A decision that is new; it has been passed.
  Node& add(const Turns& turns) {
    ++depth_;
    Node& node = nodes_.add();
    node = Node{};
    node.trail = turns.execution().trail();
    return node;
  }
  std::uint32_t choose(const Turns& turns, std::uint32_t count) {
    if (repeats()) {
      const Node* const node = pass(turns);
      return node != nullptr ? node->chosen : 0;  // the next pick stops, too
    }
    add(turns).count = count;
    return 0;
  }
  /// Turn to the schedule that comes next. `finish` is told of each node at which nothing is left.
  /// @return  there is one
  template <typename Finish>
  bool turn(const Finish& finish) {
    if (diverged_at_ == 0 && repeats()) diverged_at_ = depth_ + 1;
    if (diverged_at_ != 0) return false;
    while (!nodes_.empty()) {
      Node& node = nodes_.back();
      if (node.count != 0 ? ++node.chosen < node.count : node.try_next()) return true;
      finish(node);
      nodes_.pop();
    }
    return false;
  }
  bool turn() {
    return turn([](const Node&) {});
  }

  /// Begin with an empty path again.
  void clear() { nodes_.truncate(0); }

  [[nodiscard]] const Log<Node>& nodes() const { return nodes_; }
  [[nodiscard]] Node& node(std::uint32_t index) { return nodes_[index]; }
  /// Nodes passed in this execution.
  [[nodiscard]] std::uint32_t depth() const { return depth_; }
  /// Replaying a prefix met another set of choices at this decision, from 1: the program depends on something else.
  /// 0 = never.
  [[nodiscard]] std::uint32_t diverged_at() const { return diverged_at_; }

 private:
  Log<Node> nodes_;
  std::uint32_t depth_ = 0;
  std::uint32_t diverged_at_ = 0;
};

}  // namespace detent::verify::explore
