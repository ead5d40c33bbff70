// Laws of fallbacks in simulated time: whatever fails, a run ends within the bound of its outcomes, with the same
// output, and every law of all outcomes holds.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "app/bound/bounds.hpp"
#include "base/random.hpp"
#include "models/builder/random_model.hpp"
#include "models/core/outcomes.hpp"
#include "models/devices/fallbacks.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "models/zoo/zoo.hpp"
#include "properties/law.hpp"
#include "properties/sim/simulated.hpp"
#include "verify/flow/value_flow.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::laws {
namespace {

/// A network of which some ops are on the NPU and may fail, and the ops that do.
struct FailingNetwork {
  models::Model model{};
  std::vector<std::uint32_t> failing{};
};

FailingNetwork random_network(std::uint64_t seed) {
  RandomSource random(seed);
  FailingNetwork made;
  made.model = models::make_random_model({.seed = seed,
                                          .ops = 2 + random.below(18),
                                          .shape = static_cast<models::RandomShape>(random.below(3)),
                                          .max_tensor_bytes = 256,
                                          .npu_share = 0.5});
  models::prepare_model(made.model, {});
  std::vector<models::FallbackOn> wanted(made.model.ops.size());
  for (std::size_t id = 0; id < wanted.size(); ++id) {
    const bool has_fallback = made.model.ops[id].core_class == "npu" && random.below(4) != 0;
    if (!has_fallback) continue;
    wanted[id] = {.core_class = "cpu", .slower = 0.5 + random.below(8)};
    if (random.below(2) != 0) wanted[id].watchdog_ps = 20'000'000 + random.below(30'000'000);  // no op takes longer
  }
  models::add_fallbacks(made.model, wanted);
  for (std::uint32_t id = 0; id < made.model.ops.size(); ++id) {
    if (made.model.ops[id].is_fallible && random.below(2) == 0) made.failing.push_back(id);
  }
  return made;
}

models::Model with_outcomes(const FailingNetwork& network) {
  models::Outcomes outcomes(network.model.decisions.size(), 0);
  for (std::size_t id = 0; id < outcomes.size(); ++id) {
    outcomes[id] = std::ranges::binary_search(network.failing, network.model.decisions[id].op) ? 1 : 0;
  }
  models::Model one = network.model;
  models::apply_outcomes(one, outcomes);
  return one;
}

RC_GTEST_PROP(FallbackLaw, RunsEndWithinTheBoundOfWhatFails, ()) {
  law_of_values(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t seed) {
    const FailingNetwork network = random_network(seed);
    const models::LoweredModel all = models::lower(network.model);
    const ValueTables values = models::value_tables(network.model);
    RC_ASSERT(verify::check_value_flow(all.desc(), &values).outcome == verify::Outcome::kHolds);
    RC_ASSERT(verify::check_buffer_races(all.desc()).outcome == verify::Outcome::kHolds);

    const sim::Platform platform = sim::find_platform(std::array{"quad_npu", "rk3588"}[seed % 2]);
    sim::SimOptions options;
    options.runs = 3;
    options.with_traces = false;
    options.seeds.schedule = seed;
    options.engine.policy = std::array{"id", "priority", "critical-path", "fifo"}[seed / 2 % 4];
    const std::vector<std::uint64_t> digests = simulated(all, platform, options).digests;
    RC_ASSERT(digests.size() == 1U);
    RandomSource random(seed);
    for (const models::Op& op : network.model.ops) options.faults.watchdogs_ps.push_back(op.watchdog_ps);
    for (const std::uint32_t op : network.failing) {
      const std::uint32_t how = network.model.ops[op].watchdog_ps == 0 ? 0 : random.below(3);
      if (how == 0) options.faults.failing_ops.push_back({.op = op, .code = 3});
      if (how == 1) options.faults.late_ops.push_back({.op = op});
      if (how == 2) options.faults.late_ops.push_back({.op = op, .delay_ps = 60'000'000});
    }
    const sim::SimResult result = simulated(all, platform, options);
    RC_ASSERT(result.makespans_ps.size() == options.runs);

    const models::LoweredModel one = models::lower(with_outcomes(network));
    const app::BoundSpec spec = {.jitter = options.jitter, .workers = options.engine.workers};
    const app::PlatformProblems problems = app::timing_problems(one.desc(), platform, spec);
    for (const verify::Bound& bound : app::platform_bounds(problems, platform, spec)) {
      if (!bound.is_upper) continue;
      RC_LOG() << bound.name << ": seen " << result.max_ps << " ps, bound " << bound.bound_ps << " ps\n";
      RC_ASSERT(result.max_ps <= bound.bound_ps);
    }
    RC_CLASSIFY(!network.failing.empty(), "fails");
    RC_CLASSIFY(network.failing.size() > 2, "fails often");
    RC_CLASSIFY(!options.faults.late_ops.empty(), "hangs or comes too late");
  });
}

}  // namespace
}  // namespace detent::laws
