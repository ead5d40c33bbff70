// Contenders of the engine's benchmark: each runs a whole task graph once per call, kernels behind one opaque call.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <detent/kernel.h>

#include "bench/engine/graphs.hpp"

namespace detent::bench {

/// The kernel that is timed: empty, in a file of its own so that nobody can see into it.
std::int32_t empty_kernel(const detent_kernel_args* args);
/// The kernel that checks: notes that the op ran, and when.
std::int32_t noting_kernel(const detent_kernel_args* args);

/// As many microseconds of arithmetic as set_kernel_us has asked for, the same number of operations each time.
std::int32_t working_kernel(const detent_kernel_args* args);
/// Calibrated on this thread: the shortest of a few trials counts.
void set_kernel_us(double us);

/// What the noting kernel saw.
void clear_notes(std::uint32_t op_count);
/// Every op once, after its predecessors? Empty, or what was wrong.
std::string check_notes(const TaskGraph& graph);

class Contender {
 public:
  virtual ~Contender() = default;
  virtual void run() = 0;
};

/// One way to run graphs.
struct ContenderKind {
  std::string name;
  bool is_parallel = true;        ///< false: one worker only
  std::uint32_t swift_ops = ~0u;  ///< larger graphs may take seconds a run: verified once, timed once, not warmed
  std::unique_ptr<Contender> (*make)(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel);
};

/// All that this build has, Detent's modes first.
std::vector<ContenderKind> contender_kinds();

std::unique_ptr<Contender> make_array(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel);
std::unique_ptr<Contender> make_detent_role(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel);
std::unique_ptr<Contender> make_detent_blind(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel);
std::unique_ptr<Contender> make_detent_watched(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel);
std::unique_ptr<Contender> make_detent_thread(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel);
std::unique_ptr<Contender> make_detent_static(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel);
std::unique_ptr<Contender> make_detent_layered(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel);
#ifdef DETENT_BENCH_TBB
std::unique_ptr<Contender> make_tbb(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel);
#endif
#ifdef DETENT_BENCH_OPENMP
std::unique_ptr<Contender> make_openmp(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel);
#endif

}  // namespace detent::bench
