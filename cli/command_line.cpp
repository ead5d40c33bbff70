// Options as CLI11 has them -> refusals before a command starts.
#include "cli/command_line.hpp"

#include <fmt/format.h>

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

/// Names of options that name what is written.
constexpr std::array kOutputs = {"--json", "--out", "--output", "--campaign", "--failure", "--smt2", "--smt2-plan"};

std::string not_finite(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool is_number = end != text.c_str() && *end == '\0';
  return is_number && !std::isfinite(value) ? text + " is no finite number" : "";
}

/// One spelling per file.
std::string spelling_of(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(path, error);
  return error ? path : whole.string();
}

/// Model files are read, names of the zoo are not.
std::string spelling_of_model(const CLI::App& command) {
  const CLI::Option* const model = command.get_option_no_throw("MODEL");
  std::error_code error;
  if (model == nullptr || model->count() == 0) return "";
  const std::string path = model->as<std::string>();
  return std::filesystem::is_regular_file(path, error) ? spelling_of(path) : "";
}

}  // namespace

CLI::Validator whole_number(std::uint64_t least) {
  const auto refuse = [least](const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = error == std::errc() && end == text.data() + text.size() && value >= least;
    return is_whole ? std::string() : fmt::format("{} is no whole number from {} to {}", text, least, UINT64_MAX);
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

void check_outputs(const CLI::App& app) {
  for (const CLI::App* const command : app.get_subcommands()) check_outputs(*command);
  std::vector<std::pair<std::string, std::string>> taken = {{"MODEL", spelling_of_model(app)}};
  for (const char* name : kOutputs) {
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (option == nullptr || option->count() == 0) continue;
    const std::string file = option->as<std::string>();
    const std::string spelling = file == "-" ? file : spelling_of(file);
    const auto other = std::ranges::find(taken, spelling, &std::pair<std::string, std::string>::second);
    if (!spelling.empty() && other != taken.end()) {
      throw std::invalid_argument(fmt::format("{} {}: is {}, too; choose another file", name, file, other->first));
    }
    taken.emplace_back(name, spelling);
  }
}

}  // namespace detent::cli
