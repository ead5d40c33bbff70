// StatesSearch: every state that the threads can reach, and every step that can be taken from it, once.
//
// Depth first; an execution ends where it comes into a state that has been met before, because whatever can follow has
// been explored from there, or will be. Orders of steps that lead to one state are not told apart, which is what makes
// the difference to partial-order reduction: its traces multiply with each op, states add up.
//
// Exact under two conditions: the StateSource covers all memory that the program's future depends on, and no two states
// share a hash (threads_state.hpp). Where the program turns out to do what its hash had not counted on (a new version),
// the search begins anew. A state that comes again on its own path is a schedule without end.
#pragma once

#include "verify/explore/threads/order/state.hpp"
#include "verify/explore/threads/search/path.hpp"

namespace detent::verify::explore {

class StatesSearch final : public Strategy {
 public:
  /// @param program  asked on the fibre that has just stopped; outlives the search. Its VirtualThreads recognise
  /// states.
  /// @param max_bytes  of the table of states; the search ends where it would need more
  explicit StatesSearch(const StateSource& program, std::uint64_t max_bytes = UINT64_MAX)
      : program_(program), states_(max_bytes) {}
  void begin_execution() override { path_.begin_execution(); }
  ThreadId pick(const Turns& turns, std::uint64_t enabled) override;
  std::uint32_t choose(const Turns& turns, std::uint32_t count) override { return path_.choose(turns, count); }
  bool end_execution() override;

  /// States with more than one continuation; those with one are not kept.
  [[nodiscard]] std::uint64_t states() const { return states_.size(); }
  /// Executions that ended in a state met before.
  [[nodiscard]] std::uint64_t merged() const { return merged_; }
  /// The last execution came back to a state of its own.
  [[nodiscard]] bool found_livelock() const { return circles_; }
  /// The table is full: what follows the last state has not been explored.
  [[nodiscard]] bool is_full() const { return full_; }
  [[nodiscard]] std::uint32_t diverged_at() const { return path_.diverged_at(); }

 private:
  struct Node : PlainNode {
    std::uint64_t state = 0;
    bool kept = false;  ///< stands in the table
  };

  const StateSource& program_;
  StateTable states_;
  SearchPath<Node> path_;
  std::uint64_t merged_ = 0;
  std::uint32_t version_ = 0;
  bool circles_ = false, full_ = false;
};

}  // namespace detent::verify::explore
