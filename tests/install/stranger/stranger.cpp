// Load a package, check it, ask the verdict. Exit code: 0 holds, 1 violated, 3 unknown, 2 it cannot be read.
#include <cstdio>
#include <exception>

#include "app/answer/verdicts.hpp"
#include "app/check/check.hpp"
#include "app/runs/simulated_run.hpp"

int main(int argc, char** argv) {
  using namespace detent;
  app::CheckOptions options;
  options.request.model = argc > 1 ? argv[1] : "";
  options.simulation.platform = "quad_npu";
  options.simulation.runs = 20;
  try {
    const sim::Platform platform = app::simulated_platform(options.simulation);
    options.model.accelerator = app::accelerator_of(options.simulation, platform);
    const app::LoadedModel loaded = app::load(options.request.model, options.model);
    const app::CheckResult result = app::check(options, loaded, platform, {});
    for (const std::string& line : app::verdict_lines(result.verdicts)) std::puts(line.c_str());
    switch (app::outcome_of(result.verdicts)) {
      case verify::Outcome::kHolds:
        return 0;
      case verify::Outcome::kViolated:
        return 1;
      case verify::Outcome::kUnknown:
        return 3;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 2;
}
