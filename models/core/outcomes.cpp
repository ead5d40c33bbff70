// Guards of ops, nested by the ops that decide -> which ops run.
#include "models/core/outcomes.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/random.hpp"

namespace detent::models {
namespace {

constexpr std::uint32_t kOpen = kNone - 1;

enum class Runs : std::uint8_t { kNo, kMaybe, kYes };

std::uint32_t outcome_count(const Decision& decision) {
  return std::max<std::uint32_t>(2, static_cast<std::uint32_t>(decision.outcomes.size()));
}

std::string names_of_outcomes(const Decision& decision) {
  std::string text;
  for (std::uint32_t outcome = 0; outcome < outcome_count(decision); ++outcome) {
    text += (outcome == 0 ? "" : ", ") + outcome_name(decision, outcome);
  }
  return text;
}

std::string names_of_decisions(const Model& model) {
  std::string text;
  for (const Decision& decision : model.decisions) {
    text += (text.empty() ? "" : "; ") + decision.name + ": " + names_of_outcomes(decision);
  }
  return text.empty() ? "none in this model" : text;
}

/// Goes through decisions in the order in which a run takes them.
class Choices {
 public:
  explicit Choices(const Model& model) : model_(model), outcomes_(model.decisions.size(), kOpen) {}

  /// A decision that is surely taken and still open, else one that may be; none: what is open is not taken.
  [[nodiscard]] std::optional<std::uint32_t> next() const {
    std::optional<std::uint32_t> maybe;
    for (std::uint32_t id = 0; id < outcomes_.size(); ++id) {
      if (outcomes_[id] != kOpen) continue;
      const Runs taken = runs(model_.decisions[id].op);
      if (taken == Runs::kYes) return id;
      if (taken == Runs::kMaybe && !maybe) maybe = id;
    }
    return maybe;
  }

  void choose(std::uint32_t decision, std::uint32_t outcome) { outcomes_[decision] = outcome; }

  [[nodiscard]] std::uint32_t failures() const {
    std::uint32_t count = 0;
    for (std::uint32_t id = 0; id < outcomes_.size(); ++id) {
      if (outcomes_[id] == 1 && is_failure(model_, model_.decisions[id])) ++count;
    }
    return count;
  }

  [[nodiscard]] Outcomes finish() const {
    Outcomes finished = outcomes_;
    std::ranges::replace(finished, kOpen, kNotTaken);
    return finished;
  }

  /// Of all guards that the op depends on: one fails, some are open, or all hold. kNone: the application.
  [[nodiscard]] Runs runs(std::uint32_t op) const {
    if (op >= model_.ops.size()) return Runs::kYes;
    std::vector<bool> is_seen(model_.ops.size(), false);
    std::vector<std::uint32_t> waiting = {op};
    is_seen[op] = true;
    Runs result = Runs::kYes;
    while (!waiting.empty()) {
      const std::uint32_t at = waiting.back();
      waiting.pop_back();
      for (const Guard& guard : model_.ops[at].guards) {
        const std::uint32_t outcome = outcomes_.at(guard.decision);
        if (outcome == kOpen) result = Runs::kMaybe;
        if (outcome != kOpen && outcome != guard.outcome) return Runs::kNo;
        const std::uint32_t decider = model_.decisions[guard.decision].op;
        if (decider >= model_.ops.size() || is_seen[decider]) continue;
        is_seen[decider] = true;
        waiting.push_back(decider);
      }
    }
    return result;
  }

 private:
  const Model& model_;
  Outcomes outcomes_;
};

/// By decision: what the text says, or kOpen.
Outcomes wanted_outcomes(const Model& model, std::string_view text) {
  Outcomes wanted(model.decisions.size(), kOpen);
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::string shown = "--outcome " + std::string(word) + ": ";
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) throw std::invalid_argument(shown + "is no DECISION=OUTCOME");
    const auto decision = std::ranges::find(model.decisions, word.substr(0, equals), &Decision::name);
    if (decision == model.decisions.end()) {
      throw std::invalid_argument(shown + "no such decision; there are " + names_of_decisions(model));
    }
    std::uint32_t outcome = 0;
    while (outcome < outcome_count(*decision) && outcome_name(*decision, outcome) != word.substr(equals + 1)) ++outcome;
    if (outcome == outcome_count(*decision)) {
      throw std::invalid_argument(shown + "no such outcome; there are " + names_of_outcomes(*decision));
    }
    std::uint32_t& entry = wanted[static_cast<std::size_t>(decision - model.decisions.begin())];
    if (entry != kOpen) throw std::invalid_argument(shown + "the decision is named twice; name it once");
    entry = outcome;
  }
  return wanted;
}

bool is_in(const Outcomes& outcomes, const Outcomes& wanted) {
  for (std::size_t id = 0; id < wanted.size(); ++id) {
    if (wanted[id] != kOpen && wanted[id] != outcomes[id]) return false;
  }
  return true;
}

}  // namespace

std::string outcome_name(const Decision& decision, std::uint32_t outcome) {
  if (outcome < decision.outcomes.size()) return decision.outcomes[outcome];
  return decision.outcomes == std::vector<std::string>{"other"} ? "another" : "other";
}

std::string outcomes_text(const Model& model, const Outcomes& outcomes) {
  std::string text;
  for (std::size_t id = 0; id < outcomes.size(); ++id) {
    if (outcomes[id] == kNotTaken) continue;
    text +=
        (text.empty() ? "" : ",") + model.decisions[id].name + "=" + outcome_name(model.decisions[id], outcomes[id]);
  }
  return text;
}

