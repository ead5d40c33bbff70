// Thread level: a Desc + engine options -> what the real engine does under every schedule of its threads, or under
// many.
//
// The same compiled runtime runs on fibres of one OS thread. Every access to a shared word, lock, wait, notify, start
// and join is a scheduling point; which thread goes on, and which store a load sees of those that the memory model lets
// it see (threads_memory.hpp), is this explorer's choice. Data races on plain words of the engine are out of reach, but
// their absence is checked where it counts: who takes the scheduler role has seen all that its last holder did, and the
// end of each op must happen before the start of its successors, by acquire and release alone.
#pragma once

#include <string>
#include <vector>

#include <detent/desc.h>

#include "verify/explore/threads/exploration.hpp"

namespace detent::verify::explore {

/// Explore the engine on a Desc. One OS thread; deterministic for equal arguments.
/// @throws std::invalid_argument  options that contradict each other, or a Desc that does not bind
ThreadResult explore_threads(const detent_desc& desc, const ThreadOptions& options = {});

/// Explore several contexts that run at the same time on the workers of one pool (worker_pool.h), each on a thread of
/// its own: options.engine.workers are the pool's, runs are those of each network. Each must do what it does alone.
/// @throws std::invalid_argument  as above; deadlines, readers and other modes than the closed loop with the role
ThreadResult explore_pool(const std::vector<PoolNetwork>& networks, const ThreadOptions& options = {});
/// As replay_threads.
ThreadReplay replay_pool(const std::vector<PoolNetwork>& networks, const ThreadOptions& options,
                         const std::string& choices);

/// Execute the schedule of a ThreadFailure under the same Desc and options.
/// @throws std::invalid_argument  the string is malformed. One that does not fit is a failure "nondeterminism"
ThreadReplay replay_threads(const detent_desc& desc, const ThreadOptions& options, const std::string& choices);

}  // namespace detent::verify::explore
