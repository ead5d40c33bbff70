// From the MODEL argument to tables that can run: load, assign to core classes, split, plan memory, lower.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <detent/detent.h>

#include "app/settings/schedule_file.hpp"
#include "harness/device/device.hpp"
#include "harness/module/c_module.hpp"
#include "models/core/model.hpp"
#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "sim/cost/cost_table.hpp"

namespace detent::app {

/// ModelOptions::split that is still to be chosen (app/simulate/auto_split.hpp).
inline constexpr std::uint32_t kAutoSplit = 0;

/// Options that change the model before it is lowered.
struct ModelOptions {
  std::uint32_t split = 1;    ///< bands per heavy op; 1 = none; no model is loaded with kAutoSplit
  bool winograd = false;      ///< 3x3 convolutions on CPUs by conv2d_winograd_f32 where it pays (choose_kernels)
  std::string accelerator{};  ///< class of cores for convolutions and matrix products; empty: they stay on "cpu"
  /// What the command makes of ops with guards.
  enum class Guards : std::uint8_t {
    kRefused,  ///< it executes every op
    kKept,     ///< it judges all outcomes at once
    /// A run: `outcomes`, and those that are not named from `outcome_seed`; only the ops that run then are left. With
    /// neither, or where it is executed and no outcome is named, decisions that tensors hold are left to the run.
    kResolved
  } guards = Guards::kRefused;
  std::string outcomes{};                       ///< "c3=then,d=else"
  std::optional<std::uint64_t> outcome_seed{};  ///< none: every decision that is taken must be named
  std::optional<std::uint32_t>
      most_failures{};           ///< of combinations of outcomes: ops that fail in one; none: any number
  bool weights = true;           ///< false: zeros and no compiled kernels, for commands that execute none
  std::string costs{};           ///< file of measured op times, instead of those that the model comes with; empty: none
  std::string set{};             ///< file of settings of ops (app/settings/op_settings.hpp); empty: none
  std::string schedule{};        ///< file of a static schedule (app/settings/schedule_file.hpp); empty: none
  std::string split_note{};      ///< how `split` was chosen, for people; empty: it was given
  harness::DeviceSpec device{};  ///< that executes ops of its class where kernels are executed; no module: none
};

/// A model ready for the runtime and every analysis.
struct LoadedModel {
  models::Model model;
  models::LoweredModel lowered;
  std::shared_ptr<harness::CModule> module;       ///< of an imported model's own sources, when it may be executed
  std::vector<detent_backend> backends;           ///< kernels that are not built in; the device's first, without its
                                                  ///< queue
  ValueTables values{};                           ///< of bare byte ranges, beside desc()
  std::shared_ptr<harness::Device> device{};      ///< of ModelOptions::device, when the model may be executed
  std::string missing_code{};                     ///< why it can be analysed, but not executed; "": it can
  std::shared_ptr<const sim::CostTable> costs{};  ///< of ModelOptions::costs, else null
  std::string outcomes{};                         ///< of the run, all of them, where ops have guards; else empty
  std::shared_ptr<const LoadedModel> whole{};     ///< with every op and its guards, where `outcomes` is not empty
  std::vector<std::string> guards{};              ///< "op 1 (left) runs where c3=then", of `whole`
  std::string settings{};           ///< what ModelOptions::set, ::schedule and ::split did, for people; empty: nothing
  std::uint32_t split = 1;          ///< ModelOptions::split
  bool winograd = false;            ///< ModelOptions::winograd chose the kernel of some op
  std::uint32_t given_workers = 0;  ///< lists of ModelOptions::schedule, which must be followed; 0: none
  std::uint32_t given_cpu_workers = 0;      ///< those of CPUs; all of them where the file does not say
  std::vector<std::string> unused_costs{};  ///< its rows of ops that are not on a CPU here: nothing reads them

