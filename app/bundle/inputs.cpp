#include "app/bundle/inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/hash/sha256.hpp"
#include "base/input_error.hpp"
#include "base/io.hpp"
#include "harness/device/device_module.hpp"
#include "models/core/thunks.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "models/zoo/zoo.hpp"
#include "sim/platform/builtin_platforms.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxInputBytes = std::uint64_t{1} << 32U;

/// A word of the request that may name a file.
struct InputWord {
  const char* role;
  const char* option;
  std::string* word;
};

std::vector<InputWord> input_words(CheckRequest& request) {
  CheckOptions& check = request.check;
  return {{.role = "model", .option = "MODEL", .word = &check.request.model},
          {.role = "platform", .option = "--platform", .word = &check.simulation.platform},
          {.role = "costs", .option = "--costs", .word = &check.model.costs},
          {.role = "settings", .option = "--set", .word = &check.model.set},
          {.role = "schedule", .option = "--schedule", .word = &check.model.schedule},
          {.role = "device", .option = "--device", .word = &check.model.device.module},
          {.role = "order", .option = "--order", .word = &check.schedule.order_file},
          {.role = "baseline", .option = "--baseline", .word = &request.ci.baseline}};
}

std::string_view builtin_platform(const std::string& name) {
  for (const auto& [builtin, text] : sim::builtin_platforms()) {
    if (builtin == name) return text;
  }
  return {};
}

/// As models::load_model takes it: a name of the zoo hides a file.
bool is_zoo_model(const std::string& word) {
  const std::string name = word.substr(0, word.find(':'));
  return std::ranges::any_of(models::zoo(), [&](const models::ZooEntry& entry) { return entry.name == name; });
}

bool names_a_file(const InputWord& input) {
  if (input.word->empty()) return false;
  const std::string_view role = input.role;
  if (role == "model") return !is_zoo_model(*input.word);
  if (role == "device") return !harness::is_linked_in(*input.word);
  return role != "platform" || builtin_platform(*input.word).empty();
}

InputCopy copy_of(const char* role, const char* option, const std::string& source) {
  const std::string name = fs::path(source).filename().string();
  const std::string path = std::string(kBundleInputs) + "/" + role + "/" + name;
  if (!is_bundle_path(path)) throw InputError(source, "", "cannot be the name of a file in a bundle; rename it");
  return {role, option, source, path};
}

/// C files of kernels that an op graph names, and what they include: beside the copy of the graph, as beside the graph.
std::vector<InputCopy> sources_of(const std::string& model) {
  const std::string bytes = read_regular_file(model, kMaxInputBytes);
  if (models::is_package(bytes)) return {};
  const bool may_name_one = bytes.find(".c") != std::string::npos || bytes.find('\\') != std::string::npos;  // \u002e
  if (!may_name_one) return {};
  std::vector<InputCopy> copies;
  const std::string folder = model.substr(0, model.rfind('/') + 1);
  for (const models::SourceFile& source : models::read_graph(model).sources) {
    if (source.name == models::kThunkFile) continue;
    const std::string path = std::string(kBundleInputs) + "/model/" + source.name;
    if (!is_bundle_path(path)) throw InputError(folder + source.name, "", "cannot be in a bundle; rename it");
    copies.push_back({"source", "", folder + source.name, path});
  }
  return copies;
}

const InputCopy* find_copy(const std::vector<InputCopy>& copies, std::string_view role) {
  const auto found = std::ranges::find(copies, role, &InputCopy::role);
  return found == copies.end() ? nullptr : &*found;
}

/// "inputs/platform/quad_npu.toml" of a built-in platform; empty: it is a file, or bare cores.
std::string builtin_path(const CheckRequest& request) {
  const SimulationOptions& options = request.check.simulation;
  const std::string word = platform_word(options.platform, options.cores);
  return builtin_platform(word).empty() ? "" : std::string(kBundleInputs) + "/platform/" + word + ".toml";
}

}  // namespace

std::vector<InputCopy> inputs_of(const CheckRequest& request, const std::string& requirements) {
  CheckRequest words = request;
  std::vector<InputCopy> copies;
  for (const InputWord& input : input_words(words)) {
    if (!names_a_file(input)) continue;
    copies.push_back(copy_of(input.role, input.option, *input.word));
    if (std::string_view(input.role) != "model") continue;
    for (InputCopy& source : sources_of(*input.word)) copies.push_back(std::move(source));
  }
  if (!requirements.empty()) copies.push_back(copy_of("requirements", "--requirements", requirements));
  return copies;
}

CheckRequest with_copies(CheckRequest request, const std::vector<InputCopy>& copies) {
  for (const InputWord& input : input_words(request)) {
    if (const InputCopy* const copy = find_copy(copies, input.role)) *input.word = copy->path;
  }
  return request;
}

void write_inputs(const std::string& directory, const CheckRequest& request, const std::vector<InputCopy>& copies) {
  const auto write = [&](const std::string& path, std::string_view bytes) {
    const fs::path place = fs::path(directory) / path;
    fs::create_directories(place.parent_path());
    write_file_atomically(place.string(), bytes);
  };
  for (const InputCopy& copy : copies) write(copy.path, read_regular_file(copy.source, kMaxInputBytes));
  const std::string path = builtin_path(request);
  if (!path.empty()) write(path, builtin_platform(fs::path(path).stem().string()));
}

std::vector<BundledInput> describe_inputs(const CheckRequest& request, const std::vector<InputCopy>& copies,
                                          const std::vector<BundledFile>& files, const std::string& model_sha256) {
  const auto hash_in_bundle = [&](const std::string& path) {
    return std::ranges::find(files, path, &BundledFile::path)->sha256;
  };
  std::vector<BundledInput> inputs;
  if (find_copy(copies, "model") == nullptr) inputs.push_back({"model", request.check.request.model, "", model_sha256});
  const SimulationOptions& options = request.check.simulation;
  const std::string platform = platform_word(options.platform, options.cores);
  const std::string builtin = builtin_path(request);
  if (find_copy(copies, "platform") == nullptr) {
    inputs.push_back({"platform", platform, builtin, builtin.empty() ? sha256_of(platform) : hash_in_bundle(builtin)});
  }
  for (const InputCopy& copy : copies) inputs.push_back({copy.role, copy.path, copy.path, hash_in_bundle(copy.path)});
  std::ranges::stable_sort(inputs, {}, [](const BundledInput& input) {
    return input.role == "model" ? 0 : input.role == "platform" ? 1 : 2;
  });
  return inputs;
}

}  // namespace detent::app
