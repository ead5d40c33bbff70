// Memory problems (CSV): what is accepted lies within the limits, and what the search makes of it is valid.
#include "models/plan/problem/problem.hpp"
#include "models/plan/problem/solution_check.hpp"
#include "models/plan/problem/solve.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void memory_problem_target(std::string_view input) {
  using namespace models::packing;
  constexpr std::size_t kPlaced = 200;
  MemoryProblem problem;
  if (!accepts([&] { problem = parse_memory_problem(input, kInputName); })) return;
  require(!problem.buffers.empty() && problem.buffers.size() <= kMaxBuffers, "a problem has buffers");
  for (const Buffer& buffer : problem.buffers) {
    require(buffer.lower >= 0 && buffer.lower < buffer.upper, "a buffer lives");
    require(buffer.size_bytes > 0 && buffer.size_bytes <= kMaxTotalBytes, "a buffer has bytes");
    require(buffer.align_bytes > 0 && buffer.align_bytes <= kMaxAlignBytes, "an alignment within its limit");
  }
  if (problem.buffers.size() > kPlaced) return;
  const Solution solution = solve_memory_problem(problem, {.max_nodes = 50});
  require(solution.height_bytes >= solution.lower_bound_bytes, "no placement is below the lower bound");
  require(find_placement_faults(problem.buffers, solution.offsets_bytes, solution.height_bytes).empty(),
          "a placement is valid");
}

}  // namespace detent::fuzz
