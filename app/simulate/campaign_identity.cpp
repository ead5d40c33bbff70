#include "app/simulate/campaign_identity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string_view>

#include "app/answer/answer.hpp"
#include "app/version.hpp"
#include "base/io.hpp"
#include "models/files/package.hpp"
#include "sim/campaign/campaign_file.hpp"

namespace detent::app {
namespace {

constexpr const char* kIdentitySchema = "detent.campaign/1";
constexpr const char* kExplorationSchema = "detent.exploration/1";
/// Options that change what is shown or kept, not what the runs are.
constexpr std::array<std::string_view, 14> kOutputOptions = {
    "--help",       "--json",  "--quiet",       "--reproducible",     "--out",     "--campaign", "--shard", "--resume",
    "--keep-worst", "--merge", "--sensitivity", "--sensitivity-step", "--failure", "--search"};
/// Of campaigns; explore's option of this name is of ops and decides what a run is.
constexpr std::string_view kDeadlineOption = "--deadline";
constexpr std::uint64_t kMaxNamedFileBytes = std::uint64_t{1} << 32U;

bool is_output_option(std::string_view name, std::string_view schema) {
  const std::string_view first = name.substr(0, name.find(','));
  return std::ranges::find(kOutputOptions, first) != kOutputOptions.end() ||
         (first == kDeadlineOption && schema == kIdentitySchema);
}

std::string hash_text(std::string_view bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

std::string identity_text(const sim::npu::NpuConfig& npu) {
  const auto& [array, dataflow, input, weight, output, word, lanes, port, outstanding, is_private, command] = npu;
  return fmt::format("{}x{} {} {} {} {} {} {} {} {} {} {}", array.rows, array.cols, static_cast<int>(dataflow), input,
                     weight, output, word, lanes, port, outstanding, is_private, command);
}

std::string identity_text(const sim::GpuConfig& gpu) {
  const auto& [wave, launch, outstanding] = gpu;
  return fmt::format("{} {} {}", wave, launch, outstanding);
}

std::string identity_text(const sim::CoreClass& core) {
  const auto& [name, count, clock, flops, efficiency, kernels, l1, l2, cache, dram, threads, corun, npu, depth, gpu] =
      core;
  std::string text = fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", name, count, clock, flops, efficiency, l1, l2,
                                 cache, dram, threads, corun, depth);
  for (const auto& [kernel, share] : kernels) text += fmt::format(" {}={}", kernel, share);
  if (npu) text += " npu " + identity_text(*npu);
  return gpu ? text + " gpu " + identity_text(*gpu) : text;
}

/// Everything of a platform that a run depends on. A field that is added makes these bindings fail to compile: name it
/// here, and write it unless it is mere text.
std::string identity_text(const sim::Platform& platform) {
  const auto& [name, description, classes, dram, memory, burst, contention, overheads, loads, provenance] = platform;
  const auto& [dispatch, queue, lock, wake, log, contended, interrupt, migrate] = overheads;
  std::string text =
      fmt::format("{} {} {} {} {}\n{} {} {} {} {} {} {} {}\n", name, dram, memory, burst, static_cast<int>(contention),
                  dispatch, queue, lock, wake, log, contended, interrupt, migrate);
  for (const sim::CoreClass& core : classes) text += identity_text(core) + "\n";
  for (const sim::Load& load : loads) {
    const auto& [load_name, core_class, core, period, duration, offset, jitter] = load;
    text += fmt::format("{} {} {} {} {} {} {}\n", load_name, core_class, core, period, duration, offset, jitter);
  }
  return text;
}

std::string hash_of_file(const std::string& path) {
  std::error_code error;
  if (path.empty() || !std::filesystem::is_regular_file(path, error)) return "";
  return hash_text(read_regular_file(path, kMaxNamedFileBytes));
}

/// @param platform_hash  empty: no platform has a part in it
Json identity_of(const char* schema, const std::vector<NamedOption>& given, const LoadedModel& loaded,
                 const std::string& platform_hash) {
  std::map<std::string, std::string> options;
  std::map<std::string, std::string> files;
  for (const auto& [name, value] : given) {
    if (is_output_option(name, schema)) continue;
    options[name] = value;
    const std::string hash = hash_of_file(value);
    if (!hash.empty()) files[name] = hash;
  }
  Json identity;
  identity["schema"] = schema;
  identity["detent_version"] = kVersion;
  identity["model_hash"] = hash_text(models::encode_package(loaded.model));
  if (!platform_hash.empty()) identity["platform_hash"] = platform_hash;
  identity["options"] = options;
  identity["files"] = files;
  return identity;
}

Json parse_identity(const std::string& file, const std::string& text) {
  Json identity = Json::parse(text, nullptr, false);
  const bool is_identity = identity.is_object() && identity.contains("schema") &&
                           (identity["schema"] == kIdentitySchema || identity["schema"] == kExplorationSchema) &&
                           identity.contains("options") && identity["options"].is_object();
  if (!is_identity) throw std::invalid_argument(file + ": byte 40: not the identity of a campaign; simulate it again");
  return identity;
}

/// {"--jitter": "uniform:0.1", "model_hash": ...}: every value by the name that people know.
std::map<std::string, std::string> flatten(const Json& identity) {
  std::map<std::string, std::string> values;
  for (const auto& [key, value] : identity.items()) {
    if (value.is_string()) values[key] = value.get<std::string>();
    if (!value.is_object()) continue;
    const std::string suffix = key == "files" ? " (content)" : "";
    for (const auto& [name, inner] : value.items()) {
      if (inner.is_string()) values[name + suffix] = inner.get<std::string>();
    }
  }
  return values;
}

}  // namespace

std::vector<NamedOption> named_options(const std::vector<GivenOption>& given) {
  std::vector<NamedOption> named;
  for (const GivenOption& option : given) {
    named.emplace_back(option.name,
                       option.words.empty() ? option.fallback : fmt::format("{}", fmt::join(option.words, ",")));
  }
  return named;
}

std::string campaign_identity(const std::vector<NamedOption>& given, const LoadedModel& loaded,
                              const sim::Platform& platform) {
  return identity_of(kIdentitySchema, given, loaded, hash_text(identity_text(platform))).dump();
}

std::string exploration_identity(const std::vector<NamedOption>& given, const LoadedModel& loaded) {
  return identity_of(kExplorationSchema, given, loaded, "").dump();
}

std::vector<std::string> identity_differences(const std::string& file, const std::string& there,
                                              const std::string& here) {
  if (there == here) return {};
  const auto theirs = flatten(parse_identity(file, there));
  const auto ours = flatten(parse_identity("this command", here));
  std::vector<std::string> differences;
  const auto value = [](const std::map<std::string, std::string>& values, const std::string& name) {
    const auto place = values.find(name);
    return place == values.end() || place->second.empty() ? "not given" : place->second;
  };
  std::map<std::string, std::string> names = theirs;
  names.insert(ours.begin(), ours.end());
  for (const auto& [name, unused] : names) {
    if (value(theirs, name) == value(ours, name)) continue;
    differences.push_back(fmt::format("{} is {} there and {} here", name, value(theirs, name), value(ours, name)));
  }
  if (differences.empty()) differences.emplace_back("the text of the header");
  return differences;
}

std::vector<std::string> identity_arguments(const std::string& file, const std::string& identity) {
  const Json parsed = parse_identity(file, identity);
  std::vector<std::string> arguments;
  for (const auto& [name, value] : parsed["options"].items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    if (text.empty()) continue;
    // Whoever made the file must not choose what is written where (B74).
    const bool is_model = name == "MODEL" && !text.starts_with('-');
    const bool is_output = is_output_option(name, parsed["schema"].get<std::string>());
    if (is_output || (!is_model && !name.starts_with("--"))) {
      throw std::invalid_argument(file + ": byte 40: option " + name +
                                  " does not decide what the runs are; the file is not of detent simulate");
    }
    arguments.push_back(is_model ? text : name + "=" + text);
  }
  return arguments;
}

std::vector<std::string> campaign_arguments(const std::string& file) {
  return identity_arguments(file, sim::read_campaign_header(file).identity);
}

}  // namespace detent::app
