// Hazards: which bytes every call touches, which pairs of calls conflict, and which of those a DAG by names lets race.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/import/tvm/program/program.hpp"

namespace detent::models::tvm {

/// What one call does to one object, in the object's coordinates. Constants are left out.
struct CallAccess {
  std::uint32_t object = 0;
  std::uint32_t buffer = UINT32_MAX;    ///< into Program::buffers; UINT32_MAX: scratch
  std::uint32_t argument = 0;           ///< of the call: the buffer, or the pool that holds the scratch
  std::uint32_t pool_use = UINT32_MAX;  ///< scratch: into FunctionFootprint::pool_uses
  std::string what;                     ///< "sid_7_let", "conv2d_NCHWc_let"
  ByteSet reads, writes;
  bool exact = true;         ///< false: a superset
  bool unknown_end = false;  ///< it may go on to an end that nothing tells
};
using CallAccesses = std::vector<std::vector<CallAccess>>;  ///< by call

/// May this call touch bytes beyond what is known of its arguments? Then it can be ordered, not executed.
bool has_unknown_end(const std::vector<CallAccess>& accesses);

/// Bytes of every call. What a footprint leaves unbounded ends where the buffer is known to end: by the packed call's
/// shape, the allocation, the header, or the other calls' footprints; else with its pool.
/// @param notes  receives one line per call whose footprint is a superset, and why
CallAccesses call_accesses(const Program& program, const Footprints& footprints, std::vector<std::string>& notes);

/// Calls that may use what outlives them and is no argument: static variables, a vendor's library, functions whose
/// bodies are not here. None where only one does. Ascending.
std::vector<std::uint32_t> calls_with_state(const Program& program, const Footprints& footprints);

using CallEdge = std::pair<std::uint32_t, std::uint32_t>;

/// Read-after-write edges by the names of buffers: from the last call that wrote a buffer to each call that reads it.
/// Sorted, each once. @see what a scheduler that knows only names would build
std::vector<CallEdge> edges_by_names(const Program& program, const Footprints& footprints);

enum HazardKind : std::uint8_t { kRaw = 1, kWar = 2, kWaw = 4 };

/// Bytes in which two calls meet.
struct Overlap {
  HazardKind kind = kRaw;
  std::uint32_t object = 0;
  ByteSet bytes;
  std::string what_a, what_b;
};

/// Two calls that touch a byte in common, which at least one of them writes; a before b in main.
struct Conflict {
  std::uint32_t a = 0, b = 0;
  std::uint8_t kinds = 0;         ///< HazardKind bits
  bool is_ordered = false;        ///< by the DAG of names
  std::vector<Overlap> overlaps;  ///< filled for racing pairs
};

/// What a DAG leaves: most calls that may run at once, longest chain, work over critical path.
struct Parallelism {
  std::uint64_t edges = 0;
  std::uint64_t width = 0;
  std::uint64_t depth = 0;
  std::uint64_t critical_path = 0;  ///< in the unit of the costs given
  std::uint64_t work = 0;
  std::uint64_t unordered_pairs = 0;  ///< calls that may run at once
};

struct HazardReport {
  std::vector<CallEdge> name_edges;
  std::vector<CallEdge>
      hazard_edges;  ///< name edges, then what keeps all conflicting pairs in order of main, no edge implied
  std::vector<Conflict> conflicts;    ///< by (a, b)
  std::uint64_t unordered_pairs = 0;  ///< under name_edges
  std::uint64_t racing_pairs = 0;
  std::uint64_t raw = 0, war = 0, waw = 0;  ///< conflicting pairs of each kind; a pair may be of several
};

/// The given edges, then of the wanted ones those that nothing implies yet; per call from the nearest to the farthest.
/// All go from lower to higher calls.
std::vector<CallEdge> with_order(std::size_t calls, const std::vector<CallEdge>& given,
                                 const std::vector<CallEdge>& wanted);

/// Calls that share a device keep their order, too.
HazardReport find_hazards(const Program& program, const CallAccesses& accesses, std::vector<CallEdge> name_edges);

/// @param costs  by call; empty: every call costs 1
Parallelism parallelism(std::size_t calls, const std::vector<CallEdge>& edges, const std::vector<std::uint64_t>& costs);

}  // namespace detent::models::tvm
