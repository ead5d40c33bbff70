// Seconds of small shards -> seconds of all.
#include "app/campaign/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "base/counted.hpp"
#include "base/subprocess.hpp"
#include "base/temp_directory.hpp"

namespace detent::app {
namespace {

constexpr double kTrialSeconds = 0.3;
constexpr double kWantedSeconds = 10;
constexpr double kWantedSlurmSeconds = 120;
constexpr double kMostPlanned = 1000;

std::string length_words(double seconds) {
  if (seconds < 10) return fmt::format("{:.2g} s", std::max(seconds, 0.01));
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// Seconds that one of `parts` shards takes; below 0: there cannot be so many.
double time_one_of(std::uint32_t parts, const CampaignManifest& manifest, const TempDirectory& scratch) {
  std::vector<std::string> words = {manifest.program};
  words.insert(words.end(), manifest.request.command.begin(), manifest.request.command.end());
  words.insert(words.end(), {"--quiet", fmt::format("--shard={}/{}", parts / 2, parts),
                             "--campaign=" + (scratch.path() / fmt::format("{}.part", parts)).string()});
  const auto begin = std::chrono::steady_clock::now();
  const ProcessResult result = run_processes({words}, {.directory = manifest.working_directory}).front();
  if (result.end == ProcessEnd::kExited && result.code <= 1) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  if (parts > 1) return -1;
  throw std::invalid_argument(fmt::format("campaign: a trial run of the command ended with code {}: {}", result.code,
                                          result.output.substr(0, result.output.find('\n'))));
}

}  // namespace

double measure_command(const CampaignManifest& manifest) {
  const TempDirectory scratch;
  double least = -1;
  std::uint32_t least_of = 0;
  for (std::uint32_t parts = 1'000'000;; parts /= 10) {
    const double seconds = time_one_of(parts, manifest, scratch);
    if (seconds < 0) continue;
    if (least < 0) {
      least = seconds;
      least_of = parts;
    }
    if (parts == 1) return seconds;
    if (seconds < kTrialSeconds) continue;
    if (parts == least_of) return seconds * parts;
    const double share = 1.0 / parts - 1.0 / least_of;  // so that start and end of the program cancel
    return least + std::max(seconds - least, 0.0) / share;
  }
}

std::uint32_t planned_shards(const std::string& engine, double seconds, std::uint32_t jobs) {
  const double wanted = std::ceil(seconds / (engine == "slurm" ? kWantedSlurmSeconds : kWantedSeconds));
  const double least = engine == "slurm" ? 1 : std::clamp<double>(jobs, 1, kMostPlanned);
  return static_cast<std::uint32_t>(std::clamp(wanted, least, kMostPlanned));
}

std::string slurm_time(double shard_seconds) {
  const auto minutes = static_cast<std::uint64_t>(std::ceil(3 * shard_seconds / 60)) + 5;
  return fmt::format("{:02}:{:02}:00", minutes / 60, minutes % 60);
}

std::vector<std::string> plan_notes(const CampaignRequest& request, double seconds, std::uint32_t jobs) {
  const std::string shards = counted(request.shards, "shard");
  if (seconds <= 0) return {shards + "; how long each takes is not known"};
  std::vector<std::string> notes = {fmt::format("{} of about {}: about {} on one core of this machine", shards,
                                                length_words(seconds / request.shards), length_words(seconds))};
  if (jobs > 1) {
    notes.back() += fmt::format(", {} with {} at a time", length_words(seconds / std::min(jobs, request.shards)), jobs);
  }
  if (request.engine == "slurm" && seconds / request.shards < kLeastSlurmSeconds && request.shards > 1) {
    notes.push_back(fmt::format(
        "a shard of less than {:.0f} s is short for Slurm, which takes about 1 s to begin each; --shards {:.0f} "
        "would do",
        kLeastSlurmSeconds, std::max(1.0, std::floor(seconds / kLeastSlurmSeconds))));
  }
  return notes;
}

}  // namespace detent::app
