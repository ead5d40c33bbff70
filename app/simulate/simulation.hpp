// Simulated runs as the commands make them: platform, options from words, the answer as JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "app/answer/answer.hpp"
#include "app/model/loaded_model.hpp"
#include "app/model/schedule_options.hpp"
#include "sim/simulate.hpp"

namespace detent::app {

/// Options of every command that simulates.
struct SimulationOptions {
  std::string platform;  ///< empty: quad_npu
  std::string cores;     ///< "4" or "cpu=2,npu=1": bare cores instead of a platform
  std::string jitter = "uniform:0.1";
  std::uint64_t runs = 200;
  std::optional<std::uint64_t> search{};  ///< runs beside those that look for the longest; none: as the command has it
  std::uint64_t execute_runs = 3;
  bool timing_only = false;
  bool no_npu = false;
  bool no_overheads = false;
  bool no_contention = false;  ///< each DRAM client sees the whole bandwidth
  bool private_ports = false;  ///< NPU operands have ports of their own, apart from the DRAM that cores use
  bool migrating = false;      ///< workers move to idle cores of their class
  std::string deadline{};      ///< by which every run shall have ended, as base/words/quantity.hpp reads times; empty:
                               ///< that of the model's file, if it has one
};

/// Name of the platform as answers and replay lines carry it: "quad_npu", a file, or "cores:cpu=2,npu=1".
std::string platform_word(const std::string& platform, const std::string& cores);

/// The platform that such a word names; without its overheads on request.
/// @throws std::invalid_argument  both given, an unknown name, a list of cores that is none
sim::Platform choose_platform(const std::string& word, bool no_overheads);

/// Switch off what the options leave out: contention, shared NPU ports.
void simplify_chip(sim::Platform& platform, bool no_contention, bool private_ports);

/// The platform that the options name, without what they switch off.
/// @throws std::invalid_argument  as choose_platform
sim::Platform simulated_platform(const SimulationOptions& options);

/// The class of cores that takes convolutions and matrix products: "npu", else the first NPU or GPU; empty: none has.
std::string accelerator_of(const sim::Platform& platform);
/// The same, but empty where the options keep every op on the CPU.
std::string accelerator_of(const SimulationOptions& options, const sim::Platform& platform);

/// What the words ask for, without callbacks. @throws std::invalid_argument  words that mean nothing
sim::SimOptions simulation_options(const Request& request, const SimulationOptions& options,
                                   const ScheduleOptions& schedule, const LoadedModel& loaded);

/// A simulation has workers for accelerators, too: as many in all as a given schedule has lists, of classes that serve
/// the ops.
/// @throws std::invalid_argument  as require_given_schedule
void require_simulated_schedule(const LoadedModel& loaded, const sim::Platform& platform,
                                const harness::EngineSpec& engine);

/// Run the campaign. @throws std::invalid_argument  options that cannot be
/// @param adjust  changes what simulation_options made; may be empty
sim::SimResult run_simulation(const Request& request, const SimulationOptions& options, const ScheduleOptions& schedule,
                              const LoadedModel& loaded, const sim::Platform& platform, const OnProgress& on_progress,
                              const std::function<void(sim::SimOptions&)>& adjust = {});

/// {runs, executed_runs, makespan_ps {...}, percentiles[], search?, utilisation}: the part that simulate and check
/// share.
Json simulated_json(const sim::SimResult& result);

}  // namespace detent::app
