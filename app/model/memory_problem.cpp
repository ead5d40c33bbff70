#include "app/model/memory_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "base/wanted_file.hpp"
#include "models/plan/problem/problem.hpp"
#include "models/plan/problem/solution_check.hpp"
#include "models/plan/problem/solve.hpp"

namespace detent::app {
namespace {

using models::packing::MemoryProblem;
using models::packing::Solution;

MemoryProblem read_problem(const std::string& path) {
  static const WantedFile kProblem = {
      "a memory problem", {FileKind::kCsv, FileKind::kText, FileKind::kEmpty}, "give a CSV file: id,lower,upper,size"};
  return models::packing::parse_memory_problem(read_wanted_file(path, models::packing::kMaxProblemBytes, kProblem),
                                               path);
}

std::string placed_text(const MemoryProblemRequest& wanted, const Solution& solution) {
  if (wanted.capacity_bytes == 0) {
    return solution.is_proven ? "yes; proven that no placement is lower"
                              : "yes; whether a lower placement exists is not known: --max-nodes looks further";
  }
  if (solution.is_placed) return "yes, within the capacity";
  if (solution.lower_bound_bytes > wanted.capacity_bytes)
    return "NO; proven that none fits: more bytes live at one time than the capacity has";
  return solution.is_proven ? "NO; proven that none fits: the search is complete"
                            : "NO; not found within the limit, one may exist: --max-nodes looks further";
}

/// Where buffers lie, the lowest first; the first ones.
Lines lowest_lines(const MemoryProblem& problem, const Solution& solution) {
  constexpr std::size_t kShown = 8;
  std::vector<std::size_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return solution.offsets_bytes[i]; });
  Lines lines{fmt::format("{:>12}{:>12}  {}", "offset", "size", "buffer")};
  const std::size_t shown = std::min(order.size(), kShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const models::packing::Buffer& buffer = problem.buffers[order[i]];
    lines.push_back(fmt::format("{:>12}{:>12}  {}", solution.offsets_bytes[order[i]], buffer.size_bytes, buffer.id));
  }
  if (shown < order.size()) lines.push_back(fmt::format("and {} more; --json FILE lists them", order.size() - shown));
  return lines;
}

Lines lines_of(const MemoryProblemRequest& wanted, const MemoryProblem& problem, const Solution& solution) {
  const double gap = static_cast<double>(solution.height_bytes - solution.lower_bound_bytes) * 100 /
                     static_cast<double>(solution.lower_bound_bytes);
  Lines lines{fmt::format("{}: {}", wanted.file, counted(problem.buffers.size(), "buffer"))};
  if (wanted.capacity_bytes != 0)
    lines.push_back(
        fmt::format("  capacity     {} bytes ({})", wanted.capacity_bytes, format_bytes(wanted.capacity_bytes)));
  lines.push_back("  placed       " + placed_text(wanted, solution));
  lines.push_back(fmt::format("  height       {} bytes ({}), of the lowest placement found; checked pair by pair",
                              solution.height_bytes, format_bytes(solution.height_bytes)));
  lines.push_back(fmt::format("  lower bound  {} bytes live at one time; the height is {:.1f} % above",
                              solution.lower_bound_bytes, gap));
  lines.push_back(fmt::format("  searched     {} of {} nodes", solution.nodes, solution.max_nodes));
  for (const std::string& column : problem.unused_columns)
    lines.push_back(fmt::format("  column {} is without effect", column));
  append(lines, lowest_lines(problem, solution));
  return lines;
}

}  // namespace

Answer place_problem(const MemoryProblemRequest& wanted, const OnProgress& on_progress) {
  const MemoryProblem problem = read_problem(wanted.file);
  const Solution solution = models::packing::solve_memory_problem(
      problem, {.capacity_bytes = wanted.capacity_bytes, .max_nodes = wanted.max_nodes, .progress = on_progress});
  DETENT_ASSERT(models::packing::find_placement_faults(problem.buffers, solution.offsets_bytes,
                                                       solution.is_placed ? wanted.capacity_bytes : 0, 1)
                    .empty());
  Request request = wanted.request;
  request.model = wanted.file;
  Json answer = json_header("plan", request);
  answer["capacity_bytes"] = wanted.capacity_bytes;
  answer["placed"] = solution.is_placed;
  answer["proven"] = solution.is_proven;
  answer["height_bytes"] = solution.height_bytes;
  answer["lower_bound_bytes"] = solution.lower_bound_bytes;
  answer["nodes"] = solution.nodes;
  answer["max_nodes"] = solution.max_nodes;
  answer["unused_columns"] = problem.unused_columns;
  Json offsets = Json::array();
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    offsets.push_back({{"id", problem.buffers[i].id}, {"offset", solution.offsets_bytes[i]}});
  }
  answer["offsets"] = std::move(offsets);
  return {std::move(answer), lines_of(wanted, problem, solution),
          solution.is_placed ? verify::Outcome::kHolds : verify::Outcome::kViolated};
}

}  // namespace detent::app
