// A bundle.json that has something of everything.
#pragma once

#include <string>

#include "app/bundle/bundle_file.hpp"

namespace detent::app {

inline BundleFile some_bundle() {
  const std::string hash(64, 'a');
  BundleFile bundle;
  bundle.outcome = verify::Outcome::kHolds;
  bundle.command = {"detent", "check", "inputs/model/net.json", "--runs=5"};
  bundle.options = {{"--runs", "5", true}, {"--jitter", "uniform:0.1", false}};
  bundle.environment = {{"TVMRT_NUM_WORKERS", "3"}};
  for (const ToolField& field : tool_fields()) bundle.tool.*field.member = field.is_hash ? hash : "text";
  bundle.inputs = {{"model", "inputs/model/net.json", "inputs/model/net.json", hash},
                   {"platform", "cores:2", "", hash}};
  bundle.model_sha256 = hash;
  bundle.verdicts = {{"determinism", verify::Outcome::kHolds, true, "one trace", ""},
                     {"bound", verify::Outcome::kUnknown, false, "none", "if no op exceeds its worst time", true}};
  bundle.requirements = {{"R-1", "same output", {"determinism"}, "satisfied"}};
  bundle.risks = {{"sampled", "simulation", "the longest of 5"}};
  bundle.assumed = {{"platform p: cpu.clock_hz", std::uint64_t{1'000'000'000}, "Hz", "guess", "memory"},
                    {"platform p: cpu.efficiency", 0.5, "share of the peak", "default", "format"},
                    {"op times", std::string("uniform:0.1"), "", "option", "--jitter"}};
  bundle.assumptions = {{"kernels", "pure"}};
  bundle.files = {{"inputs/model/net.json", 7, hash}, {"report.html", 8, hash}, {"report.json", 9, hash}};
  return bundle;
}

}  // namespace detent::app
