// How much longer the lowest bound becomes where some ops take longer: which time to measure first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/bound/budget.hpp"

namespace detent::app {

using reports::Sensitivity;
using reports::TimeGroup;

struct SensitivityLimits {
  std::uint64_t states = 20'000;  ///< symbolic ones of exact analyses, together
  std::size_t groups = 64;
  std::uint64_t visits = 8'000'000;  ///< of ops by analytic bounds, about: fewer groups of large models
};

/// @param times  of `whole`, the model with all its ops, whose ids all cases share
Sensitivity find_sensitivity(const BoundedCases& bounded, const LoadedModel& whole, const reports::TimeGrounds& times,
                             const SensitivityLimits& limits);

/// "measure first: ..."; none where no guess moves the bound. @param full  what else moves it, too
Lines measure_first_lines(const Sensitivity& sensitivity, bool full);

}  // namespace detent::app
