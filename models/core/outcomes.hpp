// Outcomes: how the decisions of one run come out, and what is left of a Model then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/model.hpp"

namespace detent::models {

/// By decision: the number of an outcome, or kNotTaken.
using Outcomes = std::vector<std::uint32_t>;
/// The op that takes the decision does not run.
inline constexpr std::uint32_t kNotTaken = kNone;

/// How an outcome is called. The unnamed second one of a decision that has one name alone: "other".
std::string outcome_name(const Decision& decision, std::uint32_t outcome);

/// "c3=then,d=else": the decisions that are taken, in the order of the table.
std::string outcomes_text(const Model& model, const Outcomes& outcomes);

/// The same for people: what does not fail is left out, and of many failures the first are named. "nothing fails" where
/// that is all there is to say.
std::string outcomes_for_people(const Model& model, const Outcomes& outcomes);

/// Is it whether an op fails (DETENT_OP_FALLIBLE)? Outcome 1 is the failure.
[[nodiscard]] bool is_failure(const Model& model, const Decision& decision);

/// Outcomes from such a text; those of decisions that it does not name are drawn from the seed, but nothing fails that
/// it does not name.
/// @throws std::invalid_argument  no such decision or outcome, a decision named twice or not taken under the others, or
///         one not named and no seed
Outcomes read_outcomes(const Model& model, std::string_view text, std::optional<std::uint64_t> seed);

/// Every consistent combination that agrees with the text and in which at most `most_failures` ops fail, by outcomes in
/// the order of the decisions that are taken; at most `limit`.
struct Combinations {
  std::vector<Outcomes> all;
  bool is_whole = true;  ///< false: there are more than the limit
};
Combinations combine_outcomes(const Model& model, std::string_view text, std::size_t limit,
                              std::optional<std::uint32_t> most_failures = std::nullopt);

/// By op: does it run? It does where all its guards hold, and the ops that take their decisions run, too.
std::vector<bool> ops_that_run(const Model& model, const Outcomes& outcomes);

/// Static predicated execution: ops that do not run stay in the graph, so that the engine schedules them as it always
/// does, but touch no tensor and take no time. No guards are left.
void apply_outcomes(Model& model, const Outcomes& outcomes);

}  // namespace detent::models
