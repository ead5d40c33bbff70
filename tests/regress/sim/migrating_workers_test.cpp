// Migrating workers used to choose a core before they paid for the way to it and to reserve nothing: two of them went
// to the one idle core and the second waited there, beside idle cores, where bounds count on none being idle. And a
// worker in serial mode paid for a move whenever an op belonged to another class of cores, loads or not.
#include <gtest/gtest.h>

#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "sim/simulate.hpp"

namespace detent {
namespace {

sim::SimResult simulated(const std::string& ops, const sim::Platform& platform, sim::SimOptions options) {
  const models::LoweredModel model = models::lower(models::parse_graph(
      R"({"schema": "detent.graph/1", "name": "ops", "regions": [], "edges": [], "ops": [)" + ops + "]}", "ops.json"));
  options.timing_only = true;
  options.keep_ends = true;
  const sim::SimResult result = sim::simulate(model.desc(), platform, options);
  EXPECT_FALSE(result.failure) << *result.failure;
  return result;
}

TEST(Regress, NoTwoWorkersMigrateToTheSameCore) {
  sim::Platform platform = sim::plain_platform({{"cpu", 3}});
  platform.overheads.migrate_ps = 10;
  platform.loads = {{"a", "cpu", 0, 10'000, 50, 0, 0}, {"b", "cpu", 1, 10'000, 50, 0, 0}};
  const sim::SimResult result =
      simulated(R"({"id": 0, "name": "a", "time_ps": 100}, {"id": 1, "name": "b", "time_ps": 100})", platform,
                {.engine = {.workers = 2}, .migrating = true});
  EXPECT_EQ(result.ends[0].latest_ps, 110U) << "on core 2, after the way there";
  EXPECT_EQ(result.ends[1].latest_ps, 150U) << "on its own core, after the load";
}

TEST(Regress, WithoutLoadsMigrationAddsNoTime) {
  sim::Platform platform = sim::plain_platform({{"cpu", 2}, {"npu", 1}});
  platform.overheads.migrate_ps = 1'000;
  platform.classes[0].threads_per_core = 2;  // something is shared, so the chip looks at each op
  platform.classes[0].corun_rate = 0.5;
  const std::string ops =
      R"({"id": 0, "name": "a", "core": "npu", "time_ps": 10}, {"id": 1, "name": "b", "time_ps": 10})";
  for (const detent_mode mode :
       {DETENT_MODE_SERIAL, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    EXPECT_EQ(simulated(ops, platform, {.engine = {.mode = mode}, .migrating = true}).max_ps,
              simulated(ops, platform, {.engine = {.mode = mode}, .migrating = false}).max_ps);
  }
}

}  // namespace
}  // namespace detent
