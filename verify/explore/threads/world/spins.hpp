// Spins: threads that spin until somebody else writes, and who has written since each looked last.
#pragma once

#include <array>
#include <cstdint>

#include "verify/explore/threads/order/step.hpp"

namespace detent::verify::explore {

class Spins {
 public:
  void reset() { writes_ = spinning_ = 0; }
  void start(ThreadId thread) { threads_[thread] = {}; }
  void note_write(ThreadId thread) {
    ++writes_;
    ++threads_[thread].own_writes;
  }
  /// Somebody else has written since the thread's last pause.
  [[nodiscard]] bool has_news(ThreadId thread) const {
    return writes_ - threads_[thread].own_writes != threads_[thread].writes_seen;
  }
  void begin(ThreadId thread) { spinning_ |= std::uint64_t{1} << thread; }
  void end(ThreadId thread) {
    spinning_ &= ~(std::uint64_t{1} << thread);
    threads_[thread].writes_seen = writes_ - threads_[thread].own_writes;
  }
  [[nodiscard]] std::uint64_t spinning() const { return spinning_; }

 private:
  struct Thread {
    std::uint64_t own_writes = 0, writes_seen = 0;
  };
  std::uint64_t writes_ = 0, spinning_ = 0;
  std::array<Thread, kMaxThreads> threads_{};
};

}  // namespace detent::verify::explore
