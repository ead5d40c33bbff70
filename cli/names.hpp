// Words of the command line <-> values of the runtime.
#pragma once

#include <string>

#include <detent/detent.h>

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
/// --policy given and --order come together. @throws std::invalid_argument
void check_order_file(const ScheduleOptions& options);
detent_scheduler parse_scheduler(const std::string& name);

/// "uniform:0.2", or rules such as "conv2d_f32=uniform:0.2,npu=worst,*=pareto:0.5:1.5;corr=core:0.5": the first rule
/// that matches an op decides, a distribution without a pattern stands for all others. Grammar: cli/jitter_text.cpp.
/// @throws std::invalid_argument  names the character and gives a correct example
sim::Jitter parse_jitter(const std::string& text);
/// The same in one spelling.
std::string jitter_name(const sim::Jitter& jitter);

}  // namespace detent::cli
