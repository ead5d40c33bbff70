// The port's table over VirtualThreads.
#include "verify/explore/threads/world/explore_port.hpp"

#include <cstring>
#include <utility>

#include "runtime/base/atomic.h"

namespace detent::verify::explore {

bool OrderFilter::is_ordered(const void*, PortCall) { return true; }

struct ExplorePort::Calls {
  static ExplorePort& of(void* self) { return *static_cast<ExplorePort*>(self); }
  static void tidy(void* self) { of(self).threads_.tidy_stack(); }
  static std::uint64_t now_ps(void* self) {
    const std::uint64_t now_ps = of(self).threads_.now_ps();
    tidy(self);
    return now_ps;
  }
  static void lock(void* self) {
    of(self).threads_.lock(of(self).mutex_, of(self).is_ordered(__builtin_return_address(0), PortCall::kLock));
    tidy(self);
  }
  static void unlock(void* self) {
    of(self).threads_.unlock(of(self).mutex_, of(self).is_ordered(__builtin_return_address(0), PortCall::kUnlock));
  }
  static void wait(void* self, std::uint32_t slot, std::uint64_t deadline_ps) {
    of(self).threads_.park(slot, deadline_ps, of(self).is_ordered(__builtin_return_address(0), PortCall::kWait));
    tidy(self);
  }
  static void notify(void* self, std::uint32_t slot) {
    of(self).threads_.notify(slot, of(self).is_ordered(__builtin_return_address(0), PortCall::kNotify));
    tidy(self);
  }
  static detent_status start(void* self, std::uint32_t slot, void (*entry)(void*), void* arg) {
    return of(self).start(slot, entry, arg, of(self).is_ordered(__builtin_return_address(0), PortCall::kStart));
  }
  static void join(void* self, std::uint32_t slot) {
    of(self).threads_.join(slot, of(self).is_ordered(__builtin_return_address(0), PortCall::kJoin));
    tidy(self);
  }
  static void pause(void* self) {
    of(self).threads_.pause();
    tidy(self);
  }
  static void checkpoint(void* self, detent_checkpoint kind, std::uint32_t slot, std::uint32_t index) {
    if (kind == DETENT_CP_ATOMIC) {
      of(self).touch_word(index, __builtin_return_address(0));
    } else if (kind == DETENT_CP_COMPARE) {
      of(self).expected_ = index;
      of(self).compares_ = true;
    } else {
      if (of(self).threads_.turns().observers().memory() != nullptr)
        of(self).threads_.flush();  // the words hold what is newest
      of(self).listener_->at_checkpoint(kind, slot, index);
    }
    tidy(self);
  }
};

ExplorePort::ExplorePort(VirtualThreads& threads, const ExplorePortOptions& options, CheckpointListener* listener)
    : threads_(threads), options_(options), listener_(listener) {
  table_.self = this;
  table_.checkpoint_mask = DETENT_CP_ATOMIC | DETENT_CP_ATOMIC_ORDERS;
  if (options_.announces_expected) table_.checkpoint_mask |= DETENT_CP_COMPARE;
  if (listener != nullptr) {
    table_.checkpoint_mask |= DETENT_CP_LOCK | DETENT_CP_UNLOCK | DETENT_CP_OP_BEGIN | DETENT_CP_OP_END;
  }
  table_.spin_limit = options.spin_limit;
  table_.active_spin_limit = options.active_spin_limit;
  table_.processors = options.slots;
  table_.max_slots = options.slots;
  table_.now_ps = Calls::now_ps;
  table_.lock = Calls::lock;
  table_.unlock = Calls::unlock;
  table_.wait = Calls::wait;
  table_.notify = Calls::notify;
  table_.start = Calls::start;
  table_.join = Calls::join;
  table_.pause = Calls::pause;
  table_.checkpoint = Calls::checkpoint;
  table_.claim = [](void* self) { return std::exchange(Calls::of(self).claimed_, true) ? DETENT_BUSY : DETENT_OK; };
  table_.release = [](void* self) { Calls::of(self).claimed_ = false; };
  reset();
}

void ExplorePort::reset() {
  mutex_ = FibreMutex{};
  claimed_ = false;
  failing_left_ = options_.failing_starts;
  watched_owner_ = kNoThread;
  compares_ = false;
}

void ExplorePort::hash_state(StateHash& hash) const {
  hash.add(mutex_.pending);
  hash.add(std::uint64_t{mutex_.held} | std::uint64_t{failing_left_} << 32U);
}

void ExplorePort::touch_word(std::uint32_t index, const void* site) {
  const AtomicAccess announced = access_of(index);
  const std::uint32_t word = announced.word;
  const bool writes = announced.writes;
  std::uint32_t access = announced.order;
  if (options_.orders != nullptr) [[unlikely]] {
    access = options_.orders->order_of(site, options_.words_base, word * 4, access);
  }
  Step step{.kind = StepKind::kRead, .exclusive = writes, .object = kWordObjects + word};
  step.access = static_cast<std::uint8_t>(access);
  step.expected = expected_;
  step.compares = compares_;
  expected_ = 0;
  compares_ = false;
  if (writes) step.kind = (access & kAccessUpdate) != 0 ? StepKind::kUpdate : StepKind::kWrite;
  if (options_.words_base != nullptr) {
    step.word = static_cast<const std::uint8_t*>(options_.words_base) + std::size_t{word} * 4;
  }
  threads_.step(step);
  if (watched_ == nullptr || step.word != watched_) return;
  std::uint32_t value = 0;
  std::memcpy(&value, watched_, sizeof value);
  if (watched_owner_ == threads_.turns().current()) {
    if (writes) watched_owner_ = kNoThread;  // lets go
    return;
  }
  if (value == 0 && writes) watched_owner_ = threads_.turns().current();
  ++(value == 0 ? watched_zero_ : watched_set_);
}

bool ExplorePort::is_ordered(const void* site, PortCall call) const {
  return options_.orders == nullptr || options_.orders->is_ordered(site, call);
}

detent_status ExplorePort::start(SlotId slot, void (*entry)(void*), void* arg, bool releases) {
  if (slot == 0 || slot >= options_.slots || (threads_.turns().alive() >> slot & 1U) != 0) return DETENT_WORKER_FAILED;
  if (failing_left_ != 0 && threads_.choose(2) == 1) {
    --failing_left_;
    ++failed_starts_;
    return DETENT_WORKER_FAILED;
  }
  threads_.start(slot, entry, arg, releases);
  return DETENT_OK;
}

}  // namespace detent::verify::explore
