// All simulated slots are executed on one thread: what one of them sets for its kernels must not stay behind.
#include <gtest/gtest.h>

#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "runtime/base/float_environment.h"
#include "sim/simulate.hpp"

namespace detent {
namespace {

TEST(Regress, TheCallersFloatEnvironmentIsBackAfterASimulation) {
  const models::Model model = models::parse_graph(R"({"schema": "detent.graph/1", "name": "two", "regions": [],
    "ops": [{"id": 0, "name": "a", "time_ps": 100}, {"id": 1, "name": "b", "time_ps": 100}], "edges": []})",
                                                  "two.json");
  const models::LoweredModel lowered = models::lower(model);
  const std::uint64_t before = floats::read();
#if defined(__SSE__)
  const std::uint64_t callers = 0xffc0;  // flush to zero, denormals are zero, toward zero
#else
  const std::uint64_t callers = before;
#endif
  sim::SimOptions options;
  options.engine.workers = 2;
  const sim::SimResult plain = sim::simulate(lowered.desc(), sim::plain_platform({{"cpu", 2}}), options);
  floats::write(callers);
  const sim::SimResult result = sim::simulate(lowered.desc(), sim::plain_platform({{"cpu", 2}}), options);
  const std::uint64_t after = floats::read();
  floats::write(before);
  EXPECT_EQ(after & floats::kControlBits, callers & floats::kControlBits);
  EXPECT_FALSE(result.failure);
  EXPECT_EQ(result.makespans_ps, plain.makespans_ps);
}

}  // namespace
}  // namespace detent
