// RoleLaw: one holder of the scheduler role at a time, and each has seen what the last one did.
#pragma once

#include <vector>

#include "verify/explore/threads/order/knowledge.hpp"
#include "verify/explore/threads/world/virtual_threads.hpp"

namespace detent::verify::explore {

class RoleLaw {
 public:
  /// @param threads  outlives this
  explicit RoleLaw(VirtualThreads& threads) : threads_(threads) {}
  void begin_execution();
  /// The current thread has taken the role; it has let it go.
  void take();
  void let_go();
  [[nodiscard]] ThreadId holder() const { return holder_; }
  /// Append the moments that a check will still ask about.
  void add_marks(std::vector<Knowledge::Mark>& marks) const;

 private:
  /// Sequential consistency shows everybody what a holder wrote, so that only a memory model asks.
  [[nodiscard]] bool asks_who_has_seen() const {
    return threads_.turns().observers().memory() != nullptr && threads_.turns().is_controlled();
  }

  VirtualThreads& threads_;
  ThreadId holder_ = kNoThread;
  Knowledge::Mark left_{kNoThread, 0};  // under a memory model: when the role was let go last
};

}  // namespace detent::verify::explore
