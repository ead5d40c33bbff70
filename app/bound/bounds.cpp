// Desc + platform -> timing problems, bounds and responses.
#include "app/bound/bounds.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/ids.hpp"
#include "harness/engine_spec.hpp"
#include "reports/data/bound_budget.hpp"
#include "sim/chip/cores.hpp"
#include "sim/cost/cost.hpp"
#include "sim/cost/interference.hpp"
#include "sim/cost/overhead.hpp"
#include "verify/timing/problem.hpp"

namespace detent::app {
namespace {

const sim::CoreClass* class_of(const sim::Platform& platform, const char* name) {
  for (const sim::CoreClass& core_class : platform.classes) {
    if (core_class.name == name) return &core_class;
  }
  return nullptr;
}

/// Times and cores, nothing added.
verify::TimingInputs bare_inputs(const detent_desc& desc, const sim::Platform& platform, const BoundSpec& spec,
                                 const std::vector<sim::OpWork>& work) {
  verify::TimingInputs inputs;
  for (const sim::OpWork& op : work) {
    inputs.best_ps.push_back(op.time.best_ps);
    inputs.worst_ps.push_back(op.time.worst_ps);
  }
  for (std::uint32_t c = 0; c < desc.class_count; ++c) {
    const sim::CoreClass* core_class = class_of(platform, desc.classes[c].name);
    std::uint32_t cores = core_class == nullptr ? 0 : core_class->count;
    if (c == 0 && core_class != nullptr) cores = sim::cpu_workers(platform, spec.workers);
    inputs.cores.push_back(cores);
    inputs.queue_depth.push_back(core_class == nullptr ? 1 : core_class->queue_depth);
  }
  return inputs;
}

std::uint64_t add_saturated(std::uint64_t a, std::uint64_t b) {
  return a > verify::kUnknownPs - b ? verify::kUnknownPs : a + b;
}

verify::TimingProblem inflated(const detent_desc& desc, verify::TimingInputs inputs, const sim::EngineOverhead& engine,
                               const sim::Interference& others) {
  inputs.overhead_ps = engine.local_ps;
  for (OpId op = 0; op < desc.op_count; ++op) {
    inputs.overhead_ps[op] = add_saturated(inputs.overhead_ps[op], others.per_op_ps[op]);
  }
  inputs.role_ps = engine.role_ps;
  inputs.fixed_ps = others.unknown ? verify::kUnknownPs : add_saturated(engine.run_ps, others.per_run_ps);
  return verify::make_timing_problem(desc, inputs);
}

}  // namespace

std::uint64_t with_loads_ps(const sim::Platform& platform, std::uint64_t bound_ps) {
  if (bound_ps == verify::kUnknownPs || platform.loads.empty()) return bound_ps;
  const std::uint64_t loads_ps = sim::loads_ps(platform, bound_ps);
  return loads_ps > verify::kUnknownPs - 1 - bound_ps ? verify::kUnknownPs : bound_ps + loads_ps;
}

namespace {

void make_longer(const std::vector<OpId>& ops, std::vector<sim::OpWork>& work) {
  for (const OpId op : ops) {
    if (op >= work.size()) continue;
    std::uint64_t& worst_ps = work[op].time.worst_ps;
    worst_ps = add_saturated(
        worst_ps, worst_ps / 100 * reports::kLongerPercent + (worst_ps % 100 * reports::kLongerPercent + 99) / 100);
  }
}

}  // namespace

PlatformProblems timing_problems(const detent_desc& desc, const sim::Platform& platform, const BoundSpec& spec) {
  std::vector<sim::OpWork> work = sim::op_work(desc, platform, spec.jitter, spec.costs);
  make_longer(spec.longer, work);
  const verify::TimingInputs inputs = bare_inputs(desc, platform, spec, work);
  const sim::EngineOverhead engine = sim::engine_overhead(desc, platform, spec.engine);
  sim::Interference by_op = sim::interference_by_op(desc, platform, work);
  sim::Interference by_total = sim::interference_by_total(desc, platform, work);
  PlatformProblems made{verify::make_timing_problem(desc, inputs), inflated(desc, inputs, engine, by_op),
                        inflated(desc, inputs, engine, by_total), harness::has_affinity(desc)};
  made.engine = engine;
  made.others_by_op = std::move(by_op);
  made.others_by_total = std::move(by_total);
  return made;
}

verify::Bound upper_bound(BoundFunction function, const PlatformProblems& problems, const sim::Platform& platform,
                          const BoundSpec& spec) {
  const verify::Bound by_op = function(problems.by_op);
  const verify::Bound by_total = function(problems.by_total);
  verify::Bound bound = by_total.bound_ps < by_op.bound_ps ? by_total : by_op;
  const bool may_idle = !spec.is_work_conserving || problems.has_affinity;
  if (may_idle && function != &verify::serial_bound) {
    bound.bound_ps = verify::kUnknownPs;
    bound.assumptions =
        "does not apply: the order, the mode or the workers that ops are for may leave a ready op waiting for an idle "
        "core";
  }
  if (bound.bound_ps == verify::kUnknownPs) return bound;
  bound.bound_ps = with_loads_ps(platform, bound.bound_ps);
  if (bound.bound_ps == verify::kUnknownPs) bound.assumptions = "does not apply: loads may take all of a core's time";
  return bound;
}

BoundFunction find_upper_bound(std::string_view name) {
  if (name == "serial") return verify::serial_bound;
  if (name == "graham") return verify::graham_bound;
  if (name == "typed") return verify::typed_bound;
  return name == "he2022" ? verify::long_paths_bound : nullptr;
}

std::vector<verify::Bound> platform_bounds(const PlatformProblems& problems, const sim::Platform& platform,
                                           const BoundSpec& spec) {
  std::vector<verify::Bound> bounds = {verify::critical_path(problems.bare), verify::work_per_core(problems.bare)};
  for (const BoundFunction function : verify::upper_bounds()) {
    bounds.push_back(upper_bound(function, problems, platform, spec));
  }
  return bounds;
}

std::vector<verify::Response> platform_responses(const PlatformProblems& problems, const sim::Platform& platform,
                                                 const BoundSpec& spec) {
  const verify::ResponseOptions options{.is_work_conserving = spec.is_work_conserving && !problems.has_affinity};
  std::vector<verify::Response> responses = verify::response_bounds(problems.by_op, options);
  const std::vector<verify::Response> by_total = verify::response_bounds(problems.by_total, options);
  for (verify::Response& response : responses) {
    response.max_ps = with_loads_ps(platform, std::min(response.max_ps, by_total[response.op].max_ps));
  }
  return responses;
}

}  // namespace detent::app
