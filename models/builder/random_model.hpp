// Random models: a seed -> a DAG of "mix" ops with tensors, times and, on request, one planted reuse race.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/ids.hpp"
#include "models/core/model.hpp"

namespace detent::models {

enum class RandomShape : std::uint8_t {
  kLayered,        ///< about sqrt(ops) layers; an op reads one to three of the layer before
  kErdos,          ///< an op reads up to three of all earlier ones
  kSeriesParallel  ///< grown from one edge by series and parallel steps
};

struct RandomOptions {
  std::uint64_t seed = 1;
  std::uint32_t ops = 32;
  RandomShape shape = RandomShape::kLayered;
  std::uint64_t max_tensor_bytes = 2048;  ///< sizes from 16 bytes; at most 2^31-1
  double npu_share = 0.0;                 ///< share of ops on core class "npu"
};

/// Same options, same model. Not planned yet (plan_memory). Every op writes one tensor and reads those of its
/// predecessors; ops without successors write model outputs; ops without predecessors read the model input.
/// Op ids are a topological order; times are [best, worst] between 1 and 20 us.
/// @throws std::invalid_argument  ops == 0, or sizes out of range
Model make_random_model(const RandomOptions& options);

enum class RaceKind : std::uint8_t { kWar, kWaw };

/// The pair of ops that a planted fault makes race; no other pair does.
struct PlantedRace {
  RaceKind kind = RaceKind::kWar;
  OpId first_op = 0;   ///< lower id: the reader (WAR) or the first writer (WAW)
  OpId second_op = 0;  ///< the writer
};

/// Make exactly one pair of unordered ops of a planned random model race, as a plan made for the serial order would:
/// bytes are shared whose lifetimes are disjoint in op-id order, so binding accepts the model and only a schedule that
/// runs the second op early shows it. WAR: the second op's tensor moves onto one that the first op still reads. WAW:
/// the first op gets a second output that nobody reads, under the second op's tensor.
/// @param model  planned; ids topological
/// @return       nothing when the DAG has no such pair; the model is then unchanged
std::optional<PlantedRace> plant_race(Model& model, RaceKind kind, std::uint64_t seed);

}  // namespace detent::models
