// An op used to queue behind a busy NPU while two others were idle, and the bounds counted all three: two ops of 1 ms
// took 2.01 ms on rk3588, whose Graham and typed bound said 1.35 ms.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/bound/bounds.hpp"
#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "sim/simulate.hpp"

namespace detent {
namespace {

constexpr const char* kOps = R"({"schema": "detent.graph/1", "name": "npu", "regions": [], "edges": [],
  "ops": [{"id": 0, "name": "a", "core": "npu", "time_ps": 1000000000},
          {"id": 1, "name": "b", "core": "npu", "time_ps": 1000000000},
          {"id": 2, "name": "c", "core": "npu", "time_ps": 1000000000},
          {"id": 3, "name": "d", "core": "npu", "time_ps": 600000000}]})";

sim::SimResult simulated(const detent_desc& desc, const sim::Platform& platform) {
  sim::SimOptions options;
  options.keep_ends = true;
  options.timing_only = true;
  const sim::SimResult result = sim::simulate(desc, platform, options);
  EXPECT_FALSE(result.failure) << *result.failure;
  return result;
}

TEST(Regress, EmptyNpusTakeOpsBeforeQueuesDo) {
  const models::LoweredModel model = models::lower(models::parse_graph(kOps, "npu.json"));
  const sim::Platform platform = sim::find_platform("rk3588");  // three NPUs, two commands each
  const sim::SimResult result = simulated(model.desc(), platform);
  for (std::uint32_t op = 0; op < 3; ++op) {
    EXPECT_LT(result.ends[op].latest_ps, 1'100'000'000U) << "op " << op << " waited behind another";
  }
  EXPECT_GT(result.ends[3].latest_ps, 1'600'000'000U) << "the fourth op has to wait";
}

/// The op of 0.6 ms joins a queue when all three NPUs are busy, and stays there: the theorem's rule 2 does not hold.
TEST(Regress, BoundsKnowThatQueuedOpsWaitBesideIdleNpus) {
  const models::LoweredModel model = models::lower(models::parse_graph(kOps, "npu.json"));
  const sim::Platform platform = sim::find_platform("rk3588");
  const sim::SimResult result = simulated(model.desc(), platform);
  const app::BoundSpec spec;
  const app::PlatformProblems problems = app::timing_problems(model.desc(), platform, spec);
  for (const verify::Bound& bound : app::platform_bounds(problems, platform, spec)) {
    if (bound.name == "graham") {
      EXPECT_EQ(bound.bound_ps, verify::kUnknownPs);
      EXPECT_EQ(bound.assumptions,
                "does not apply: several cores queue ops, so that one may wait behind a busy core beside an idle one");
    } else if (bound.is_upper) {
      EXPECT_LE(result.max_ps, bound.bound_ps) << bound.name;
    }
  }
}

/// The traces name the NPU that executed the op.
TEST(Regress, SpansOfQueuedOpsLieInLanesOfTheirNpu) {
  const models::LoweredModel model = models::lower(models::parse_graph(kOps, "npu.json"));
  const sim::SimResult result = simulated(model.desc(), sim::find_platform("rk3588"));
  std::vector<std::string> lanes;
  for (const harness::Span& span : result.worst.trace.spans) lanes.push_back(result.slot_names[span.slot]);
  std::sort(lanes.begin(), lanes.end());
  EXPECT_EQ(lanes, (std::vector<std::string>{"npu0", "npu0.1", "npu1", "npu2"}));
}

}  // namespace
}  // namespace detent
