// Where answers go: human lines to standard output, JSON to a file or to standard output, progress to a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.hpp"

namespace detent::cli {

using Json = nlohmann::ordered_json;

/// {"schema": "detent.<command>/1", "detent_version", "model", "seed"}: what every answer starts with.
Json json_header(const std::string& command, const Common& common);

/// Write the answer where --json says. @throws std::invalid_argument  the file cannot be written
void write_json(const Common& common, const Json& answer);

/// Largest answer file that commands read back.
inline constexpr std::uint64_t kMaxAnswerBytes = std::uint64_t{1} << 30U;

/// One human line; nothing under --quiet or when JSON goes to standard output.
void say(const Common& common, const std::string& line);

/// A progress line on standard error, only on a terminal and only after two seconds of work.
class Progress {
 public:
  Progress(const Common& common, std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void update(std::uint64_t done, std::uint64_t total);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  bool enabled_;
  bool shown_ = false;
  bool counting_ = false;
  std::uint64_t first_done_ = 0;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

/// "15.9 ms", "1.27 us", "380 ps": three significant digits with a unit that people read.
std::string format_time(std::uint64_t time_ps);
/// "8.4 MiB", "512 B".
std::string format_bytes(std::uint64_t bytes);

}  // namespace detent::cli
