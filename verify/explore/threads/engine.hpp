// EngineProgram: a Desc and options -> one program for VirtualThreads: init, runs, deinit of the real engine, under its
// laws.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verify/explore/threads/laws.hpp"
#include "verify/explore/threads/program.hpp"

namespace detent::verify::explore {

class EngineProgram final : public Program {
 public:
  /// @throws std::invalid_argument  contradictory options, or a Desc that does not bind
  EngineProgram(const detent_desc& desc, const ThreadOptions& options);
  ~EngineProgram() override;
  EngineProgram(const EngineProgram&) = delete;
  EngineProgram& operator=(const EngineProgram&) = delete;

  /// The arena, the stacks, what threads wait for, what the laws remember: all there is, as the runtime has neither
  /// heap nor globals. Back ends of the caller must keep nothing of their own. Only with Search::kStates.
  [[nodiscard]] std::uint64_t state_hash() const override;
  [[nodiscard]] std::string thread_name(ThreadId thread) const override;

 protected:
  [[nodiscard]] World& world() override;
  [[nodiscard]] const World& world() const override;
  void main() override;
  [[nodiscard]] SyncPoints own_points() const override;
  [[nodiscard]] std::string word_name(std::uint64_t offset_bytes) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// "role", "inbox of slot 1": the engine's shared word at an offset from the context. In names.cpp.
std::string name_of_word(const detent_context& context, std::uint64_t offset_bytes);
/// "held" for 1 in the role; the number where it has no name.
std::string name_of_value(const std::string& word, std::uint64_t value);

}  // namespace detent::verify::explore
