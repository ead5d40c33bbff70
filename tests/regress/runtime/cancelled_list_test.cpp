// In static lists an op whose worker waited for its predecessors began after the run had been cancelled.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "sim/simulate.hpp"

namespace detent {
namespace {

/// Op 2 waits for ops 0 and 1. The worker that has it in its list waits from 60 ps on, in one of the two.
models::Model join(std::uint64_t first_ps, std::uint64_t second_ps) {
  return models::parse_graph(
      R"({"schema": "detent.graph/1", "name": "join", "regions": [], "edges": [[0, 2], [1, 2]], "ops": [
    {"id": 0, "name": "a", "time_ps": )" +
          std::to_string(first_ps) + R"(},
    {"id": 1, "name": "b", "time_ps": )" +
          std::to_string(second_ps) + R"(},
    {"id": 2, "name": "c", "time_ps": 10}]})",
      "join.json");
}

TEST(Regress, F07_AnOpThatWaitsInAListDoesNotBeginAfterTheCancellation) {
  for (const auto& [first_ps, second_ps] : {std::pair{100U, 60U}, std::pair{60U, 100U}}) {
    const models::LoweredModel lowered = models::lower(join(first_ps, second_ps));
    harness::FaultRecord record;
    sim::SimOptions options;
    options.engine.mode = DETENT_MODE_STATIC;
    options.engine.workers = 2;
    options.faults.cancel_at = {.moment = harness::CancelAt::Moment::kTime, .time_ps = 80};
    options.on_faults = [&](std::uint64_t, const harness::FaultRecord& of_run) { record = of_run; };
    static_cast<void>(sim::simulate(lowered.desc(), sim::plain_platform({{"cpu", 2}}), options));
    EXPECT_EQ(record.error.status, DETENT_CANCELLED);
    EXPECT_EQ(record.began(), (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(record.returned_ps, 100U);
  }
}

}  // namespace
}  // namespace detent
