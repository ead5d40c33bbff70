#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reports/view/dag_layout.hpp"
#include "reports/view/desc_view.hpp"
#include "reports/view/histogram.hpp"
#include "reports/view/lanes.hpp"
#include "reports/view/memory_map.hpp"
#include "reports/view/schedule.hpp"
#include "tests/reports/samples/sample.hpp"

namespace detent::reports {
namespace {

using samples::Tables;

TEST(DescView, B22_BrokenTablesReadAsEmpty) {
  Tables t;
  t.add_region("ws", DETENT_REGION_WORKSPACE, 64);
  const std::uint32_t tensor = t.add_tensor("t", 0, 0, 64);
  t.add_op("a", "k", {}, {tensor});
  t.add_op("b", "k", {tensor}, {});
  detent_desc desc = *t.desc();
  std::vector<detent_op> ops(desc.ops, desc.ops + desc.op_count);
  std::vector<std::uint32_t> successors = {99};
  ops[0].name = nullptr;
  ops[0].kernel = 77;
  ops[0].core_class = 77;
  ops[0].inputs = {UINT32_MAX, UINT32_MAX};
  ops[1].outputs = {0, UINT32_MAX};
  desc.ops = ops.data();
  desc.successors = successors.data();
  EXPECT_EQ(op_name(&desc, 0), "op 0");
  EXPECT_EQ(kernel_name(&desc, 0), "");
  EXPECT_EQ(class_name(&desc, 0), "");
  EXPECT_TRUE(successors_of(&desc, 0).empty());
  EXPECT_TRUE(reads_of(&desc, 0).empty());
  EXPECT_TRUE(writes_of(&desc, 1).empty());
  EXPECT_EQ(op_name(nullptr, 3), "op 3");
  EXPECT_EQ(tensor_name(&desc, 9), "tensor 9");
  EXPECT_EQ(region_name(&desc, 9), "region 9");
}

TEST(DescView, B43_AnAliasCycleEnds) {
  Tables t;
  t.add_region("ws", DETENT_REGION_WORKSPACE, 64);
  t.add_tensor("a", 0, 0, 64);
  t.add_tensor("b", 0, 0, 64);
  t.tensors[0].alias_of = 1;
  t.tensors[1].alias_of = 0;
  EXPECT_EQ(root_tensor(t.desc(), 0), 0U);
  t.tensors[1].alias_of = DETENT_NONE;
  EXPECT_EQ(root_tensor(t.desc(), 0), 1U);
}

TEST(DescView, ConflictsNameKindAndBytes) {
  Tables t;
  t.add_region("ws", DETENT_REGION_WORKSPACE, 256);
  const std::uint32_t a = t.add_tensor("a", 0, 0, 100);
  const std::uint32_t b = t.add_tensor("b", 0, 60, 100);
  const std::uint32_t c = t.add_tensor("c", 0, 160, 10);
  t.add_op("reads", "k", {a}, {c});
  t.add_op("writes", "k", {}, {b});
  const std::vector<Conflict> found = conflicts_of(t.desc(), 0, 1, 10);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_STREQ(found[0].kind, "war");
  EXPECT_EQ(found[0].offset_bytes, 60U);
  EXPECT_EQ(found[0].size_bytes, 40U);
  EXPECT_STREQ(conflicts_of(t.desc(), 1, 0, 10)[0].kind, "raw");
  EXPECT_TRUE(conflicts_of(t.desc(), 0, 7, 10).empty());
}

TEST(DescView, InterleavedBlocksShareNothing) {
  Tables t;
  t.add_region("ws", DETENT_REGION_WORKSPACE, 256);
  for (const std::uint64_t offset : {0U, 8U}) {
    const std::uint32_t tensor = t.add_tensor("half", 0, offset, 56);
    t.tensors[tensor].block_count = 4;
    t.tensors[tensor].block_bytes = 8;
    t.tensors[tensor].stride_bytes = 16;
  }
  t.add_op("even", "k", {}, {0});
  t.add_op("odd", "k", {}, {1});
  EXPECT_TRUE(conflicts_of(t.desc(), 0, 1, 10).empty());
  t.tensors[1].offset_bytes = 4;
  const std::vector<Conflict> found = conflicts_of(t.desc(), 0, 1, 10);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].offset_bytes, 4U);
  EXPECT_EQ(found[0].size_bytes, 52U);
}

