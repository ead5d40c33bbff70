#include "app/import/tvm_runs.hpp"

#include <algorithm>
#include <stdexcept>

#include "app/import/tvm_comparison.hpp"
#include "app/simulate/jitter_text.hpp"
#include "app/simulate/simulation.hpp"
#include "base/input_error.hpp"
#include "base/interrupt.hpp"
#include "harness/access/probe.hpp"
#include "harness/run_native.hpp"
#include "models/core/thunks.hpp"
#include "models/import/tvm/module/allocator.hpp"

namespace detent::app {
namespace {

harness::Run run_checked(const LoadedModel& loaded, const harness::NativeOptions& options) {
  harness::Run run = harness::run_native(loaded.desc(), options);
  if (run.result.error.status != DETENT_OK) {
    throw std::invalid_argument(loaded.model.name + ": " + harness::describe_error(loaded.desc(), run.result.error));
  }
  return run;
}

verify::Verdict interrupted(verify::Property property) {
  return {.property = property,
          .outcome = verify::Outcome::kUnknown,
          .summary = "interrupted before it was known",
          .witnesses = {}};
}

/// Of the artifact's own operators at their own places, before anything is planned anew.
verify::Verdict audit_text(const models::tvm::Import& import, const models::tvm::ModelOptions& options,
                           const std::string& compiler, std::uint64_t input_seed) {
  std::vector<models::tvm::ObjectPlace> places;
  const LoadedModel original = load_imported(models::tvm::imported_model(import, options, &places), compiler);
  const harness::AccessProbe probe(module_sources(original.model), module_options(original.model, compiler),
                                   !models::tvm::has_own_allocator(original.model));
  return compare_with_text(import, original, places, probe.measure(original.desc(), {.seed = input_seed}));
}

/// None where the artifact has no main that can be executed.
std::optional<std::uint64_t> digest_of_main(const models::tvm::Import& import, const models::tvm::ModelOptions& options,
                                            const std::string& compiler, std::uint64_t input_seed) {
  models::Model reference = models::tvm::reference_model(import, options);
  if (reference.ops.empty()) return std::nullopt;
  const LoadedModel loaded = load_imported(std::move(reference), compiler);
  harness::NativeOptions serial;
  serial.engine.workers = 0;
  serial.seeds.input = input_seed;
  serial.backends = loaded.backends;
  return run_checked(loaded, serial).digest;
}

}  // namespace

LoadedModel load_imported(models::Model model, const std::string& compiler) {
  if (const std::string missing = models::missing_code(model); !missing.empty())
    refuse_missing_code(model.name, missing);
  models::LoweredModel lowered = models::lower(model, {});
  LoadedModel loaded{std::move(model), std::move(lowered), nullptr, {}, {}};
  loaded.module =
      std::make_shared<harness::CModule>(module_sources(loaded.model), module_options(loaded.model, compiler));
  loaded.backends.push_back(loaded.module->backend());
  require_executable(loaded);
  return loaded;
}

verify::Outcome ImportAudit::results() const {
  if (runs.verdict.outcome != verify::Outcome::kHolds) return runs.verdict.outcome;
  const bool differs = reference_digest && *reference_digest != runs.serial_digest;
  return differs ? verify::Outcome::kViolated : verify::Outcome::kHolds;
}

verify::Outcome ImportAudit::outcome() const {
  verify::Outcome worst = verify::Outcome::kHolds;
  for (const verify::Outcome one : {text.outcome, kernels.verdict().outcome, results()}) {
    if (one == verify::Outcome::kViolated) return one;
    if (one == verify::Outcome::kUnknown) worst = one;
  }
  return worst;
}

bool finishes(const std::function<void()>& work) {
  if (stop_requested()) return false;
  try {
    work();
  } catch (const std::invalid_argument&) {
    if (!stop_requested()) throw;
  }
  return !stop_requested();
}

ImportAudit audit_import(const models::tvm::Import& import, const models::tvm::ModelOptions& options,
                         const LoadedModel& imported, const std::string& compiler, std::uint64_t input_seed,
                         const OnStep& on_step) {
  ImportAudit audit;
  audit.text = interrupted(verify::Property::kTextAnalysis);
  audit.kernels.accesses.verdict = interrupted(verify::Property::kAccessAudit);
  audit.runs.verdict = interrupted(verify::Property::kDeterminism);
  const auto keep = [&on_step](const char* step, auto& kept, auto make) {
    auto made = kept;
    on_step(step);
    if (finishes([&] { made = make(); })) kept = std::move(made);
  };
  keep("records accesses of the artifact", audit.text,
       [&] { return audit_text(import, options, compiler, input_seed); });
  keep("records accesses of the package", audit.kernels, [&] { return audit_kernels(imported, compiler, input_seed); });
  keep("runs the package", audit.runs, [&] {
    verify::DeterminismOptions determinism;
    determinism.seeds.input = input_seed;
    determinism.backends = imported.backends;
    return verify::check_determinism(imported.desc(), determinism);
  });
  keep("runs the artifact's main", audit.reference_digest,
       [&] { return digest_of_main(import, options, compiler, input_seed); });
  audit.is_interrupted = stop_requested();
  return audit;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> measure_op_times(const LoadedModel& loaded, std::uint32_t runs) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> times(loaded.model.ops.size(), {UINT64_MAX, 0});
  harness::NativeOptions options;
  options.engine.workers = 0;
  options.backends = loaded.backends;
  for (std::uint32_t i = 0; i <= runs; ++i) {
    const harness::Run run = run_checked(loaded, options);
    if (i == 0) continue;
    for (const harness::Span& span : run.trace.spans) {
      if (span.op >= times.size()) continue;
      times[span.op].first = std::min(times[span.op].first, span.end_ps - span.begin_ps);
      times[span.op].second = std::max(times[span.op].second, span.end_ps - span.begin_ps);
    }
  }
  return times;
}

std::uint64_t measure_run(const LoadedModel& loaded, std::uint32_t workers, std::uint32_t runs) {
  harness::NativeOptions options;
  options.engine.workers = workers;
  options.backends = loaded.backends;
  options.engine.policy = "critical-path";
  std::uint64_t least = UINT64_MAX;
  for (std::uint32_t i = 0; i <= runs; ++i) {
    const harness::Run run = run_checked(loaded, options);
    if (i > 0) least = std::min(least, run.makespan_ps);
  }
  return least;
}

std::uint64_t list_schedule_ps(const models::Model& model, std::uint32_t cores) {
  const models::LoweredModel lowered = models::lower(model, {.weights = false});
  sim::SimOptions options;
  options.timing_only = true;
  options.jitter = parse_jitter("worst");
  options.engine.policy = "critical-path";
  options.backends = {any_kernel_backend()};
  const sim::SimResult result =
      sim::simulate(lowered.desc(), choose_platform("cores:cpu=" + std::to_string(cores) + ",npu=1", true), options);
  if (result.failure) throw InputError(model.name, "", "cannot be simulated: " + *result.failure);
  return result.max_ps;
}

}  // namespace detent::app
