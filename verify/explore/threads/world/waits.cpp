#include "verify/explore/threads/world/waits.hpp"

namespace detent::verify::explore {

void Waits::reset() {
  blocked_ = idle_waiters_ = 0;
  parking_.reset();
  spins_.reset();
}

std::string Waits::blocked_on(ThreadId thread, const Step& pending) const {
  switch (pending.kind) {
    case StepKind::kWait:
      return "sleeps until a notify";
    case StepKind::kLock:
      return "waits for the lock";
    case StepKind::kJoin:
      return "waits for thread " + std::to_string(joins_[thread]) + " to end";
    case StepKind::kPause:
      return "spins until somebody writes";
    case StepKind::kIdleWait:
      return "waits for the others";
    case StepKind::kBegin:
    case StepKind::kRead:
    case StepKind::kWrite:
    case StepKind::kUpdate:
    case StepKind::kFence:
    case StepKind::kNotify:
    case StepKind::kOp:
    case StepKind::kTime:
      return "can run";
  }
  return "?";
}

}  // namespace detent::verify::explore
