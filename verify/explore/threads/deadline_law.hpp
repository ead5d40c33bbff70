// DeadlineLaw: what is left under way, and what TIMEOUT names, was late; under OK nothing was.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "verify/explore/threads/op_records.hpp"

namespace detent::verify::explore {

class DeadlineLaw {
 public:
  /// All of them outlive this.
  DeadlineLaw(const detent_desc& desc, const ThreadOptions& options, OpRecords& ops, VirtualThreads& threads)
      : desc_(desc), options_(options), ops_(ops), threads_(threads) {}
  void begin_run(const detent_context* context);
  [[nodiscard]] bool has_deadline() const { return options_.op_deadline_ps != 0; }
  /// An op begins on `slot`. @param in_run  the run has not returned
  void op_begins(OpId op, SlotId slot, bool in_run);
  /// The op's end has been noted.
  void op_ends(OpId op);
  /// What the current thread executes now may take longer than the deadline.
  void let_be_late();
  /// Can this op have been in flight for longer than its deadline? One that has not begun may wait in a mailbox.
  [[nodiscard]] bool may_be_late(OpId op) const;
  /// TIMEOUT names an op that was late, and OK says that none was.
  void check_end(const detent_result& result);
  void hash_state(StateHash& hash) const;

 private:
  [[nodiscard]] std::uint64_t given_ps(OpId op, SlotId slot) const;
  [[nodiscard]] std::uint64_t earliest_ps(OpId op) const;

  const detent_desc& desc_;
  const ThreadOptions& options_;
  OpRecords& ops_;
  VirtualThreads& threads_;
  const detent_context* context_ = nullptr;
  std::uint64_t run_begin_ps_ = 0;
};

}  // namespace detent::verify::explore
