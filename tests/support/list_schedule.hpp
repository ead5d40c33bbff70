// List scheduling by its definition: what simulations and bounds are compared with. Shares no code with the product.
#pragma once

#include <cstdint>
#include <vector>

namespace detent::support {

/// As many cores of a class as there are ops: delays.
inline constexpr std::uint32_t kUnbounded = UINT32_MAX;

struct ListOp {
  std::uint64_t duration_ps = 0;
  std::uint32_t core_class = 0;
  std::uint64_t rank = 0;      ///< the policy: lower starts first; all different
  std::uint64_t tie_rank = 0;  ///< which of several completions of one instant is handled first; all different
  std::vector<std::uint32_t> successors{}, mutexes{};
};

struct ListProblem {
  std::vector<ListOp> ops{};
  std::vector<std::uint32_t> cores{};  ///< by class
  std::uint64_t begin_ps = 0;
  bool by_arrival = false;  ///< first ready, first started, instead of ranks; those of one completion by id
};

struct ListSchedule {
  std::uint64_t makespan_ps = 0;  ///< end of the last op; begin_ps without any
  std::vector<std::uint64_t> begin_ps, end_ps;
};

/// Non-preemptive and work-conserving. Completions are handled one at a time; after each, and at the start, the ready
/// op of lowest rank that has a free core of its class and all its mutexes begins, until there is none.
/// @note  ops that a cycle keeps from becoming ready begin and end at 0
ListSchedule list_schedule(const ListProblem& problem);

}  // namespace detent::support
