// BoundedSearch: every schedule with at most so many preemptions, fewest first where the caller raises the bound.
//
// A preemption is a switch away from a thread that could have gone on. Most faults need one or two (Musuvathi and
// Qadeer 2007). No reduction: a reduced set need not hold the schedule with the fewest preemptions.
#pragma once

#include <vector>

#include "verify/explore/threads_world.hpp"

namespace detent::verify::explore {

class BoundedSearch final : public Strategy {
 public:
  explicit BoundedSearch(std::uint32_t max_preemptions) : bound_(max_preemptions) {}
  void begin_execution() override { depth_ = 0; }
  ThreadId pick(const World& world, std::uint64_t enabled) override;
  std::uint32_t choose(const World& world, std::uint32_t count) override;
  bool end_execution() override;
  [[nodiscard]] std::uint32_t diverged_at() const { return diverged_at_; }

 private:
  struct Node {
    std::uint64_t trail = 0;
    std::uint64_t left = 0;  ///< threads still to be tried
    ThreadId chosen = 0;
    ThreadId before = 0;  ///< who ran; another choice while it could have gone on is a preemption
    bool could_go_on = false;
    std::uint32_t preemptions = 0;  ///< before this node
    std::uint32_t count = 0;        ///< > 0: a choice of values
  };
  [[nodiscard]] std::uint32_t preemptions_after(const Node& node) const;

  std::uint32_t bound_;
  std::vector<Node> nodes_;
  std::uint32_t depth_ = 0;
  std::uint32_t diverged_at_ = 0;
};

}  // namespace detent::verify::explore
