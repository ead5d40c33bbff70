#include "verify/explore/threads/program.hpp"

#include "verify/explore/threads/engine.hpp"

namespace detent::verify::explore {

World::World(const ThreadOptions& options, std::uint32_t thread_count)
    : threads({.max_steps = options.max_steps,
               .clock_matters = options.op_deadline_ps != 0,
               .recognises_states = options.search == Search::kStates,
               .spurious_wakeups = options.spurious_wakeups,
               .early_timeouts = options.early_timeouts}),
      history(thread_count),
      memory(thread_count),
      knowledge(thread_count, options.memory == MemoryModel::kC11 ? &memory : nullptr),
      is_weak(options.memory == MemoryModel::kC11),
      recognises_states(options.search == Search::kStates),
      max_steps(options.max_steps) {}

End Program::execute(Strategy& strategy) {
  World& w = world();
  const End end = w.threads.run(
      strategy, [](void* self) { static_cast<Program*>(self)->main(); }, this,
      w.recognises_states ? nullptr : &w.history, &w.knowledge);
  if (end == End::kDeadlock) {
    std::string text = "nobody can go on:";
    for (std::uint64_t left = w.threads.turns().alive(); left != 0; left &= left - 1) {
      const auto thread = static_cast<ThreadId>(__builtin_ctzll(left));
      text += (text.back() == ':' ? " " : ", ") + thread_name(thread) + " " + w.threads.blocked_on(thread);
    }
    w.threads.execution().fail("deadlock", text);
  } else if (end == End::kStepLimit) {
    w.threads.execution().fail("termination", "no end within " + std::to_string(w.max_steps) + " steps");
  }
  return end;
}

std::uint64_t Program::fingerprint() const {
  return world().is_weak ? world().memory.fingerprint() : world().history.fingerprint();
}

SyncPoints Program::points() const {
  SyncPoints points = own_points();
  const Waits::Counters& counters = threads().turns().waits().counters();
  points.wait_asleep = counters.wait_asleep;
  points.wait_awake = counters.wait_awake;
  points.lock_free = counters.lock_free;
  points.lock_contended = counters.lock_contended;
  points.spurious = counters.spurious;
  points.timeouts = counters.timeouts;
  return points;
}

std::string Program::store_name(ThreadId thread, std::uint32_t alternative) const {
  const Memory::Alternative found = world().memory.alternative(alternative);
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
