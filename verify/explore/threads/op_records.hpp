// OpRecords: what each op has done in the run that is on, and which threads have seen its end.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "verify/explore/threads/exploration.hpp"
#include "verify/explore/threads/order/knowledge.hpp"
#include "verify/explore/threads/world/virtual_threads.hpp"

namespace detent::verify::explore {

struct OpRecord {
  std::vector<std::uint32_t> predecessors;
  bool answered_later = false, races = false;
  bool gives_error = false;  ///< its kernel does, where it is executed
  bool fails = false;        ///< and that ends the run: it is not fallible
  bool begun = false, ended = false;
  bool took_too_long = false;  ///< from begin to end, which lie within the time that the engine measures
  std::uint64_t given_ps = 0, begin_ps = 0, end_ps = 0;
  ThreadId end_thread = 0;
  std::uint32_t end_mark = 0;
};

class OpRecords {
 public:
  /// All of them outlive this.
  OpRecords(const detent_desc& desc, const ThreadOptions& options, const VirtualThreads& threads);
  void begin_run();
  [[nodiscard]] OpRecord& operator[](OpId op) { return ops_[op]; }
  [[nodiscard]] const OpRecord& operator[](OpId op) const { return ops_[op]; }
  /// On the thread that ends it.
  void note_end(OpId op);
  /// The current thread has seen the end by synchronisation.
  [[nodiscard]] bool has_seen_end(const OpRecord& op) const;

  /// @param with_times  deadlines depend on them
  /// @param marks  the ends of ops that a law will still ask about are appended
  void hash_state(bool with_times, StateHash& hash, std::vector<Knowledge::Mark>& marks) const;

 private:
  [[nodiscard]] bool end_matters(OpId op) const;

  const detent_desc& desc_;
  const VirtualThreads& threads_;
  std::vector<OpRecord> ops_;
};

}  // namespace detent::verify::explore
