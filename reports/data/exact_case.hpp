// ExactCase: the exact worst case of what was simulated with a run that attains it, or why there is none.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/data/timeline_run.hpp"
#include "verify/timing/witness.hpp"

namespace detent::reports {

struct ExactCase {
  std::string policy{};
  std::uint64_t max_states = 0;  ///< symbolic states that might have been looked at
  std::uint64_t states = 0;      ///< that were
  std::string why_not{};         ///< a sentence; empty: the exact worst case is known, and all below is of it
  std::uint64_t worst_ps = 0, best_ps = 0;
  std::uint64_t all_worst_ps = 0;                    ///< of the run in which every op takes its worst time
  std::string assumptions{};                         ///< of worst_ps
  std::vector<TimelineRun> runs{};                   ///< that attains worst_ps; in which every op takes its worst time
  std::vector<verify::ShorterOp> shorter{};          ///< ops of the first that take less, and so make it longer
  std::vector<std::uint64_t> time_ps{};              ///< by op, in the first
  nlohmann::ordered_json witness{}, best_witness{};  ///< as `detent.bound/1` has them
  std::string fault{};  ///< "", or how two analyses contradict each other: a fault of Detent
};

}  // namespace detent::reports
