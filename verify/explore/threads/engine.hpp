// EngineProgram: a Desc and options -> one program for VirtualThreads: init, runs, deinit of the real engine, under its
// laws.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verify/explore/threads/laws.hpp"
#include "verify/explore/threads/order/history.hpp"

namespace detent::verify::explore {

class EngineProgram final : public StateSource {
 public:
  /// @throws std::invalid_argument  contradictory options, or a Desc that does not bind
  EngineProgram(const detent_desc& desc, const ThreadOptions& options);
  ~EngineProgram() override;
  EngineProgram(const EngineProgram&) = delete;
  EngineProgram& operator=(const EngineProgram&) = delete;

  /// One execution. law() and text() of its execution say what was broken, also for deadlocks and endless executions.
  End execute(Strategy& strategy);
  /// The arena, the stacks, what threads wait for, what the laws remember: all there is, as the runtime has neither
  /// heap nor globals. Back ends of the caller must keep nothing of their own. Only with Search::kStates.
  [[nodiscard]] std::uint64_t state_hash() const override;
  [[nodiscard]] std::uint32_t state_version() const override;
  [[nodiscard]] const VirtualThreads& threads() const;
  [[nodiscard]] const History& history() const;
  /// Of the last execution: executions that differ in nothing but the order of independent steps have the same one.
  [[nodiscard]] std::uint64_t fingerprint() const;
  [[nodiscard]] SyncPoints points() const;
  /// "slot 1", "answer of op 3 (b)", "canceller"
  [[nodiscard]] std::string thread_name(ThreadId thread) const;
  /// "reads role", "notifies slot 2"
  [[nodiscard]] std::string step_name(const Step& step) const;
  /// "slot 1 reads role = held, which slot 0 had already overwritten"; empty: what is newest.
  [[nodiscard]] std::string store_name(ThreadId thread, std::uint32_t alternative) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// "role", "inbox of slot 1": the engine's shared word at an offset from the context. In names.cpp.
std::string name_of_word(const detent_context& context, std::uint64_t offset_bytes);
/// "held" for 1 in the role; the number where it has no name.
std::string name_of_value(const std::string& word, std::uint64_t value);

}  // namespace detent::verify::explore
