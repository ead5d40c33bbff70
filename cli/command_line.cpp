// Options as CLI11 has them -> refusals before a command starts.
#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/catalogue/catalogue.hpp"
#include "app/manual/outputs.hpp"
#include "base/words/near.hpp"
#include "base/words/quantity.hpp"

namespace detent::cli {
namespace {

using NamedFile = std::pair<std::string, std::string>;  ///< option, spelling of its file

/// Names of options that name what is read.
constexpr std::array kInputs = {"MODEL",   "FILE",    "PATH",  "FILES",      "FILE_OR_LINE", "--input",
                                "--order", "--costs", "--set", "--platform", "--merge",      "--layers"};

/// Names of options that name what is written.
constexpr std::array kOutputs = {"--json",     "--out",     "--output", "--log",
                                 "--campaign", "--failure", "--smt2",   "--smt2-plan"};

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

/// One spelling per file, whether or not it is there.
std::string spelling_of(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  return error ? path : whole.string();
}

/// The file in a word: all of it but for NAME=FILE.
std::string file_of(std::string_view option, const std::string& word) {
  const std::size_t equals = word.find('=');
  const bool is_named = (option == "--input" || option == "--output") && word.find('/') > equals;
  return is_named && equals != std::string::npos ? word.substr(equals + 1) : word;
}

/// Files that are read; names of the zoo and of platforms are none.
std::vector<NamedFile> inputs_of(const CLI::App& command) {
  std::vector<NamedFile> inputs;
  for (const char* name : kInputs) {
    const CLI::Option* const option = command.get_option_no_throw(name);
    if (option == nullptr) continue;
    for (const std::string& word : option->results()) {
      std::error_code error;
      const std::string file = file_of(name, word);
      if (std::filesystem::is_regular_file(file, error)) inputs.emplace_back(name, spelling_of(file));
    }
  }
  return inputs;
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

std::vector<std::string> arrange_words(const CLI::App& app, const std::vector<std::string>& words) {
  const auto named =
      app.get_subcommands([&](const CLI::App* one) { return !words.empty() && one->get_name() == words[0]; });
  if (named.empty() || named.front()->get_option_no_throw("COMMAND") == nullptr) return words;
  const CLI::App* const command = named.front();
  std::vector<std::string> own = {words.front()}, inner;
  for (std::size_t at = 1; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word == "--") {
      inner.insert(inner.end(), words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
      break;
    }
    const std::size_t equals = word.find('=');
    const CLI::Option* const option =
        word.size() > 1 && word.front() == '-' ? command->get_option_no_throw(word.substr(0, equals)) : nullptr;
    if (option == nullptr) {
      inner.push_back(word);
      continue;
    }
    own.push_back(word);
    const bool takes_next = option->get_items_expected_max() > 0 && equals == std::string::npos;
    if (takes_next && at + 1 < words.size()) own.push_back(words[++at]);
  }
  if (!inner.empty()) own.emplace_back("--");
  own.insert(own.end(), inner.begin(), inner.end());
  return own;
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
  const CLI::Option* const model = app.get_option_no_throw("MODEL");
  for (const char* name : kOutputs) {
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (option == nullptr || option->count() == 0) continue;
    for (const std::string& word : option->results()) {
      const std::string file = file_of(name, word);
      if (file.empty()) continue;  // as without the option
      if (model != nullptr && model->count() != 0) app::refuse_swapped(name, file, model->results().front());
      const std::string spelling = file == "-" ? file : spelling_of(file);
      const auto other = std::ranges::find(taken, spelling, &NamedFile::second);
      if (other != taken.end()) {
        throw std::invalid_argument(
            fmt::format("{} {}: is also the file of {}; choose another one", name, file, other->first));
      }
      if (file != "-") app::require_writable(name, file, option->get_type_name() == "DIR");
      taken.emplace_back(name, spelling);
    }
  }
}

}  // namespace detent::cli
