// Observers: those who are told what threads do: a History, a Knowledge, and the Memory of the Knowledge. Each may be
// missing.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "verify/explore/threads/order/history.hpp"
#include "verify/explore/threads/order/knowledge.hpp"
#include "verify/explore/threads/order/memory.hpp"

namespace detent::verify::explore {

class Observers {
 public:
  Observers() = default;
  Observers(History* history, Knowledge* knowledge)
      : history_(history),
        knowledge_(knowledge),
        memory_(knowledge != nullptr ? knowledge->memory() : nullptr),
        are_any_(history != nullptr || knowledge != nullptr) {}
  [[nodiscard]] bool are_any() const { return are_any_; }
  [[nodiscard]] History* history() const { return history_; }
  [[nodiscard]] Knowledge* knowledge() const { return knowledge_; }
  /// Null: sequentially consistent.
  [[nodiscard]] Memory* memory() const { return memory_; }

  void started(ThreadId parent, ThreadId child, bool releases) const {
    if (history_ != nullptr) history_->started(parent, child);
    if (knowledge_ != nullptr) knowledge_->started(releases ? parent : child, child);  // else it knows itself alone
  }
  void finished(ThreadId thread) const {
    if (memory_ != nullptr) memory_->views().finish(thread);
  }
  void joined(ThreadId thread, ThreadId child, bool acquires) const {
    if (history_ != nullptr) history_->joined(thread, child);
    if (knowledge_ != nullptr && acquires) knowledge_->joined(thread, child);
  }
  void locked(ThreadId thread, ObjectId mutex) const {
    if (memory_ != nullptr) memory_->views().lock(thread, mutex);
  }
  void unlocked(ThreadId thread, ObjectId mutex, bool releases) const {
    if (history_ != nullptr) history_->unlocked(thread, mutex);
    if (knowledge_ != nullptr && releases) knowledge_->unlocked(thread, mutex);  // and its memory
  }
  void notified(ThreadId thread, SlotId slot) const {
    if (memory_ != nullptr) memory_->views().notify(thread, slot);
  }
  void woken(ThreadId thread, SlotId slot) const {
    if (memory_ != nullptr) memory_->views().wake(thread, slot);
  }
  /// A sleeper's deadline passed by the current step of `waker`.
  void woken_by_time(ThreadId waker, ThreadId sleeper) const {
    if (history_ != nullptr) history_->started(waker, sleeper);
  }
  /// Time passed because nobody could run.
  void time_passed() const {
    if (history_ != nullptr) history_->all_waited();
    if (memory_ != nullptr) memory_->time_passes();
  }
  void waited_until_idle(ThreadId thread) const {
    if (history_ != nullptr) history_->all_waited();
    if (memory_ != nullptr) memory_->waited_until_idle(thread);
  }
  /// @param of_store  which store an access sees: the memory knows of that
  void chosen(ThreadId thread, std::uint32_t value, bool of_store) const {
    if (history_ != nullptr) history_->chosen(thread, value);
    if (memory_ != nullptr && !of_store) memory_->choice(thread, value);
  }
  /// What follows an uncontrolled stretch, or begins it.
  void forget_stores() const {
    if (memory_ != nullptr) memory_->forget();
  }

 private:
  History* history_ = nullptr;
  Knowledge* knowledge_ = nullptr;
  Memory* memory_ = nullptr;
  bool are_any_ = false;
};

}  // namespace detent::verify::explore
