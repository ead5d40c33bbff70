// Witness schedules: an order of ops -> the part that leads to the finding, as every printer shows it.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/verdict/verdict.hpp"

namespace detent::reports {

/// What has to run before the finding shows.
struct ScheduleView {
  std::vector<std::uint32_t> prefix;  ///< ops in order, before the concerned ones begin
  bool is_race = false;               ///< the two concerned ops then run at the same time
  std::uint64_t cut = 0;              ///< steps left out at the beginning
};

/// The last `max_steps` steps of the witness's schedule up to its concerned ops. When these are two neighbours they are
/// taken out of the prefix and `is_race` is set if `may_race`; otherwise the prefix ends with the last of them.
ScheduleView view_schedule(const verify::Witness& witness, bool may_race, std::size_t max_steps);

}  // namespace detent::reports
