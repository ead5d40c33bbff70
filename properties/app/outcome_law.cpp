// Laws of guards: under every combination of outcomes the simulation stays within the bound of all of them, and all
// runs of one combination give one digest where the verdict holds.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <string>

#include "app/bound/bound_model.hpp"
#include "app/explore/combinations.hpp"
#include "app/runs/simulated_run.hpp"
#include "app/static/static_checks.hpp"
#include "models/files/graph_file.hpp"
#include "properties/law.hpp"
#include "tests/verify/flow/naive_flow.hpp"

namespace detent::laws {

struct GuardedText {
  std::string text;
};

void showValue(const GuardedText& drawn, std::ostream& out) { out << drawn.text; }

std::string save_case(const GuardedText& drawn, const std::string& path) {
  std::ofstream(path) << drawn.text;
  return path;
}

namespace {

std::string bound_command_of(const GuardedText&, const std::string& path) {
  return "detent bound '" + path + "' --cores 2; detent simulate '" + path + "' --cores 2";
}

bool has_guards(const GuardedText& drawn) {
  try {
    return !models::parse_graph(drawn.text, "drawn.json").decisions.empty();
  } catch (const std::invalid_argument&) {
    return false;
  }
}

rc::Gen<GuardedText> guarded_graphs() {
  const auto draw = [] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto ops = *rc::gen::inRange<std::uint32_t>(2, 9);
    return GuardedText{verify::testing::random_flow_graph(seed, ops, true)};
  };
  return rc::gen::suchThat(rc::gen::exec(draw), has_guards);
}

std::uint64_t least_upper_ps(const std::string& file) {
  app::BoundRequest request;
  request.request.model = file;
  request.cores = "2";
  request.model.guards = app::ModelOptions::Guards::kResolved;
  std::uint64_t least = UINT64_MAX;
  const app::Json bound = app::bound_model(request).json;
  for (const app::Json& method : bound.at("methods")) {
    if (method.at("is_upper") == true && !method.at("bound_ps").is_null()) {
      least = std::min(least, method.at("bound_ps").get<std::uint64_t>());
    }
  }
  return least;
}

RC_GTEST_PROP(OutcomeLaw, NoSimulatedRunExceedsTheBoundOfAllCombinations, ()) {
  law_of(guarded_graphs(), bound_command_of, [](const GuardedText& drawn) {
    const std::string file = save_case(drawn, failure_path("json"));
    const std::uint64_t bound_ps = least_upper_ps(file);
    const app::Combinations combinations = app::combinations_of(file, {});
    RC_ASSERT(combinations.has_guards && combinations.is_whole);
    app::ModelOptions kept;
    kept.guards = app::ModelOptions::Guards::kKept;
    const app::LoadedModel all = app::load(file, kept);
    const bool holds =
        app::outcome_of(app::check_static_laws(all.desc(), &all.values).verdicts) == verify::Outcome::kHolds;
    RC_CLASSIFY(holds, "holds");
    for (const std::string& outcomes : combinations.texts) {
      app::SimulateRequest wanted;
      wanted.request.model = file;
      wanted.simulation.cores = "2";
      wanted.simulation.runs = 4;
      wanted.model.guards = app::ModelOptions::Guards::kResolved;
      wanted.model.outcomes = outcomes;
      const app::LoadedModel loaded = app::load(file, wanted.model);
      const app::Answer answer = app::simulate(wanted, loaded, app::simulated_platform(wanted.simulation), nullptr, {});
      RC_ASSERT(answer.json["makespan_ps"]["max"].get<std::uint64_t>() <= bound_ps);
      RC_ASSERT(!holds || answer.json["digests"].size() == 1U);
    }
    std::filesystem::remove(file);
  });
}

}  // namespace
}  // namespace detent::laws