  [[nodiscard]] const detent_desc& desc() const { return lowered.desc(); }
  /// Which outcomes a run of it has, for people; empty: it decides nothing.
  [[nodiscard]] std::string executed_outcomes() const;
  /// What laws of all outcomes are about.
  [[nodiscard]] const LoadedModel& of_all_outcomes() const { return whole ? *whole : *this; }
};

/// A model as the options change it, before it is lowered.
struct PreparedModel {
  models::Model model{};
  std::string settings{};   ///< as LoadedModel::settings
  bool winograd = false;    ///< as LoadedModel::winograd
  AppliedSchedule given{};  ///< of ModelOptions::schedule
};

/// The first half of load. @throws  as load, but for cost tables
PreparedModel load_prepared(const std::string& name, const ModelOptions& options);

/// The class of cores that ops go to which an accelerator computes, when they run on this machine: the device's.
/// @return  empty: there is no device
std::string native_accelerator(const ModelOptions& options);

/// Lets native runs give the device commands (harness::Device::serve). @return  empty: there is no device
std::function<void(harness::InstanceOptions&)> device_workers(const LoadedModel& loaded);

/// @throws InputError     no such model, or a file that breaks a rule
/// @throws std::invalid_argument  a cost table that breaks a rule, or names no op of the model; a device that cannot be
///         opened, or whose memory an op does not fit
LoadedModel load(const std::string& name, const ModelOptions& options);

/// What prepare_chosen did.
struct Preparation {
  std::string settings{};  ///< for people: kernels that were chosen, and what prepare says
  bool winograd = false;   ///< as LoadedModel::winograd
};

/// Prepare a model as ModelOptions::split says (models/zoo/zoo.hpp).
/// @return  "", or that no op could be split, and which can
std::string prepare(models::Model& model, const models::ZooOptions& options);
/// The same of a model whose ops first get the kernels of ModelOptions::set and ::winograd (app/settings/kernels.hpp).
/// @throws std::invalid_argument  as choose_kernels
Preparation prepare_chosen(const ModelOptions& options, const models::PlanOptions& plan, models::Model& model);
/// The same for a caller that plans: tensors get no place.
Preparation prepare_unplaced(const ModelOptions& options, models::Model& model);

/// @throws std::invalid_argument  a model that carries schedules of its ops is split
void require_unsplit_schedules(const std::string& name, const models::Model& model, std::uint32_t split);
/// @param because  why the command needs one set of ops: "lists are shortest for one set of ops"
/// @throws std::invalid_argument  an op is executed in some runs only
void require_unguarded(const std::string& name, const detent_desc& desc, const std::string& because);
/// Let the options' --set and --schedule change a prepared model.
/// @param settings  gets what they did, for people
/// @return  what the schedule is; no workers: none was given
/// @throws std::invalid_argument  as apply_op_settings and apply_schedule_file
AppliedSchedule apply_model_files(const ModelOptions& options, models::Model& model, std::string& settings);
/// Nothing may be answered of another schedule than the one that was given.
/// @param workers  of the engine, of all classes
/// @throws std::invalid_argument  one was given, and the engine would not follow it
void require_given_schedule(const LoadedModel& loaded, detent_mode mode, std::uint32_t workers);

/// The C sources of a model's kernels, and how to compile them. @param compiler  "": $CC, else the first one found
std::vector<harness::CSource> module_sources(const models::Model& model);
harness::CModuleOptions module_options(const models::Model& model, const std::string& compiler);

/// Refuse to execute what does not fit this machine's memory. @throws std::invalid_argument  names the size
void require_executable(const LoadedModel& loaded);
/// @throws std::invalid_argument  always: the model `name` lacks code
[[noreturn]] void refuse_missing_code(const std::string& name, const std::string& missing);
/// True when every kernel is there and the regions are small enough to be allocated here.
bool is_executable(const LoadedModel& loaded);

/// A back end that takes every kernel for granted: for binding without executing.
detent_backend any_kernel_backend();

}  // namespace detent::app
