// How much longer the lowest bound becomes where some ops take longer: which time to measure first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/bound/budget.hpp"

namespace detent::app {

/// Ops whose times one guess decides (a kernel on a class of cores), or one op that has a time of its own.
struct TimeGroup {
  std::vector<OpId> ops{};
  std::string name{};  ///< of the kernel, or of the op
  std::string core{};  ///< class of cores
  reports::TimeClass time{};
  bool is_guess = false;       ///< assumed or modelled
  std::uint64_t worst_ps = 0;  ///< sum of their worst times
  /// By how much the lowest bound grows where all of them take kLongerPercent longer: it is computed again. None: a
  /// limit ended it. Never negative: an upper bound for longer times holds for the shorter ones too, so where a theorem
  /// gives less for them (he2022 may), the bound does not move.
  std::optional<std::uint64_t> moves_ps{};
};

struct Sensitivity {
  std::vector<TimeGroup>
      groups{};         ///< what to measure first stands first: guesses before other times, then by moves_ps
  std::size_t all = 0;  ///< groups that there are; more than were computed: those with the longest times were
  std::string limit{};  ///< what ended it; empty: nothing did
};

struct SensitivityLimits {
  std::uint64_t states = 20'000;  ///< symbolic ones of exact analyses, together
  std::size_t groups = 64;
  std::uint64_t visits = 8'000'000;  ///< of ops by analytic bounds, about: fewer groups of large models
};

/// @param times  of `whole`, the model with all its ops, whose ids all cases share
Sensitivity find_sensitivity(const BoundedCases& bounded, const LoadedModel& whole, const reports::TimeGrounds& times,
                             const SensitivityLimits& limits);

/// `sensitivity` and `measure_first` of `detent.bound/1`.
void add_sensitivity(const Sensitivity& sensitivity, Json& answer);
/// "measure first: ..."; none where no guess moves the bound. @param full  what else moves it, too
Lines measure_first_lines(const Sensitivity& sensitivity, bool full);

}  // namespace detent::app
