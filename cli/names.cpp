// Words of the command line.
#include "cli/names.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <stdexcept>

namespace detent::cli {
namespace {

constexpr std::array<std::pair<const char*, detent_mode>, 4> kModes = {{{"serial", DETENT_MODE_SERIAL},
                                                                        {"layered", DETENT_MODE_LAYERED},
                                                                        {"closed-loop", DETENT_MODE_CLOSED_LOOP},
                                                                        {"static", DETENT_MODE_STATIC}}};
constexpr std::array<std::pair<const char*, sim::Jitter::Kind>, 3> kJitters = {
    {{"worst", sim::Jitter::Kind::kWorst},
     {"uniform", sim::Jitter::Kind::kUniform},
     {"triangular", sim::Jitter::Kind::kTriangular}}};

}  // namespace

detent_mode parse_mode(const std::string& name) {
  for (const auto& [word, mode] : kModes) {
    if (name == word) return mode;
  }
  throw std::invalid_argument("--mode " + name + ": choose serial, layered, closed-loop or static");
}

const char* mode_name(detent_mode mode) {
  for (const auto& [word, value] : kModes) {
    if (mode == value) return word;
  }
  return "?";
}

detent_scheduler parse_scheduler(const std::string& name) {
  if (name == "role") return DETENT_SCHEDULER_ROLE;
  if (name == "thread") return DETENT_SCHEDULER_THREAD;
  throw std::invalid_argument("--scheduler " + name + ": choose role or thread");
}

void add_schedule_options(CLI::App& command, ScheduleOptions& options) {
  command.add_option("--mode", options.mode, "Engine mode: serial, layered, closed-loop, static")
      ->capture_default_str();
  command.add_option("--scheduler", options.scheduler, "Closed loop: role (the finisher schedules) or thread")
      ->capture_default_str();
  command
      .add_option("--policy", options.policy,
                  "Which ready op is next: id, priority, critical-path, random (from --seed), given (--order)")
      ->capture_default_str();
  command.add_option("--order", options.order_file, "File with op ids or names, for --policy given")->type_name("FILE");
}

sim::Jitter parse_jitter(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  sim::Jitter jitter;
  bool known = false;
  for (const auto& [word, value] : kJitters) {
    if (kind != word) continue;
    jitter.kind = value;
    known = true;
  }
  const auto fail = [&] {
    throw std::invalid_argument("--jitter " + text +
                                ": write worst, uniform or triangular, optionally with a spread from " +
                                "0 to 10, such as uniform:0.2");
  };
  if (!known) fail();
  if (colon != std::string::npos) {
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data() + colon + 1, end, jitter.spread);
    if (error != std::errc() || at != end || !(jitter.spread >= 0 && jitter.spread <= 10)) fail();
  }
  return jitter;
}

std::string jitter_name(const sim::Jitter& jitter) {
  for (const auto& [word, value] : kJitters) {
    if (jitter.kind == value) return fmt::format("{}:{}", word, jitter.spread);
  }
  return "?";
}

}  // namespace detent::cli
