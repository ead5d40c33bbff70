// Desc + platform -> TimingProblem.
#include "cli/bounds.hpp"

#include <algorithm>

#include "verify/timing/problem.hpp"

namespace detent::cli {
namespace {

std::uint32_t cores_of(const sim::Platform& platform, const char* name) {
  for (const sim::CoreClass& core_class : platform.classes) {
    if (core_class.name == name) return core_class.count;
  }
  return 0;
}

}  // namespace

verify::TimingProblem timing_problem(const detent_desc& desc, const sim::Platform& platform, const sim::Jitter& jitter,
                                     std::uint32_t workers, Overhead overhead, const sim::CostTable* costs) {
  verify::TimingInputs inputs;
  const std::vector<sim::OpWork> work = sim::op_work(desc, platform, jitter, costs);
  for (const sim::OpWork& op : work) {
    inputs.best_ps.push_back(op.time.best_ps);
    inputs.worst_ps.push_back(op.time.worst_ps);
  }
  std::uint32_t all_workers = 0;
  for (std::uint32_t c = 0; c < desc.class_count; ++c) {
    std::uint32_t cores = cores_of(platform, desc.classes[c].name);
    if (c == 0 && workers != 0) cores = std::min(cores, workers);
    inputs.cores.push_back(cores);
    all_workers += cores;
  }
  if (overhead != Overhead::kNone) {
    inputs.overhead_ps = sim::overheads_per_op_ps(desc, platform);
    const sim::Interference others = overhead == Overhead::kTotal ? sim::interference_by_total(desc, platform, work)
                                                                  : sim::interference_by_op(desc, platform, work);
    for (std::uint32_t op = 0; op < desc.op_count; ++op) inputs.overhead_ps[op] += others.per_op_ps[op];
    inputs.fixed_ps = sim::overhead_per_run_ps(platform, all_workers) + others.per_run_ps;
  }
  return verify::make_timing_problem(desc, inputs);
}

std::uint64_t with_loads_ps(const sim::Platform& platform, std::uint64_t bound_ps) {
  if (bound_ps == verify::kUnknownPs || platform.loads.empty()) return bound_ps;
  const std::uint64_t loads_ps = sim::loads_ps(platform, bound_ps);
  return loads_ps > verify::kUnknownPs - 1 - bound_ps ? verify::kUnknownPs : bound_ps + loads_ps;
}

verify::Bound lower_of(const verify::Bound& a, const verify::Bound& b) { return b.bound_ps < a.bound_ps ? b : a; }

std::vector<verify::Bound> platform_bounds(const detent_desc& desc, const sim::Platform& platform,
                                           const sim::Jitter& jitter, std::uint32_t workers, bool is_work_conserving,
                                           const sim::CostTable* costs) {
  const verify::TimingProblem bare = timing_problem(desc, platform, jitter, workers, Overhead::kNone, costs);
  const verify::TimingProblem inflated = timing_problem(desc, platform, jitter, workers, Overhead::kInflated, costs);
  const verify::TimingProblem total = timing_problem(desc, platform, jitter, workers, Overhead::kTotal, costs);
  std::vector<verify::Bound> bounds = {verify::critical_path(bare), verify::work_per_core(bare),
                                       lower_of(verify::serial_bound(inflated), verify::serial_bound(total))};
  if (is_work_conserving) {
    bounds.push_back(lower_of(verify::graham_bound(inflated), verify::graham_bound(total)));
    bounds.push_back(lower_of(verify::typed_bound(inflated), verify::typed_bound(total)));
  }
  for (verify::Bound& bound : bounds) {
    if (bound.is_upper) bound.bound_ps = with_loads_ps(platform, bound.bound_ps);
  }
  std::erase_if(bounds, [](const verify::Bound& bound) { return bound.bound_ps == verify::kUnknownPs; });
  return bounds;
}

}  // namespace detent::cli
