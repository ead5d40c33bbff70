#include "verify/explore/threads/role_law.hpp"

namespace detent::verify::explore {

void RoleLaw::begin_execution() {
  holder_ = kNoThread;
  left_ = {kNoThread, 0};
}

/// What a holder writes is plain memory: the next one must have seen it.
void RoleLaw::take() {
  if (holder_ != kNoThread) world_.fail("role", "two threads hold the scheduler role");
  holder_ = world_.current();
  if (!asks_who_has_seen() || left_.thread == kNoThread) return;
  if (world_.knowledge()->seen(holder_)[left_.thread] < left_.time) {
    world_.fail("happens_before", "the scheduler role is taken without having seen what its last holder did");
  }
}

void RoleLaw::let_go() {
  holder_ = kNoThread;
  if (asks_who_has_seen()) left_ = {world_.current(), world_.knowledge()->mark(world_.current())};
}

void RoleLaw::add_marks(std::vector<Knowledge::Mark>& marks) const {
  if (left_.thread != kNoThread) marks.push_back(left_);
}

}  // namespace detent::verify::explore
