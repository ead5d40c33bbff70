#include "verify/explore/threads/role_law.hpp"

namespace detent::verify::explore {

void RoleLaw::begin_execution() {
  holder_ = kNoThread;
  left_ = {kNoThread, 0};
}

/// What a holder writes is plain memory: the next one must have seen it.
void RoleLaw::take() {
  if (holder_ != kNoThread) threads_.execution().fail("role", "two threads hold the scheduler role");
  holder_ = threads_.turns().current();
  if (!asks_who_has_seen() || left_.thread == kNoThread) return;
  if (threads_.turns().observers().knowledge()->seen(holder_)[left_.thread] < left_.time) {
    threads_.execution().fail("happens_before",
                              "the scheduler role is taken without having seen what its last holder did");
  }
}

void RoleLaw::let_go() {
  holder_ = kNoThread;
  if (asks_who_has_seen())
    left_ = {threads_.turns().current(), threads_.turns().observers().knowledge()->mark(threads_.turns().current())};
}

void RoleLaw::add_marks(std::vector<Knowledge::Mark>& marks) const {
  if (left_.thread != kNoThread) marks.push_back(left_);
}

}  // namespace detent::verify::explore
