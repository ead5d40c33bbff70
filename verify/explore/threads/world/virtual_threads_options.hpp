// VirtualThreadsOptions: what virtual threads may meet, and how long they may go on.
#pragma once

#include <cstdint>

namespace detent::verify::explore {

struct VirtualThreadsOptions {
  std::uint32_t max_steps = 50'000;
  bool spins_freely = false;       ///< pause never blocks: for code whose shared words are not announced
  bool clock_matters = false;      ///< reading the clock is a step
  bool recognises_states = false;  ///< hash_state may be asked for
  std::uint32_t spurious_wakeups = 0, early_timeouts = 0;  ///< per thread; per execution
};

}  // namespace detent::verify::explore
