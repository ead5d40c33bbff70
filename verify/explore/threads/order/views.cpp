#include "verify/explore/threads/order/views.hpp"

namespace detent::verify::explore {

Views::Views(std::uint32_t thread_count)
    : threads_(thread_count), rows_(4 * thread_count + (kFenceObject - kMutexObjects), thread_count) {
  reset();
}

void Views::reset() {
  rows_.drop_appended();
  rows_.clear(mutex_row(mutexes_));
  for (ThreadId thread = 0; thread < threads_; ++thread) mark(thread);
  alive_ = 1;
}

void Views::forget_stores() {
  rows_.drop_appended();
  for (std::uint32_t number = 0; number < mutex_row(mutexes_); ++number) {
    std::fill(rows_.row(number) + threads_, rows_.row(number) + rows_.width(), 0);
  }
}

void Views::start(ThreadId parent, ThreadId child) {
  const std::uint32_t time = rows_.row(child)[child];
  if (parent != child) rows_.assign(child, parent);
  rows_.row(child)[child] = std::max(time, rows_.row(child)[child]);
  alive_ |= std::uint64_t{1} << child;
}

}  // namespace detent::verify::explore
