// What an exploration of the engine's threads is asked, and what it answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <detent/detent.h>

#include "base/ids.hpp"
#include "harness/engine_spec.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify::explore {

class OrderFilter;  // explore_port.hpp

/// How schedules are picked.
enum class Search : std::uint8_t {
  kExhaustive,  ///< every Mazurkiewicz trace: source-set partial-order reduction with sleep sets
  kStates,      ///< every reachable state and every step from it, orders that lead to one state not told apart
  kBounded,     ///< every schedule with at most max_preemptions preemptions, without reduction
  kRandom,      ///< any thread that can run, each equally likely
  kPct,         ///< random priorities, pct_depth - 1 change points (Burckhardt et al. 2010)
  kPos,         ///< random priority per step, drawn anew after a conflicting step (Yuan et al. 2018)
  kRotate       ///< pct of depth 2 and 3, pos and random in turn
};

/// What a load may see.
enum class MemoryModel : std::uint8_t {
  kSc,  ///< the newest store: sequential consistency
  kC11  ///< every store that C++20 allows
};

/// "sc", "c11".
const char* memory_name(MemoryModel memory);
std::optional<MemoryModel> memory_of(const std::string& name);

/// "exhaustive", "states", "bounded", "random", "pct", "pos", "rotate".
const char* search_name(Search search);
std::optional<Search> search_of(const std::string& name);

struct ThreadOptions {
  // The program: `runs` runs on one context.
  harness::EngineSpec engine{.workers = 2};         ///< policy id, priority or critical-path: the others have a state
  std::vector<std::uint32_t> worker_classes{};      ///< empty: every worker serves every class
  std::vector<detent_backend> backends{};           ///< asked first; the built-in kernels serve the rest
  harness::Seeds seeds{.input = 1, .schedule = 1};  ///< schedule: of the random searches
  std::uint32_t runs = 1;
  std::uint64_t op_deadline_ps = 0;     ///< logical time; advances only when nothing else can run (or early_timeouts)
  std::uint32_t active_spin_limit = 0;  ///< as that of detent_port: above the engine's spin_limit, which is not 0
  bool whole_life = false;              ///< explore detent_init and detent_deinit, too; else only detent_run

  // The search.
  Search search = Search::kExhaustive;
  MemoryModel memory = MemoryModel::kC11;
  std::uint64_t max_executions = 1'000'000;
  std::uint32_t max_steps = 50'000;  ///< of one execution; more is a violation of termination
  std::uint32_t pct_depth = 3;
  std::uint32_t max_preemptions = 2;                        ///< kBounded; loads of overwritten values count, too
  std::uint64_t max_state_bytes = std::uint64_t{8} << 30U;  ///< kStates: of the table; where it is full: unknown
  OrderFilter* orders = nullptr;  ///< null: accesses are in the order that the engine announces; outlives the call
  bool minimise = true;           ///< a failure is searched for anew with as few preemptions as possible

  // Choices besides scheduling, each with its bound per execution. Zero: never.
  std::uint32_t spurious_wakeups = 0;        ///< waits of each thread that return without a notify
  std::uint32_t failing_starts = 0;          ///< worker starts that fail; needs whole_life
  std::uint32_t early_timeouts = 0;          ///< deadlines that pass while others could run
  bool async_answers = true;                 ///< ops of ASYNC classes are answered by a thread each, in any order
  std::uint32_t duplicate_answers = 0;       ///< answers of each async op that come a second time (F12)
  std::vector<std::uint32_t> failing_ops{};  ///< ops whose kernel returns an error (F01)
  bool cancel = false;                       ///< a thread that cancels the run at any moment (F07)
  std::uint32_t op_readings = 0;  ///< times that a thread reads where every op stands; 0: the engine does not keep it
};

/// One of several networks that run on the workers of one pool.
struct PoolNetwork {
  const detent_desc* desc = nullptr;  ///< outlives the exploration
  std::int32_t priority = 0;          ///< lower first
  std::vector<OpId> failing_ops{};    ///< ops whose kernel returns an error
  bool cancel = false;                ///< a thread cancels its run at any moment
};

