// Instance: gives a runtime its memory. Desc + options -> a context that can run again and again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <detent/detent.h>

#include "harness/run.hpp"

namespace detent::harness {

/// What an instance is made of besides the Desc.
struct InstanceOptions {
  detent_mode mode = DETENT_MODE_CLOSED_LOOP;
  detent_scheduler scheduler = DETENT_SCHEDULER_ROLE;
  std::uint32_t worker_count = 1;
  std::vector<std::uint32_t> worker_classes{};  ///< empty: every worker serves every class
  detent_policy policy = detent_policy_id();    ///< `self` outlives the instance
  std::vector<detent_backend> backends{};       ///< asked first; the built-in kernels serve the rest
  bool trace = true;                            ///< keep spans; sizes the ring log so that nothing is dropped
  bool op_states = false;                       ///< keep where each op stands: Run.op_records of a run that fails
  bool events = false;  ///< with trace: keep parking and scheduling records, too (Trace::events)
  std::uint64_t op_deadline_ps = 0;
  std::uint64_t memory_limit_bytes = 0;
  detent_worker_pool* worker_pool =
      nullptr;                            ///< null: threads of its own; else worker_count is the pool's. Outlives it
  std::int32_t worker_pool_priority = 0;  ///< among the pool's members; lower first
};

/// A bound context and its memory. A Desc that does not bind is no exception: see status().
/// One thread at a time.
class Instance {
 public:
  /// @param desc  outlives the instance   @param port  outlives the instance
  Instance(const detent_desc& desc, const detent_port& port, const InstanceOptions& options);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  /// Outcome of detent_init. When it is not OK nothing else may be called but error().
  [[nodiscard]] detent_status status() const;
  [[nodiscard]] const detent_error& error() const;

  /// Fill INPUT regions from `seed` (floats in [-1,1) for F32 tensors, bytes elsewhere) and WORKSPACE and OUTPUT
  /// regions with a fixed pattern, so that a read of a byte nobody wrote is repeatable.
  void fill(std::uint64_t seed);
  /// Run once. Resets the context first when the last run failed.
  Run run();
  /// As run(), but keeps neither trace nor digest: for benchmarks and timing-only campaigns.
  detent_result run_untraced();
  [[nodiscard]] std::uint64_t digest() const;
  [[nodiscard]] detent_context* context() const;
  [[nodiscard]] const detent_desc& desc() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Outcome of detent_check alone. Memory may be made for a Desc only when it is OK.
detent_error check_desc(const detent_desc& desc);

/// An error that names no place.
detent_error failed_with(detent_status status);

/// Human text of an error: names op, tensors and region from the Desc, with the catalogue number.
std::string describe_error(const detent_desc& desc, const detent_error& error);

}  // namespace detent::harness
