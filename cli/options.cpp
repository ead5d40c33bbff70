#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include <detent/detent.h>

#include "app/manual/usage.hpp"
#include "cli/command_line.hpp"

namespace detent::cli {
namespace {

constexpr double kMaxLimitSeconds = 1e6;
constexpr const char* kAuto = "auto";  // of --split

void add_no_npu(CLI::App& command, bool& no_npu) {
  command.add_flag("--no-npu", no_npu, "Keep every op of a network on the CPU, and off the NPU or GPU");
}

}  // namespace

void add_split_option(CLI::App& command, std::uint32_t& split) {
  command.add_option("--split", split, "Split heavy ops ahead of time into N bands; 1 = none")
      ->check(whole_number(1, 64))
      ->capture_default_str();
}

void add_auto_split_option(CLI::App& command, std::uint32_t& split) {
  const CLI::Validator number = whole_number(1, 64);
  const auto refuse = [number](std::string word) {
    if (word == kAuto) return std::string();
    const std::string fault = number(word);
    return fault.empty() ? fault : fault + ", or auto";
  };
  command
      .add_option_function<std::string>(
          "--split",
          [&split](const std::string& word) {
            split = word == kAuto ? app::kAutoSplit : static_cast<std::uint32_t>(std::stoul(word));
          },
          "Split heavy ops ahead of time into N bands; 1 = none; auto = as simulated runs say, for this many "
          "workers")
      ->type_name("N|auto")
      ->check(CLI::Validator(refuse, ""))
      ->default_str(split == app::kAutoSplit ? kAuto : std::to_string(split));
}

void add_winograd_option(CLI::App& command, app::ModelOptions& options) {
  command.add_flag("--winograd", options.winograd,
                   "Compute 3x3 convolutions on CPUs in a quarter of the multiplications, where that pays: four times "
                   "the bytes of their weights, larger roundings");
}

void add_set_option(CLI::App& command, std::string& file) {
  add_file(
      command, "--set", file,
      "Kernels, priorities, core classes and workers of ops by name or pattern, fallbacks of ops that may fail, and "
      "transfers between classes, detent.set/1; --policy priority follows them");
}

void add_schedule_file(CLI::App& command, std::string& file, const char* help) {
  const std::string text =
      fmt::format("Lists of ops per worker, or layers of such lists: detent.schedule/1 or detent.lists/1; {}", help);
  add_file(command, "--schedule,--lists", file, text.c_str());
}

void add_scheduled_model(CLI::App& command, Common& common, app::ModelOptions& options, AutoSplit auto_split) {
  add_common(command, common);
  if (auto_split == AutoSplit::kOffered) {
    add_auto_split_option(command, options.split);
  } else {
    add_split_option(command, options.split);
  }
  add_winograd_option(command, options);
  add_set_option(command, options.set);
}

void add_networks(CLI::App& command, std::vector<std::string>& others, std::vector<std::int32_t>& priorities,
                  const char* help) {
  command.add_option("OTHERS", others, help);
  command
      .add_option("--priorities", priorities,
                  "With OTHERS: a number for each model, in their order; a free worker serves the lowest first, equal "
                  "ones in turn. Default: all 0")
      ->type_name("N,N")
      ->delimiter(',');
}

void check_networks(const std::vector<std::string>& others) {
  for (const std::string& word : others) {
    const std::string mistake = app::unit_on_its_own(word);  // `--runs 5 ms`
    if (!mistake.empty()) throw std::invalid_argument(mistake);
  }
}

void add_outcome_option(CLI::App& command, app::ModelOptions& options) {
  options.guards = app::ModelOptions::Guards::kResolved;
  command
      .add_option_function<std::vector<std::string>>(
          "--outcome",
          [&options](const std::vector<std::string>& words) {
            options.outcomes.clear();
            for (const std::string& word : words) options.outcomes += (options.outcomes.empty() ? "" : ",") + word;
          },
          "How a decision of the run comes out that guards of ops name; may be repeated")
      ->type_name("DECISION=OUTCOME")
      ->allow_extra_args(false);
}

void add_failures_option(CLI::App& command, app::ModelOptions& options) {
  command
      .add_option_function<std::uint32_t>(
          "--failures", [&options](std::uint32_t failures) { options.most_failures = failures; },
          "Of a model with fallbacks: assume that at most N ops fail in a run. Default: any of them, together")
      ->type_name("N")
      ->check(whole_number(0, DETENT_MAX_OPS));
}

CLI::Option* add_device_option(CLI::App& command, harness::DeviceSpec& device) {
  return command
      .add_option_function<std::string>(
          "--device",
          [&device](const std::string& text) {
            std::string folder = std::move(device.prepared_folder);
            device = harness::read_device(text);
            device.prepared_folder = std::move(folder);
          },
          "What executes the ops of its class of cores: software (an NPU with a queue and a scratchpad), "
          "software:BYTES, "
          "or a shared object (<detent/device.h>), whose code then runs")
      ->type_name("MODULE");
}

void add_prepared_option(CLI::App& command, CLI::Option* module, harness::DeviceSpec& device) {
  command
      .add_option("--prepared", device.prepared_folder,
                  "Prepare the network once for the device and keep the form in this folder; a later run of the same "
                  "network on the same version of the device reuses it")
      ->type_name("DIR")
      ->needs(module);
}

void add_costs_option(CLI::App& command, app::ModelOptions& options) {
  add_file(command, "--costs", options.costs,
           "Measured op times (detent calibrate MODEL -o FILE) for ops on CPUs, instead of the roofline");
}

CLI::Option* add_engine_option(CLI::App& command, const std::string& key, harness::EngineSpec& spec, const char* help) {
  const harness::EngineField& field = *std::ranges::find(
      harness::engine_fields(), key, [](const harness::EngineField& f) { return std::string(f.key); });
  const std::string name = "--" + key;
  const auto read = [&field, &spec, name](const std::string& text) {
    try {
      field.read(spec, text);
    } catch (const std::invalid_argument& bad) {
      throw std::invalid_argument(name + " " + text + ": " + bad.what());
    }
  };
  const std::string shown = field.write(spec);
  CLI::Option* const option = command.add_option_function<std::string>(name, read, help != nullptr ? help : field.help);
  if (field.option_type != nullptr) option->type_name(field.option_type);
  return shown.empty() ? option : option->default_str(shown);
}

void add_schedule_options(CLI::App& command, app::ScheduleOptions& options, bool simulated) {
  for (const harness::EngineField& field : harness::engine_fields()) {
    const bool is_taken = field.option_type != nullptr && (field.is_simulated || !simulated);
    if (is_taken) add_engine_option(command, field.key, options.engine, nullptr);
  }
  add_file(command, "--order", options.order_file, "File with op ids or names, for --policy given");
}

void add_chip_flags(CLI::App& command, bool& no_contention, bool& private_ports) {
  command.add_flag("--no-contention", no_contention, "Every client of the DRAM sees its whole bandwidth");
  command.add_flag("--private-ports", private_ports, "NPU operands have full-bandwidth ports of their own");
}

void add_chip_of_times(CLI::App& command, std::string& platform, std::string& cores, std::uint32_t& workers) {
  command.add_option("--platform", platform, "Chip: a name or a TOML file. Default: quad_npu")->type_name("PLATFORM");
  command.add_option("--cores", cores, "Bare cores without overheads: 4, or cpu=2,npu=1")->type_name("CORES");
  command.add_option("--workers", workers, "CPU workers; 0 = one per CPU core")->capture_default_str();
}

void add_deadline_option(CLI::App& command, std::string& deadline) {
  command
      .add_option("--deadline", deadline,
                  "Does every run end by then: 5ms, 250us, 1.5s, 900ps. Exit 0 proven, 1 a run is longer, 3 unknown. "
                  "Default: that of the op graph file, if it has one")
      ->type_name("TIME");
}

void add_spread_of_times(CLI::App& command, std::string& jitter, bool& no_npu) {
  command.add_option("--jitter", jitter, "Spread of roofline times: their worst is time * (1 + spread)")
      ->type_name("RULES")
      ->capture_default_str();
  add_no_npu(command, no_npu);
}

void add_simulation_options(CLI::App& command, Common& common, app::SimulationOptions& options,
                            harness::EngineSpec& engine) {
  command
      .add_option("--platform", options.platform,
                  "Chip: a name from detent list platforms, or a TOML file. Default: quad_npu")
      ->type_name("PLATFORM");
  command.add_option("--cores", options.cores, "Bare cores without overheads instead of a chip: 4, or cpu=2,npu=1")
      ->type_name("CORES");
  command.add_option("--workers", engine.workers, "CPU workers; 0 = one per CPU core of the platform")
      ->check(whole_number(0, DETENT_MAX_WORKERS))
      ->capture_default_str();
  command.add_option("--runs", options.runs, "Simulated runs")->check(whole_number(1))->capture_default_str();
  command
      .add_option(
          "--search", options.search,
          "Runs beside those whose op times are chosen, not drawn: all worst, corners, local search. Default: check "
          "as many as --runs, else none")
      ->check(whole_number(0, 100'000'000));
  add_deadline_option(command, options.deadline);
  command
      .add_option("--jitter", options.jitter,
                  "Op times within their range: worst, uniform, triangular, empirical, pareto or lognormal, each with "
                  ":spread (the last two :spread:shape); rules such as conv2d_f32=uniform:0.2,npu=worst,pareto; "
                  ";corr=core:0.5")
      ->type_name("RULES")
      ->capture_default_str();
  command.add_option("--execute-runs", options.execute_runs, "Kernels really execute in the first N runs")
      ->capture_default_str();
  add_input_seed(command, common);
  command.add_flag("--timing-only", options.timing_only, "Execute no kernels");
  command.add_flag("--no-overheads", options.no_overheads,
                   "The runtime costs nothing: dispatch, queue, lock, wake-up, log");
  add_chip_flags(command, options.no_contention, options.private_ports);
  command.add_flag("--migrating", options.migrating, "Workers move to idle cores of their class, away from loads");
  add_no_npu(command, options.no_npu);
}

void add_shard_options(CLI::App& command, app::CampaignOptions& options, const char* file_text, const char* what) {
  add_file(command, "--campaign", options.file, file_text);
  command.add_flag("--resume", options.resume, "Go on with the --campaign file after its last whole block");
  command.add_option("--shard", options.shard, fmt::format("Only part i of n of the {}: 0/2, 1/2", what))
      ->type_name("i/n");
  command
      .add_option("--merge", options.merge,
                  fmt::format("Take all {} from these files instead (see detent merge)", what))
      ->type_name("FILE");
}

void add_campaign_options(CLI::App& command, app::CampaignOptions& options) {
  add_shard_options(command, options, "Append the makespan of every run to FILE, block by block", "runs");
  command.add_option("--keep-worst", options.keep_worst, "List the seeds of the N longest runs")
      ->check(whole_number(1, 10'000))
      ->capture_default_str();
  CLI::Option* const sensitivity = command.add_flag("--sensitivity", options.sensitivity,
                                                    "Simulate the worst seeds again with each cost a little higher");
  command.add_option("--sensitivity-step", options.sensitivity_step, "By which share costs rise")
      ->check(number_within(1e-6, 1.0))
      ->needs(sensitivity)
      ->capture_default_str();
}

void add_coverage_option(CLI::App& command, std::optional<std::uint64_t>& schedules) {
  command.add_option("--schedules", schedules,
                     "Orders of ops to execute for coverage, at most; default: by the work of one run, 2 to 64; 0 = no "
                     "exploration");
}

void add_smt_limits(CLI::App& command, double& seconds, std::uint64_t& steps) {
  command.add_option("--smt-limit", seconds, "Seconds that Z3's proofs may take in all; then: unknown")
      ->check(number_within(0.001, kMaxLimitSeconds))
      ->capture_default_str();
  command.add_option("--smt-steps", steps,
                     "Terms and solver steps that the proofs may take: the same answer on any machine");
}

void add_smt_options(CLI::App& command, app::SmtOptions& options) {
  CLI::Option* const smt = command.add_flag("--smt", options.smt, "Prove races and memory plan by Z3 too, and compare");
  add_smt_limits(command, options.limit_seconds, options.limit_steps);
  for (const char* limit : {"--smt-limit", "--smt-steps"}) command.get_option(limit)->needs(smt);
  add_file(command, "--smt2", options.races_file, "Write the claim of a race as SMT-LIB 2.6 for another solver");
  add_file(command, "--smt2-plan", options.plan_file, "Write the claim of a broken memory plan as SMT-LIB 2.6");
}

void add_ci_options(CLI::App& command, app::CiOptions& options, bool with_sarif) {
  if (with_sarif) {
    add_file(command, "--sarif", options.sarif, "Write the findings as SARIF 2.1.0, each with a place in a file");
  }
  add_file(command, "--junit", options.junit, "Write the verdicts as JUnit XML, a test case each");
  add_file(command, "--baseline", options.baseline,
           "An earlier --json or SARIF answer: only findings that it does not have fail");
}

void add_fault_options(CLI::App& command, app::FaultOptions& options, bool simulated) {
  const std::vector<app::FaultOption> faults = app::fault_options(simulated);
  for (std::size_t i = 0; i < faults.size(); ++i) {
    command.add_option(faults[i].name, options.values[i], faults[i].text)
        ->type_name(faults[i].type)
        ->allow_extra_args(false)
        ->group("Faults");
  }
}

void add_audit_option(CLI::App& command, bool& is_off) {
  command.add_flag("--no-audit", is_off,
                   "Imported C kernels: do not compare first the bytes that they touch with those that the package "
                   "declares; what is proved of them then stands by text analysis alone");
}

}  // namespace detent::cli
