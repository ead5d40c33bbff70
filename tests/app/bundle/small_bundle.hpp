// Bundles of small checks, made from a line of words as the program takes it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/bundle/make_bundle.hpp"
#include "app/bundle/verify_bundle.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {

inline constexpr const char* kSmallGraph =
    R"({"schema": "detent.graph/1", "name": "g", "regions": [], "edges": [[0, 1], [0, 2]], "ops": [
  {"id": 0, "name": "a", "time_ps": [1000, 2000]}, {"id": 1, "name": "b", "time_ps": [1000, 3000]},
  {"id": 2, "name": "c", "time_ps": 5000}]})";
inline constexpr const char* kSmallRequirements =
    "schema = \"detent.requirements/1\"\n[requirements]\nR1 = { properties = [\"buffer_races\"] }\n"
    "R2 = { properties = [\"threads\"] }\n";

/// The request that `detent check ...` makes of these words, for options that tests give; few runs, no exploration.
inline BundleRequest bundle_request(const std::vector<std::string>& words) {
  BundleRequest made;
  CheckOptions& check = made.check.check;
  std::map<std::string, std::string> values{{"--runs", "4"}, {"--schedules", "0"}, {"--workers", "2"}};
  made.given.push_back({"MODEL", {words.at(1)}, "", false});
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    values[words[i].substr(0, equals)] = equals == std::string::npos ? "true" : words[i].substr(equals + 1);
  }
  for (const auto& [name, value] : values) made.given.push_back({name, {value}, "", name == "--out"});
  made.given.push_back({"--jitter", {}, "uniform:0.1", false});
  check.request.model = words.at(1);
  check.simulation.runs = std::stoull(values["--runs"]);
  check.schedules = 0;
  check.schedule.engine.workers = 2;
  check.simulation.cores = values["--cores"];
  check.simulation.platform = values["--platform"];
  check.simulation.no_overheads = values.contains("--no-overheads");
  check.simulation.deadline = values["--deadline"];
  check.model.costs = values["--costs"];
  check.model.set = values["--set"];
  if (values.contains("--device")) check.model.device = harness::read_device(values["--device"]);
  made.check.ci.baseline = values["--baseline"];
  made.check.ci.junit = values["--junit"];
  made.check.directory = values["--out"];
  made.requirements = values["--requirements"];
  made.directory = values["--bundle"];
  return made;
}

inline Answer bundled(const std::vector<std::string>& words) { return make_bundle(bundle_request(words), 80, {}); }

/// What the program's line does, for bundles made by `bundled`.
inline void run_again(const std::vector<std::string>& words) { static_cast<void>(bundled(words)); }

inline Answer verified(const std::string& directory, const std::string& root = "", bool again = false) {
  return verify_bundle({.directory = directory, .root = root, .again = again}, run_again);
}

/// "report.html changed, new extra": what verify-bundle has found.
inline std::string findings_of(const Answer& answer) {
  std::string text;
  for (const Json& finding : answer.json.at("findings")) {
    text += (text.empty() ? "" : ", ") + finding.at("file").get<std::string>() + " " +
            finding.at("kind").get<std::string>();
  }
  return text;
}

}  // namespace detent::app
