// Options as CLI11 has them -> refusals before a command starts.
#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/manual/outputs.hpp"
#include "base/words/near.hpp"
#include "base/words/quantity.hpp"

namespace detent::cli {
namespace {

/// What a check answers: the value and what it must be, apart (explain() in program.cpp).
std::string refusal(const std::string& value, const std::string& rule) { return value + kCheckMark + rule; }

std::optional<double> finite_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool is_number = end != text.c_str() && *end == '\0' && std::isfinite(value);
  return is_number ? std::optional(value) : std::nullopt;
}

/// Text with a unit -> its digits, for the conversion behind it.
CLI::Option* take_quantity(CLI::Option* option, std::optional<std::uint64_t> (*read)(std::string_view),
                           std::string (*refuse)(std::string_view), const char* type) {
  const auto convert = [read, refuse](std::string& text) {
    const std::optional<std::uint64_t> value = read(text);
    if (!value) return refusal(text, refuse(text));
    text = std::to_string(*value);
    return std::string();
  };
  return option->transform(CLI::Validator(convert, ""))->type_name(type);
}

}  // namespace

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const bool is_any = least == 0 && most == UINT64_MAX;
  const std::string range =
      most == UINT64_MAX ? fmt::format("{} or more", least) : fmt::format("{} to {}", least, most);
  const auto refuse = [least, most, range](const std::string& text) {
    const std::optional<std::uint64_t> value = read_count(text);
    if (value && *value >= least && *value <= most) return std::string();
    const bool is_too_long = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    if (!value && is_too_long) return refusal(text, fmt::format("is too large; {} is the most", most));
    return refusal(text, "must be a whole number, " + range);
  };
  return {refuse, is_any ? "" : range};
}

CLI::Validator number_within(double least, double most) {
  const std::string range = fmt::format("{} to {}", least, most);
  const auto refuse = [least, most, range](const std::string& text) {
    const std::optional<double> value = finite_number(text);
    return value && *value >= least && *value <= most ? std::string() : refusal(text, "must be a number, " + range);
  };
  return {refuse, range};
}

CLI::Option* choose(CLI::Option* option, const std::vector<std::string>& words) {
  constexpr std::size_t kMostColumns = 30;
  const auto refuse = [words](const std::string& text) {
    if (std::ranges::count(words, text) != 0) return std::string();
    return refusal(text, "must be " + choices_text(words, words.size()) + did_you_mean(text, words));
  };
  const std::string type = fmt::format("{}", fmt::join(words, "|"));
  if (type.size() <= kMostColumns) option->type_name(type);
  return option->check(CLI::Validator(refuse, ""));
}

CLI::Option* add_file(CLI::App& command, const char* names, std::string& file, const char* text) {
  return command.add_option(names, file, text)->type_name("FILE");
}

CLI::Option* add_folder(CLI::App& command, const char* names, std::string& folder, const char* text) {
  return command.add_option(names, folder, text)->type_name("DIR");
}

CLI::Option* take_time(CLI::Option* option) { return take_quantity(option, read_time_ps, refuse_time, "TIME"); }

CLI::Option* take_bytes(CLI::Option* option) { return take_quantity(option, read_bytes, refuse_bytes, "BYTES"); }

void check_numbers(CLI::App& app) {
  const auto to_digits = [](std::string& text) {  // 1e6
    if (const auto value = read_count(text)) text = std::to_string(*value);
    return std::string();
  };
  const auto refuse = [](const std::string& text) {
    return finite_number(text) ? std::string() : refusal(text, "must be a number");
  };
  for (CLI::Option* const option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (type.rfind("UINT", 0) == 0) option->transform(CLI::Validator(to_digits, ""))->check(whole_number());
    if (type.rfind("FLOAT", 0) == 0) option->check(CLI::Validator(refuse, ""));
  }
  for (CLI::App* const command : app.get_subcommands({})) check_numbers(*command);
}

std::vector<app::GivenOption> given_options(const CLI::App& command) {
  std::vector<app::GivenOption> given;
  for (const CLI::Option* option : command.get_options()) {
    given.push_back(
        {option->get_name(), option->results(), option->get_default_str(), option->get_type_name() == "DIR"});
  }
  return given;
}

void check_outputs(const CLI::App& app) {
  for (const CLI::App* const command : app.get_subcommands()) check_outputs(*command);
  app::check_files(given_options(app));
}

}  // namespace detent::cli
