// What CLI11 lets pass and this program does not: numbers that wrap, NaN, two answers in one file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/answer/given_option.hpp"

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
/// An option whose value is the name of a file, or of a folder.
CLI::Option* add_file(CLI::App& command, const char* names, std::string& file, const char* text);
CLI::Option* add_folder(CLI::App& command, const char* names, std::string& folder, const char* text);
/// The option takes a time with its unit; bare numbers are picoseconds.
CLI::Option* take_time(CLI::Option* option);
/// The option takes a size with its unit; bare numbers are bytes.
CLI::Option* take_bytes(CLI::Option* option);

/// Every numeric option of the command and of its sub-commands takes whole or finite numbers only. Before parsing.
void check_numbers(CLI::App& app);

/// The options of the command, typed or not.
std::vector<app::GivenOption> given_options(const CLI::App& command);

/// app::check_files of the chosen command. After parsing.
void check_outputs(const CLI::App& app);

}  // namespace detent::cli
