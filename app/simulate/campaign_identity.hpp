// Identity of a campaign: what decides its runs, as text -> may these files be continued or merged?
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/answer/given_option.hpp"
#include "app/model/loaded_model.hpp"
#include "sim/platform/platform.hpp"

namespace detent::app {

/// An option of a command: its name as --help has it, and what was given or its default as text.
using NamedOption = std::pair<std::string, std::string>;

/// Equal options give equal lists, in whatever order they were typed.
std::vector<NamedOption> named_options(const std::vector<GivenOption>& given);

/// JSON text (detent.campaign/1): program version, hashes of model and platform and of every file that an option names,
/// and each option of the command with its value or default, but for those that decide only what is shown. Equal
/// options give equal text, in whatever order they were typed.
/// @param given  all options of the command
std::string campaign_identity(const std::vector<NamedOption>& given, const LoadedModel& loaded,
                              const sim::Platform& platform);

/// The same (detent.exploration/1) of a command that explores orders of ops: no platform has a part in it.
std::string exploration_identity(const std::vector<NamedOption>& given, const LoadedModel& loaded);

/// What differs, one text each: "--jitter is uniform:0.1 there and uniform:0.2 here". Empty: the same.
/// @throws std::invalid_argument  `there`, named `file`, is no identity
std::vector<std::string> identity_differences(const std::string& file, const std::string& there,
                                              const std::string& here);

/// The command line that the identity stands for, without the command's name; of either command.
/// @throws std::invalid_argument  as above
std::vector<std::string> identity_arguments(const std::string& file, const std::string& identity);

/// The same of a campaign file. @throws std::invalid_argument  as above, or the file is not of a campaign
std::vector<std::string> campaign_arguments(const std::string& file);

}  // namespace detent::app
