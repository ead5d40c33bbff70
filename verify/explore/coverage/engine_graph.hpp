// Small programs for the explorer's threads: the graph of a model without its kernels, and a fork that brings the
// engine into every cover goal whatever the model is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "verify/explore/coverage/cover_goals.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::verify::explore {

/// A Desc with its tables: every op writes 8 bytes of its own and reads those of its predecessors (kernel "mix"), so
/// that a run costs nothing and an op that runs too early shows in the output.
class EngineGraph {
 public:
  /// The ops, edges, classes, mutexes, priorities and costs of `desc`, which outlives the graph and holds
  /// check_structure. Steps of a plan and static schedules are left out.
  explicit EngineGraph(const detent_desc& desc);
  /// One op, then `leaves` ops that wait for it; the last `async_leaves` of them are answered by a back end.
  EngineGraph(std::uint32_t leaves, std::uint32_t async_leaves);
  EngineGraph(const EngineGraph&) = delete;
  EngineGraph& operator=(const EngineGraph&) = delete;

  [[nodiscard]] const detent_desc& desc() const { return desc_; }
  /// Ops that back ends answer.
  [[nodiscard]] std::uint32_t async_count() const;

 private:
  void give_each_op_a_word();

  std::vector<detent_op> ops_;
  std::vector<std::uint32_t> successors_, refs_;
  std::vector<detent_tensor> tensors_;
  detent_region region_{};
  detent_desc desc_{};
};

struct EngineSampleOptions {
  EngineShape shape{};
  std::uint64_t seed = 1;
  std::uint64_t fork_executions = 400;
  std::uint64_t max_executions = 200;  ///< of the model's graph; fewer where it has many ops, none beyond 2000 ops
};

/// What a sample of thread schedules showed.
struct EngineSample {
  std::vector<EngineEvidence> programs{};   ///< the model's graph first, if it was run, then the fork
  std::optional<Verdict> failure{};         ///< property "engine_schedules", violated
  std::optional<ThreadFailure> schedule{};  ///< of `failure`
  ThreadReplay replay{};                    ///< of `schedule`
  bool failed_on_fork = false;              ///< `failure` is of the fork, not of the model's graph
  std::string note{};                       ///< why the model's graph was not run; empty: it was
};

/// The engine under rotating strategies (pct, pos, random) on the graph of `desc` and on a fork. Serial mode has no
/// schedules: nothing is run. @param desc  holds check_structure
EngineSample sample_engine(const detent_desc& desc, const EngineSampleOptions& options);

}  // namespace detent::verify::explore
