// What a check executes, executed by kernels that count: figures, pages, and whether the results are the same.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/coverage/counted_kernels.hpp"
#include "app/coverage/isolated.hpp"
#include "app/coverage/pages.hpp"
#include "app/coverage/tools.hpp"
#include "app/model/loaded_model.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {

/// What the runs gave, with counters or without.
struct RunResults {
  std::string serial_digest{};
  std::optional<verify::Outcome> determinism{};   ///< of the native runs; none: not made
  std::optional<verify::Outcome> op_schedules{};  ///< of orders of whole ops; none: none was executed, or it is open
  std::uint64_t native_runs = 0, schedules = 0;
  bool is_stopped = false;  ///< by a request to stop: a part of the runs
};

/// Through a pipe or a file and back. @throws std::invalid_argument  no such text
std::string encode_results(const RunResults& results);
RunResults decode_results(const std::string& text);

struct CodeMeasurement {
  CoveragePages pages;
  std::optional<RunResults> runs;  ///< none: they did not come to their end
  IsolatedEnd end;
  [[nodiscard]] bool crashed() const { return !runs && !end.failed; }
};

/// Refuse what has no code to be measured, before anything takes long.
/// @throws std::invalid_argument  no C of its own, C that cannot be executed here, or too much memory
void require_coverable(const std::string& name, const LoadedModel& loaded);

/// Compile the kernels with counters, make the runs in a process of their own, and ask gcovr. When a fault ends the
/// runs, what was counted until then is measured.
/// @param runs  called in that process; calls save() of its argument whenever a part of the runs is complete
/// @throws std::invalid_argument  as CountedKernels and coverage_pages
CodeMeasurement measure_code(const std::string& name, const LoadedModel& loaded, const CoverageTools& tools,
                             const std::function<RunResults(CountedKernels&)>& runs);

/// Property "coverage_runs".
/// @param plain  of the check's own kernels; none: they were not executed
verify::Verdict judge_coverage_runs(const LoadedModel& loaded, const CodeMeasurement& measured,
                                    const std::optional<RunResults>& plain);

}  // namespace detent::app
