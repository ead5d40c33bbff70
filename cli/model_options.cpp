#include "cli/model_options.hpp"

#include <CLI/CLI.hpp>

namespace detent::cli {

void add_model_options(CLI::App& command, app::ModelOptions& options) {
  command.add_option("--split", options.split, "Split heavy ops ahead of time into N row bands; 1 = none")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str();
}

void add_costs_option(CLI::App& command, app::ModelOptions& options) {
  command
      .add_option("--costs", options.costs,
                  "Measured op times (detent calibrate MODEL -o FILE) for ops on CPUs, instead of the roofline")
      ->type_name("FILE");
}

}  // namespace detent::cli
