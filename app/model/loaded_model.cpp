// MODEL -> loaded, prepared, lowered.
#include "app/model/loaded_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "app/catalogue/catalogue.hpp"
#include "app/settings/op_settings.hpp"
#include "base/counted.hpp"
#include "base/ids.hpp"
#include "base/units.hpp"
#include "models/core/decisions.hpp"
#include "models/core/outcomes.hpp"
#include "models/core/thunks.hpp"
#include "models/devices/fallbacks.hpp"
#include "models/import/tvm/module/api_text.hpp"
#include "models/lower/value_tables.hpp"
#include "models/prepare/load.hpp"
#include "models/zoo/zoo.hpp"
#include "sim/cost/cost_table.hpp"

namespace detent::app {
namespace {

/// Regions that are allocated to execute a model: more than this is refused before the machine starts to swap.
constexpr std::uint64_t kMaxExecutedBytes = std::uint64_t{4} << 30U;

constexpr const char* kCpuClass = "cpu";

std::uint64_t region_bytes(const detent_desc& desc) {
  std::uint64_t sum = 0;
  for (std::uint32_t r = 0; r < desc.region_count; ++r) sum += desc.regions[r].size_bytes;
  return sum;
}

bool defines(const detent_kernel_table& table, const std::string& name) {
  return std::any_of(table.kernels, table.kernels + table.count,
                     [&](const detent_kernel& kernel) { return name == kernel.name; });
}

/// A kernel of the model that is neither built in nor in its module; "" when all are there.
std::string first_missing(const models::Model& model, const detent_kernel_table& module) {
  for (const models::Op& op : model.ops) {
    if (!defines(module, op.kernel) && !defines(*detent_builtin_kernels(), op.kernel)) return op.kernel;
  }
  return {};
}

/// A fallback takes as long as the op that it stands in for took where that was measured: on a CPU.
void add_fallback_costs(const models::Model& model, sim::CostTable& table) {
  const auto measured = [&](const std::string& name) {
    return std::ranges::lower_bound(table.ops, name, {}, &sim::MeasuredOp::name);
  };
  for (std::uint32_t id = 0; id < model.ops.size(); ++id) {
    const std::uint32_t failing = models::failing_op_of(model, id);
    if (failing == models::kNone) continue;
    const auto at = measured(model.ops[failing].name);
    const auto own = measured(model.ops[id].name);
    const bool has_own = own != table.ops.end() && own->name == model.ops[id].name;
    if (has_own || at == table.ops.end() || at->name != model.ops[failing].name) continue;
    sim::MeasuredOp again = *at;
    again.name = model.ops[id].name;
    table.ops.insert(own, std::move(again));
  }
}

/// Read measured op times; times that the model itself gives to those ops on CPUs are forgotten.
/// @param unused  gets the names of measured ops that are on no CPU
std::shared_ptr<const sim::CostTable> take_costs(const std::string& path, models::Model& model,
                                                 std::vector<std::string>& unused) {
  auto table = std::make_shared<sim::CostTable>(sim::read_costs(path));
  add_fallback_costs(model, *table);
  std::map<std::string, std::string> kernels;
  for (const sim::MeasuredOp& op : table->ops) kernels[op.name] = op.kernel;
  std::size_t found = 0;
  for (models::Op& op : model.ops) {
    const auto at = kernels.find(op.name);
    if (at == kernels.end()) continue;
    if (op.core_class == kCpuClass && at->second != op.kernel) {
      throw std::invalid_argument(fmt::format("{}: op '{}' is kernel {} there, {} in {}; calibrate this model", path,
                                              op.name, at->second, op.kernel, model.name));
    }
    if (!op.times_by_class.empty()) {
      throw std::invalid_argument(fmt::format(
          "{}: op '{}' has times by class of cores in {}; remove those, or its row here", path, op.name, model.name));
    }
    if (op.core_class == kCpuClass) {
      op.time_ps.reset();
    } else {
      unused.push_back(op.name);
    }
    ++found;
  }
  if (found == 0) {
    throw std::invalid_argument(
        fmt::format("{}: measured on {}, has no op of {}; calibrate this model", path, table->model, model.name));
  }
  return table;
}

/// The linker's word for a function that no source defines: of GNU ld and gold, of lld.
bool is_undefined(const std::string& error, const std::string& function) {
  return error.find("undefined reference to `" + function + "'") != std::string::npos ||
         error.find("undefined reference to '" + function + "'") != std::string::npos ||
         error.find("undefined symbol: " + function + ";") != std::string::npos;
}

/// @throws std::invalid_argument  they do not compile; of a kernel that an op graph names, its file and its function
std::shared_ptr<harness::CModule> compile_kernels(const models::Model& model) {
  try {
    return std::make_shared<harness::CModule>(module_sources(model), module_options(model, ""));
  } catch (const std::invalid_argument& error) {
    for (const auto& [kernel, call] : models::thunk_calls(model)) {
      if (call.kind != models::ThunkCall::Kind::kKernel || !is_undefined(error.what(), call.function)) continue;
      throw std::invalid_argument(
          fmt::format("{}: {} defines no function {} that can be linked; define int32_t {}(const detent_kernel_args "
                      "*args) there, not static",
                      model.name, kernel.substr(0, kernel.find(':')), call.function, call.function));
    }
    throw;
  }
}

/// The kernels of an imported model's sources: compiled where they will be executed, else taken for granted.
void add_kernels(LoadedModel& loaded, bool execute) {
  if (loaded.model.sources.empty()) return;
  if (execute) loaded.missing_code = models::missing_code(loaded.model);
  if (!execute || !loaded.missing_code.empty()) {
    loaded.backends.push_back(any_kernel_backend());
    return;
  }
  loaded.module = compile_kernels(loaded.model);
  if (const std::string kernel = first_missing(loaded.model, *loaded.module->kernels()); !kernel.empty())
    loaded.missing_code = kernel + " has no definition in the package";
  loaded.backends.push_back(loaded.missing_code.empty() ? loaded.module->backend() : any_kernel_backend());
}

void refuse_guards(const std::string& name, const models::Model& model) {
  const auto guarded = std::ranges::find_if(model.ops, [&](const models::Op& op) {
    return std::ranges::any_of(
        op.guards, [&](const Guard& guard) { return model.decisions[guard.decision].tensor == models::kNone; });
  });
  if (guarded == model.ops.end()) return;
  throw std::invalid_argument(
      fmt::format("{}: op {} ({}) has a guard, and this command runs every op; `detent verify`, `check`, `run`, "
                  "`simulate`, `explore` and `bound` know guards, or remove them from the graph",
                  name, guarded - model.ops.begin(), guarded->name));
}

/// @return  the outcomes of the run; empty: no op has guards, or they are kept
std::string resolve_guards(const ModelOptions& options, models::Model& model, ValueTables& values) {
  if (options.guards != ModelOptions::Guards::kResolved) return "";
  if (model.decisions.empty() && options.outcomes.empty()) return "";
  const bool is_drawn = !options.weights && options.outcome_seed;  // nothing is executed that could decide
  if (models::has_computed_decisions(model) && options.outcomes.empty() && !is_drawn) return "";
  const models::Outcomes outcomes = models::read_outcomes(model, options.outcomes, options.outcome_seed);
  std::string text = models::outcomes_text(model, outcomes);
  values = models::value_tables(model, outcomes);
  models::apply_outcomes(model, outcomes);
  return text;
}

void add_whole(const std::string& name, const ModelOptions& options, LoadedModel& loaded) {
  ModelOptions all = options;
  all.guards = ModelOptions::Guards::kKept;
  all.weights = false;
  loaded.whole = std::make_shared<const LoadedModel>(load(name, all));
  const models::Model& model = loaded.whole->model;
  for (std::size_t op = 0; op < model.ops.size(); ++op) {
    std::string text;
    for (const Guard& guard : model.ops[op].guards) {
      const Decision& decision = model.decisions[guard.decision];
      text += (text.empty() ? "" : " and ") + decision.name + "=" + models::outcome_name(decision, guard.outcome);
    }
    if (!text.empty()) loaded.guards.push_back(fmt::format("op {} ({}) runs where {}", op, model.ops[op].name, text));
  }
}

}  // namespace

std::string LoadedModel::executed_outcomes() const {
  if (!outcomes.empty() || model.decisions.empty()) return outcomes;
  const auto fails = [&](const Decision& decision) { return models::is_failure(model, decision); };
  return std::ranges::any_of(model.decisions, fails) ? "as computed where nothing fails" : "as computed";
}

std::string prepare(models::Model& model, const models::ZooOptions& options) {
  if (models::prepare_model(model, options) > 0 || options.split <= 1) return "";
  return fmt::format(
      "--split {} splits no op: only heavy convolutions, matrix products, pools and element-wise ops of built-in "
      "kernels have bands",
      options.split);
}

namespace {

Preparation prepare_with(const ModelOptions& options, models::ZooOptions prepared_as, models::Model& model) {
  const bool is_wanted = options.winograd && options.accelerator.empty();  // an NPU convolves by itself
  const KernelChoice choice = choose_kernels(options.set, is_wanted, model);
  prepared_as.split = options.split;
  prepared_as.accelerator = options.accelerator;
  const std::string prepared = prepare(model, prepared_as);
  std::string settings = choice.summary;
  for (const std::string& more : {options.split_note, prepared}) {
    if (!more.empty()) settings += (settings.empty() ? "" : "; ") + more;
  }
  return {std::move(settings), choice.by_default};
}

}  // namespace

Preparation prepare_chosen(const ModelOptions& options, const models::PlanOptions& plan, models::Model& model) {
  return prepare_with(options, {.plan = plan}, model);
}

Preparation prepare_unplaced(const ModelOptions& options, models::Model& model) {
  return prepare_with(options, {.leaves_places = true}, model);
}

void require_unsplit_schedules(const std::string& name, const models::Model& model, std::uint32_t split) {
  if (split <= 1 || model.schedules.empty()) return;
  throw std::invalid_argument(
      fmt::format("--split {}: {} carries static schedules of its ops as they are; leave --split out", split, name));
}

void require_unguarded(const std::string& name, const detent_desc& desc, const std::string& because) {
  for (OpId op = 0; op < desc.op_count; ++op) {
    if ((desc.ops[op].flags & DETENT_OP_GUARDED) == 0) continue;
    throw std::invalid_argument(
        fmt::format("{}: op {} ({}) is executed in some runs only; {}, so give a network "
                    "without branches",
                    name, op, desc.ops[op].name, because));
  }
}

AppliedSchedule apply_model_files(const ModelOptions& options, models::Model& model, std::string& settings) {
  const auto add = [&](const std::string& text) { settings += (settings.empty() ? "" : "; ") + text; };
  if (!options.set.empty()) {
    if (const std::string set = apply_op_settings(options.set, model); !set.empty()) add(set);
  }
  if (options.schedule.empty()) return {};
  AppliedSchedule applied = apply_schedule_file(options.schedule, model);
  add(applied.summary);
  return applied;
}

void require_given_schedule(const LoadedModel& loaded, detent_mode mode, std::uint32_t workers) {
  if (loaded.given_workers == 0) return;
  if (mode != DETENT_MODE_STATIC)
    throw std::invalid_argument("--schedule: only --mode static follows it; leave --mode out");
  if (workers == loaded.given_workers) return;
  throw std::invalid_argument(
      fmt::format("--schedule: it has {}, and {} here; give one list for each", counted(loaded.given_workers, "list"),
                  workers == 1 ? "there is 1 worker" : fmt::format("there are {} workers", workers)));
}

PreparedModel load_prepared(const std::string& name, const ModelOptions& options) {
  refuse_other_name(name, "a model");
  PreparedModel prepared{.model = models::load_model(name)};
  require_unsplit_schedules(name, prepared.model, options.split);
  if (options.guards == ModelOptions::Guards::kRefused) refuse_guards(name, prepared.model);
  const Preparation preparation = prepare_chosen(options, {.quick = true}, prepared.model);
  prepared.settings = preparation.settings;
  prepared.winograd = preparation.winograd;
  prepared.given = apply_model_files(options, prepared.model, prepared.settings);
  return prepared;
}

std::function<void(harness::InstanceOptions&)> device_workers(const LoadedModel& loaded) {
  if (loaded.device == nullptr) return {};
  return [device = loaded.device](harness::InstanceOptions& options) { device->serve(options); };
}

std::string native_accelerator(const ModelOptions& options) {
  if (options.device.module.empty()) return "";
  return harness::DeviceModule(options.device.module).table().class_name;
}

LoadedModel load(const std::string& name, const ModelOptions& options) {
  PreparedModel prepared = load_prepared(name, options);
  models::Model& model = prepared.model;
  std::shared_ptr<const sim::CostTable> costs;
  std::vector<std::string> unused;
  if (!options.costs.empty()) costs = take_costs(options.costs, model, unused);
  ValueTables values = models::value_tables(model);
  const std::string outcomes = resolve_guards(options, model, values);
  models::LoweredModel lowered = models::lower(model, {.weights = options.weights});
  LoadedModel loaded{std::move(model), std::move(lowered), nullptr, {}, std::move(values)};
  loaded.costs = std::move(costs);
  loaded.settings = std::move(prepared.settings);
  loaded.split = options.split;
  loaded.winograd = prepared.winograd;
  loaded.given_workers = prepared.given.workers;
  loaded.given_cpu_workers = prepared.given.cpu_workers;
  loaded.outcomes = outcomes;
  if (!outcomes.empty()) add_whole(name, options, loaded);
  loaded.unused_costs = std::move(unused);
  add_kernels(loaded, options.weights);
  if (options.weights && !options.device.module.empty()) {
    loaded.device = std::make_shared<harness::Device>(options.device, loaded.desc());
    loaded.backends.insert(loaded.backends.begin(), loaded.device->inline_backend());
  }
  return loaded;
}

detent_backend any_kernel_backend() {
  const auto resolve = [](void*, const char*, detent_entity* entity) {
    entity->run = [](const detent_kernel_args*) -> std::int32_t { return 0; };
    return DETENT_OK;
  };
  return {nullptr, "*", resolve, nullptr};
}

std::vector<harness::CSource> module_sources(const models::Model& model) {
  std::vector<harness::CSource> sources;
  for (const models::SourceFile& file : model.sources) {
    if (!models::tvm::is_api_source(file.name)) sources.push_back({file.name, file.text});
  }
  return sources;
}

harness::CModuleOptions module_options(const models::Model& model, const std::string& compiler) {
  harness::CModuleOptions options;
  options.compile.compiler = compiler;
  options.compile.flags = model.compile_flags;
  return options;
}

bool is_executable(const LoadedModel& loaded) {
  return loaded.missing_code.empty() && region_bytes(loaded.desc()) <= kMaxExecutedBytes;
}

void refuse_missing_code(const std::string& name, const std::string& missing) {
  throw std::invalid_argument(fmt::format(
      "{}: cannot be executed: {}; verify, bound, check and simulate --timing-only need no code", name, missing));
}

void require_executable(const LoadedModel& loaded) {
  if (is_executable(loaded)) return;
  if (!loaded.missing_code.empty()) refuse_missing_code(loaded.model.name, loaded.missing_code);
  throw std::invalid_argument(
      fmt::format("{}: executing it takes {} of regions, more than {}; verify, bound and "
                  "simulate --timing-only need no memory for them",
                  loaded.model.name, format_bytes(region_bytes(loaded.desc())), format_bytes(kMaxExecutedBytes)));
}

}  // namespace detent::app
