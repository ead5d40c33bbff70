// Random memory plans with values that ops share, and what is right about them by force.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "tests/verify/random_graph.hpp"

namespace detent::verify::testing {

/// A number below the bound, from a seed or from a value that shrinks.
using Draw = std::function<std::uint32_t(std::uint32_t bound)>;

struct RandomPlanShape {
  std::uint32_t most_ops = 7, most_tensors = 6;
  std::uint32_t region_bytes = 16;
  bool mutexes = true;
  bool claims = true;  ///< some tensors declare a lifetime
};

/// Values, views, weights and ranges on a few bytes, read, written and taken as scratch by ops of a random DAG whose
/// ids need not be a topological order; inputs, outputs, ops in place, mutexes. Most have reads before any write and
/// worse: nothing but the tables is sound.
struct RandomPlan : DescTables {
  RandomPlan(const Draw& draw, const RandomPlanShape& shape);
  /// The same with op `i` named new_id[i].
  [[nodiscard]] std::unique_ptr<RandomPlan> renamed(const std::vector<std::uint32_t>& new_id) const;

 private:
  explicit RandomPlan(const GraphSpec& spec) : DescTables(spec) {}
};

/// Does every pair of values that share a byte come one after the other on all schedules, by Floyd and Warshall and
/// sets of single bytes? Shares no code with verify/. @param desc  acyclic, sound tables, regions of a few bytes
bool values_are_in_order(const detent_desc& desc);

/// Does every op that uses a value that claims a lifetime stand, in the serial order, between the two ops that the
/// claim names? @param desc  as above
bool uses_are_within_claims(const detent_desc& desc);

}  // namespace detent::verify::testing
