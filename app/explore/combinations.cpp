#include "app/explore/combinations.hpp"

#include <fmt/format.h>

#include <utility>

#include "app/catalogue/catalogue.hpp"
#include "app/static/static_checks.hpp"
#include "base/counted.hpp"
#include "models/core/decisions.hpp"
#include "models/core/outcomes.hpp"
#include "models/prepare/load.hpp"

namespace detent::app {

Combinations combinations_of(const std::string& name, const ModelOptions& options) {
  refuse_other_name(name, "a model");
  ModelOptions kept = options;
  kept.guards = ModelOptions::Guards::kKept;
  const models::Model model = options.set.empty() ? models::load_model(name) : load_prepared(name, kept).model;
  Combinations combinations;
  combinations.most_failures = options.most_failures;
  combinations.has_guards = !model.decisions.empty();
  combinations.is_computed = models::has_computed_decisions(model);
  const models::Combinations all =
      models::combine_outcomes(model, options.outcomes, kMostCombinations, options.most_failures);
  combinations.is_whole = all.is_whole;
  for (const models::Outcomes& outcomes : all.all) {
    combinations.texts.push_back(models::outcomes_text(model, outcomes));
    combinations.shown.push_back(models::outcomes_for_people(model, outcomes));
    for (std::size_t id = 0; id < outcomes.size(); ++id) {
      if (outcomes[id] != 1 || !models::is_failure(model, model.decisions[id])) continue;
      const bool is_watched = model.ops[model.decisions[id].op].watchdog_ps != 0;
      (is_watched ? combinations.has_watchdogs : combinations.has_failures) = true;
    }
  }
  return combinations;
}

std::string describe_most_failures(const Combinations& combinations) {
  if (!combinations.most_failures) return "";
  const std::uint32_t most = *combinations.most_failures;
  if (most == 0) return "no op fails";
  return fmt::format("at most {} {}", counted(most, "op"), most == 1 ? "fails" : "fail");
}

std::string describe_combinations(const Combinations& combinations) {
  const std::string limit = describe_most_failures(combinations);
  const std::string limited = limit.empty() ? "" : " in which " + limit;
  if (!combinations.is_whole) {
    return fmt::format("the first {} combinations of outcomes{}; there are more", combinations.texts.size(), limited);
  }
  return (combinations.texts.size() > 1 ? "all " : "") + counted(combinations.texts.size(), "combination") +
         " of outcomes" + limited;
}

Answer explore_combinations(const Request& request, const ModelOptions& options, const Combinations& combinations,
                            const ExploreOne& explore) {
  Answer made{.json = json_header("explore", request)};
  made.lines = {request.model + ": " + describe_combinations(combinations)};
  Json list = Json::array();
  Json replay;
  bool has_failed = false;
  bool is_known = combinations.is_whole;
  std::vector<std::string> texts = combinations.texts;
  std::vector<std::string> shown = combinations.shown;
  // As the values of the input decide, and then every way in which they could.
  if (combinations.is_computed && options.outcomes.empty() && options.weights) {
    texts.insert(texts.begin(), "");
    shown.insert(shown.begin(), "as computed");
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string& outcomes = texts[i];
    ModelOptions of_one = options;
    of_one.outcomes = outcomes;
    Answer one = explore(of_one, has_failed);
    has_failed = has_failed || one.outcome == verify::Outcome::kViolated;
    is_known = is_known && one.outcome != verify::Outcome::kUnknown;
    if (replay.is_null() && one.json.contains("replay")) replay = one.json["replay"];
    one.json["outcomes"] = outcomes.empty() ? "as computed" : outcomes;
    list.push_back(std::move(one.json));
    made.lines.push_back("outcomes: " + shown[i]);
    append(made.lines, std::move(one.lines));
  }
  made.outcome = has_failed ? verify::Outcome::kViolated
                 : is_known ? verify::Outcome::kHolds
                            : verify::Outcome::kUnknown;
  made.json["level"] = list.front()["level"];
  made.json["verdict"] = verify::outcome_name(made.outcome);
  made.json["all_combinations"] = combinations.is_whole;
  if (combinations.most_failures) made.json["most_failures"] = *combinations.most_failures;
  made.json["combinations"] = std::move(list);
  if (!replay.is_null()) made.json["replay"] = std::move(replay);
  return made;
}

}  // namespace detent::app