TEST(Histogram, EveryValueIsInItsBin) {
  const Histogram bins = histogram_of({10, 11, 19, 20, 29, 30}, 60);
  std::uint64_t total = 0;
  for (const std::uint64_t count : bins.counts) total += count;
  EXPECT_EQ(total, 6U);
  EXPECT_EQ(bins.begin_ps, 10U);
  EXPECT_GE(bins.begin_ps + bins.width_ps * bins.counts.size(), 31U);
  EXPECT_GT(bins.counts.back(), 0U);
}

TEST(Histogram, EqualValuesGiveOneBinAndNoValuesGiveNone) {
  EXPECT_EQ(histogram_of({7, 7, 7}, 60).counts, (std::vector<std::uint64_t>{3}));
  EXPECT_TRUE(histogram_of({}, 60).counts.empty());
  EXPECT_EQ(histogram_of({0, UINT64_MAX - 1}, 60).counts.size(), 3U);
}

TEST(Schedule, ARacingPairLeavesThePrefix) {
  const ScheduleView view = view_schedule({"", {5, 3}, {1, 2, 3, 5, 9}}, true, 10);
  EXPECT_EQ(view.prefix, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_TRUE(view.is_race);
  EXPECT_FALSE(view_schedule({"", {5, 3}, {1, 3, 2, 5}}, true, 10).is_race) << "not neighbours";
  EXPECT_FALSE(view_schedule({"", {5, 3}, {1, 3, 5}}, false, 10).is_race) << "the property is no race";
}

TEST(Schedule, LongOnesKeepTheirLastSteps) {
  const ScheduleView view = view_schedule({"", {9}, {1, 2, 3, 4, 9}}, true, 2);
  EXPECT_EQ(view.prefix, (std::vector<std::uint32_t>{4, 9}));
  EXPECT_EQ(view.cut, 3U);
}

TEST(Lanes, AreNamedBySlotAndNeverOverlap) {
  TimelineRun run;
  run.lanes = {"cpu0", "cpu1"};
  run.trace.spans = {{0, 0, 0, 10, 0}, {1, 0, 5, 8, 0}, {2, 7, 0, 1, 0}, {3, 0, 10, 9, 0}};
  const std::vector<Lane> lanes = lanes_of(run);
  std::vector<std::string> names;
  for (const Lane& lane : lanes) names.push_back(lane.name);
  EXPECT_EQ(names, (std::vector<std::string>{"cpu0", "cpu0 (2)", "cpu1", "slot 7"}));
  EXPECT_EQ(lanes[0].spans.back().end_ps, 10U) << "a span that ends before it begins is an instant";
}

TEST(DagLayout, EdgesGoRightAndOpsOfOneLayerAreARowApart) {
  const samples::Sample sample = samples::detector();
  const DagLayout layout = layout_dag(sample.data.desc);
  for (const LayoutEdge& edge : layout.edges) {
    ASSERT_LT(layout.layer[edge.from], layout.layer[edge.to]);
    EXPECT_EQ(edge.bends.size(), layout.layer[edge.to] - layout.layer[edge.from] - 1);
  }
  for (std::size_t a = 0; a < layout.layer.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (layout.layer[a] != layout.layer[b]) continue;
      EXPECT_GE(std::abs(layout.y[a] - layout.y[b]), 99);
    }
  }
  EXPECT_EQ(*std::min_element(layout.y.begin(), layout.y.end()) >= 0, true);
}

TEST(DagLayout, AChainIsStraight) {
  Tables t;
  for (int i = 0; i < 9; ++i) t.add_op("op", "k", {}, {});
  for (std::uint32_t i = 0; i < 8; ++i) t.add_edge(i, i + 1);
  const DagLayout layout = layout_dag(t.desc());
  EXPECT_EQ(layout.layer_count, 9U);
  EXPECT_EQ(layout.height, 0);
}

TEST(DagLayout, B20_CyclesAndSelfEdgesStillGiveADrawing) {
  Tables t;
  for (int i = 0; i < 4; ++i) t.add_op("op", "k", {}, {});
  t.add_edge(0, 1);
  t.add_edge(1, 2);
  t.add_edge(2, 0);
  t.add_edge(3, 3);
  const DagLayout layout = layout_dag(t.desc());
  EXPECT_EQ(layout.layer, (std::vector<std::uint32_t>{0, 1, 2, 0}));
  EXPECT_EQ(layout.edges.size(), 3U);
  EXPECT_EQ(layout.edges_left_out, 1U);
}

