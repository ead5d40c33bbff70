#include "app/model/schedule_options.hpp"

#include <stdexcept>

namespace detent::app {
void check_order_file(const ScheduleOptions& options) {
  const bool is_given = options.policy == "given";
  if (is_given && options.order_file.empty()) throw std::invalid_argument("--policy given: add --order FILE");
  if (!is_given && !options.order_file.empty()) {
    throw std::invalid_argument("--order " + options.order_file + ": only --policy given follows it; add that");
  }
}

}  // namespace detent::app
