// Reads of executions: one hand-made run per rule, recorded traces, and real threads' back end.
#include "verify/runs/read_check.hpp"

#include <gtest/gtest.h>

#include <string>

#include "harness/run_native.hpp"
#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "tests/defaults.hpp"
#include "tests/verify/graph_text.hpp"
#include "tests/verify/random_graph.hpp"
#include "verify/runs/read_watch.hpp"
#include "verify/verdict/vacuous.hpp"

namespace detent::verify {
namespace {

using graph_text::op;
using graph_text::range;

using testing::DescTables;
using testing::GraphSpec;
using testing::make_ops;

struct Followed {
  models::Model model;
  models::LoweredModel lowered;
  ValueTables values;
  ReadCheck check;

  explicit Followed(const std::string& ops, const std::string& edges, const std::string& ends = "")
      : model(models::parse_graph(R"({"schema": "detent.graph/2", "regions": [{"name": "ws", "size": 64}], )" + ends +
                                      R"("ops": [)" + ops + R"(], "edges": [)" + edges + "]}",
                                  "g.json")),
        lowered(models::lower(model)),
        values(models::value_tables(model)),
        check(lowered.desc(), &values) {}

  /// One op after another. @return  "" or who missed what
  std::string run(const std::vector<std::uint32_t>& order) {
    check.arm();
    for (const std::uint32_t op : order) {
      check.begin(op);
      check.end(op);
    }
    return text_of(check.finish());
  }
  [[nodiscard]] std::string text_of(const std::optional<MissedRead>& missed) const {
    return missed ? describe_missed(lowered.desc(), *missed) : "";
  }
};

const std::string kReuse =
    op(0, "", range(0, 16, "x")) + "," + op(1, "", range(8, 16)) + "," + op(2, range(0, 16, "x"), range(32, 16, "y"));

TEST(ReadCheck, TheOpInTheWayIsNamedWithItsBytes) {
  Followed g(kReuse, "[0, 1]");
  EXPECT_EQ(g.check.reads(), 1U);
  EXPECT_EQ(g.run({0, 1, 2}), "op 2 (op2) reads x and finds what op 1 (op1) wrote in bytes [8, 16) of ws");
  EXPECT_EQ(g.run({0, 2, 1}), "");
  EXPECT_EQ(g.run({2, 0, 1}), "op 2 (op2) reads x and finds what was there before the run in bytes [0, 16) of ws");
}

TEST(ReadCheck, AWriteDuringTheReadIsFound) {
  Followed g(kReuse, "[0, 1]");
  g.check.begin(0);
  g.check.end(0);
  g.check.begin(2);
  g.check.begin(1);
  g.check.end(2);
  EXPECT_EQ(g.text_of(g.check.finish()), "op 2 (op2) reads x and finds what op 1 (op1) wrote in bytes [8, 16) of ws");
  g.check.arm();
  g.check.begin(0);
  g.check.begin(2);  // what it wants is not written whole
  EXPECT_EQ(g.check.missed().size(), 1U);
}

TEST(ReadCheck, InPlaceIsFineAndOutputsAreReadAfterTheRun) {
  Followed g(op(0, range(0, 8, "in"), range(0, 8, "y")) + "," + op(1, "", range(4, 8)), "",
             "\"inputs\": [" + range(0, 8, "in") + "], \"outputs\": [" + range(0, 8, "y") + "], ");
  EXPECT_EQ(g.run({1, 0}), "op 0 (op0) reads in and finds what op 1 (op1) wrote in bytes [4, 8) of ws");
  EXPECT_EQ(g.run({0, 1}), "output y and finds what op 1 (op1) wrote in bytes [4, 8) of ws");
  Followed good(op(0, range(0, 8, "in"), range(0, 8, "y")), "",
                "\"inputs\": [" + range(0, 8, "in") + "], \"outputs\": [" + range(0, 8, "y") + "], ");
  EXPECT_EQ(good.run({0}), "");
}

TEST(ReadCheck, BytesOfTwoValuesHoldNeither) {
  Followed g(op(0, "", range(0, 16, "a") + ", " + range(8, 16, "b")) + "," + op(1, range(0, 8, "a"), "") + "," +
                 op(2, range(8, 8, "a"), "") + "," + op(3, range(16, 8, "b"), ""),
             "[0, 1], [0, 2], [0, 3]");
  EXPECT_EQ(g.run({0, 1, 2, 3}), "op 2 (op2) reads a and finds what op 0 (op0) wrote in bytes [8, 16) of ws");
  EXPECT_EQ(g.check.missed().size(), 1U);
}

TEST(ReadCheck, WhatCommutesMayComeInAnyOrder) {
  GraphSpec spec = make_ops(3);
  spec.ops[0].writes = {{0, 0, 8}};
  spec.ops[1].reads = {{0, 0, 8}};
  spec.ops[2].writes = {{0, 0, 8}};
  spec.edges = {{0, 1}};
  DescTables tables(spec);
  for (detent_tensor& tensor : tables.tensors) tensor.flags = 0;
  tables.tensor_refs = {0, 0, 2};  // ops 0 and 1 share tensor 0; op 2 has its own at the same place
  tables.refresh();
  const auto missed = [&] {
    ReadCheck check(tables.desc, nullptr);
    for (const std::uint32_t op : {0U, 2U, 1U}) {
      check.begin(op);
      check.end(op);
    }
    return check.finish().has_value();
  };
  EXPECT_TRUE(missed());
  tables.ops[1].commute_group = tables.ops[2].commute_group = 5;
  EXPECT_FALSE(missed());
  tables.ops[1].commute_group = DETENT_NONE;
  tables.ops[0].commute_group = 5;
  EXPECT_FALSE(missed());
}

TEST(ReadCheck, AReaderThatCommutesWithItsWriterMayComeFirst) {
  GraphSpec spec = make_ops(2);
  spec.ops[0].writes = {{0, 0, 8}};
  spec.ops[1].reads = {{0, 0, 8}};
  DescTables tables(spec);
  for (detent_tensor& tensor : tables.tensors) tensor.flags = 0;
  tables.tensor_refs = {0, 0};
  tables.refresh();
  const auto missed = [&] {
    ReadCheck check(tables.desc, nullptr);
    check.begin(1);
    check.end(1);
    return check.finish().has_value();
  };
  EXPECT_TRUE(missed());
  tables.ops[0].commute_group = tables.ops[1].commute_group = 1;
  EXPECT_FALSE(missed());
}

TEST(ReadCheck, TooManyBlocksAreNotFollowed) {
  GraphSpec spec = make_ops(2);
  spec.regions = testing::workspaces({1 << 26});
  spec.ops[0].writes = {{0, 0, 1, 1U << 23U, 2}};
  const DescTables tables(spec);
  const ReadCheck check(tables.desc, nullptr);
  EXPECT_EQ(check.refused(), "too many blocks to follow each");
  EXPECT_EQ(check.reads(), 0U);
  ReadRuns runs;
  runs.refused = check.refused();
  EXPECT_EQ(judge_read_runs(tables.desc, runs).summary, "not executed: too many blocks to follow each");
}

TEST(ReadCheck, TracesAreFollowedByTime) {
  Followed g(kReuse, "[0, 1]");
  harness::Trace trace;
  trace.spans = {{0, 0, 0, 10, 1}, {2, 1, 10, 25, 2}, {1, 0, 25, 30, 3}};
  EXPECT_EQ(g.text_of(check_reads(g.lowered.desc(), g.check, trace)), "");
  trace.spans[2] = {1, 0, 24, 30, 3};
  EXPECT_EQ(g.text_of(check_reads(g.lowered.desc(), g.check, trace)),
            "op 2 (op2) reads x and finds what op 1 (op1) wrote in bytes [8, 16) of ws");
  Followed instant(op(0, range(0, 8, "x"), "") + "," + op(1, "", range(0, 8, "x")), "[1, 0]");
  trace.spans = {{0, 0, 5, 5, 2}, {1, 1, 5, 5, 1}};  // no time: in the order of the edges
  EXPECT_EQ(instant.text_of(check_reads(instant.lowered.desc(), instant.check, trace)), "");
}

TEST(ReadCheck, RunsAreJudged) {
  Followed g(kReuse, "[0, 1]");
  const detent_desc& desc = g.lowered.desc();
  EXPECT_EQ(judge_read_runs(desc, {}).summary, "not executed");
  EXPECT_EQ(judge_read_runs(desc, {}).outcome, Outcome::kUnknown);
  ReadRuns runs{.runs = 3};
  EXPECT_TRUE(is_vacuous(judge_read_runs(desc, runs)));
  runs.reads = 1;
  EXPECT_EQ(judge_read_runs(desc, runs).summary,
            "1 read of a value followed in 3 runs: each found what the op that writes it had written");
  runs.missing = 1;
  EXPECT_EQ(judge_read_runs(desc, runs).summary,
            "1 read of a value followed in 3 runs: other bytes were found in 1 of them");
  EXPECT_EQ(judge_read_runs(desc, runs).outcome, Outcome::kViolated);
  g.run({0, 1, 2});
  runs.first = g.check.missed().front();
  runs.schedule = {0, 1, 2};
  const Verdict verdict = judge_read_runs(desc, runs);
  ASSERT_EQ(verdict.witnesses.size(), 1U);
  EXPECT_EQ(verdict.witnesses[0].ops, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(verdict.witnesses[0].schedule, runs.schedule);
}

TEST(ReadCheck, ResultsClaimNothing) {
  test::expect_zero(ReadRuns{}.reads, ReadRuns{}.runs, ReadRuns{}.missing, MissedRead{}.offset_bytes,
                    MissedRead{}.size_bytes, MissedRead{}.region);
  EXPECT_EQ(MissedRead{}.reader, DETENT_NONE);
  EXPECT_EQ(MissedRead{}.found, DETENT_NONE);
}

TEST(ReadWatch, AnExecutedRunIsFollowed) {
  Followed g(kReuse, "[0, 1], [1, 2]");
  ReadWatch watch(g.lowered.desc(), &g.values, {});
  harness::NativeOptions options;
  options.engine.workers = 2;
  options.backends = {watch.backend()};
  watch.arm();
  EXPECT_EQ(harness::run_native(g.lowered.desc(), options).result.error.status, DETENT_OK);
  EXPECT_EQ(g.text_of(watch.finish()), "op 2 (op2) reads x and finds what op 1 (op1) wrote in bytes [8, 16) of ws");
}

}  // namespace
}  // namespace detent::verify
