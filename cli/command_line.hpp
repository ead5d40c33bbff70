// What CLI11 lets pass and this program does not: numbers that wrap, NaN, two answers in one file.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace detent::cli {

/// Whole decimal numbers from `least` to 2^64 - 1; "-1" and "18446744073709551616" are none (B17).
CLI::Validator whole_number(std::uint64_t least = 0);

/// Every numeric option of the command and of its sub-commands takes whole or finite numbers only. Before parsing.
void check_numbers(CLI::App& app);

/// Every file that the chosen command writes has a name of its own, and is none that it reads. After parsing.
/// @throws std::invalid_argument  naming both options
void check_outputs(const CLI::App& app);

}  // namespace detent::cli
