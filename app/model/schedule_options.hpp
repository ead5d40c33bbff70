// Words of the command line <-> values of the runtime.
#pragma once

#include <string>

#include <detent/detent.h>

namespace detent::app {

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

/// --policy given and --order come together. @throws std::invalid_argument
void check_order_file(const ScheduleOptions& options);
detent_scheduler parse_scheduler(const std::string& name);

}  // namespace detent::app
