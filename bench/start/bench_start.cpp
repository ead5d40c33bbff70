// What a verdict on a small graph costs from the start of the process to its end, beside programs that do nothing.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/options.hpp"
#include "bench/statistics.hpp"

namespace {

using detent::bench::least;
using detent::bench::median;
using Json = nlohmann::ordered_json;

constexpr const char* kTwoOps = R"({"schema": "detent.graph/1", "regions": [{"name": "ws", "size": 64}], "ops": [
  {"id": 0, "reads": [], "writes": [{"region": "ws", "offset": 0, "size": 64}]},
  {"id": 1, "reads": [{"region": "ws", "offset": 0, "size": 64}], "writes": []}], "edges": [[0, 1]]})";

struct Cost {
  double wall_ms = 0;
  double processor_ms = 0;
};

double milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) * 1e-3;
}

/// One start; none when the program is not there or fails.
std::optional<Cost> start(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const auto begin = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return std::nullopt;
  int status = 0;
  rusage used{};
  if (wait4(child, &status, 0, &used) != child || status != 0) return std::nullopt;
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - begin;
  return Cost{wall.count(), milliseconds(used.ru_utime) + milliseconds(used.ru_stime)};
}

/// The programs take turns, so that a busy moment of the machine is everyone's.
Json measure(const std::vector<std::vector<std::string>>& programs, int rounds) {
  std::vector<std::vector<double>> wall(programs.size());
  std::vector<std::vector<double>> processor(programs.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < programs.size(); ++i) {
      const std::optional<Cost> cost = start(programs[i]);
      if (!cost) continue;
      wall[i].push_back(cost->wall_ms);
      processor[i].push_back(cost->processor_ms);
    }
  }
  Json rows = Json::array();
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (wall[i].empty()) continue;
    std::string name = std::filesystem::path(programs[i][0]).filename();
    if (programs[i].size() > 1) name += " " + programs[i][1];
    const double least_wall = least(wall[i]);
    const double least_processor = least(processor[i]);
    std::printf("%-16s wall %7.2f ms (least %6.2f)   processor %7.2f ms (least %6.2f)\n", name.c_str(), median(wall[i]),
                least_wall, median(processor[i]), least_processor);
    rows.push_back({{"program", name},
                    {"wall_ms", median(wall[i])},
                    {"least_wall_ms", least_wall},
                    {"processor_ms", median(processor[i])},
                    {"least_processor_ms", least_processor}});
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = detent::bench::read_options(argc, argv, "bench_start");
  if (!options) return 2;
  const std::string graph =
      std::filesystem::temp_directory_path() / ("bench_start." + std::to_string(getpid()) + ".json");
  std::ofstream(graph) << kTwoOps;
  const Json rows =
      measure({{"true"}, {DETENT_PROGRAM, "verify", graph}, {"z3", "--version"}, {"python3", "-c", "pass"}},
              options->quick ? 5 : 50);
  std::filesystem::remove(graph);
  if (!options->json.empty()) std::ofstream(options->json) << rows.dump(2) << "\n";
  return 0;
}
