// Graphs for the engine's tests: edges -> a Desc whose kernels watch their own execution.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <detent/detent.h>

#include "tests/support/desc_tables.hpp"

namespace detent::test {

using support::Edge;

/// splitmix64, for graphs and orders from a seed.
std::uint64_t next_random(std::uint64_t& state);

/// What the kernels saw. The clock is relaxed on purpose: it must not order anything that the engine does not.
struct Witness {
  explicit Witness(std::uint32_t op_count);
  void clear();

  std::atomic<std::uint64_t> clock{1};
  std::vector<std::atomic<std::uint32_t>> runs;
  std::vector<std::atomic<std::uint64_t>> begin, end;
  std::vector<std::int32_t> codes;          ///< what op i's kernel returns; 0 = success
  std::function<void(std::uint32_t)> hook;  ///< called by every kernel after it has written, if set
};

/// A graph and the tables made of it. One byte range of 8 bytes per op: op i reads its predecessors' and writes its
/// own.
class Graph {
 public:
  Graph(std::uint32_t op_count, std::vector<Edge> edges);

  // Set before desc() is taken.
  std::vector<std::uint32_t> classes;               ///< per op; empty = all 0
  std::vector<std::vector<std::uint32_t>> mutexes;  ///< per op; empty = none
  std::vector<std::uint64_t> cost_ps;               ///< per op; empty = no costs
  std::vector<std::int32_t> priorities;             ///< per op; empty = all 0
  std::vector<std::uint32_t> workers;               ///< per op, by bits; empty = all may execute it
  std::vector<detent_class> class_table{{"cpu", DETENT_CLASS_WORKERS}};
  std::vector<std::vector<std::vector<std::uint32_t>>> schedules;  ///< [schedule][worker] -> ops
  std::vector<std::uint32_t> ranges;  ///< per op: number of the byte range it writes; empty = its own

  const detent_desc& desc();
  [[nodiscard]] std::uint32_t op_count() const { return op_count_; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  [[nodiscard]] Witness& witness() { return *witness_; }
  /// Empty, or what was wrong with the last run: an op not run exactly once, or before a predecessor had ended.
  [[nodiscard]] std::string violation() const;
  /// Do two ops that share a mutex overlap in the last run? Empty, or which.
  [[nodiscard]] std::string mutex_violation() const;

 private:
  [[nodiscard]] support::GraphSpec spec() const;
  [[nodiscard]] support::OpSpec op_spec(std::uint32_t id) const;
  void add_schedules(support::DescTables& tables);

  std::uint32_t op_count_;
  std::vector<Edge> edges_;
  std::unique_ptr<Witness> witness_;
  std::unique_ptr<support::DescTables> tables_;
  std::vector<std::uint32_t> list_ops_;
  std::vector<std::vector<detent_slice>> lists_;
};

/// The kernel table of Graph ("watch" and "delay").
const detent_kernel_table& watch_kernels();

Graph diamond();
Graph chain(std::uint32_t op_count);
Graph wide(std::uint32_t op_count);
/// `layers` layers of `width` ops, each with 1 to 3 predecessors in the layer before.
Graph layered(std::uint32_t layers, std::uint32_t width, std::uint64_t seed);

/// A context over a graph, with its memory and port. Deinitialised at the end.
struct EngineSetup {
  detent_mode mode = DETENT_MODE_CLOSED_LOOP;
  detent_scheduler scheduler = DETENT_SCHEDULER_ROLE;
  std::uint32_t worker_count = 1;
  std::vector<std::uint32_t> worker_classes{};
  detent_policy policy = detent_policy_id();
  std::vector<detent_backend> backends{};  ///< asked first
  std::uint32_t log_records = 0;
  std::uint32_t ignored_variables = 0;
  std::uint64_t op_deadline_ps = 0;
  bool op_states = false;
  bool single_port = false;             ///< instead of posix
  const detent_port* port = nullptr;    ///< instead of both; outlives the context
  std::uint32_t spin_limit = 64;        ///< UINT32_MAX: leave the port's own
  std::uint32_t active_spin_limit = 0;  ///< with a processor for each slot, however few there are
  std::uint32_t max_slots = 0;          ///< 0: leave the port's own
  detent_worker_pool* pool = nullptr;   ///< on `port`; outlives the context
  std::int32_t pool_priority = 0;
};

class Bound {
 public:
  Bound(const detent_desc& desc, const EngineSetup& setup);
  Bound(Graph& graph, const EngineSetup& setup) : Bound(graph.desc(), setup) {}
  ~Bound();
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;

  [[nodiscard]] detent_status status() const { return status_; }
  [[nodiscard]] const detent_error& error() const { return error_; }
  [[nodiscard]] detent_context* context() const { return context_; }
  [[nodiscard]] detent_port& port() { return port_; }
  detent_result run();
  /// FNV-1a over all regions.
  [[nodiscard]] std::uint64_t digest() const;
  void wipe();

 private:
  EngineSetup setup_;
  const detent_desc* desc_;
  std::unique_ptr<std::uint8_t[]> arena_, port_memory_;
  detent_port port_{};
  detent_context* context_ = nullptr;
  detent_status status_ = DETENT_OK;
  detent_error error_{};
};

}  // namespace detent::test
