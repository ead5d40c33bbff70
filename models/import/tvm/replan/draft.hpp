// Draft: what re-planning makes of an artifact before any plan of its memory is made.
#pragma once

#include <vector>

#include "models/import/tvm/model/import.hpp"
#include "models/plan/memory_plan.hpp"

namespace detent::models::tvm {

inline constexpr std::uint32_t kReplanAlign = 16;  ///< as TVM aligns its workspace

struct ReplanDraft {
  Model model;  ///< without places, ordered by true dependencies; kAsImported: in TVM's places, ordered by conflicts
  std::vector<Handover> handovers;  ///< what operators may write over what they read
  std::uint64_t stack_bytes = 0;    ///< most scratch that one operator keeps in local arrays
  std::uint64_t local_buffers = 0, moved_buffers = 0;
};

/// @throws InputError  a scratch offset that cannot be rewritten; file and line
ReplanDraft draft_replan(const Import& import, const ReplanOptions& options, ScratchPlace strategy);

/// Pools and workspaces of the artifact's own plan.
std::uint64_t tvm_arena_bytes(const Import& import, const ReplanOptions& options);

}  // namespace detent::models::tvm
