// What CLI11 lets pass and this program does not: numbers that wrap, NaN, two answers in one file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/simulate/campaign_identity.hpp"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace detent::cli {

/// Stands in the message of a check between the value and what it must be.
inline constexpr char kCheckMark = '\x1f';

/// Whole numbers from `least` to `most`, also as 1e6; "-1" and "18446744073709551616" are none (B17).
CLI::Validator whole_number(std::uint64_t least = 0, std::uint64_t most = UINT64_MAX);
/// Numbers from `least` to `most`.
CLI::Validator number_within(double least, double most);
/// The option takes one of these words; they are its value in help where they are short.
CLI::Option* choose(CLI::Option* option, const std::vector<std::string>& words);
/// The option takes a time with its unit; bare numbers are picoseconds.
CLI::Option* take_time(CLI::Option* option);
/// The option takes a size with its unit; bare numbers are bytes.
CLI::Option* take_bytes(CLI::Option* option);

/// Every numeric option of the command and of its sub-commands takes whole or finite numbers only. Before parsing.
void check_numbers(CLI::App& app);

/// The words of a command line whose command takes another command as COMMAND (campaign): its own options first, then
/// "--" and all others in their order, so that options of both may stand side by side. What stands behind a "--" that
/// was typed is of the inner command. Other command lines stay as they are.
std::vector<std::string> arrange_words(const CLI::App& app, const std::vector<std::string>& words);

/// Each option of the command with what was given or its default; equal options give equal lists, in whatever order
/// they were typed. Options are listed from the parser itself, so one that is added later is among them.
std::vector<app::NamedOption> given_options(const CLI::App& command);

/// Every file that the chosen command writes has a name of its own, and is none that it reads. After parsing.
/// @throws std::invalid_argument  naming both options
void check_outputs(const CLI::App& app);

}  // namespace detent::cli
