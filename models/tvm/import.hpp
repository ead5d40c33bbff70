// Import: a TVM artifact, read and analysed; and the Models that come of it.
#pragma once

#include <string>
#include <vector>

#include "models/model.hpp"
#include "models/tvm/hazards.hpp"
#include "models/tvm/missing.hpp"

namespace detent::models::tvm {

/// All that is known of an artifact without running any of it.
struct Import {
  Artifact artifact;
  Footprints footprints;
  Program program;
  CallAccesses accesses;
  HazardReport hazards;
  MissingCode missing;  ///< why some calls cannot be executed
  std::vector<std::string> notes;
};

/// Read, interpret, analyse. Executes nothing of the artifact.
/// @throws InputError  as read_artifact and read_program
Import import_artifact(const std::string& path, const ReadOptions& options = {});
/// Interpret and analyse. @throws InputError  as read_program
Import analyse_artifact(Artifact artifact);

/// Where two readings of one artifact part: "tvmgen_default_f (line 12) touches other bytes"; "" where they agree.
std::string first_difference(const Import& a, const Import& b);

struct ModelOptions {
  bool hazard_edges = true;  ///< false: only the edges by names, so that what races can be shown
  std::vector<std::string> compile_flags = {"-O2"};
};

/// Where an object of main lies in an imported model: a region of its own, or one tensor.
struct ObjectPlace {
  std::uint32_t region = kNone;  ///< pools and workspaces
  std::uint32_t tensor = kNone;  ///< inputs, outputs, constants
};

/// The artifact as it is: its own places, every byte a call touches as a range, edges that keep all conflicting calls
/// in the order of main. Kernels are the artifact's functions behind thunks (model.sources).
/// @param places  null, or receives where each object went
/// @throws InputError  an operator writes a model input
Model imported_model(const Import& import, const ModelOptions& options = {},
                     std::vector<ObjectPlace>* places = nullptr);

/// One op that is the artifact's own main: the reference result. Empty sources and no ops when main cannot be compiled.
Model reference_model(const Import& import, const ModelOptions& options = {});

enum class ScratchPlace : std::uint8_t {
  kPerCall,  ///< a tensor of the plan for each call
  kPerLane   ///< one block per worker, as large as the largest operator's; calls of one block exclude each other
};

struct ReplanOptions {
  ModelOptions model{};
  std::uint64_t stack_limit_bytes = 16384;  ///< scratch of one operator that may become local arrays
  std::uint32_t workers = 3;                ///< blocks of the second strategy
};

/// What re-planning did.
struct Replan {
  Model model;  ///< planned: only true dependencies, and what shares a device, are ordered
  ScratchPlace strategy = ScratchPlace::kPerCall;
  std::uint64_t tvm_arena_bytes = 0;       ///< pools and workspaces of the artifact's own plan
  std::uint64_t per_call_arena_bytes = 0;  ///< of the new plan with scratch in places of its own for each call
  std::uint64_t per_lane_arena_bytes = 0;  ///< with one scratch block for each of `workers` workers
  std::uint64_t lower_bound_bytes = 0;     ///< of the strategy taken: no plan under its order is smaller
  std::uint64_t stack_bytes = 0;           ///< most scratch that one operator keeps in local arrays now
  std::uint64_t local_buffers = 0, moved_buffers = 0;  ///< scratch rewritten to local arrays, to the plan

  [[nodiscard]] std::uint64_t arena_bytes() const {
    return strategy == ScratchPlace::kPerCall ? per_call_arena_bytes : per_lane_arena_bytes;
  }
};

/// Rewrite the operators' scratch offsets and plan all memory anew so that only true dependencies order the calls. Both
/// strategies are planned; the smaller arena wins, a tie goes to kPerCall.
/// @throws InputError  a scratch offset that cannot be rewritten; file and line
Replan replan_parallel(const Import& import, const ReplanOptions& options = {});

}  // namespace detent::models::tvm
