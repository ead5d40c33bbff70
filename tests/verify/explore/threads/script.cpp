#include "tests/verify/explore/threads/script.hpp"

#include "verify/explore/threads/search/sampling.hpp"

namespace detent::verify::explore::testing {

Script::Script(std::vector<std::vector<Action>> scripts, const VirtualThreadsOptions& options, bool weak)
    : scripts_(std::move(scripts)),
      threads_(options),
      history_(static_cast<std::uint32_t>(scripts_.size())),
      weak_(weak),
      memory_(static_cast<std::uint32_t>(scripts_.size()), true),
      knowledge_(static_cast<std::uint32_t>(scripts_.size()), &memory_),
      seen_(scripts_.size()) {
  for (std::uint32_t thread = 0; thread < scripts_.size(); ++thread) {
    bodies_.push_back({this, thread});
    seen_[thread].reserve(64);  // fibres that are abandoned must not own memory that grows
  }
}

void Script::perform(std::uint32_t thread, const Action& action) {
  std::uint32_t& word = words_[action.object % 8];
  Step step{.kind = StepKind::kRead, .exclusive = false, .object = kWordObjects + action.object, .word = &word};
  step.access = static_cast<std::uint8_t>(action.order);
  switch (action.act) {
    case Act::kLoad:
      threads_.step(step);
      seen_[thread].push_back(word);
      return;
    case Act::kPeek:
      threads_.step(step);
      return;
    case Act::kStore:
      step.kind = StepKind::kWrite;
      step.exclusive = true;
      threads_.step(step);
      word = action.value;
      return;
    case Act::kClaim:
      step.kind = StepKind::kUpdate;
      step.exclusive = step.compares = true;
      threads_.step(step);
      seen_[thread].push_back(word == 0 ? 1 : 0);
      if (word == 0) word = action.value;
      return;
    case Act::kSwap:
    case Act::kAdd:
      step.kind = StepKind::kUpdate;
      step.exclusive = true;
      threads_.step(step);
      seen_[thread].push_back(word);
      word = action.act == Act::kAdd ? word + action.value : action.value;
      return;
    case Act::kFence:
      step.kind = StepKind::kFence;
      step.exclusive = true;
      step.object = kFenceObject;
      step.word = nullptr;
      threads_.step(step);
      return;
    case Act::kLock:
      threads_.lock(mutexes_[action.object]);
      return;
    case Act::kUnlock:
      threads_.unlock(mutexes_[action.object]);
      return;
    case Act::kNotify:
      threads_.notify(action.object);
      return;
    case Act::kWait:
      threads_.park(thread, UINT64_MAX);
      return;
    case Act::kChoose:
      seen_[thread].push_back(threads_.choose(action.value));
      return;
  }
}

void Script::run_thread(std::uint32_t thread) {
  for (const Action& action : scripts_[thread]) {
    perform(thread, action);
    threads_.tidy_stack();
  }
}

void Script::enter(void* arg) {
  const Body& body = *static_cast<const Body*>(arg);
  body.script->run_thread(body.thread);
}

void Script::main(void* arg) {
  Script& self = *static_cast<Script*>(arg);
  for (std::uint32_t thread = 1; thread < self.scripts_.size(); ++thread) {
    self.threads_.start(thread, enter, &self.bodies_[thread]);
  }
  self.run_thread(0);
  for (std::uint32_t thread = 1; thread < self.scripts_.size(); ++thread) self.threads_.join(thread);
}

std::string Script::outcome() const {
  std::string text;
  for (const auto& values : seen_) {
    for (const std::uint32_t value : values) text += std::to_string(value) + ",";
    text += ";";
  }
  for (const std::uint32_t word : words_) text += std::to_string(word) + " ";
  return text;
}

std::uint64_t Script::state_hash() const {
  StateHash hash;
  threads_.hash_state(hash);
  for (const FibreMutex& mutex : mutexes_) hash.add(mutex.pending << 1U | std::uint64_t{mutex.held});
  hash.add_bytes(words_, sizeof words_);
  if (weak_) memory_.hash({}, hash);
  for (const auto& values : seen_) hash.add_bytes(values.data(), values.size() * sizeof values[0]);
  return hash.value();
}

Script::Seen Script::explore(Strategy& strategy, std::uint64_t max_executions) {
  Seen seen;
  bool more = true;
  while (more && seen.executions < max_executions) {
    for (std::uint32_t& word : words_) word = 0;
    for (std::uint32_t i = 0; i < 4; ++i) mutexes_[i] = FibreMutex{.object = kMutexObjects + i};
    for (auto& values : seen_) values.clear();
    const End end = threads_.run(strategy, main, this, &history_, weak_ ? &knowledge_ : nullptr);
    ++seen.executions;
    if (end == End::kDone || end == End::kDeadlock) {
      ++seen.complete;
      seen.deadlocks += end == End::kDeadlock ? 1 : 0;
      seen.fingerprints.insert(weak_ ? memory_.fingerprint() : history_.fingerprint());
      seen.outcomes.insert((end == End::kDone ? "" : "deadlock ") + outcome());
    }
    more = strategy.end_execution();
  }
  return seen;
}

std::vector<std::vector<Action>> random_scripts(std::uint64_t seed, std::uint32_t threads, std::uint32_t length) {
  ThreadRandom random(seed);
  std::vector<std::vector<Action>> scripts(threads);
  for (auto& script : scripts) {
    for (std::uint32_t i = 0; i < length; ++i) {
      const std::uint32_t object = random.below(2);
      switch (random.below(7)) {
        case 0:
        case 1:
          script.push_back({Act::kLoad, object});
          break;
        case 2:
          script.push_back({Act::kStore, object, random.below(2)});
          break;
        case 3:
          script.push_back({Act::kClaim, object, 1 + random.below(2)});
          break;
        case 4:
          script.push_back({Act::kLock, object});
          script.push_back({Act::kLoad, 2});
          script.push_back({Act::kUnlock, object});
          break;
        case 5:
          script.push_back({Act::kNotify, random.below(threads)});
          break;
        default:
          script.push_back({random.below(3) == 0 ? Act::kWait : Act::kStore, 3, 1 + random.below(2)});
          break;
      }
    }
  }
  return scripts;
}

}  // namespace detent::verify::explore::testing
