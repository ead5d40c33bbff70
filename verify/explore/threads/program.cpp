#include "verify/explore/threads/program.hpp"

#include "verify/explore/threads/engine.hpp"

namespace detent::verify::explore {

void Program::judge_end(VirtualThreads& threads, End end, std::uint32_t max_steps) const {
  if (end == End::kDeadlock) {
    std::string text = "nobody can go on:";
    for (std::uint64_t left = threads.turns().alive(); left != 0; left &= left - 1) {
      const auto thread = static_cast<ThreadId>(__builtin_ctzll(left));
      text += (text.back() == ':' ? " " : ", ") + thread_name(thread) + " " + threads.blocked_on(thread);
    }
    threads.execution().fail("deadlock", text);
  } else if (end == End::kStepLimit) {
    threads.execution().fail("termination", "no end within " + std::to_string(max_steps) + " steps");
  }
}

std::string Program::store_name(ThreadId thread, std::uint32_t alternative) const {
  const Memory::Alternative found = memory().alternative(alternative);
  if (!found.is_stale) return "";
  const std::string word = word_name((std::uint64_t{found.object} - kWordObjects) * 4);
  if (word.empty()) return "";
  const std::string who = thread_name(thread), newer = thread_name(found.newer_thread);
  if (found.kind == StepKind::kWrite)
    return who + " writes " + word + ", which counts as before what " + newer + " wrote";
  return who + " reads " + word + " = " + name_of_value(word, found.value) + ", which " + newer +
         " had already overwritten";
}

std::string Program::step_name(const Step& step) const {
  if (word_name(0).empty()) return "does a step";
  const auto word = [&] { return word_name((std::uint64_t{step.object} - kWordObjects) * 4); };
  switch (step.kind) {
    case StepKind::kBegin:
      return "begins";
    case StepKind::kRead:
      return "reads " + word();
    case StepKind::kWrite:
      return "writes " + word();
    case StepKind::kUpdate:
      return "updates " + word();
    case StepKind::kFence:
      return "fences";
    case StepKind::kLock:
      return "locks";
    case StepKind::kWait:
      return "wakes from its wait";
    case StepKind::kNotify:
      return "notifies slot " + std::to_string(step.object - kTokenObjects);
    case StepKind::kJoin:
      return "joins";
    case StepKind::kPause:
      return "spins";
    case StepKind::kOp:
      if (step.access != 0) return "returns from the run";
      return step.exclusive ? "executes an op that races" : "executes an op";
    case StepKind::kTime:
      return step.exclusive ? "lets a deadline pass" : "reads the clock";
    case StepKind::kIdleWait:
      return "has waited for the others";
  }
  return "?";
}

}  // namespace detent::verify::explore
