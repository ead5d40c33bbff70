// LastStep: the step that was performed last, until its access has happened and the observers are told.
#pragma once

#include <cstdint>
#include <cstring>

#include "runtime/base/atomic.h"
#include "verify/explore/threads/order/memory.hpp"
#include "verify/explore/threads/order/step.hpp"

namespace detent::verify::explore {

class LastStep {
 public:
  /// A new execution. @param memory  says what loads see; null: sequential consistency
  void reset(Memory* memory) {
    memory_ = memory;
    is_open_ = accesses_ = false;
  }
  /// The thread has been picked for it, and its access comes next.
  void take(ThreadId thread, const Step& step) {
    step_ = step;
    thread_ = thread;
    is_open_ = true;
    if (step_.word != nullptr && step_.exclusive) word_before_ = read_word();
  }
  /// The same under a memory. @return  how many stores the access may see; 0: it is not for the memory
  std::uint32_t begin_access(ThreadId thread, const Step& step);
  /// The access has happened. @return  threads that wait for a write may go on
  bool finish() {
    is_open_ = false;
    if (memory_ != nullptr) return finish_access();
    if (step_.word != nullptr && step_.exclusive) step_.exclusive = read_word() != word_before_;
    return step_.exclusive && (step_.kind == StepKind::kWrite || step_.kind == StepKind::kUpdate);
  }

  /// It has been taken and not been finished.
  [[nodiscard]] bool is_open() const { return is_open_; }
  [[nodiscard]] ThreadId thread() const { return thread_; }
  [[nodiscard]] const Step& step() const { return step_; }
  /// Would it make a difference if this step had been taken before it?
  [[nodiscard]] bool conflicts_with(const Step& step) const {
    if (conflicts(step, step_)) return true;
    return memory_ != nullptr && step.object == step_.object && memory_->may_raise(step);
  }

 private:
  [[nodiscard]] std::uint64_t read_word() const {
    std::uint64_t value = 0;
    std::memcpy(&value, step_.word, (step_.access & kAccessWide) != 0 ? 8 : 4);
    return value;
  }
  bool finish_access();

  Memory* memory_ = nullptr;
  bool is_open_ = false;
  bool accesses_ = false;  // the memory waits for the end of the access
  Step step_;
  ThreadId thread_ = 0;
  std::uint64_t word_before_ = 0;
};

}  // namespace detent::verify::explore
