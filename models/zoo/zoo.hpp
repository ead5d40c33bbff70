// Zoo: networks and op graphs by name, good ones and bad ones, each with the verdict it must get.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/model.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/zoo/parameters.hpp"

namespace detent::models {

/// What a checker must say about a model. Good models: every property holds.
struct ExpectedVerdict {
  bool holds = true;
  std::string property;                 ///< violated: "structure", "memory_plan" or "buffer_races"
  std::string status;                   ///< of detent_init: "OK", "CYCLE", "DUPLICATE_EDGE", "OVERLAP", "OUT_OF_REGION"
  std::vector<std::string> racing_ops;  ///< "buffer_races": the only racing pair, lower id first
  std::string kind;                     ///< "buffer_races": "war" or "waw"
};

struct ZooEntry {
  std::string name;
  std::string description;
  std::string usage;  ///< "yolov8n[:SIZE]"
  ZooParameters defaults;
  ExpectedVerdict expected;
  Model (*build)(const ZooParameters& parameters) = nullptr;  ///< bad models come with their memory plan
};

/// All entries, networks first, then graphs, then bad ones.
[[nodiscard]] const std::vector<ZooEntry>& zoo();

/// The entry a spec such as "yolov8n" or "chain:1000" names, or null.
[[nodiscard]] const ZooEntry* find_zoo_entry(std::string_view spec);

/// How to prepare a model of the zoo for execution.
struct ZooOptions {
  std::uint32_t split = 0;        ///< bands per heavy op (models/builder/split.hpp); 0 or 1: unsplit
  std::string accelerator{};      ///< class of cores for convolutions and matrix products; empty: they stay on "cpu"
  std::uint64_t weight_seed = 0;  ///< 0: the model's own
  PlanOptions plan = {};
  bool leaves_places = false;  ///< plans nothing: for a caller that plans
};

/// Build, split, assign and plan: ready for lower(). Bad models keep the plan they come with.
/// @throws InputError  no such name, a parameter that is no number or out of its range, no plan within the capacity
[[nodiscard]] Model make_zoo_model(std::string_view spec, const ZooOptions& options = {});

/// Build only: tensors of good models have no place yet.
[[nodiscard]] Model build_zoo_model(std::string_view spec);

/// Split, assign and plan any model, as make_zoo_model does. A plan that the model comes with is kept unless ops were
/// split. @return number of ops that were split
/// @throws InputError  as make_zoo_model; std::invalid_argument  more than 64 bands
std::size_t prepare_model(Model& model, const ZooOptions& options);

}  // namespace detent::models
