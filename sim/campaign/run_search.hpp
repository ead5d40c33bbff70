// Search for long runs: which time of its range each op takes, and in which order ends of one instant are handled.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "sim/types/chosen_run.hpp"
#include "sim/types/op_times.hpp"

namespace detent::sim {

/// Proposes one run after another and is told what came of each. A heuristic: the longest run that it finds need not
/// be the longest possible. Depends on ranges, budget, seed and what it is told alone.
///
/// 1. every op takes its worst time;
/// 2. each op alone takes its best time, the others their worst: shorter ops can make a run longer (Graham 1969);
/// 3. all corners of the ops that lengthen the run there, or shorten it least, as many as a quarter of the budget
/// holds;
/// 4. local search from the longest run seen: one or two ops change between best and worst, an op ends at the instant
///    of another one, or the ends of one instant change their order. A run that is not shorter is gone on from; after
///    many that bring nothing, another begin is taken;
/// 5. what the longest run needs no more: ties and shorter times without which it is as long are left out of it.
class RunSearch {
 public:
  /// @param ranges  by op, best <= worst: what the ops may take
  RunSearch(std::vector<OpTime> ranges, std::uint64_t budget, std::uint64_t seed);

  /// None: the budget is spent, or nothing is left to choose. Each run is told before the next is asked for.
  std::optional<ChosenRun> next();
  void tell(std::uint64_t makespan_ps, const SeenTimes& seen);

  [[nodiscard]] std::uint64_t runs() const { return told_; }
  [[nodiscard]] std::uint64_t all_worst_ps() const { return all_worst_ps_; }
  /// A run as long as any. At least one was told.
  [[nodiscard]] const ChosenRun& longest() const { return longest_.run; }
  [[nodiscard]] std::uint64_t longest_ps() const { return longest_.makespan_ps; }

 private:
  struct Told {
    ChosenRun run;
    SeenTimes seen;
    std::uint64_t makespan_ps = 0;
  };
  enum class Stage : std::uint8_t { kAllWorst, kAlone, kCorners, kLocal, kSimplify };

  [[nodiscard]] ChosenRun all_worst() const;
  void enter_next_stage();
  void choose_corners();
  [[nodiscard]] bool is_local_over() const;
  ChosenRun propose();
  void flip(ChosenRun& run, OpId op);
  void flip_any(ChosenRun& run);
  bool align(ChosenRun& run);
  bool swap_ties(ChosenRun& run);
  bool simplify(ChosenRun& run);
  void begin_climb();

  std::vector<OpTime> ranges_;
  std::vector<OpId> varying_;  // ops that have a choice
  std::uint64_t budget_;
  std::uint64_t seed_;
  RandomSource random_;
  Stage stage_ = Stage::kAllWorst;
  std::uint64_t step_ = 0;  // of the stage
  std::uint64_t told_ = 0;
  std::uint64_t all_worst_ps_ = 0;
  std::vector<std::pair<std::uint64_t, OpId>> alone_;  // makespans of stage 2
  std::vector<OpId> corner_ops_;
  ChosenRun proposed_;
  Told longest_, current_;
  std::uint64_t idle_ = 0;  // proposals since the climb last got longer
  std::uint64_t climbs_ = 0;
  bool restarts_ = false;  // what is proposed begins a climb
};

}  // namespace detent::sim
