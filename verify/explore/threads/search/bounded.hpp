// BoundedSearch: every schedule with at most so many preemptions, fewest first where the caller raises the bound.
//
// A preemption is a switch away from a thread that could have gone on. Most faults need one or two (Musuvathi and
// Qadeer 2007). No reduction: a reduced set need not hold the schedule with the fewest preemptions.
#pragma once

#include "verify/explore/threads/search/path.hpp"

namespace detent::verify::explore {

class BoundedSearch final : public Strategy {
 public:
  explicit BoundedSearch(std::uint32_t max_preemptions) : bound_(max_preemptions) {}
  void begin_execution() override { path_.begin_execution(); }
  ThreadId pick(const Turns& turns, std::uint64_t enabled) override;
  std::uint32_t choose(const Turns& turns, std::uint32_t count) override;
  bool end_execution() override { return path_.turn(); }
  [[nodiscard]] std::uint32_t diverged_at() const { return path_.diverged_at(); }

 private:
  struct Node : PlainNode {
    ThreadId before = 0;  ///< who ran; another choice while it could have gone on is a preemption
    bool could_go_on = false;
    bool is_store = false;          ///< a choice of a store: any but the newest counts as a preemption
    std::uint32_t preemptions = 0;  ///< before this node
  };
  [[nodiscard]] std::uint32_t preemptions_so_far() const;

  std::uint32_t bound_;
  SearchPath<Node> path_;
};

}  // namespace detent::verify::explore
