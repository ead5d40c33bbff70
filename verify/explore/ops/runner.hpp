// OpRunner: executes a Desc with the real runtime again and again, each time in another order; bound once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <detent/detent.h>

#include "harness/gates.hpp"
#include "harness/run.hpp"
#include "verify/runs/read_check.hpp"

namespace detent::verify::explore {

struct RunnerOptions {
  std::uint64_t input_seed = 0;
  std::vector<detent_backend> backends{};  ///< asked first; the built-in kernels serve the rest
  bool observe = false;                 ///< hash what each op reads and writes: needed where outputs hide a difference
  std::vector<bool> skipped{};          ///< with observe: ops that compute nothing
  bool watch_reads = false;             ///< follow whose bytes each read finds; not with observe
  const ValueTables* values = nullptr;  ///< of bare ranges, for watch_reads; outlives the runner
};

/// One execution, judged by its bytes.
struct OpExecution {
  detent_status status = DETENT_OK;
  std::uint64_t digest = 0;            ///< as harness::digest_outputs
  std::optional<MissedRead> missed{};  ///< with watch_reads: the first read that did not find its value
};

/// Serial engine, policy "given": ops run exactly in the order that is asked for, so their bytes depend on it alone.
class OpRunner {
 public:
  /// @param desc  outlives the runner
  OpRunner(const detent_desc& desc, const RunnerOptions& options);
  ~OpRunner();
  OpRunner(const OpRunner&) = delete;
  OpRunner& operator=(const OpRunner&) = delete;

  /// Outcome of binding. When it is not OK nothing else may be called but error().
  [[nodiscard]] const detent_error& error() const;
  /// Run all ops in `schedule`, a linear extension of the DAG. INPUT regions hold the seeded input, all others a fixed
  /// pattern before each run.
  OpExecution run(const std::vector<std::uint32_t>& schedule);
  /// By op, of the last run; with observe.
  [[nodiscard]] const std::vector<harness::Observation>& observations() const;
  /// With watch_reads: how many reads are followed, and why none is.
  [[nodiscard]] ReadRuns watched() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace detent::verify::explore
