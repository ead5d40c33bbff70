// Options that say how a model is prepared.
#pragma once

#include "app/model/loaded_model.hpp"

namespace CLI {
class App;
}

namespace detent::cli {

/// Add --split to a command.
void add_model_options(CLI::App& command, app::ModelOptions& options);
/// Add --costs to a command that simulates or bounds.
void add_costs_option(CLI::App& command, app::ModelOptions& options);

}  // namespace detent::cli
