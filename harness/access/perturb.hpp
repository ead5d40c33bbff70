// Access by perturbation: what kernels touch beyond their declaration, found without instrumenting them.
#pragma once

#include <cstdint>

#include "harness/access/observed_run.hpp"
#include "harness/access/report.hpp"

namespace detent::harness {

struct PerturbOptions {
  ObserveOptions run{};
  std::uint32_t max_searches = 400;  ///< extra executions per op to find the bytes on which a result depends
};

/// Run all ops once, serially, in topological order, lowest id first. Each op runs three times from the same inputs:
/// with every byte that it does not declare to read (the old contents of its outputs and scratch, all other tensors and
/// weights, and guard zones) poisoned by one pattern, then by another, and as it is. Then
/// - a byte that changed in any of the three was written;
/// - an output byte (or a code) that is not the same in all three depends on a byte that the op may not read. Which
///   bytes these are is found by bisection, and reported as early reads; to the byte where a single byte makes a
///   difference, else (and when max_searches is spent) as the smallest range that was seen to make one.
/// Works for every kernel. Reads within the declaration are not reported (AccessMethod::kPerturbed).
/// Time: three runs, plus 10 passes over all regions per op. A Desc that does not bind gives a report whose error says
/// why.
AccessReport measure_by_perturbation(const detent_desc& desc, const PerturbOptions& options = {});

}  // namespace detent::harness
