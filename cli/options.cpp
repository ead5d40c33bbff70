#include "cli/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include <detent/detent.h>

#include "cli/command_line.hpp"

namespace detent::cli {
namespace {

constexpr double kMaxLimitSeconds = 1e6;

/// What --help says, in the order of harness::fault_keys().
struct FaultHelp {
  const char* type;
  const char* text;
};

const std::vector<FaultHelp>& help_of_faults(bool simulated) {
  static const char* const kCancelNative =
      "F07: cancel the run when OP begins, or with :end when it has computed; --cancel-at 4:end";
  static const char* const kCancelSimulated =
      "F07: cancel the run when OP begins, or with :end when it has computed, or at a time with its unit; "
      "--cancel-at 4:end, --cancel-at 15us";
  static const std::vector<FaultHelp> kCommon = {
      {"OP[,CALL][=CODE]",
       "F01: the kernel of OP computes nothing and returns CODE (1), in every run or in its CALL-th; may be repeated; "
       "--fail-op 3=42. Exit 0 when the runtime answers it as it must, 1 when not, 3 when OP was never called"},
      {"OP=TIME",
       "F02: OP answers TIME too late; --late-op 3=2ms. Native runs then count logical time, in which only "
       "late ops take any"},
      {"OP", "F02: the back end of OP never answers; needs --deadline-op"},
      {"OP", "F12: the end of OP is reported twice; the second one must be refused"},
      {"WHEN", nullptr},
      {"TIME",
       "F02: an op in flight for longer ends the run with TIMEOUT; --deadline-op 5ms. Exit 1 when that happens "
       "and nothing was made to go wrong"},
      {"SLOT", "F04: engine thread SLOT (1, 2, ...) cannot be started"}};
  static const auto with_cancel = [](const char* text) {
    std::vector<FaultHelp> help = kCommon;
    std::ranges::find(help, nullptr, &FaultHelp::text)->text = text;
    return help;
  };
  static const std::vector<FaultHelp> kNative = with_cancel(kCancelNative);
  static const std::vector<FaultHelp> kSimulated = with_cancel(kCancelSimulated);
  return simulated ? kSimulated : kNative;
}

}  // namespace

void add_model_options(CLI::App& command, app::ModelOptions& options) {
  command.add_option("--split", options.split, "Split heavy ops ahead of time into N row bands; 1 = none")
      ->check(whole_number(1, 64))
      ->capture_default_str();
}

void add_set_option(CLI::App& command, std::string& file) {
  command
      .add_option("--set", file,
                  "Priorities and core classes of ops by name or pattern, detent.set/1; --policy priority follows them")
      ->type_name("FILE");
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

void add_costs_option(CLI::App& command, app::ModelOptions& options) {
  command
      .add_option("--costs", options.costs,
                  "Measured op times (detent calibrate MODEL -o FILE) for ops on CPUs, instead of the roofline")
      ->type_name("FILE");
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
  command.add_option("--order", options.order_file, "File with op ids or names, for --policy given")->type_name("FILE");
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
  command.add_flag("--no-contention", options.no_contention, "Every client of the DRAM sees its whole bandwidth");
  command.add_flag("--private-ports", options.private_ports, "NPU operands have full-bandwidth ports of their own");
  command.add_flag("--migrating", options.migrating, "Workers move to idle cores of their class, away from loads");
  command.add_flag("--no-npu", options.no_npu, "Keep every op of a network on the CPU");
}

void add_shard_options(CLI::App& command, app::CampaignOptions& options, const char* file_text, const char* what) {
  command.add_option("--campaign", options.file, file_text)->type_name("FILE");
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
  command.add_flag("--sensitivity", options.sensitivity,
                   "Simulate the worst seeds again with each cost a little higher");
  command.add_option("--sensitivity-step", options.sensitivity_step, "By which share costs rise")
      ->check(number_within(1e-6, 1.0))
      ->capture_default_str();
}

void add_coverage_option(CLI::App& command, std::optional<std::uint64_t>& schedules) {
  command.add_option("--schedules", schedules,
                     "Orders of ops to execute for coverage, at most; default: by the work of one run, 2 to 64; 0 = no "
                     "exploration");
}

void add_smt_options(CLI::App& command, app::SmtOptions& options) {
  command.add_flag("--smt", options.smt, "Prove races and memory plan by Z3 too, and compare");
  command.add_option("--smt-limit", options.limit_seconds, "Seconds that the proofs may take in all; then: unknown")
      ->check(number_within(0.001, kMaxLimitSeconds))
      ->capture_default_str();
  command.add_option("--smt-steps", options.limit_steps,
                     "Terms and solver steps that the proofs may take: the same answer on any machine");
  command.add_option("--smt2", options.races_file, "Write the claim of a race as SMT-LIB 2.6 for another solver")
      ->type_name("FILE");
  command.add_option("--smt2-plan", options.plan_file, "Write the claim of a broken memory plan as SMT-LIB 2.6")
      ->type_name("FILE");
}

void add_ci_options(CLI::App& command, app::CiOptions& options, bool with_sarif) {
  if (with_sarif) {
    command.add_option("--sarif", options.sarif, "Write the findings as SARIF 2.1.0, each with a place in a file")
        ->type_name("FILE");
  }
  command.add_option("--junit", options.junit, "Write the verdicts as JUnit XML, a test case each")->type_name("FILE");
  command
      .add_option("--baseline", options.baseline,
                  "An earlier --json or SARIF answer: only findings that it does not have fail")
      ->type_name("FILE");
}

void add_fault_options(CLI::App& command, app::FaultOptions& options, bool simulated) {
  const std::vector<std::string>& keys = harness::fault_keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const FaultHelp& help = help_of_faults(simulated)[i];
    command.add_option(harness::fault_option(keys[i]), options.values[i], help.text)
        ->type_name(help.type)
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
