// Join ops cut a DAG into segments; in some of them no op ever waits. Internal to verify/timing.
#pragma once

#include <vector>

#include "base/ids.hpp"
#include "verify/timing/timing_problem.hpp"

namespace detent::verify {

/// The ops between two join ops that follow each other: `from` precedes them, and they precede `to`.
struct FreeSegment {
  OpId from = 0, to = 0;
  std::vector<OpId> between;  ///< in a topological order; not empty
};

/// A join op is ordered against every other op: while it runs nothing else does, all ops before it have ended, and of
/// those behind it none has begun. So what is behind it depends on what is before only by the time at which it begins.
///
/// A segment is free where no op of it can wait for a core or a mutex: paths that hold all its ops, of which no more
/// lead through ops of a class than it has cores, and no op that shares a mutex. Two ops of one path never run at once,
/// so an op that is ready always finds a core, and each op begins when the last of its predecessors ends.
/// @return  free segments by `from`, ascending; none beyond 20,000 ops (O(ops * edges / 64))
/// @throws std::invalid_argument  a cycle
std::vector<FreeSegment> free_segments(const TimingProblem& problem);

}  // namespace detent::verify
