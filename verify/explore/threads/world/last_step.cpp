#include "verify/explore/threads/world/last_step.hpp"

namespace detent::verify::explore {

std::uint32_t LastStep::begin_access(ThreadId thread, const Step& step) {
  step_ = step;
  thread_ = thread;
  is_open_ = true;
  accesses_ = step_.word != nullptr || step_.kind == StepKind::kFence;
  return accesses_ ? memory_->begin_access(thread, step_) : 0;
}

bool LastStep::finish_access() {
  if (!accesses_) return false;
  accesses_ = false;
  const Memory::Effect effect = memory_->end_access();
  step_.exclusive = effect.exclusive;
  return effect.news;
}

}  // namespace detent::verify::explore
