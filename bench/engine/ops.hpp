// bench_engine --ops: ops of 1 to 500 us instead of empty ones, where waiting and waking decide and not the queues.
#pragma once

#include "bench/options.hpp"

namespace detent::bench {

/// 12 stages of 4 ops side by side (61 ops) at 2 workers, each op a fixed number of multiplications that take 1, 5, 20,
/// 50 or 500 us on an idle core. The closed loop with cost hints that are right, too low (10 ns), too high (5 ms) and
/// absent, beside oneTBB's flow graph and the ops in a loop. Contenders take turns in short rounds; the table shows for
/// each the median over rounds of a round's median run, and of the ratio to oneTBB in the same round.
///
/// @param disturbed  a child process of nice 10 computes meanwhile
/// @return           exit code
int run_ops(const Options& options, bool disturbed);

}  // namespace detent::bench
