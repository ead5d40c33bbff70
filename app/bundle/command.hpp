// The line of words that a bundle stands for, written from what was typed, and taken back only where it can do no harm.
#pragma once

#include <string>
#include <vector>

#include "app/answer/given_option.hpp"
#include "app/bundle/bundle_file.hpp"
#include "app/bundle/inputs.hpp"

namespace detent::app {

/// {"detent", "check", "inputs/model/net.json", "--runs=5"}: what was given, inputs by their copies, without options
/// that only say what is shown or written where.
std::vector<std::string> bundle_command(const std::vector<GivenOption>& given, const std::vector<InputCopy>& copies);

/// The same options and those that were not given, with what counted for them.
std::vector<BundledOption> bundle_options(const std::vector<GivenOption>& given, const std::vector<InputCopy>& copies);

/// The words behind "detent" that make the check again in a folder that has the bundle's inputs.
/// @param file  that has it, for messages
/// @throws InputError  no check, a word that would write a file or read one that is not among the bundle's
std::vector<std::string> words_again(const BundleFile& bundle, const std::string& file);

/// What of the environment decides the answer under these options: the workers of native runs where no option says how
/// many, whether the variable is set or the number of cores decides.
/// @throws std::invalid_argument  as default_workers
std::vector<BundledVariable> bundle_environment(const std::vector<BundledOption>& options);

}  // namespace detent::app
