// A graph whose ops touch no memory has an empty region table, which is a null pointer: it binds and runs.
#include <gtest/gtest.h>

#include "harness/run_native.hpp"
#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"

namespace detent {
namespace {

TEST(Regress, AGraphWithoutRegionsRuns) {
  const models::Model model = models::parse_graph(R"({"schema": "detent.graph/1", "name": "bare", "regions": [],
    "ops": [{"id": 0, "name": "a"}, {"id": 1, "name": "b"}], "edges": [[0, 1]]})",
                                                  "bare.json");
  const models::LoweredModel lowered = models::lower(model);
  for (const std::uint32_t workers : {0U, 1U, 2U}) {
    harness::NativeOptions options;
    options.engine.workers = workers;
    const harness::Run run = harness::run_native(lowered.desc(), options);
    EXPECT_EQ(run.result.error.status, DETENT_OK) << workers;
    EXPECT_EQ(run.result.ops_run, 2U) << workers;
  }
}

}  // namespace
}  // namespace detent
