// Options as CLI11 has them -> refusals before a command starts.
#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

namespace detent::cli {
namespace {

using NamedFile = std::pair<std::string, std::string>;  ///< option, spelling of its file

/// Names of options that name what is read.
constexpr std::array kInputs = {"MODEL",   "FILE",    "PATH",       "FILES",   "FILE_OR_LINE", "--input",
                                "--order", "--costs", "--platform", "--merge", "--layers"};

/// Names of options that name what is written.
constexpr std::array kOutputs = {"--json", "--out", "--output", "--campaign", "--failure", "--smt2", "--smt2-plan"};

std::string not_finite(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool is_number = end != text.c_str() && *end == '\0';
  return is_number && !std::isfinite(value) ? text + " is not a finite number" : "";
}

/// One spelling per file, whether or not it is there.
std::string spelling_of(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  return error ? path : whole.string();
}

/// Files that are read; names of the zoo and of platforms are none.
std::vector<NamedFile> inputs_of(const CLI::App& command) {
  std::vector<NamedFile> inputs;
  for (const char* name : kInputs) {
    const CLI::Option* const option = command.get_option_no_throw(name);
    if (option == nullptr) continue;
    for (const std::string& word : option->results()) {
      std::error_code error;
      if (std::filesystem::is_regular_file(word, error)) inputs.emplace_back(name, spelling_of(word));
    }
  }
  return inputs;
}

}  // namespace

CLI::Validator whole_number(std::uint64_t least) {
  const auto refuse = [least](const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = error == std::errc() && end == text.data() + text.size() && value >= least;
    return is_whole ? std::string() : fmt::format("{} is not a whole number from {} to {}", text, least, UINT64_MAX);
  };
  return {refuse, ""};
}

void check_numbers(CLI::App& app) {
  for (CLI::Option* const option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (type.rfind("UINT", 0) == 0) option->check(whole_number());
    if (type.rfind("FLOAT", 0) == 0) option->check(CLI::Validator(not_finite, ""));
  }
  for (CLI::App* const command : app.get_subcommands({})) check_numbers(*command);
}

std::vector<app::NamedOption> given_options(const CLI::App& command) {
  std::vector<app::NamedOption> given;
  for (const CLI::Option* option : command.get_options()) {
    const bool is_typed = option->count() != 0;
    given.emplace_back(option->get_name(),
                       is_typed ? fmt::format("{}", fmt::join(option->results(), ",")) : option->get_default_str());
  }
  return given;
}

void check_outputs(const CLI::App& app) {
  for (const CLI::App* const command : app.get_subcommands()) check_outputs(*command);
  std::vector<NamedFile> taken = inputs_of(app);
  for (const char* name : kOutputs) {
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (option == nullptr || option->count() == 0) continue;
    const std::string file = option->as<std::string>();
    if (file.empty()) continue;  // as without the option
    const std::string spelling = file == "-" ? file : spelling_of(file);
    const auto other = std::ranges::find(taken, spelling, &NamedFile::second);
    if (other != taken.end()) {
      throw std::invalid_argument(
          fmt::format("{} {}: is also the file of {}; choose another one", name, file, other->first));
    }
    taken.emplace_back(name, spelling);
  }
}

}  // namespace detent::cli
