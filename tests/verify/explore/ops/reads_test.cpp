// Explored orders follow each read to the op whose bytes it finds; parts say the same as the whole.
#include <gtest/gtest.h>

#include <string>

#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "models/zoo/zoo.hpp"
#include "verify/explore/ops/explore.hpp"
#include "verify/explore/ops/part.hpp"

namespace detent::verify::explore {
namespace {

struct ReadProgram {
  models::Model model;
  models::LoweredModel lowered;
  ValueTables values;
  OpSpace space;

  explicit ReadProgram(models::Model made)
      : model(std::move(made)),
        lowered(models::lower(model)),
        values(models::value_tables(model)),
        space(lowered.desc()) {}
  [[nodiscard]] OpExploreOptions options(std::uint64_t budget = 100) const {
    OpExploreOptions options;
    options.budget = budget;
    options.runner.values = &values;
    return options;
  }
};

/// Op 1 writes over what op 2 reads: after it, or before, as `edges` say.
ReadProgram reuse(const std::string& edges) {
  return ReadProgram(models::parse_graph(
      R"({"schema": "detent.graph/2", "regions": [{"name": "ws", "size": 64}], "ops": [
        {"id": 0, "writes": [{"region": "ws", "offset": 0, "size": 8, "value": "x"}]},
        {"id": 1, "writes": [{"region": "ws", "offset": 4, "size": 8}]},
        {"id": 2, "reads": [{"region": "ws", "offset": 0, "size": 8, "value": "x"}]}], "edges": [)" +
          edges + "]}",
      "reuse.json"));
}

TEST(ExploredReads, AStaleReadShowsInEveryRunThoughEveryRunGivesTheSameBytes) {
  const ReadProgram g = reuse("[0, 1], [1, 2]");
  const OpExploreReport report = explore_ops(g.space, g.options());
  EXPECT_EQ(report.verdict.outcome, Outcome::kHolds) << report.verdict.summary;
  EXPECT_EQ(report.reads.reads, 1U);
  EXPECT_EQ(report.reads.runs, report.executions);
  EXPECT_EQ(report.reads.missing, report.executions);
  ASSERT_TRUE(report.reads.first.has_value());
  EXPECT_EQ(report.reads.first->found, 1U);
  EXPECT_EQ(report.reads.schedule, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(judge_read_runs(g.lowered.desc(), report.reads).outcome, Outcome::kViolated);
}

TEST(ExploredReads, ARaceShowsOnTheOrdersThatTurnIt) {
  const ReadProgram g = reuse("[0, 1], [0, 2]");
  const OpExploreReport report = explore_ops(g.space, g.options());
  EXPECT_EQ(report.reads.runs, 2U);
  EXPECT_EQ(report.reads.missing, 1U);
  EXPECT_EQ(report.reads.schedule, (std::vector<std::uint32_t>{0, 1, 2}));
  const ReadProgram good = reuse("[0, 2], [2, 1]");
  const OpExploreReport kept = explore_ops(good.space, good.options());
  EXPECT_EQ(kept.reads.missing, 0U);
  EXPECT_GT(kept.reads.runs, 0U);
}

TEST(ExploredReads, PartsSayWhatTheWholeSays) {
  for (const char* edges : {"[0, 1], [0, 2]", "[0, 1], [1, 2]", "[0, 2], [2, 1]", ""}) {
    const ReadProgram g = reuse(edges);
    const OpExploreOptions options = g.options();
    const OpExploreReport whole = explore_ops(g.space, options);
    const std::uint64_t count = planned_schedules(g.space, options);
    std::vector<OpPart> parts;
    for (std::uint64_t first = 0; first < count; ++first) parts.push_back(explore_part(g.space, options, first, 1));
    OpExploreReport merged = merge_parts(g.space, options, parts);
    EXPECT_EQ(merged.reads.reads, whole.reads.reads) << edges;
    EXPECT_EQ(merged.reads.runs, whole.reads.runs) << edges;
    EXPECT_EQ(merged.reads.missing, whole.reads.missing) << edges;
    EXPECT_EQ(merged.reads.schedule, whole.reads.schedule) << edges;
    EXPECT_EQ(merged.differing, whole.differing) << edges;
    ASSERT_EQ(merged.reads.first.has_value(), whole.reads.first.has_value()) << edges;
    if (whole.reads.missing != 0 || parts.empty()) continue;
    parts[0].differs[0] |= 2U;  // what no run shows
    EXPECT_THROW(merge_parts(g.space, options, parts), std::runtime_error);
  }
}

TEST(ExploredReads, ReadsOfTensorsAreFollowedInTheZoo) {
  const ReadProgram g(models::make_zoo_model("branchnet"));
  const OpExploreReport report = explore_ops(g.space, g.options(4));
  EXPECT_GT(report.reads.reads, 10U);
  EXPECT_GT(report.reads.runs, 0U);
  EXPECT_EQ(report.reads.missing, 0U);
}

}  // namespace
}  // namespace detent::verify::explore
