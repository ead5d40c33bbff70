#include "app/bundle/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "app/manual/outputs.hpp"
#include "app/model/worker_count.hpp"
#include "base/input_error.hpp"
#include "harness/device/device.hpp"

namespace detent::app {
namespace {

constexpr const char* kDevice = "--device";

/// Options that change what is shown or written where, and --reproducible, which --bundle implies.
bool decides_answer(std::string_view option) {
  static constexpr std::array<std::string_view, 5> kShown = {"--help", "--quiet", "--color", "--reproducible",
                                                             "--bundle"};
  return std::ranges::find(kShown, option) == kShown.end() && !names_output(option);
}

std::string word_in_bundle(const std::string& option, const std::string& word, const std::vector<InputCopy>& copies) {
  const auto copy = std::ranges::find(copies, option, &InputCopy::option);
  if (copy == copies.end()) return word;
  if (option != kDevice) return copy->path;
  harness::DeviceSpec device = harness::read_device(word);
  device.module = copy->path;
  return harness::device_text(device);
}

bool is_bundled(const BundleFile& bundle, const std::string& path) {
  return path.starts_with(std::string(kBundleInputs) + "/") &&
         std::ranges::find(bundle.files, path, &BundledFile::path) != bundle.files.end();
}

/// A file of the bundle, or, where a name may stand, one without a folder in it.
bool may_be_read(const BundleFile& bundle, std::string_view option, const std::string& value) {
  if (option == kDevice) {
    const std::string module = harness::read_device(value).module;
    return harness::is_linked_in(module) || is_bundled(bundle, module);
  }
  const bool may_be_name = option == "MODEL" || option == "--platform";
  return is_bundled(bundle, value) || (may_be_name && value.find('/') == std::string::npos);
}

}  // namespace

std::vector<std::string> bundle_command(const std::vector<GivenOption>& given, const std::vector<InputCopy>& copies) {
  std::vector<std::string> words{"detent", "check"};
  std::vector<std::string> options;
  for (const GivenOption& option : given) {
    if (!decides_answer(option.name)) continue;
    for (const std::string& typed : option.words) {
      const std::string word = word_in_bundle(option.name, typed, copies);
      if (!option.name.starts_with("-")) {
        words.push_back(word);
      } else {
        options.push_back(word == "true" ? option.name : option.name + "=" + word);
      }
    }
  }
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

std::vector<BundledOption> bundle_options(const std::vector<GivenOption>& given, const std::vector<InputCopy>& copies) {
  std::vector<BundledOption> options;
  for (const GivenOption& option : given) {
    if (!decides_answer(option.name)) continue;
    std::vector<std::string> words;
    for (const std::string& typed : option.words) words.push_back(word_in_bundle(option.name, typed, copies));
    const std::string value = words.empty() ? option.fallback : fmt::format("{}", fmt::join(words, ","));
    options.push_back({option.name, value, !words.empty()});
  }
  return options;
}

std::vector<std::string> words_again(const BundleFile& bundle, const std::string& file) {
  const std::vector<std::string>& command = bundle.command;
  const auto refuse = [&](const std::string& what) { throw InputError(file, "command", what + "; no check is made"); };
  if (command.size() < 3 || command[0] != "detent" || command[1] != "check")
    refuse("must begin with detent check MODEL");
  const auto require = [&](std::string_view option, const std::string& value) {
    if (!may_be_read(bundle, option, value)) {
      refuse(std::string(option) + " names a file that is not among the inputs of the bundle");
    }
  };
  if (command[2].starts_with("-")) refuse("has an option where MODEL must stand");
  require("MODEL", command[2]);
  for (std::size_t i = 3; i < command.size(); ++i) {
    const std::string& word = command[i];
    const std::string name = word.substr(0, word.find('='));
    // Whoever made the bundle must not choose what is written where.
    if (!name.starts_with("--") || !decides_answer(name))
      refuse("has " + name.substr(0, 40) + ", which decides no answer");
    if (names_files(name) || name == kDevice) require(name, word.substr(std::min(word.size(), name.size() + 1)));
  }
  return {command.begin() + 1, command.end()};
}

std::vector<BundledVariable> bundle_environment(const std::vector<BundledOption>& options) {
  const auto workers = std::ranges::find(options, "--workers", &BundledOption::name);
  const bool is_given = workers != options.end() && workers->is_given && workers->value != "0";
  return {{"TVMRT_NUM_WORKERS", is_given ? "" : std::to_string(default_workers())}};
}

}  // namespace detent::app