/// How often each kind of synchronisation was met, over all executions. A zero is a cover goal never met.
struct SyncPoints {
  std::uint64_t wait_asleep = 0, wait_awake = 0;    ///< port waits that had to sleep; that found their notify
  std::uint64_t lock_free = 0, lock_contended = 0;  ///< port lock
  std::uint64_t role_free = 0, role_held = 0;       ///< scheduler role looked at
  std::uint64_t ready_empty = 0, ready_some = 0;    ///< ReadyQueue when the role is let go
  std::uint64_t ready_full = 0;                     ///< of ready_some: it holds every op that has not begun
  std::uint64_t complete_empty = 0;                 ///< closed loop: nobody else's completion waits at the end of an op
  std::uint64_t complete_some = 0, complete_full = 0;  ///< some do; those of all other workers do
  std::uint64_t ops_ordered = 0,
                ops_concurrent = 0;  ///< ops that begin having seen the ends of all before; that do not
  std::uint64_t spurious = 0, timeouts = 0, failed_starts = 0, refused_answers = 0;
};

struct ThreadStatistics {
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;   ///< of them, cut short because all continuations had been seen (sleep sets)
  std::uint64_t distinct = 0;  ///< distinct fingerprints of complete executions; c11: by who reads what of whom
  std::uint64_t states = 0;    ///< kStates: with more than one thread that could go on
  std::uint64_t merged = 0;    ///< kStates: executions cut short in a state met before
  std::uint64_t once = 0;      ///< of them, met in one execution only
  std::uint64_t steps = 0;     ///< scheduling points over all executions
  std::uint32_t longest = 0;   ///< scheduling points of the longest execution
  std::uint32_t threads = 0;
  SyncPoints sync;
  /// Executions per distinct fingerprint; 1 = no schedule was seen twice.
  [[nodiscard]] double redundancy() const {
    return distinct == 0 ? 0 : static_cast<double>(executions) / static_cast<double>(distinct);
  }
  /// Good and Turing's estimate of the chance that the next drawn schedule shows a new trace. Of samples only.
  [[nodiscard]] double unseen_mass() const {
    return executions == 0 ? 1 : static_cast<double>(once) / static_cast<double>(executions);
  }
};

/// A schedule under which a law is broken.
struct ThreadFailure {
  std::string law{};      ///< "termination", "deadlock", "op_once", "predecessors", "happens_before", "queue_bounds",
                          ///< "status", "output", "drain", "in_flight", "deadline", "answers", "op_states",
                          ///< "nondeterminism"
  std::string text{};     ///< one line
  std::string choices{};  ///< the whole schedule as one line: replay_threads takes it
  std::uint32_t preemptions = 0;
  std::vector<std::string> constraints{};  ///< one per preemption: who stopped before what, and who ran instead; and
                                           ///< per value read that had been overwritten: who read it, who wrote
};

struct ThreadResult {
  Verdict verdict;             ///< property "threads"; holds only when complete, or says how much was sampled
  bool out_of_memory = false;  ///< the search ended because max_state_bytes were taken
  bool complete = false;       ///< every trace within the bounds of the choices was executed
  ThreadStatistics statistics;
  std::optional<ThreadFailure> failure;  ///< the first one; the search ends there
};

/// One scheduling point of a replay.
struct ThreadStep {
  std::uint64_t number = 0;
  std::string thread{};   ///< "slot 1"
  std::string does{};     ///< "reads role"
  bool preempts = false;  ///< another thread went before, and could have gone on
};

/// What one replayed schedule did.
struct ThreadReplay {
  std::optional<ThreadFailure> failure{};
  std::string listing{};  ///< one line per scheduling point: step, thread, what it did; the same bytes each time
  std::vector<ThreadStep> steps{};  ///< the same, without the values that were chosen
};

}  // namespace detent::verify::explore
