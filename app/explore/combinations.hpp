// The combinations of outcomes under which a model with guards can run; detent explore of each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/answer/answer.hpp"
#include "app/answer/verdicts.hpp"
#include "app/model/loaded_model.hpp"

namespace detent::app {

struct Combinations {
  bool has_guards = false;
  bool is_computed = false;                      ///< tensors hold the decisions, so that a run takes them itself
  std::vector<std::string> texts;                ///< as ModelOptions::outcomes, each with all decisions that are taken
  std::vector<std::string> shown{};              ///< the same for people
  bool is_whole = true;                          ///< false: there are more
  bool has_failures = false;                     ///< an op without a watchdog fails in some of them
  bool has_watchdogs = false;                    ///< and one with a watchdog does
  std::optional<std::uint32_t> most_failures{};  ///< in each at most so many ops fail, which is assumed of every run
};

/// Combinations looked at one by one.
inline constexpr std::size_t kMostCombinations = 256;

/// Those that agree with options.outcomes.
/// @throws InputError  no such model; std::invalid_argument  outcomes that no run has
Combinations combinations_of(const std::string& name, const ModelOptions& options);

/// "at most 1 op fails"; empty: nothing is assumed of failures.
std::string describe_most_failures(const Combinations& combinations);

/// How many there are, for people.
std::string describe_combinations(const Combinations& combinations);

/// Explores a model under the outcomes of the options. @param has_failed  an earlier combination has
using ExploreOne = std::function<Answer(const ModelOptions& options, bool has_failed)>;

/// The answers of all combinations as one `detent.explore/1`: `combinations[]`, each with its outcomes, and the replay
/// line of the first that fails. Violated where one is; holds only where all do and none is left out.
Answer explore_combinations(const Request& request, const ModelOptions& options, const Combinations& combinations,
                            const ExploreOne& explore);

}  // namespace detent::app
