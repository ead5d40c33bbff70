// The engine as options say it.
#pragma once

#include <string>

#include <detent/desc.h>

#include "harness/engine_spec.hpp"

namespace detent::app {

/// Shared by every command that runs something.
struct ScheduleOptions {
  harness::EngineSpec engine{};  ///< without its order
  std::string order_file{};      ///< for policy given
};

/// --policy given and --order come together. @throws std::invalid_argument
void check_order_file(const ScheduleOptions& options);

/// The engine with its order, which is read here.
/// @throws std::invalid_argument  as check_order_file and read_order
harness::EngineSpec engine_of(const ScheduleOptions& options, const detent_desc& desc);

}  // namespace detent::app
