// Checks and sums over a TimingProblem that every bound needs. Internal to verify/timing.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/timing/bounds.hpp"

namespace detent::verify {

/// Sums of times: 128 bits hold the sum of any number of 64-bit times that fits memory.
__extension__ using Wide = unsigned __int128;

/// @throws std::invalid_argument  tables of wrong length, an index outside its table
void require_sound(const TimingProblem& problem);
/// Op ids in a topological order. @throws std::invalid_argument  a cycle
std::vector<std::uint32_t> sort_topologically(const TimingProblem& problem);
/// Work of the ops that share a mutex with another op; each op once.
Wide mutexed_work(const TimingProblem& problem);
/// Is fixed_ps or a worst time kUnknownPs?
bool has_unknown_time(const TimingProblem& problem);
/// value / divisor, rounded up.
Wide divide_up(Wide value, Wide divisor);
/// Common denominator of all core counts, or 0 when it is unreasonably large.
std::uint64_t common_denominator(const TimingProblem& problem);

}  // namespace detent::verify
