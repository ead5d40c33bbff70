// What CLI11 lets pass and this program does not: numbers that wrap, NaN, two answers in one file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/simulate/campaign_identity.hpp"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace detent::cli {

/// Whole decimal numbers from `least` to 2^64 - 1; "-1" and "18446744073709551616" are none (B17).
CLI::Validator whole_number(std::uint64_t least = 0);

/// Every numeric option of the command and of its sub-commands takes whole or finite numbers only. Before parsing.
void check_numbers(CLI::App& app);

/// Each option of the command with what was given or its default; equal options give equal lists, in whatever order
/// they were typed. Options are listed from the parser itself, so one that is added later is among them.
std::vector<app::NamedOption> given_options(const CLI::App& command);

/// Every file that the chosen command writes has a name of its own, and is none that it reads. After parsing.
/// @throws std::invalid_argument  naming both options
void check_outputs(const CLI::App& app);

}  // namespace detent::cli
