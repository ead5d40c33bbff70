// Program: what a search executes again and again, and the names that its threads, steps and words have for people.
#pragma once

#include <cstdint>
#include <string>

#include "verify/explore/threads/exploration.hpp"
#include "verify/explore/threads/order/history.hpp"
#include "verify/explore/threads/order/memory.hpp"
#include "verify/explore/threads/world/virtual_threads.hpp"

namespace detent::verify::explore {

/// The world that a program of threads runs in, and what is kept of its executions.
struct World {
  /// @param thread_count  threads of the program, the main one included
  World(const ThreadOptions& options, std::uint32_t thread_count);

  VirtualThreads threads;
  History history;
  Memory memory;
  Knowledge knowledge;
  bool is_weak;            ///< loads may see overwritten stores: the C++20 memory model
  bool recognises_states;  ///< Search::kStates: no history is kept
  std::uint32_t max_steps;
};

class Program : public StateSource {
 public:
  /// One execution. law() and text() of its execution say what was broken, also for deadlocks and endless executions.
  End execute(Strategy& strategy);
  [[nodiscard]] const VirtualThreads& threads() const { return world().threads; }
  [[nodiscard]] const History& history() const { return world().history; }
  [[nodiscard]] std::uint32_t state_version() const override { return world().memory.version(); }
  /// Of the last execution: executions that differ in nothing but the order of independent steps have the same one.
  [[nodiscard]] std::uint64_t fingerprint() const;
  [[nodiscard]] SyncPoints points() const;
  /// "slot 1", "answer of op 3 (b)", "canceller"
  [[nodiscard]] virtual std::string thread_name(ThreadId thread) const = 0;
  /// "reads role", "notifies slot 2"
  [[nodiscard]] std::string step_name(const Step& step) const;
  /// "slot 1 reads role = held, which slot 0 had already overwritten"; empty: what is newest.
  [[nodiscard]] std::string store_name(ThreadId thread, std::uint32_t alternative) const;

 protected:
  [[nodiscard]] virtual World& world() = 0;
  [[nodiscard]] virtual const World& world() const = 0;
  /// What thread 0 does.
  virtual void main() = 0;
  /// What laws and port have counted; the rest is the world's.
  [[nodiscard]] virtual SyncPoints own_points() const = 0;
  /// "role", "inbox of slot 1": the shared word at an offset from where words are numbered; empty: nothing is bound
  /// yet.
  [[nodiscard]] virtual std::string word_name(std::uint64_t offset_bytes) const = 0;
};

}  // namespace detent::verify::explore
