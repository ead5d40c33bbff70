// detent plan --pareto: plans between the smallest and the fastest, each with the longest that a run can take.
#pragma once

#include <cstdint>
#include <string>

#include "app/answer/verdicts.hpp"
#include "app/bound/exact_bound.hpp"

namespace detent::app {

struct FrontRequest {
  Request request{};
  ModelOptions model{};              ///< split and winograd count
  std::uint64_t capacity_bytes = 0;  ///< plans above it are left out; 0: none
  std::uint32_t capacities = 8;      ///< between the smallest plan and the fastest, evenly
  std::string directory{};           ///< gets a package of each plan; empty: none
  std::string html{};                ///< gets the picture of the front; empty: none
  std::string platform{}, cores{};   ///< as BoundRequest, and what follows
  std::uint32_t workers = 0;
  ExactQuestion exact{.policy = "id", .max_states = 2'000'000, .with_run = false};
  std::string jitter = "uniform:0.1";
  bool no_npu = false;
};

/// Plan under several capacities, check each plan, bound its runs and say which plans are on the front.
/// @return  `detent.plan/1` of a front; unknown: the time of a plan on it is a bound and no exact worst case; violated:
/// a plan is not valid
/// @throws std::invalid_argument  no such model or platform; a model that came with its places, schedules or guards; no
/// plan within the capacity
/// @throws InputError  a package or the picture cannot be written
Answer plan_front(const FrontRequest& wanted, const OnProgress& on_progress);

}  // namespace detent::app