std::string outcomes_for_people(const Model& model, const Outcomes& outcomes) {
  constexpr std::size_t kMostNamed = 3;
  Outcomes said = outcomes;
  std::size_t failures = 0, taken = 0;
  for (std::size_t id = 0; id < said.size(); ++id) {
    if (said[id] == kNotTaken || !is_failure(model, model.decisions[id])) continue;
    ++taken;
    if (said[id] == 0 || ++failures > kMostNamed) said[id] = kNotTaken;
  }
  const std::string text = outcomes_text(model, said);
  if (failures > kMostNamed) return text + " and " + std::to_string(failures - kMostNamed) + " more fail";
  return text.empty() && taken > 0 ? "nothing fails" : text;
}

bool is_failure(const Model& model, const Decision& decision) {
  if (decision.tensor == kNone || decision.op >= model.ops.size()) return false;
  const Op& op = model.ops[decision.op];
  return op.is_fallible && op.outputs.back() == decision.tensor;
}

Outcomes read_outcomes(const Model& model, std::string_view text, std::optional<std::uint64_t> seed) {
  const Outcomes wanted = wanted_outcomes(model, text);
  RandomSource random(seed.value_or(0));
  Choices choices(model);
  while (const std::optional<std::uint32_t> id = choices.next()) {
    const Decision& decision = model.decisions[*id];
    const bool is_drawn = wanted[*id] == kOpen && !is_failure(model, decision);
    if (is_drawn && !seed) {
      throw std::invalid_argument("decision " + decision.name + " has no outcome; add --outcome " + decision.name +
                                  "= and one of " + names_of_outcomes(decision));
    }
    const std::uint32_t unnamed = is_drawn ? random.below(outcome_count(decision)) : 0;
    choices.choose(*id, wanted[*id] != kOpen ? wanted[*id] : unnamed);
  }
  Outcomes outcomes = choices.finish();
  for (std::size_t id = 0; id < wanted.size(); ++id) {
    if (wanted[id] == kOpen || outcomes[id] != kNotTaken) continue;
    throw std::invalid_argument("--outcome " + model.decisions[id].name + "=" +
                                outcome_name(model.decisions[id], wanted[id]) + ": nobody takes this decision under " +
                                outcomes_text(model, outcomes) + "; leave it out");
  }
  return outcomes;
}

Combinations combine_outcomes(const Model& model, std::string_view text, std::size_t limit,
                              std::optional<std::uint32_t> most_failures) {
  const Outcomes wanted = wanted_outcomes(model, text);
  Combinations found;
  std::vector<Choices> waiting = {Choices(model)};
  while (!waiting.empty()) {
    const Choices choices = std::move(waiting.back());
    waiting.pop_back();
    const std::optional<std::uint32_t> id = choices.next();
    if (!id) {
      Outcomes outcomes = choices.finish();
      if (!is_in(outcomes, wanted)) continue;
      if (found.all.size() == limit) {
        found.is_whole = false;
        return found;
      }
      found.all.push_back(std::move(outcomes));
      continue;
    }
    for (std::uint32_t outcome = outcome_count(model.decisions[*id]); outcome-- > 0;) {
      if (wanted[*id] != kOpen && wanted[*id] != outcome) continue;
      const bool fails = outcome == 1 && is_failure(model, model.decisions[*id]);
      if (fails && most_failures && choices.failures() == *most_failures) continue;
      waiting.push_back(choices);
      waiting.back().choose(*id, outcome);
    }
  }
  if (found.all.empty()) {
    throw std::invalid_argument("--outcome " + std::string(text) + ": no run has these outcomes; leave one out");
  }
  return found;
}

std::vector<bool> ops_that_run(const Model& model, const Outcomes& outcomes) {
  Choices choices(model);
  for (std::uint32_t id = 0; id < outcomes.size(); ++id) choices.choose(id, outcomes[id]);
  std::vector<bool> runs(model.ops.size());
  for (std::uint32_t op = 0; op < model.ops.size(); ++op) runs[op] = choices.runs(op) == Runs::kYes;
  return runs;
}

void apply_outcomes(Model& model, const Outcomes& outcomes) {
  const std::vector<bool> runs = ops_that_run(model, outcomes);
  std::vector<bool> fails(model.ops.size(), false);
  for (std::size_t id = 0; id < model.decisions.size(); ++id) {
    const Decision& decision = model.decisions[id];
    if (outcomes[id] == 1 && is_failure(model, decision)) fails[decision.op] = true;
  }
  for (std::uint32_t id = 0; id < model.ops.size(); ++id) {
    Op& op = model.ops[id];
    op.guards.clear();
    if (std::exchange(op.guarded, Guarded::kNo) != Guarded::kNo) op.inputs.pop_back();
    const bool has_failed = op.is_fallible && fails[id];
    if (std::exchange(op.is_fallible, false)) op.outputs.pop_back();
    const std::uint64_t watchdog_ps = std::exchange(op.watchdog_ps, 0);
    if (runs[id] && has_failed && watchdog_ps != 0) op.time_ps = {0, watchdog_ps};
    if (runs[id]) continue;
    op.kernel = "mix";
    op.config.clear();
    for (auto* tensors : {&op.inputs, &op.outputs, &op.weights, &op.scratch}) tensors->clear();
    op.time_ps = {0, 0};
    op.flops = 0;
    op.in_place = false;
    op.replaces = false;
    op.is_sized = false;
  }
  model.decisions.clear();
}

}  // namespace detent::models
