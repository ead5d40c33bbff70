// What all native runs begin with: the model, the options of the engine, the audit of its kernels, the head of the
// answer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/runs/run_request.hpp"
#include "harness/run_native.hpp"

namespace detent::app {

/// A model that is ready to run.
struct NativeSetup {
  LoadedModel loaded;
  harness::NativeOptions native{};
  std::optional<verify::Verdict> audit{};  ///< of kernels of imported C
};

/// @throws std::invalid_argument  a model that cannot be executed here, options that mean nothing
NativeSetup prepare_native(const RunRequest& options);

/// Kernels that touch what they do not declare are not run.
bool is_refused(const NativeSetup& setup);
/// What is answered instead.
Answer answer_audit(const RunRequest& options, const NativeSetup& setup);

/// `detent.run/1` up to what the runs showed.
Json answer_head(const RunRequest& options, detent_status status);
/// "diamond: 4 ops on 2 workers, closed-loop, policy id"
std::string head_line(const RunRequest& options, std::size_t ops);

/// `detent.run/1` with "error", and the line that says it.
struct RunRefusal {
  Json answer;
  std::string text;
};
RunRefusal refusal_of(const RunRequest& options, const detent_desc& desc, const detent_error& error);
/// The same of a run without faults that failed by itself, with where each op stood, if that was kept.
RunRefusal refusal_of_run(const RunRequest& options, const detent_desc& desc, const harness::Run& run);
/// @throws RunRefused  always: `error` is why the Desc does not bind or a run failed
[[noreturn]] void refuse(const RunRequest& options, const detent_desc& desc, const detent_error& error);

}  // namespace detent::app
