#include "sim/platform/platform.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <detent/limits.h>

#include "base/wanted_file.hpp"
#include "base/words/near.hpp"
#include "sim/platform/builtin_platforms.hpp"
#include "sim/platform/reader.hpp"

namespace detent::sim {
namespace {

constexpr std::uint64_t kMaxFileBytes = 1 << 20;

std::string known_names() {
  std::string text;
  for (const auto& name : platform_names()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

bool looks_like_path(const std::string& name) { return name.find('/') != std::string::npos || name.ends_with(".toml"); }

}  // namespace

Platform read_platform(const std::string& path) {
  std::error_code error;
  const std::string advice = "give a .toml file or one of " + known_names();
  if (!std::filesystem::exists(path, error)) {
    const std::string near = near_file(path);
    throw std::invalid_argument(path + ": there is no such file" + (near.empty() ? "; " + advice : near));
  }
  const std::string text = read_wanted_file(
      path, kMaxFileBytes, {"a platform", {FileKind::kPlatform, FileKind::kToml, FileKind::kText}, advice});
  return parse_platform(text, path);
}

Platform find_platform(const std::string& name_or_path) {
  for (const auto& [name, text] : builtin_platforms()) {
    if (name == name_or_path) return parse_platform(text, std::string(name) + ".toml");
  }
  if (looks_like_path(name_or_path)) return read_platform(name_or_path);
  std::error_code error;
  if (std::filesystem::exists(name_or_path, error)) return read_platform(name_or_path);
  std::string near = did_you_mean(name_or_path, platform_names());
  if (near.empty() && name_or_path.find('.') != std::string::npos) near = near_file(name_or_path);
  if (name_or_path.find_first_not_of("0123456789") == std::string::npos ||
      name_or_path.find('=') != std::string::npos) {
    near = "; bare cores are given by --cores " + name_or_path + ".";
  }
  throw std::invalid_argument("platform " + name_or_path + ": there is none of this name" +
                              (near.empty() ? "; give" : near + " Give") + " a .toml file or one of " + known_names());
}

std::vector<std::string> platform_names() {
  std::vector<std::string> names;
  for (const auto& entry : builtin_platforms()) names.emplace_back(entry.first);
  std::sort(names.begin(), names.end());
  return names;
}

Platform plain_platform(const std::vector<std::pair<std::string, std::uint32_t>>& cores) {
  Platform platform;
  platform.name = "plain";
  platform.description = "cores only: times come from the model, overheads are 0";
  std::uint64_t sum = 0;
  for (const auto& [name, count] : cores) {
    if (count == 0) throw std::invalid_argument("cores '" + name + "': 0 cores; give at least 1");
    for (const auto& other : platform.classes) {
      if (other.name == name) throw std::invalid_argument("cores '" + name + "': duplicate class; give one count");
    }
    sum += count;
    platform.classes.push_back({name, count, 1'000'000'000, 1.0, 1.0});
  }
  if (platform.classes.empty() || platform.classes[0].name != "cpu") {
    throw std::invalid_argument("cores: the first class must be 'cpu'; give cpu=N first");
  }
  if (sum > DETENT_MAX_WORKERS) {
    throw std::invalid_argument("cores: more than " + std::to_string(DETENT_MAX_WORKERS) + "; give fewer");
  }
  platform.dram_bytes_per_s = 1'000'000'000'000;
  return platform;
}

}  // namespace detent::sim
