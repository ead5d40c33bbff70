// Schedules as evidence: linear extensions of a DAG that put two ops next to each other, and their check.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

#include "verify/graph/order.hpp"

namespace detent::verify {

/// An order of all op ids that respects every edge and in which `first` stands immediately before `second`: first
/// everything that precedes one of them, then the two, then the rest, lowest position first.
/// @param first, second  different ops; unordered, or `first` a direct predecessor with no other path to `second`
/// @throws std::invalid_argument  they cannot be neighbours in this order
std::vector<std::uint32_t> make_adjacent_schedule(const Order& order, std::uint32_t first, std::uint32_t second);

/// An order of all op ids that respects every edge and runs each of `stops` as soon as it can, one after the other:
/// what precedes the first one, the first one, what still precedes the second one, and so on, then the rest.
/// @param stops  op ids; none precedes an earlier one
std::vector<std::uint32_t> make_schedule_through(const Order& order, const std::vector<std::uint32_t>& stops);

/// A linear extension drawn by taking a ready op at random until all are taken (not uniform over extensions, but every
/// extension has a chance). The same seed gives the same order.
std::vector<std::uint32_t> make_random_schedule(const Order& order, std::uint64_t seed);

/// True when `schedule` holds every op once and every edge of the Desc points forward in it. Reads the Desc itself.
bool is_linear_extension(const detent_desc& desc, const std::vector<std::uint32_t>& schedule);

}  // namespace detent::verify
