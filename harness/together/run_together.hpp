// Several networks at once on one pool of workers of this machine: rounds in which each runs once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "harness/run_native.hpp"

namespace detent::harness {

/// A network and its place among the others.
struct SharedNetwork {
  const detent_desc* desc = nullptr;  ///< outlives the call
  std::int32_t priority = 0;          ///< lower first
  NativeOptions options{};            ///< of the pool: engine.workers, alike in all; without faults
};

/// One round: every network was released at the same time and has ended. Runs stand in the order of the networks;
/// their result.begin_ps and end_ps are of one clock.
struct Round {
  std::vector<Run> runs{};
  std::vector<std::size_t> order{};  ///< networks in the order in which they ended; ties by number
};

/// A run that went wrong, or a context that did not come about.
struct SharedFailure {
  std::size_t network = 0;
  detent_error error{};
};

/// Run all networks `rounds` times. Their memory is filled anew before each round, outside its time.
/// @param on_round  each round and its number, from 0; false: no more
/// @return  none, or the first network that failed, which ends the rounds
/// @throws std::invalid_argument  no network, more than a pool has places for, options with faults
std::optional<SharedFailure> run_together(
    const std::vector<SharedNetwork>& networks, std::uint64_t rounds,
    const std::function<bool(std::uint64_t number, const Round& round)>& on_round);

}  // namespace detent::harness
