// When a late op was noticed, in layered and static modes, depended on the time at which the run began: ticks were
// those of the port's clock. So a run of a campaign was not the same alone, and a replay line did not repeat it.
#include <gtest/gtest.h>

#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "sim/simulate.hpp"

namespace detent {
namespace {

TEST(Regress, ADeadlineIsNoticedAtTheSameTimeWheneverTheRunBegan) {
  const models::Model model = models::parse_graph(R"({"schema": "detent.graph/1", "name": "one", "regions": [],
    "ops": [{"id": 0, "name": "a", "core": "npu", "time_ps": [1, 8]}], "edges": []})",
                                                  "one.json");
  const models::LoweredModel lowered = models::lower(model);
  for (const detent_mode mode : {DETENT_MODE_LAYERED, DETENT_MODE_STATIC, DETENT_MODE_CLOSED_LOOP}) {
    std::vector<std::uint64_t> returned_ps;
    sim::SimOptions options;
    options.engine.mode = mode;
    options.engine.workers = 1;
    options.runs = 8;
    options.seeds.schedule = 643;
    options.faults.late_ops = {{.op = 0}};
    options.faults.op_deadline_ps = 292;
    options.on_faults = [&](std::uint64_t, const harness::FaultRecord& record) {
      returned_ps.push_back(record.returned_ps);
    };
    static_cast<void>(sim::simulate(lowered.desc(), sim::plain_platform({{"cpu", 1}, {"npu", 1}}), options));
    ASSERT_EQ(returned_ps.size(), options.runs);
    EXPECT_EQ(returned_ps, std::vector<std::uint64_t>(options.runs, returned_ps[0])) << mode;
  }
}

}  // namespace
}  // namespace detent
