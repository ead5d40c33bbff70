// Runs of a sample: list scheduling with jitter, so that timelines and makespans belong to the network drawn.
#pragma once

#include <cstdint>

#include "tests/reports/samples/sample.hpp"

namespace detent::reports::samples {

/// splitmix64: the next number of the stream.
std::uint64_t next_random(std::uint64_t& state);

struct Cores {
  std::vector<std::string> names;
  std::vector<std::uint32_t> classes;  ///< per core
};

/// One run: a free core takes the ready op with the lowest id of its class; times uniform in [best, worst] of `costs`.
TimelineRun schedule_run(const Tables& tables, const Cores& cores, std::uint64_t seed);

/// Simulate `runs` runs and fill in makespans, statistics, worst and typical timelines and utilisation.
void fill_runs(const Tables& tables, const Cores& cores, std::uint64_t runs, ReportData& data);

}  // namespace detent::reports::samples
