// Words of the command line <-> values of the runtime.
#pragma once

#include <string>

#include "runtime/detent.h"
#include "sim/simulate.hpp"

namespace CLI {
class Option;
class App;
}  // namespace CLI

namespace detent::cli {

/// "serial", "layered", "closed-loop", "static". @throws std::invalid_argument
detent_mode parse_mode(const std::string& name);
const char* mode_name(detent_mode mode);

/// How to schedule: shared by every command that runs something.
struct ScheduleOptions {
  std::string mode = "closed-loop";
  std::string scheduler = "role";
  std::string policy = "id";
  std::string order_file;
};

/// Add --mode, --scheduler, --policy and --order.
void add_schedule_options(CLI::App& command, ScheduleOptions& options);
detent_scheduler parse_scheduler(const std::string& name);

/// "worst", "uniform", "triangular", each with an optional ":spread". @throws std::invalid_argument
sim::Jitter parse_jitter(const std::string& text);
std::string jitter_name(const sim::Jitter& jitter);

}  // namespace detent::cli
