// OpStateLaw: what a thread that has nothing to do with a run is told of its ops (detent_context_op_state), against
// what has happened.
//
//   order      from one reading to the next the run, and within a run the state, stay or grow
//   whole      worker, code and times are of the run that the record names, and stay once they are there
//   knowledge  who reads that an op is ready, running or done has seen the ends of those before it, or of itself
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/detent.h>

#include "base/ids.hpp"
#include "verify/explore/threads/op_records.hpp"

namespace detent::verify::explore {

class OpStateLaw {
 public:
  /// All of them outlive this.
  OpStateLaw(const detent_desc& desc, const ThreadOptions& options, const OpRecords& ops, VirtualThreads& threads)
      : desc_(desc), is_on_(options.op_readings != 0), ops_(ops), threads_(threads), readings_(desc.op_count) {}
  void begin_execution();
  void begin_run();
  void op_begins(OpId op, SlotId slot);
  void op_ends(OpId op);
  /// A reading by the one thread that reads.
  void check(OpId op, const detent_op_record& record);
  /// On slot 0, when the run has returned. Nothing where no op is read.
  void check_end(const detent_context& context, const detent_result& result);

 private:
  /// What happened to an op in a run.
  struct Fact {
    bool begun = false, ended = false;
    SlotId slot = 0;
  };
  struct Run {
    std::uint64_t begin_ps = 0, end_ps = UINT64_MAX;
    std::vector<Fact> ops;
  };
  void check_order(OpId op, const detent_op_record& before, const detent_op_record& record);
  void check_facts(OpId op, const detent_op_record& record, const Run& run);
  void check_times(OpId op, const detent_op_record& record, const Run& run);
  void check_knowledge(OpId op, const detent_op_record& record);
  void fail(OpId op, const std::string& text);

  const detent_desc& desc_;
  const bool is_on_;
  const OpRecords& ops_;
  VirtualThreads& threads_;
  std::vector<Run> runs_;  // since the execution began; runs_[0] is none
  std::vector<detent_op_record> readings_;
};

}  // namespace detent::verify::explore
