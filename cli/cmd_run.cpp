// detent run: one native run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "app/model/loaded_model.hpp"
#include "app/model/order_file.hpp"
#include "app/replay/replay_line.hpp"
#include "base/io.hpp"
#include "cli/checker.hpp"
#include "cli/command.hpp"
#include "cli/fault_answer.hpp"
#include "cli/fault_options.hpp"
#include "cli/kernel_audit.hpp"
#include "cli/model_options.hpp"
#include "cli/names.hpp"
#include "cli/output.hpp"
#include "harness/run_native.hpp"

namespace detent::cli {
namespace {

struct RunOptions {
  Common common;
  app::ModelOptions model;
  ScheduleOptions schedule;
  FaultOptions faults;
  AuditOption audit;
  std::uint32_t workers = 0;
  std::uint64_t input_seed = 0;
  std::string input_file, output_file;
};

std::vector<std::uint8_t> read_input(const std::string& path, const detent_desc& desc) {
  std::uint64_t expected = 0;
  for (std::uint32_t r = 0; r < desc.region_count; ++r) {
    if (desc.regions[r].kind == DETENT_REGION_INPUT) expected += desc.regions[r].size_bytes;
  }
  const std::string bytes = read_regular_file(path, expected);
  if (bytes.size() != expected) {
    throw std::invalid_argument(
        fmt::format("{}: has {} bytes, the model's inputs take {}", path, bytes.size(), expected));
  }
  return {bytes.begin(), bytes.end()};
}

harness::NativeOptions native_options(const RunOptions& options, const detent_desc& desc) {
  harness::NativeOptions native;
  native.worker_count = options.workers;
  native.mode = parse_mode(options.schedule.mode);
  native.scheduler = parse_scheduler(options.schedule.scheduler);
  native.policy = options.schedule.policy;
  native.seed = options.input_seed;
  native.policy_seed = options.common.seed;
  check_order_file(options.schedule);
  if (native.policy == "given") native.order = app::read_order(options.schedule.order_file, desc);
  if (!options.input_file.empty()) native.input_bytes = read_input(options.input_file, desc);
  native.keep_output = !options.output_file.empty();
  native.faults = parse_faults(options.faults);
  if (native.keep_output && !native.faults.empty()) {
    throw std::invalid_argument("--output: a run with faults or a deadline has no outputs to keep; leave it out");
  }
  return native;
}

/// Ops in the order in which they began; without their host times when the answer must be reproducible.
Json ops_json(const harness::Run& run, bool reproducible) {
  Json ops = Json::array();
  if (reproducible) {
    std::vector<std::uint32_t> ids;
    for (const harness::Span& span : run.trace.spans) ids.push_back(span.op);
    std::ranges::sort(ids);
    for (const std::uint32_t op : ids) ops.push_back({{"op", op}});
    return ops;
  }
  for (const harness::Span& span : run.trace.spans) {
    ops.push_back(
        {{"op", span.op}, {"worker", span.slot}, {"start_ns", span.begin_ps / 1000}, {"end_ns", span.end_ps / 1000}});
  }
  return ops;
}

/// What both kinds of runs begin with.
Json answer_head(const RunOptions& options, detent_status status) {
  Json answer = json_header("run", options.common);
  answer["status"] = detent_status_name(status);
  answer["workers"] = options.workers;
  answer["mode"] = options.schedule.mode;
  answer["scheduler"] = options.schedule.scheduler;
  answer["policy"] = options.schedule.policy;
  answer["split"] = options.model.split;
  answer["input_seed"] = options.input_seed;
  return answer;
}

app::ReplayLine line_of(const RunOptions& options, const harness::NativeOptions& native) {
  app::ReplayLine line;
  line.model = options.common.model;
  line.workers = options.workers;
  line.seed = options.common.seed;
  line.mode = options.schedule.mode;
  line.scheduler = options.schedule.scheduler;
  line.policy = options.schedule.policy;
  line.split = options.model.split;
  line.input_seed = options.input_seed;
  line.order = native.order;
  return line;
}

void print_head(const RunOptions& options, std::size_t ops) {
  say(options.common, fmt::format("{}: {} ops on {} workers, {}, policy {}", options.common.model, ops, options.workers,
                                  options.schedule.mode, options.schedule.policy));
}

void print(const RunOptions& options, const harness::Run& run, std::size_t ops) {
  print_head(options, ops);
  say(options.common, "digest " + harness::format_digest(run.digest));
  if (!options.common.reproducible) say(options.common, "host time " + format_time(run.makespan_ps));
}

[[noreturn]] void refuse(const RunOptions& options, const detent_desc& desc, const detent_error& error, Json answer) {
  const std::string text = harness::describe_error(desc, error);
  answer["error"] = text;
  write_json(options.common, answer);
  throw std::invalid_argument(options.common.model + ": " + text);
}

/// Something was made to go wrong: the question is whether the runtime answers as it must.
int answer_faults(const RunOptions& options, const app::LoadedModel& loaded, const harness::NativeOptions& native,
                  const harness::Run& run) {
  const detent_desc& desc = loaded.desc();
  FaultTally tally(desc, native.faults, digest_without_faults(loaded, native.seed, native.input_bytes));
  tally.add(0, *run.faults);
  const bool with_ops = options.workers <= 1 || !options.common.reproducible;
  Json answer = answer_head(options, run.result.error.status);
  tally.add_to(answer, with_ops);
  app::ReplayLine line = line_of(options, native);
  tally.describe_in(line, options.workers <= 1);
  if (options.input_file.empty())
    answer["replay"] = app::format_replay_line(line);  // a line cannot say the input's bytes
  write_json(options.common, answer);
  print_head(options, desc.op_count);
  tally.print(options.common);
  return tally.exit_code();
}

/// Kernels that touch what they do not declare are not run.
int answer_audit(const RunOptions& options, const verify::Verdict& audit, std::size_t ops) {
  Json answer = json_header("run", options.common);
  answer["access_audit"] = verdicts_json({audit}).front();
  write_json(options.common, answer);
  print_head(options, ops);
  print_verdicts(options.common, {audit});
  return kViolated;
}

int run_command(const RunOptions& options) {
  const app::LoadedModel loaded = app::load(options.common.model, options.model);
  app::require_executable(loaded);
  harness::NativeOptions native = native_options(options, loaded.desc());
  native.backends = loaded.backends;
  std::optional<verify::Verdict> audit;
  if (options.audit.applies(loaded)) audit = AuditOption::verdict(loaded, options.input_seed);
  if (audit && audit->outcome == verify::Outcome::kViolated) {
    return answer_audit(options, *audit, loaded.desc().op_count);
  }
  const harness::Run run = harness::run_native(loaded.desc(), native);
  const detent_status status = run.result.error.status;
  Json answer = answer_head(options, status);
  if (audit) answer["access_audit"] = verdicts_json({*audit}).front();
  const bool could_start = status == DETENT_WORKER_FAILED || (run.faults && !run.faults->events.empty());
  if (run.faults && could_start) return answer_faults(options, loaded, native, run);
  if (status != DETENT_OK) refuse(options, loaded.desc(), run.result.error, std::move(answer));
  answer["digest"] = harness::format_digest(run.digest);
  answer["ops"] = ops_json(run, options.common.reproducible);
  app::ReplayLine line = line_of(options, native);
  line.digest = harness::format_digest(run.digest);
  answer["replay"] = app::format_replay_line(line);
  if (!options.common.reproducible) answer["host"] = {{"makespan_ns", run.makespan_ps / 1000}};
  write_json(options.common, answer);
  if (!options.output_file.empty()) {
    write_file_atomically(options.output_file, std::string(run.output.begin(), run.output.end()));
  }
  print(options, run, loaded.desc().op_count);
  if (audit) print_verdicts(options.common, {*audit});
  return audit && audit->outcome == verify::Outcome::kUnknown ? kUnknown : kHolds;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  options->workers = detent_default_worker_count();
  CLI::App* command = app.add_subcommand("run", "Execute MODEL once on this machine");
  add_common(*command, options->common);
  add_model_options(*command, options->model);
  add_schedule_options(*command, options->schedule);
  command->add_option("--workers", options->workers, "Engine threads; 0 = serial. Default: TVMRT_NUM_WORKERS, else 3")
      ->check(CLI::Range(0U, DETENT_MAX_WORKERS))
      ->capture_default_str();
  command->add_option("--input-seed", options->input_seed, "Seed of the input data")->capture_default_str();
  command->add_option("--input", options->input_file, "Raw input data instead of seeded data")->type_name("FILE");
  command->add_option("--output", options->output_file, "Write the raw outputs")->type_name("FILE");
  add_fault_options(*command, options->faults, false);
  options->audit.add_to(*command);
  command->callback([options, &action] { action = [options] { return run_command(*options); }; });
}

}  // namespace detent::cli
