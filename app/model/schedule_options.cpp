#include "app/model/schedule_options.hpp"

#include <stdexcept>

#include "app/model/order_file.hpp"

namespace detent::app {
void check_order_file(const ScheduleOptions& options) {
  const bool is_given = options.engine.policy == "given";
  if (is_given && options.order_file.empty()) throw std::invalid_argument("--policy given: add --order FILE");
  if (!is_given && !options.order_file.empty()) {
    throw std::invalid_argument("--order " + options.order_file + ": only --policy given follows it; add that");
  }
}

harness::EngineSpec engine_of(const ScheduleOptions& options, const detent_desc& desc) {
  check_order_file(options);
  harness::EngineSpec engine = options.engine;
  if (engine.policy == "given") engine.order = read_order(options.order_file, desc);
  return engine;
}

}  // namespace detent::app
