// Model: an inference DAG on the host: regions, tensors, ops, edges, weights. Value type; freely copied and edited.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "base/value_tables.hpp"

namespace detent::models {

inline constexpr std::uint32_t kNone = DETENT_NONE;

/// How the bytes of a weight come about: seeded pseudo-random, or given.
struct WeightInit {
  enum class Kind : std::uint8_t { kHeNormal, kConstant, kBytes, kWinograd } kind = Kind::kHeNormal;
  std::uint64_t stream = 0;                  ///< with the model's weight_seed: the random stream
  float scale = 1.0F;                        ///< kHeNormal, kWinograd: standard deviation; kConstant: the value
  std::vector<std::uint8_t> bytes;           ///< kBytes
  std::vector<std::uint32_t> unpadded_dims;  ///< kHeNormal, kWinograd: logical [OC,IC/groups,KH,KW], packed as
                                             ///< runtime/include/detent/op_config.h says
  std::uint32_t groups = 1;
  bool operator==(const WeightInit&) const = default;
};

enum class TensorRole : std::uint8_t { kInput, kOutput, kActivation, kWeight, kScratch, kRange };

struct Tensor {
  std::string name;
  TensorRole role = TensorRole::kActivation;
  detent_dtype dtype = DETENT_F32;
  detent_layout layout = DETENT_LAYOUT_PLAIN;
  std::vector<std::int32_t> dims;
  std::uint64_t size_bytes = 0;   ///< extent
  std::uint64_t block_bytes = 0;  ///< as in detent_tensor; a dense tensor has one block of size_bytes
  std::uint64_t stride_bytes = 0;
  std::uint32_t block_count = 1;
  std::uint32_t align_bytes = 64;
  std::uint32_t alias_of = kNone;        ///< base tensor of a view
  std::uint64_t alias_offset_bytes = 0;  ///< within the base
  std::uint32_t region = kNone;          ///< set by the memory plan, or given (op graphs)
  std::uint64_t offset_bytes = 0;        ///< valid when region is set and this is no view
  WeightInit init;                       ///< weights only
  std::vector<std::uint32_t> values{};   ///< ranges only: what a write makes, and of which a read wants one
  bool operator==(const Tensor&) const = default;
};

/// How much is known of the bytes that an op declares.
enum class Footprint : std::uint8_t {
  kDeclared,  ///< as the kernel's own rules say; nothing was analysed
  kExact,     ///< by analysis of the kernel's text: these bytes, for every input
  kSuperset,  ///< by analysis: none but these, fewer for some inputs
  kOpaque,    ///< the text was not understood: all that the op is given
  kUnknown    ///< it may touch other bytes than it declares: nothing follows from those
};

/// In which runs an op is executed: the last of its inputs, a BOOL, says so (DETENT_OP_GUARDED).
enum class Guarded : std::uint8_t { kNo, kIfTrue, kIfFalse };

struct Op {
  std::string name;
  std::string kernel;
  std::string core_class = "cpu";
  std::vector<std::uint32_t> inputs, outputs, weights, scratch;  ///< tensor ids
  std::vector<std::uint8_t> config;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> time_ps;  ///< [best, worst]
  /// The same on each class that may execute it, its own among them; empty: no other time is known (move_to_class).
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> times_by_class{};
  std::optional<std::pair<std::uint64_t, std::uint64_t>> release_ps;  ///< [earliest, latest]
  std::int32_t priority = 0;
  std::uint32_t workers = 0;  ///< bit i: worker i may execute it; 0: all that serve its class
  std::vector<std::string> mutexes;
  std::string commutes;
  bool in_place = false;
  Footprint footprint = Footprint::kDeclared;
  std::uint64_t flops = 0;
  Guarded guarded = Guarded::kNo;
  /// The last of its outputs, but for a failure's, says how large the first one is in each run (DETENT_OP_SIZED).
  bool is_sized = false;
  bool is_fallible = false;  ///< the last of its outputs, a BOOL, says whether it failed (DETENT_OP_FALLIBLE)
  /// Of a fallible op: when it has not answered this long after it began, its back end says that it has failed, and
  /// takes care that it writes nothing any more. 0: nobody watches.
  std::uint64_t watchdog_ps = 0;
  bool replaces = false;        ///< its outputs take the place of what another op wrote there (DETENT_OP_REPLACES)
  std::vector<Guard> guards{};  ///< it runs where all hold; derive_decisions makes those of `guarded`
  bool operator==(const Op&) const = default;
};

struct Edge {
  std::uint32_t from = 0, to = 0;
  std::uint64_t min_ps = 0, max_ps = 0;  ///< transfer delay
  bool operator==(const Edge&) const = default;
};

struct Region {
  std::string name;
  detent_region_kind kind = DETENT_REGION_WORKSPACE;
  std::uint64_t size_bytes = 0;
  std::uint32_t align_bytes = 64;
  bool is_separate = false;  ///< a workspace in a memory of its own: a new plan keeps its tensors there
  bool operator==(const Region&) const = default;
};

/// A C file that defines kernels of an imported network, compiled when the model is executed or emitted.
struct SourceFile {
  std::string name;  ///< relative path, "operators.c", "tvm/runtime/c_backend_api.h"; see source_name_fault
  std::string text;
  bool operator==(const SourceFile&) const = default;
};

/// A static schedule: worker w executes the ops of lists[w] in order. Every op once; pseudo-ops are in no list.
struct WorkerLists {
  std::vector<std::vector<std::uint32_t>> lists;
  bool operator==(const WorkerLists&) const = default;
};

/// What is demanded of the time of runs.
struct TimeDemands {
  std::optional<std::uint64_t> deadline_ps{};  ///< after its release every run has ended
  std::optional<std::uint64_t> period_ps{};    ///< between two releases
  bool operator==(const TimeDemands&) const = default;
};

struct Model {
  std::string name;
  std::uint64_t weight_seed = 1;
  std::vector<Region> regions;
  std::vector<Tensor> tensors;
  std::vector<Op> ops;
  std::vector<Edge> edges;  ///< every edge, data dependencies included
  std::vector<std::uint32_t> inputs, outputs;
  std::vector<SourceFile> sources;         ///< of kernels that are not built in; the *.c among them export
                                           ///< `const detent_kernel_table *detent_module_kernels(void)` once
  std::vector<std::string> compile_flags;  ///< for `sources`, "-O2"
  std::vector<std::string> value_names{};  ///< of Tensor::values
  std::vector<Decision> decisions{};       ///< of Op::guards
  std::vector<WorkerLists> schedules{};    ///< that static mode follows, each for another number of workers
  TimeDemands demands{};
  bool operator==(const Model&) const = default;
};

}  // namespace detent::models
