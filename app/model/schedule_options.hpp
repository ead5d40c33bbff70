// How to schedule, as words.
#pragma once

#include <string>

namespace detent::app {

/// Shared by every command that runs something.
struct ScheduleOptions {
  std::string mode = "closed-loop";  ///< of harness/engine_names.hpp
  std::string scheduler = "role";    ///< likewise
  std::string policy = "id";         ///< of harness::policy_names()
  std::string order_file;            ///< for policy given
};

/// --policy given and --order come together. @throws std::invalid_argument
void check_order_file(const ScheduleOptions& options);

}  // namespace detent::app
