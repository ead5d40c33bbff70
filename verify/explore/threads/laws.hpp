// EngineLaws: what the engine must do under every schedule, checked while it runs.
//
// clang-format off
//   op_once         each op begins once, within a run
//   predecessors    not before all its predecessors have ended well
//   happens_before  it has seen their ends by synchronisation
//   mutex           ops of one mutex never at once
//   role            one holder of the scheduler role at a time
//   queue_bounds    no queue holds more than it has room for, and ready ops cost nothing where none is ready
//   status          the run's status is one that the options allow, and names an op that failed
//   output          the digest equals the serial one
//   drain           when a run returns, nothing is under way, unless it returns TIMEOUT
//   in_flight       the run's result counts what is under way, which is nothing unless it returns TIMEOUT
//   deadline        what is left under way, and what TIMEOUT names, was late, and nothing behind that has begun; under
//                   OK nothing was
//   answers         the first answer of a back end is accepted, a second one refused
//   op_states       what a thread reads of an op fits what has happened (op_state_law.hpp)
// clang-format on
#pragma once

#include <string>
#include <vector>

#include "base/ids.hpp"
#include "verify/explore/threads/deadline_law.hpp"
#include "verify/explore/threads/exploration.hpp"
#include "verify/explore/threads/op_records.hpp"
#include "verify/explore/threads/op_state_law.hpp"
#include "verify/explore/threads/role_law.hpp"
#include "verify/explore/threads/world/explore_port.hpp"

namespace detent::verify::explore {

class EngineLaws final : public CheckpointListener {
 public:
  EngineLaws(const detent_desc& desc, const ThreadOptions& options, VirtualThreads& threads);

  void begin_execution();
  void begin_run(const detent_context* context);
  void end_run(const detent_result& result, std::uint64_t digest);
  void at_checkpoint(detent_checkpoint kind, SlotId slot, std::uint32_t index) override;
  /// On the thread that answers for an async op, before and after it has told the engine.
  void begin_answer(OpId op);
  void end_answer(OpId op, std::uint32_t nth, detent_status status);
  /// On the thread that reads, after each reading.
  void check_op_state(OpId op, detent_status status, const detent_op_record& record);

  /// What has begun and ended, and who knows of it.
  void hash_state(StateHash& hash) const;

  void expect_digest(std::uint64_t digest) { expected_digest_ = digest; }
  [[nodiscard]] bool is_answered_later(OpId op) const { return ops_[op].answered_later; }
  /// The kernel of a resolved op that is to give an error.
  /// @param is_reference  in the serial run that others are compared with, which goes to its end: of fallible ops only
  void give_error(bool is_reference, detent_entity& entity) const;
  [[nodiscard]] const SyncPoints& points() const { return points_; }

 private:
  void op_begins(OpId op, SlotId slot);
  void op_ends(OpId op);
  void role_let_go();
  void check_predecessors(OpId op);
  void check_mutexes(OpId op);
  void check_affinity(OpId op, SlotId slot);
  void execute_body(const OpRecord& op);
  void check_status(const detent_result& result);
  void check_in_flight(const detent_result& result);
  void check_behind_late(const detent_result& result);
  void check_success(const detent_result& result, std::uint64_t digest);
  void note_completions();
  void note_company();
  void fail(const char* law, const std::string& text) { threads_.execution().fail(law, text); }

  const detent_desc& desc_;
  const ThreadOptions& options_;
  VirtualThreads& threads_;
  const detent_context* context_ = nullptr;
  OpRecords ops_;
  DeadlineLaw deadline_;
  RoleLaw role_;
  OpStateLaw op_states_;
  std::uint32_t async_count_ = 0;
  bool in_run_ = false;
  std::uint32_t late_begins_ = 0;          // the last run timed out: ops that it had given out and that may still begin
  std::uint32_t under_way_ = 0;            // ops, those answered later left out
  std::vector<std::uint32_t> last_ended_;  // op that each thread has ended last, or DETENT_NONE
  std::uint64_t expected_digest_ = 0;
  SyncPoints points_;
  mutable std::vector<Knowledge::Mark> marks_;  // of ops that have ended
};

}  // namespace detent::verify::explore
