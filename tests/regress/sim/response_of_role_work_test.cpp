// The role work of asynchronous ops was spread over all ops with a core, successors of the op included, whose part a
// response takes off: op 0 before 400 ops with releases ended at 109 us where its response said 15.7 us.
#include <gtest/gtest.h>

#include <string>

#include "app/bound/bounds.hpp"
#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "sim/simulate.hpp"

namespace detent {
namespace {

/// Op 0 before `successors` ops, each op with a release.
models::LoweredModel released_star(std::uint32_t successors) {
  std::string ops = R"({"id": 0, "name": "first", "time_ps": 1000, "release_ps": [1, 1]})";
  std::string edges;
  for (std::uint32_t op = 1; op <= successors; ++op) {
    ops += ", {\"id\": " + std::to_string(op) + ", \"name\": \"op\", \"time_ps\": 1000, \"release_ps\": [1, 1]}";
    edges += (op == 1 ? "[0, " : ", [0, ") + std::to_string(op) + "]";
  }
  return models::lower(models::parse_graph(R"({"schema": "detent.graph/1", "name": "star", "regions": [], "ops": [)" +
                                               ops + "], \"edges\": [" + edges + "]}",
                                           "star.json"));
}

TEST(Regress, NoOpEndsAfterItsResponseHoweverMuchTheSchedulerDoes) {
  for (const std::uint32_t successors : {1U, 2U, 400U}) {
    const models::LoweredModel model = released_star(successors);
    for (const std::string& name : sim::platform_names()) {
      const sim::Platform platform = sim::find_platform(name);
      for (const detent_scheduler scheduler : {DETENT_SCHEDULER_ROLE, DETENT_SCHEDULER_THREAD}) {
        sim::SimOptions options;
        options.engine.scheduler = scheduler;
        options.keep_ends = options.timing_only = true;
        options.jitter.kind = sim::Jitter::Kind::kWorst;
        const sim::SimResult result = sim::simulate(model.desc(), platform, options);
        ASSERT_FALSE(result.failure) << *result.failure;
        const app::BoundSpec spec{.jitter = options.jitter, .engine = {scheduler, false}};
        const app::PlatformProblems problems = app::timing_problems(model.desc(), platform, spec);
        for (const verify::Response& response : app::platform_responses(problems, platform, spec)) {
          EXPECT_LE(result.ends[response.op].latest_ps, response.max_ps) << name << " op " << response.op;
          EXPECT_GE(result.ends[response.op].earliest_ps, response.min_ps) << name << " op " << response.op;
        }
      }
    }
  }
}

}  // namespace
}  // namespace detent
