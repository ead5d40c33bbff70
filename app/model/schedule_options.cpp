// Words of the command line.
#include "app/model/schedule_options.hpp"

#include <array>
#include <stdexcept>

namespace detent::app {
namespace {

constexpr std::array<std::pair<const char*, detent_mode>, 4> kModes = {{{"serial", DETENT_MODE_SERIAL},
                                                                        {"layered", DETENT_MODE_LAYERED},
                                                                        {"closed-loop", DETENT_MODE_CLOSED_LOOP},
                                                                        {"static", DETENT_MODE_STATIC}}};

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

void check_order_file(const ScheduleOptions& options) {
  const bool is_given = options.policy == "given";
  if (is_given && options.order_file.empty()) throw std::invalid_argument("--policy given: add --order FILE");
  if (!is_given && !options.order_file.empty()) {
    throw std::invalid_argument("--order " + options.order_file + ": only --policy given follows it; add that");
  }
}

}  // namespace detent::app
