// Identity of a campaign: what decides its runs, as text -> may these files be continued or merged?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/model/loaded_model.hpp"
#include "sim/platform/platform.hpp"

namespace CLI {
class App;
}

namespace detent::cli {

/// JSON text (detent.campaign/1): program version, hashes of model and platform and of every file that an option names,
/// and each option of the command with its value or default, but for those that decide only what is shown. Equal
/// options give equal text, in whatever order they were typed.
std::string campaign_identity(const CLI::App& command, const app::LoadedModel& loaded, const sim::Platform& platform);

/// What differs, one text each: "--jitter is uniform:0.1 there and uniform:0.2 here". Empty: the same.
/// @throws std::invalid_argument  `there`, named `file`, is no identity
std::vector<std::string> identity_differences(const std::string& file, const std::string& there,
                                              const std::string& here);

/// The command line that the identity stands for, without the command's name.
/// @throws std::invalid_argument  as above
std::vector<std::string> identity_arguments(const std::string& file, const std::string& identity);

}  // namespace detent::cli
