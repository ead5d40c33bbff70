// Options that several commands take, one function for each group.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/ci/ci_outputs.hpp"
#include "app/model/loaded_model.hpp"
#include "app/model/schedule_options.hpp"
#include "app/replay/fault_options.hpp"
#include "app/simulate/campaign.hpp"
#include "app/simulate/simulation.hpp"
#include "app/static/smt_checks.hpp"
#include "cli/command.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace detent::cli {

/// Add --split.
void add_split_option(CLI::App& command, std::uint32_t& split);
/// Add --split to a command that knows its workers: also auto, as app::settle_split chooses.
void add_auto_split_option(CLI::App& command, std::uint32_t& split);
/// Add --winograd.
void add_winograd_option(CLI::App& command, app::ModelOptions& options);
/// Add --set.
void add_set_option(CLI::App& command, std::string& file);
/// Add --schedule, alias --lists. @param help  what the command does with it
void add_schedule_file(CLI::App& command, std::string& file, const char* help);
/// Add the options of Common with MODEL, --split, --winograd and --set to a command that schedules the model's ops.
enum class AutoSplit : std::uint8_t { kNone, kOffered };
void add_scheduled_model(CLI::App& command, Common& common, app::ModelOptions& options,
                         AutoSplit auto_split = AutoSplit::kNone);
/// Add --outcome to a command that runs a model with guards under the outcomes of their decisions.
void add_outcome_option(CLI::App& command, app::ModelOptions& options);
/// --failures, of commands that go through combinations of outcomes.
void add_failures_option(CLI::App& command, app::ModelOptions& options);
/// Add --device to a command that executes kernels.
CLI::Option* add_device_option(CLI::App& command, harness::DeviceSpec& device);
/// Add --prepared beside it. @param module  the option --device
void add_prepared_option(CLI::App& command, CLI::Option* module, harness::DeviceSpec& device);
/// Add --costs to a command that simulates or bounds.
void add_costs_option(CLI::App& command, app::ModelOptions& options);
/// Add --NAME for the field of an engine's description that has this key. @param help  instead of the field's own; may
/// be null
CLI::Option* add_engine_option(CLI::App& command, const std::string& key, harness::EngineSpec& spec, const char* help);
/// Add every option of the engine that commands share, and --order. @param simulated  the command simulates
void add_schedule_options(CLI::App& command, app::ScheduleOptions& options, bool simulated);
/// Add --platform, --cores and --workers to a command that computes times and simulates nothing.
void add_chip_of_times(CLI::App& command, std::string& platform, std::string& cores, std::uint32_t& workers);
/// Add --deadline to a command that simulates or bounds.
void add_deadline_option(CLI::App& command, std::string& deadline);
/// Add --jitter and --no-npu to such a command.
void add_spread_of_times(CLI::App& command, std::string& jitter, bool& no_npu);
/// Add --no-contention and --private-ports.
void add_chip_flags(CLI::App& command, bool& no_contention, bool& private_ports);
/// Add --platform, --cores, --workers, --runs, --search, --deadline, --jitter, --execute-runs, --input-seed,
/// --timing-only, --no-npu.
void add_simulation_options(CLI::App& command, Common& common, app::SimulationOptions& options,
                            harness::EngineSpec& engine);
/// Add --campaign, --resume, --shard, --merge of a command that can be cut into shards. @param what  a shard holds
void add_shard_options(CLI::App& command, app::CampaignOptions& options, const char* file_text, const char* what);
/// The same of simulate, and --keep-worst, --sensitivity, --sensitivity-step.
void add_campaign_options(CLI::App& command, app::CampaignOptions& options);
/// Add --schedules to a command.
void add_coverage_option(CLI::App& command, std::optional<std::uint64_t>& schedules);
/// Add --smt, --smt-limit, --smt-steps, --smt2, --smt2-plan.
/// --smt-limit and --smt-steps.
void add_smt_limits(CLI::App& command, double& seconds, std::uint64_t& steps);
void add_smt_options(CLI::App& command, app::SmtOptions& options);
/// Add --junit and --baseline; and --sarif where the command has no directory for it.
void add_ci_options(CLI::App& command, app::CiOptions& options, bool with_sarif);
/// Add --fail-op, --late-op, --hang-op, --fail-device, --late-device, --hang-device, --answer-twice, --cancel-at,
/// --deadline-op, --fail-start.
/// @param simulated  the command has moments in time
void add_fault_options(CLI::App& command, app::FaultOptions& options, bool simulated);
/// Add OTHERS, models beside MODEL, and --priorities. @param help  of OTHERS
void add_networks(CLI::App& command, std::vector<std::string>& others, std::vector<std::int32_t>& priorities,
                  const char* help);
/// @throws std::invalid_argument  what was taken for a model is a unit that a blank has parted from its number
void check_networks(const std::vector<std::string>& others);
/// Add --no-audit.
void add_audit_option(CLI::App& command, bool& is_off);

}  // namespace detent::cli
