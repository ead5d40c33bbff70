#include "app/runs/native_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/answer/device_account.hpp"
#include "app/replay/fault_tally.hpp"
#include "app/replay/replay_line.hpp"
#include "app/runs/native_setup.hpp"
#include "app/runs/op_states.hpp"
#include "app/runs/tensor_files.hpp"
#include "app/simulate/auto_split.hpp"
#include "base/ids.hpp"
#include "base/io.hpp"
#include "base/units.hpp"
#include "harness/engine_spec.hpp"
#include "harness/run_native.hpp"

namespace detent::app {
namespace {

/// Ops in the order in which they began; without their host times when the answer must be reproducible.
Json ops_json(const harness::Run& run, bool reproducible) {
  Json ops = Json::array();
  if (reproducible) {
    std::vector<std::uint32_t> ids;
    for (const harness::Span& span : run.trace.spans) ids.push_back(span.op);
    std::ranges::sort(ids);
    for (const OpId op : ids) ops.push_back({{"op", op}});
    return ops;
  }
  for (const harness::Span& span : run.trace.spans) {
    ops.push_back(
        {{"op", span.op}, {"worker", span.slot}, {"start_ns", span.begin_ps / 1000}, {"end_ns", span.end_ps / 1000}});
  }
  return ops;
}

/// Faults and orders name ops by id.
bool has_op_ids(const RunRequest& wanted) {
  return !wanted.schedule.order_file.empty() ||
         std::ranges::any_of(wanted.faults.values, [](const auto& words) { return !words.empty(); });
}

bool has_input(const harness::NativeOptions& native) {
  return !native.input_bytes.empty() || !native.input_tensors.empty();
}

ReplayLine line_of(const RunRequest& options, const LoadedModel& loaded, const harness::NativeOptions& native) {
  ReplayLine line;
  line.outcomes = loaded.outcomes;
  line.model = options.request.model;
  line.engine = native.engine;
  line.split = options.model.split;
  line.winograd = loaded.winograd;
  line.set = options.model.set;
  line.schedule = options.model.schedule;
  line.device = harness::device_text(options.model.device);
  line.seeds = options.request.seeds;
  return line;
}

Json sizes_json(const detent_desc& desc, const harness::Run& run) {
  Json sizes = Json::array();
  for (const harness::SizedOutput& sized : run.sized_outputs) {
    const detent_tensor& tensor = desc.tensors[sized.tensor];
    sizes.push_back({{"op", sized.op},
                     {"tensor", tensor.name},
                     {"extents", sized.extents},
                     {"bounds", std::vector<std::int32_t>(tensor.dims, tensor.dims + tensor.rank)}});
  }
  return sizes;
}

Lines size_lines(const detent_desc& desc, const harness::Run& run) {
  Lines lines;
  for (const harness::SizedOutput& sized : run.sized_outputs) {
    const detent_tensor& tensor = desc.tensors[sized.tensor];
    const std::span bounds(tensor.dims, tensor.rank);
    lines.push_back(fmt::format("size of {}: {} of at most {}, by op {} '{}'", tensor.name,
                                fmt::join(sized.extents, " x "), fmt::join(bounds, " x "), sized.op,
                                desc.ops[sized.op].name));
  }
  return lines;
}

Lines lines_of(const RunRequest& options, const harness::Run& run, std::size_t ops) {
  Lines lines{head_line(options, ops), "digest " + harness::format_digest(run.digest)};
  if (!options.request.reproducible) lines.push_back("host time " + format_time(run.makespan_ps));
  return lines;
}

/// Something was made to go wrong: the question is whether the runtime answers as it must.
Answer answer_faults(const RunRequest& options, const LoadedModel& loaded, const harness::NativeOptions& native,
                     const harness::Run& run) {
  const detent_desc& desc = loaded.desc();
  FaultTally tally(desc, native.faults, digest_without_faults(loaded, native));
  tally.add(0, *run.faults);
  if (run.result.error.status == DETENT_OK) tally.add_output(run.digest);
  const bool with_ops = options.schedule.engine.workers <= 1 || !options.request.reproducible;
  Json answer = answer_head(options, run.result.error.status);
  tally.add_to(answer, with_ops);
  if (with_ops && !run.op_records.empty()) {
    answer["op_states"] = op_states_json(run, native.faults.op_deadline_ps, options.request.reproducible);
  }
  ReplayLine line = line_of(options, loaded, native);
  tally.describe_in(line, options.schedule.engine.workers <= 1);
  if (!has_input(native)) add_replay(line, answer);  // a line cannot say the input's bytes
  Lines lines{head_line(options, desc.op_count)};
  const std::string states = with_ops ? op_states_text(run, native.faults.op_deadline_ps) : "";
  append(lines, tally.lines(states.empty() ? Lines{} : Lines{"states    " + states}));
  return {std::move(answer), std::move(lines), tally.outcome()};
}

}  // namespace

void settle_split(RunRequest& wanted, bool is_together) {
  if (wanted.model.split == kAutoSplit && (is_together || has_op_ids(wanted))) wanted.model.split = 1;
  const std::uint32_t workers = wanted.schedule.engine.workers;
  settle_split(wanted.request.model, typical_host(workers), workers, wanted.model);
}

Answer run_once(const RunRequest& options) {
  NativeSetup setup = prepare_native(options);
  setup.native.op_states = true;
  const auto& [loaded, native, audit] = setup;
  if (is_refused(setup)) return answer_audit(options, setup);
  const harness::Run run = harness::run_native(loaded.desc(), native);
  const detent_status status = run.result.error.status;
  Json answer = answer_head(options, status);
  if (audit) answer["access_audit"] = verdicts_json({*audit}).front();
  const bool could_start = status == DETENT_WORKER_FAILED || (run.faults && !run.faults->events.empty());
  if (run.faults && could_start) return answer_faults(options, loaded, native, run);
  if (status != DETENT_OK) {
    RunRefusal refusal = refusal_of_run(options, loaded.desc(), run);
    throw RunRefused(std::move(refusal.answer), refusal.text);
  }
  if (!loaded.settings.empty()) answer["settings"] = loaded.settings;
  if (!loaded.outcomes.empty()) answer["outcomes"] = loaded.outcomes;
  answer["digest"] = harness::format_digest(run.digest);
  if (!run.sized_outputs.empty()) answer["sizes"] = sizes_json(loaded.desc(), run);
  answer["ops"] = ops_json(run, options.request.reproducible);
  ReplayLine line = line_of(options, loaded, native);
  line.digest = harness::format_digest(run.digest);
  if (!has_input(native)) add_replay(line, answer);  // a line cannot say the input's bytes
  if (!options.request.reproducible) answer["host"] = {{"makespan_ns", run.makespan_ps / 1000}};
  OutputFiles(options.outputs, loaded.desc()).write(run.output);
  if (!options.log_file.empty()) write_file_atomically(options.log_file, run.log);
  Lines lines = lines_of(options, run, loaded.desc().op_count);
  append(lines, size_lines(loaded.desc(), run));
  add_device(loaded.device.get(), options.request.reproducible, answer, lines);
  if (!loaded.settings.empty()) lines.push_back(loaded.settings);
  if (!loaded.outcomes.empty()) lines.push_back("outcomes " + loaded.outcomes);
  if (audit) append(lines, verdict_lines({*audit}));
  return {std::move(answer), std::move(lines), audit ? audit->outcome : verify::Outcome::kHolds};
}

}  // namespace detent::app
