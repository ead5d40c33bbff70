// Import: a TVM artifact, read and analysed; and the Models that come of it.
#pragma once

#include <string>
#include <vector>

#include "base/ids.hpp"
#include "models/core/model.hpp"
#include "models/import/tvm/artifact/artifact.hpp"
#include "models/import/tvm/hazards/hazards.hpp"
#include "models/import/tvm/module/missing.hpp"

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
  RegionId region = kNone;  ///< pools and workspaces
  TensorId tensor = kNone;  ///< inputs, outputs, constants
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
  kPerCall,    ///< a tensor of the plan for each call
  kPerLane,    ///< one block per worker, as large as the largest operator's; calls of one block exclude each other
  kAsImported  ///< tensors and scratch in TVM's places, but for scratch that becomes local arrays
};

/// "per call", "per worker", "in TVM's places".
const char* scratch_place_name(ScratchPlace place);

struct ReplanOptions {
  ModelOptions model{};
  std::uint64_t stack_limit_bytes = 16384;       ///< scratch of one operator that may become local arrays
  std::uint32_t workers = 3;                     ///< blocks of kPerLane
  std::uint64_t arena_limit_bytes = UINT64_MAX;  ///< calls are ordered until the plan fits
  bool stays_within_tvm = false;                 ///< the limit is the artifact's own arena, if that is less
};

/// One plan of several that were made.
struct ReplanFigures {
  std::string name;  ///< of its order: "true dependencies", "schedule of 2 workers", "order of main", "TVM's places"
  ScratchPlace strategy = ScratchPlace::kPerCall;
  std::uint64_t arena_bytes = 0;
  std::uint64_t lower_bound_bytes = 0;  ///< no plan under its order, with its scratch, is smaller
  Parallelism parallelism;              ///< by floating-point operations; pairs of calls without a common scratch block
  bool leaves_all = false;              ///< only true dependencies, devices and hidden state order its calls
};

/// What re-planning did.
struct Replan {
  Model model;                       ///< of the plan taken
  std::vector<ReplanFigures> plans;  ///< all that were made
  std::size_t taken = 0;
  std::uint64_t tvm_arena_bytes = 0;    ///< pools and workspaces of the artifact's own plan
  std::uint64_t lower_bound_bytes = 0;  ///< no plan is smaller under the order and with the scratch of any of `plans`
  std::uint64_t stack_bytes = 0;        ///< most scratch that one operator keeps in local arrays now
  std::uint64_t local_buffers = 0, moved_buffers = 0;  ///< scratch rewritten to local arrays, to the plan
  std::uint64_t shared_in_place = 0;                   ///< calls that write an output over an input of another name

  [[nodiscard]] const ReplanFigures& plan() const { return plans[taken]; }
};

/// Rewrite the operators' scratch and plan all memory anew. Two tensors share bytes where all users of one precede all
/// users of the other, or where an operator reads the one for the last time before it writes the other there.
///
/// The plans with only true dependencies come first: scratch per call, scratch per worker. Where the smaller of them is
/// larger than the artifact's own arena, or than the limit, plans with less parallelism are made: the calls ordered as
/// a schedule of fewer and fewer workers orders them (by floating-point operations), at last as main does; and TVM's
/// own places. Of such an order only what sharing bytes implies is kept as edges. Of these plans only those are listed
/// that are smaller than all before them.
///
/// Taken is, without a limit, the smallest plan that leaves all parallelism; TVM's places, too, where they leave as
/// much. With a limit, of those that fit, the one with the shortest critical path, then with most pairs of calls that
/// may run at once, then with scratch per call, then the smallest. Ties go to the earlier one.
/// @throws InputError  a scratch offset that cannot be rewritten, file and line; no plan within the limit was found
Replan replan_parallel(const Import& import, const ReplanOptions& options = {});

}  // namespace detent::models::tvm
