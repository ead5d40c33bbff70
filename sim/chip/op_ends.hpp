// OpEnds: when each op of a campaign ended, earliest and latest over its runs.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/detent.h>

#include "base/ids.hpp"
#include "sim/types/result.hpp"

namespace detent::sim {

/// Told by the port of every op that the engine logs as ended, and by the back end of every answer to an asynchronous
/// op. In the closed loop such an op is over when the scheduler has settled it; in the other modes whoever waits for it
/// goes on with the answer, and the engine looks at it later.
class OpEnds {
 public:
  /// @param ends  [desc.op_count], written; outlives this
  OpEnds(const detent_desc& desc, detent_mode mode, std::vector<OpEnd>& ends) : ends_(ends) {
    for (OpId op = 0; op < desc.op_count; ++op) {
      const bool async = desc.classes[desc.ops[op].core_class].kind == DETENT_CLASS_ASYNC;
      by_answer_.push_back(async && mode != DETENT_MODE_CLOSED_LOOP);
    }
  }
  void begin_run(std::uint64_t now_ps, std::uint64_t seed) { begin_ps_ = now_ps, seed_ = seed; }
  /// What comes from now on is not noted.
  void stop() { is_stopped_ = true; }
  void note_logged(OpId op, std::uint64_t now_ps) {
    if (!by_answer_[op]) note(op, now_ps - begin_ps_);
  }
  void note_answer(OpId op, std::uint64_t now_ps) {
    if (by_answer_[op]) note(op, now_ps - begin_ps_);
  }

 private:
  void note(OpId op, std::uint64_t end_ps) {
    if (is_stopped_) return;
    OpEnd& end = ends_[op];
    if (end_ps < end.earliest_ps) end.earliest_ps = end_ps, end.earliest_seed = seed_;
    if (end_ps > end.latest_ps) end.latest_ps = end_ps, end.latest_seed = seed_;
  }

  std::vector<OpEnd>& ends_;
  std::vector<bool> by_answer_;
  std::uint64_t begin_ps_ = 0;
  std::uint64_t seed_ = 0;
  bool is_stopped_ = false;
};

}  // namespace detent::sim
