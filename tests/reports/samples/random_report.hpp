// Reports of any shape that may come about, tables with faults in them included, made up from a seed.
#pragma once

#include <cstdint>

#include "tests/reports/samples/sample.hpp"

namespace detent::reports::samples {

/// Up to 40 ops over a few regions: reads, writes, views, strided blocks, mutexes, delays; native and simulated runs
/// with and without a trace of the chip; verdicts, bounds, failures and coverage. Every fourth seed breaks the tables:
/// names that are missing, ids that do not exist, views in a circle, ops on a cycle.
Sample random_report(std::uint64_t seed);

}  // namespace detent::reports::samples
