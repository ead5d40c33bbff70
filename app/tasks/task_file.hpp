// Task set: networks that are released again and again on one chip, and chains of them (detent.task_set/1, TOML).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace detent::app {

struct TaskRow {
  std::string name;
  std::string model;                         ///< as the file has it
  std::string costs{};                       ///< file of measured op times; empty: none
  std::optional<std::uint64_t> period_ps{};  ///< none: that of the model's file
  std::optional<std::uint64_t> deadline_ps{};
  std::int32_t priority = 0;    ///< lower first
  std::uint64_t offset_ps = 0;  ///< of the first release
  std::uint64_t jitter_ps = 0;  ///< a release is late by at most so much
  std::uint32_t contexts = 1;   ///< that take releases in turn, so that as many runs may overlap
};

/// Data goes from the input of the first task to the output of the last; each reads what the one before wrote last.
struct ChainRow {
  std::string name;
  std::vector<std::size_t> tasks{};
  std::optional<std::uint64_t> latency_ps{};  ///< that is demanded
};

struct TaskSet {
  std::vector<TaskRow> tasks{};
  std::vector<ChainRow> chains{};
};

/// @throws std::invalid_argument  "FILE:LINE: what; remedy"
TaskSet parse_task_set(std::string_view text, const std::string& file);
/// The same of a file. @throws InputError  it cannot be read, or is of another kind
TaskSet read_task_set(const std::string& path);

}  // namespace detent::app
