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
                                     std::uint32_t workers, Overhead overhead) {
  verify::TimingInputs inputs;
  for (const sim::OpTime& time : sim::op_times(desc, platform, jitter)) {
    inputs.best_ps.push_back(time.best_ps);
    inputs.worst_ps.push_back(time.worst_ps);
  }
  std::uint32_t all_workers = 0;
  for (std::uint32_t c = 0; c < desc.class_count; ++c) {
    std::uint32_t cores = cores_of(platform, desc.classes[c].name);
    if (c == 0 && workers != 0) cores = std::min(cores, workers);
    inputs.cores.push_back(cores);
    all_workers += cores;
  }
  if (overhead == Overhead::kInflated) {
    for (std::uint32_t op = 0; op < desc.op_count; ++op) {
      inputs.overhead_ps.push_back(sim::overhead_per_op_ps(desc, platform, op));
    }
    inputs.fixed_ps = sim::overhead_per_run_ps(platform, all_workers);
  }
  return verify::make_timing_problem(desc, inputs);
}

std::vector<verify::Bound> platform_bounds(const detent_desc& desc, const sim::Platform& platform,
                                           const sim::Jitter& jitter, std::uint32_t workers, bool is_work_conserving) {
  const verify::TimingProblem bare = timing_problem(desc, platform, jitter, workers, Overhead::kNone);
  const verify::TimingProblem inflated = timing_problem(desc, platform, jitter, workers, Overhead::kInflated);
  std::vector<verify::Bound> bounds = {verify::critical_path(bare), verify::work_per_core(bare),
                                       verify::serial_bound(inflated)};
  if (is_work_conserving) {
    bounds.push_back(verify::graham_bound(inflated));
    bounds.push_back(verify::typed_bound(inflated));
  }
  std::erase_if(bounds, [](const verify::Bound& bound) { return bound.bound_ps == verify::kUnknownPs; });
  return bounds;
}

}  // namespace detent::cli
