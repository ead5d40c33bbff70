// A planned model and a platform -> the longest that a run of it can take.
#pragma once

#include <cstdint>
#include <string>

#include <detent/desc.h>

#include "app/bound/bounds.hpp"
#include "app/bound/exact_bound.hpp"

namespace detent::app {

struct PlanTime {
  std::uint64_t ps = verify::kUnknownPs;
  bool is_exact = false;
  std::string method{};       ///< "exact", or the bound's name; "none": no bound applies
  std::string assumptions{};  ///< of it
  std::uint64_t states = 0;   ///< that the exact search looked at
};

/// The exact worst case where the search of it ends, else the lowest bound that is safe.
/// @throws std::invalid_argument  no such policy
PlanTime time_plan(const detent_desc& desc, const sim::Platform& platform, const BoundSpec& spec,
                   const ExactQuestion& question);

}  // namespace detent::app
