// Program: what a search executes again and again, and the names that its threads, steps and words have for people.
#pragma once

#include <cstdint>
#include <string>

#include "verify/explore/threads/exploration.hpp"
#include "verify/explore/threads/order/history.hpp"
#include "verify/explore/threads/order/memory.hpp"
#include "verify/explore/threads/world/virtual_threads.hpp"

namespace detent::verify::explore {

class Program : public StateSource {
 public:
  /// One execution. law() and text() of its execution say what was broken, also for deadlocks and endless executions.
  virtual End execute(Strategy& strategy) = 0;
  [[nodiscard]] virtual const VirtualThreads& threads() const = 0;
  [[nodiscard]] virtual const History& history() const = 0;
  /// Of the last execution: executions that differ in nothing but the order of independent steps have the same one.
  [[nodiscard]] virtual std::uint64_t fingerprint() const = 0;
  [[nodiscard]] virtual SyncPoints points() const = 0;
  /// "slot 1", "answer of op 3 (b)", "canceller"
  [[nodiscard]] virtual std::string thread_name(ThreadId thread) const = 0;
  /// "reads role", "notifies slot 2"
  [[nodiscard]] std::string step_name(const Step& step) const;
  /// "slot 1 reads role = held, which slot 0 had already overwritten"; empty: what is newest.
  [[nodiscard]] std::string store_name(ThreadId thread, std::uint32_t alternative) const;

 protected:
  [[nodiscard]] virtual const Memory& memory() const = 0;
  /// "role", "inbox of slot 1": the shared word at an offset from where words are numbered; empty: nothing is bound
  /// yet.
  [[nodiscard]] virtual std::string word_name(std::uint64_t offset_bytes) const = 0;
  /// Threads that wait for each other, and an execution without end, break a law, too.
  void judge_end(VirtualThreads& threads, End end, std::uint32_t max_steps) const;
};

}  // namespace detent::verify::explore
