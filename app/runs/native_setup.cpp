#include "app/runs/native_setup.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "app/model/kernel_audit.hpp"
#include "app/runs/op_states.hpp"
#include "app/runs/tensor_files.hpp"
#include "base/counted.hpp"

namespace detent::app {
namespace {

harness::NativeOptions native_options(const RunRequest& options, const detent_desc& desc) {
  harness::NativeOptions native;
  native.engine = engine_of(options.schedule, desc);
  native.seeds = options.request.seeds;
  read_inputs(options.inputs, desc, native);
  native.keep_output = !OutputFiles(options.outputs, desc).empty();
  native.keep_log = !options.log_file.empty();
  native.faults = parse_faults(options.faults);
  if (native.keep_log && !native.faults.empty()) {
    throw std::invalid_argument("--log: a run with faults or a deadline has no log to keep; leave it out");
  }
  if (native.keep_output && !native.faults.empty()) {
    throw std::invalid_argument("--output: a run with faults or a deadline has no outputs to keep; leave it out");
  }
  return native;
}

}  // namespace

NativeSetup prepare_native(const RunRequest& options) {
  ModelOptions model = options.model;
  model.accelerator = native_accelerator(model);
  NativeSetup made{.loaded = load(options.request.model, model)};
  require_given_schedule(made.loaded, options.schedule.engine.mode, options.schedule.engine.workers);
  if (options.sweep && made.loaded.given_workers != 0)
    throw std::invalid_argument("--sweep: measures many schedules, --schedule gives one; leave one of them out");
  require_executable(made.loaded);
  made.native = native_options(options, made.loaded.desc());
  made.native.backends = made.loaded.backends;
  made.native.extend = device_workers(made.loaded);
  if (!made.native.faults.empty()) add_watchdogs(made.loaded.model, made.native.faults);
  if (!options.no_audit && has_kernels_to_audit(made.loaded)) {
    made.audit = kept_audit(made.loaded, options.request.seeds.input);
  }
  return made;
}

bool is_refused(const NativeSetup& setup) { return setup.audit && setup.audit->outcome == verify::Outcome::kViolated; }

Answer answer_audit(const RunRequest& options, const NativeSetup& setup) {
  Json answer = json_header("run", options.request);
  answer["access_audit"] = verdicts_json({*setup.audit}).front();
  Lines lines{head_line(options, setup.loaded.desc().op_count)};
  append(lines, verdict_lines({*setup.audit}));
  return {std::move(answer), std::move(lines), verify::Outcome::kViolated};
}

Json answer_head(const RunRequest& options, detent_status status) {
  Json answer = json_header("run", options.request);
  answer["status"] = detent_status_name(status);
  answer["workers"] = options.schedule.engine.workers;
  answer["mode"] = harness::mode_name(harness::native_mode(options.schedule.engine));
  answer["scheduler"] = harness::scheduler_name(options.schedule.engine.scheduler);
  answer["policy"] = options.schedule.engine.policy;
  answer["split"] = options.model.split;
  answer["input_seed"] = options.request.seeds.input;
  return answer;
}

RunRefusal refusal_of(const RunRequest& options, const detent_desc& desc, const detent_error& error) {
  RunRefusal refusal{.answer = answer_head(options, error.status), .text = harness::describe_error(desc, error)};
  refusal.answer["error"] = refusal.text;
  refusal.text.insert(0, options.request.model + ": ");
  return refusal;
}

RunRefusal refusal_of_run(const RunRequest& options, const detent_desc& desc, const harness::Run& run) {
  RunRefusal refusal = refusal_of(options, desc, run.result.error);
  const bool depends_on_host = options.schedule.engine.workers > 1 && options.request.reproducible;
  if (run.op_records.empty() || depends_on_host) return refusal;
  refusal.answer["op_states"] = op_states_json(run, 0, options.request.reproducible);
  refusal.text += "; ops: " + op_states_text(run, 0);
  return refusal;
}

void refuse(const RunRequest& options, const detent_desc& desc, const detent_error& error) {
  RunRefusal refusal = refusal_of(options, desc, error);
  throw RunRefused(std::move(refusal.answer), refusal.text);
}

std::string head_line(const RunRequest& options, std::size_t ops) {
  const harness::EngineSpec& engine = options.schedule.engine;
  const std::string how =
      engine.workers == 0 ? "serial"
                          : fmt::format("{}, {}", counted(engine.workers, "worker"), harness::mode_name(engine.mode));
  return fmt::format("{}: {}{}{}, policy {}", options.request.model, counted(ops, "op"),
                     engine.workers == 0 ? ", " : " on ", how, engine.policy);
}

}  // namespace detent::app
