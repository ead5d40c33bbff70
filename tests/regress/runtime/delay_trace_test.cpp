// The end of a transfer delay is logged when it ends, in every mode: static lists used to log it at the end of the run.
#include <gtest/gtest.h>

#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "sim/simulate.hpp"
#include "verify/runs/trace_rules.hpp"

namespace detent {
namespace {

TEST(Regress, DelaysEndInTheTraceBeforeTheirConsumersBegin) {
  const models::Model model = models::parse_graph(R"({"schema": "detent.graph/1", "name": "delays", "regions": [],
    "ops": [{"id": 0, "name": "a", "time_ps": 100}, {"id": 1, "name": "b", "time_ps": 100},
            {"id": 2, "name": "c", "time_ps": 5000, "release_ps": [50, 60]}], "edges": [[0, 1, 10, 20]]})",
                                                  "delays.json");
  const models::LoweredModel lowered = models::lower(model);
  for (const detent_mode mode :
       {DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
    sim::SimOptions options;
    options.engine.mode = mode;
    const sim::SimResult result = sim::simulate(lowered.desc(), sim::plain_platform({{"cpu", 2}}), options);
    ASSERT_FALSE(result.failure) << *result.failure;
    const verify::Verdict verdict =
        verify::check_trace(lowered.desc(), result.worst.trace, DETENT_MAX_WORKERS + 1, result.worst.makespan_ps);
    EXPECT_EQ(verdict.outcome, verify::Outcome::kHolds)
        << static_cast<int>(mode) << (verdict.witnesses.empty() ? verdict.summary : verdict.witnesses[0].text);
  }
}

}  // namespace
}  // namespace detent