TEST(MemoryMap, ATensorLivesFromItsProducerToItsLastReader) {
  Tables t;
  t.add_region("ws", DETENT_REGION_WORKSPACE, 64);
  t.add_region("w", DETENT_REGION_WEIGHTS, 64);
  const std::uint32_t x = t.add_tensor("x", 0, 0, 16);
  const std::uint32_t view = t.add_tensor("view", 0, 0, 8);
  t.tensors[view].alias_of = x;
  const std::uint32_t weights = t.add_tensor("weights", 1, 0, 16);
  const std::uint32_t in = t.add_tensor("in", 0, 16, 16);
  const std::uint32_t out = t.add_tensor("out", 0, 32, 16);
  t.add_op("make", "k", {in, weights}, {x});
  t.add_op("use", "k", {x}, {});
  t.add_op("use view", "k", {view}, {out});
  t.outputs = {out};
  TimelineRun run;
  run.makespan_ps = 100;
  run.trace.spans = {{0, 0, 10, 20, 0}, {1, 0, 20, 30, 0}, {2, 0, 40, 50, 0}};
  const MemoryMap map = map_memory(t.desc(), &run, 100);
  ASSERT_EQ(map.blocks.size(), 3U) << "no weights, no block for a view";
  EXPECT_TRUE(map.is_time);
  const auto of = [&](std::uint32_t tensor) {
    return *std::find_if(map.blocks.begin(), map.blocks.end(),
                         [&](const MemoryBlock& b) { return b.tensor == tensor; });
  };
  EXPECT_EQ(of(x).begin, 10U);
  EXPECT_EQ(of(x).end, 50U);
  EXPECT_EQ(of(x).producer, 0U);
  EXPECT_EQ(of(in).begin, 0U) << "inputs are there before the run";
  EXPECT_EQ(of(out).end, 100U) << "outputs stay";
}

TEST(MemoryMap, BareRangesAreDrawnPerAccess) {
  Tables t;
  t.add_region("ws", DETENT_REGION_WORKSPACE, 64);
  const std::uint32_t range = t.add_tensor("range", 0, 0, 16);
  t.tensors[range].flags = DETENT_TENSOR_RANGE;
  t.add_op("write", "k", {}, {range});
  t.add_op("read", "k", {range}, {});
  const MemoryMap map = map_memory(t.desc(), nullptr, 100);
  ASSERT_EQ(map.blocks.size(), 2U);
  EXPECT_FALSE(map.is_time);
  EXPECT_TRUE(map.blocks[0].is_write);
  EXPECT_FALSE(map.blocks[1].is_write);
  EXPECT_EQ(map.blocks[1].begin, 1U);
}

/// Op 0 reads what op 1 has written: it stands second, whatever its id.
TEST(MemoryMap, WithoutARunOpsStandInTopologicalOrder) {
  Tables t;
  t.add_region("ws", DETENT_REGION_WORKSPACE, 64);
  const std::uint32_t x = t.add_tensor("x", 0, 0, 16);
  t.add_op("use", "k", {x}, {});
  t.add_op("make", "k", {}, {x});
  t.add_op("after", "k", {}, {});
  t.add_edge(1, 2);
  t.add_edge(2, 0);
  const MemoryMap map = map_memory(t.desc(), nullptr, 100);
  ASSERT_EQ(map.blocks.size(), 1U);
  EXPECT_EQ(map.blocks[0].begin, 0U);
  EXPECT_EQ(map.blocks[0].end, 3U);
  EXPECT_EQ(map.blocks[0].producer, 1U);
}

TEST(MemoryMap, TheLargestBlocksStayWhenSomeMustGo) {
  const samples::Sample sample = samples::detector();
  const MemoryMap all = map_memory(sample.data.desc, nullptr, 1000);
  const MemoryMap some = map_memory(sample.data.desc, nullptr, 10);
  EXPECT_EQ(some.blocks.size(), 10U);
  EXPECT_EQ(some.left_out, all.blocks.size() - 10);
}

/// Levels of two ops, each after both of the level before: 2^40 paths, each op found once.
TEST(DescView, AncestorsAmongManyPathsAreFoundOnce) {
  constexpr std::uint32_t kOps = 82;
  std::vector<std::vector<std::uint32_t>> predecessors(kOps);
  for (std::uint32_t op = 2; op < kOps; ++op) predecessors[op] = {op / 2 * 2 - 2, op / 2 * 2 - 1};
  std::vector<bool> all_before(kOps, true);
  all_before[kOps - 2] = all_before[kOps - 1] = false;
  EXPECT_EQ(ancestors_of(predecessors, kOps - 1), all_before);
}

}  // namespace
}  // namespace detent::reports
