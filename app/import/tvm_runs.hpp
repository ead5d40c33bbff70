// What `import tvm` executes when it is asked to: the artifact's own main, the new graph, instrumented operators.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/answer/answer.hpp"
#include "app/model/kernel_audit.hpp"
#include "app/model/loaded_model.hpp"
#include "models/import/tvm/model/import.hpp"
#include "verify/runs/determinism.hpp"

namespace detent::app {

/// An imported model with kernels that can be executed. @throws std::invalid_argument  it does not compile
LoadedModel load_imported(models::Model model, const std::string& compiler);

/// Do work that ends early where somebody asks the process to stop (base/interrupt.hpp).
/// @return  false where that was asked for: then what the work has made may be a part, and what it has thrown is lost
bool finishes(const std::function<void()>& work);

/// Footprints against measured accesses, results against the artifact's main.
struct ImportAudit {
  verify::Verdict text;  ///< of the analysis, by the artifact's own operators at their own places
  KernelAudit kernels;   ///< of the package
  std::optional<std::uint64_t> reference_digest;  ///< of the artifact's own main; none where it was not executed
  verify::DeterminismReport runs;                 ///< of the new graph: serial, all modes, workers and orders
  bool is_interrupted = false;                    ///< what was not done by then is unknown

  /// Runs of the new graph agree with each other and with the artifact's own main, where that can be executed.
  [[nodiscard]] verify::Outcome results() const;
  /// Everything that was executed agrees: violated before unknown before holds.
  [[nodiscard]] verify::Outcome outcome() const;
};

/// Where stop_requested() becomes true, what was complete by then.
/// @param options   of the import
/// @param imported  the package's model   @param input_seed  of the input data
ImportAudit audit_import(const models::tvm::Import& import, const models::tvm::ModelOptions& options,
                         const LoadedModel& imported, const std::string& compiler, std::uint64_t input_seed,
                         const OnStep& on_step);

/// Time of every op over `runs` serial runs on this machine, after one to warm up: [least, greatest], ps.
std::vector<std::pair<std::uint64_t, std::uint64_t>> measure_op_times(const LoadedModel& loaded, std::uint32_t runs);

/// Least host time of a whole run with `workers` threads, ps.
std::uint64_t measure_run(const LoadedModel& loaded, std::uint32_t workers, std::uint32_t runs);

/// Makespan of list scheduling on `cores` bare cores without overheads, by simulation with the model's greatest times.
std::uint64_t list_schedule_ps(const models::Model& model, std::uint32_t cores);

}  // namespace detent::app
