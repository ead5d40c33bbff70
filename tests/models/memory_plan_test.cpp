#include "models/plan/memory_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/input_error.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/layers.hpp"
#include "models/builder/random_model.hpp"
#include "models/core/dag.hpp"
#include "models/plan/internal.hpp"
#include "models/plan/plan_check.hpp"
#include "models/plan/timeline.hpp"

namespace detent::models {
namespace {

using Id = TensorId;

Id input(Builder& b) { return b.input("x", {64}, DETENT_U8); }

/// source -> left, right -> join -> end.
Model unplaced_diamond() {
  Builder b("diamond");
  const Id source = mix(b, "source", {input(b)}, 100);
  const Id join = mix(b, "join", {mix(b, "left", {source}, 200), mix(b, "right", {source}, 300)}, 400);
  b.output(mix(b, "end", {join}, 500));
  return b.finish();
}

const Tensor& named(const Model& model, const std::string& name) {
  for (const Tensor& tensor : model.tensors) {
    if (tensor.name == name) return tensor;
  }
  throw std::out_of_range(name);
}

bool share(const Model& model, const std::string& a, const std::string& b) {
  const Tensor& s = named(model, a);
  const Tensor& t = named(model, b);
  return s.region == t.region && s.offset_bytes < t.offset_bytes + t.size_bytes &&
         t.offset_bytes < s.offset_bytes + s.size_bytes;
}

TEST(MemoryPlan, ChainNeedsTwoBuffers) {
  Builder b("chain");
  Id x = input(b);
  for (int i = 0; i < 10; ++i) x = mix(b, "op" + std::to_string(i), {x}, 64);
  b.output(x);
  Model model = b.finish();
  const MemoryPlan plan = plan_memory(model);
  EXPECT_EQ(plan.arena_bytes, 128U);
  EXPECT_EQ(plan.lower_bound_bytes, 128U);
  EXPECT_EQ(plan.unshared_bytes, 9U * 64);
  EXPECT_TRUE(find_plan_faults(model).empty());
}

TEST(MemoryPlan, BranchesNeverShare) {
  Model model = unplaced_diamond();
  const MemoryPlan plan = plan_memory(model);
  EXPECT_FALSE(share(model, "left", "right"));
  EXPECT_FALSE(share(model, "source", "left"));
  EXPECT_EQ(plan.lower_bound_bytes, 900U);  // left, right, join
  EXPECT_TRUE(share(model, "source", "join"));
}

TEST(MemoryPlan, BytesOfAnInputStayWhileAnUnorderedOpReadsThem) {
  // source -> slow -> end, source -> quick -> late -> end: "late" may not take over "source".
  Builder b("war");
  const Id source = mix(b, "source", {input(b)}, 64);
  const Id slow = mix(b, "slow", {source}, 64);
  const Id late = mix(b, "late", {mix(b, "quick", {source}, 64)}, 64);
  b.output(mix(b, "end", {slow, late}, 64));
  Model model = b.finish();
  plan_memory(model);
  EXPECT_FALSE(share(model, "source", "late"));
  plan_memory(model, {.order = PlanOrder::kSerial});
  EXPECT_TRUE(find_plan_faults(model, PlanOrder::kSerial).empty());
  EXPECT_FALSE(find_plan_faults(model, PlanOrder::kParallel).empty());
}

TEST(MemoryPlan, ReadersOfAViewKeepTheBaseAlive) {
  Builder b("views");
  const Id base = mix(b, "base", {input(b)}, 256);
  const Id part = b.view("part", base, {.dims = {64}, .offset_bytes = 64, .block_bytes = 64});
  const Id other = mix(b, "other", {base}, 256);
  const Id next = mix(b, "next", {other}, 256);
  b.output(mix(b, "end", {part, next}, 64));
  Model model = b.finish();
  plan_memory(model);
  EXPECT_FALSE(share(model, "base", "next"));
  EXPECT_TRUE(find_plan_faults(model).empty());
}

TEST(MemoryPlan, EveryWriterOfPartsMustComeAfter) {
  // "first" is done before part0 is written, but part1's writer is not ordered behind it.
  Builder b("parts");
  const Id x = input(b);
  const Id first = mix(b, "first", {x}, 512);
  const Id second = mix(b, "second", {first}, 64);
  const Id base = b.buffer("base", {128});
  const auto half = [&](const char* name, std::uint64_t offset) {
    return b.view(name, base, {.dims = {64}, .offset_bytes = offset, .block_bytes = 256});
  };
  mix(b, "write0", {second}, 8);
  b.last_op().outputs = {half("part0", 0)};
  mix(b, "write1", {x}, 8);
  b.last_op().outputs = {half("part1", 256)};
  b.output(mix(b, "end", {base}, 8));
  Model model = b.finish();
  plan_memory(model);
  EXPECT_FALSE(share(model, "first", "base"));
  EXPECT_TRUE(find_plan_faults(model).empty());
}

TEST(MemoryPlan, RegionsFollowRoles) {
  Builder b("roles");
  const Id x = conv(b, "conv", b.input("image", {1, 3, 8, 8}), {.out_channels = 16});
  b.output(conv(b, "out", x, {.out_channels = 16}));
  Model model = b.finish();
  const MemoryPlan plan = plan_memory(model);
  ASSERT_EQ(model.regions.size(), 4U);
  EXPECT_EQ(model.regions[named(model, "image").region].kind, DETENT_REGION_INPUT);
  EXPECT_EQ(model.regions[named(model, "conv").region].kind, DETENT_REGION_WORKSPACE);
  EXPECT_EQ(model.regions[named(model, "out").region].kind, DETENT_REGION_OUTPUT);
  EXPECT_EQ(model.regions[named(model, "conv.weight").region].kind, DETENT_REGION_WEIGHTS);
  EXPECT_EQ(plan.placements.size(), model.tensors.size());
}

TEST(MemoryPlan, EachInputAndOutputIsARegionUnlessThereAreVeryMany) {
  for (const std::uint32_t count : {1U, 2U, 256U, 257U}) {
    Builder b("many");
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      b.output(mix(b, "out" + number, {b.input("in" + number, {10}, DETENT_U8)}, 10));
    }
    Model model = b.finish();
    for (Tensor& tensor : model.tensors) tensor.align_bytes = 8;
    plan_memory(model);
    const std::size_t regions = count > 256 ? 1 : count;
    ASSERT_EQ(model.regions.size(), 2 * regions);
    EXPECT_EQ(model.regions[0].name, regions == 1 ? "input" : "input in0");
    EXPECT_EQ(model.regions[0].align_bytes, count > 256 ? 64U : 8U) << count;
    EXPECT_EQ(model.regions[0].size_bytes, count > 256 ? 256U * 64 + 10 : 10U);
    EXPECT_EQ(named(model, "out" + std::to_string(count - 1)).region, 2 * regions - 1);
    EXPECT_TRUE(find_plan_faults(model).empty());
  }
}

TEST(MemoryPlan, OffsetsKeepTheAlignmentAsked) {
  Model model = make_random_model({.seed = 3, .ops = 40});
  plan_memory(model, {.align_bytes = 256});
  for (const Tensor& tensor : model.tensors) EXPECT_EQ(tensor.offset_bytes % 256, 0U);
}

TEST(MemoryPlan, CapacityErrorNamesTheTensorsAtThePeak) {
  Model model = unplaced_diamond();
  try {
    plan_memory(model, {.capacity_bytes = 512});
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text,
              "diamond:plan: the workspace needs 1024 bytes, the capacity is 512; live together at the peak: join "
              "(400), right (300), left (200); no plan under this sharing rule fits");
  }
  EXPECT_NO_THROW(plan_memory(model, {.capacity_bytes = 1024}));
}

TEST(MemoryPlan, ByteRangesStayWhereTheyAre) {
  Model model;
  model.regions.push_back({.name = "ws", .size_bytes = 256});
  Tensor range;
  range.role = TensorRole::kRange;
  range.region = 0;
  range.offset_bytes = 3;
  range.size_bytes = range.block_bytes = 10;
  model.tensors.push_back(range);
  model.ops.push_back({});
  model.ops[0].outputs = {0};
  const MemoryPlan plan = plan_memory(model);
  EXPECT_EQ(plan.arena_bytes, 256U);
  EXPECT_TRUE(plan.placements.empty());
  EXPECT_EQ(model.tensors[0].offset_bytes, 3U);
  EXPECT_EQ(model.regions.size(), 1U);
}

TEST(MemoryPlan, B20_CycleIsRefusedBeforeAnythingChanges) {
  Model model = unplaced_diamond();
  plan_memory(model);
  const std::size_t regions = model.regions.size();
  model.edges.push_back({3, 0, 0, 0});
  EXPECT_THROW(plan_memory(model), InputError);
  EXPECT_EQ(model.regions.size(), regions);
}

TEST(MemoryPlan, SerialIsNeverLargerThanItsBoundAllows) {
  Model model = make_random_model({.seed = 9, .ops = 200});
  const MemoryPlan parallel = plan_memory(model);
  const MemoryPlan serial = plan_memory(model, {.order = PlanOrder::kSerial});
  EXPECT_LE(serial.lower_bound_bytes, parallel.lower_bound_bytes);
  EXPECT_LE(serial.arena_bytes, parallel.arena_bytes);
}

/// Just above the limit of what is planned in pairs, and three shapes by a lower limit.
TEST(MemoryPlan, MoreTensorsThanPairsAllowTakeLittleMoreThanTheirBound) {
  constexpr std::uint32_t kPairwise = PlanOptions{}.pairwise_tensors;
  const auto expect_small = [](const RandomOptions& random, const PlanOptions& options) {
    Model model = make_random_model(random);
    const MemoryPlan plan = plan_memory(model, options);
    EXPECT_GT(plan.lower_bound_bytes, 300'000U) << "more than what one op touches";
    EXPECT_GE(plan.arena_bytes, plan.lower_bound_bytes);
    EXPECT_LE(plan.arena_bytes, plan.lower_bound_bytes / 100 * 115);
    EXPECT_LT(plan.arena_bytes, plan.unshared_bytes);
    EXPECT_EQ(plan.placements.size(), model.tensors.size());
  };
  expect_small({.seed = 5, .ops = kPairwise + 100, .shape = RandomShape::kSeriesParallel}, {});
  for (const RandomShape shape : {RandomShape::kSeriesParallel, RandomShape::kLayered, RandomShape::kErdos})
    expect_small({.seed = 5, .ops = 9'000, .shape = shape}, {.pairwise_tensors = 1000, .window_tensors = 2000});
}

/// The way for very many tensors, on few, where the validator is quick.
TEST(MemoryPlan, PlansInWindowsAreValid) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    Model model = make_random_model({.seed = seed, .ops = 80, .shape = static_cast<RandomShape>(seed % 3)});
    for (const PlanOrder order : {PlanOrder::kParallel, PlanOrder::kSerial}) {
      plan_memory(model, {.order = order, .pairwise_tensors = 0, .window_tensors = 1 + seed % 16});
      EXPECT_TRUE(find_plan_faults(model, order).empty()) << seed;
    }
  }
}

TEST(MemoryPlan, QuickPlansAreValidAndHaveNoBound) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    Model model = make_random_model({.seed = seed, .ops = 80, .shape = static_cast<RandomShape>(seed % 3)});
    const MemoryPlan plan = plan_memory(model, {.pairwise_tensors = 0, .quick = true});
    EXPECT_TRUE(find_plan_faults(model).empty()) << seed;
    EXPECT_EQ(plan.lower_bound_bytes, 0U);
    EXPECT_LE(plan.arena_bytes, plan.unshared_bytes) << seed;
    const MemoryPlan in_pairs = plan_memory(model);
    EXPECT_LT(plan_memory(model, {.quick = true}).arena_bytes, plan.arena_bytes + 1) << "few are placed in pairs";
    EXPECT_GT(in_pairs.lower_bound_bytes, 0U);
  }
}

/// Spans of few items and few ops: what is not looked at is nobody's to use.
TEST(MemoryPlan, WindowsThatSeeLittleOfWhatIsThereAreValid) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Model model = make_random_model({.seed = seed, .ops = 120, .shape = static_cast<RandomShape>(seed % 3)});
    plan_memory(model, {.rounds = 0});
    const std::vector<planner::Item> items = planner::workspace_items(model, 64);
    const planner::Timeline line = planner::make_timeline(model, items, PlanOrder::kParallel);
    const planner::Layout layout = planner::place_by_windows(items, line, planner::first_followers(line, 8),
                                                             {.items = 7, .spans = 5, .lookback = seed});
    for (std::size_t i = 0; i < items.size(); ++i) model.tensors[items[i].tensor].offset_bytes = layout.offsets[i];
    if (!items.empty()) model.regions[model.tensors[items[0].tensor].region].size_bytes = layout.height_bytes;
    EXPECT_TRUE(find_plan_faults(model).empty()) << seed;
  }
}

/// Items with users of a random model, none of them planned.
std::vector<planner::Item> items_of(const Model& model) {
  const auto accesses = accesses_by_root(model);
  std::vector<planner::Item> items;
  for (std::uint32_t id = 0; id < model.tensors.size(); ++id) {
    if (model.tensors[id].role != TensorRole::kActivation) continue;
    items.push_back({id, model.tensors[id].size_bytes, 0, {}});
    for (const Access& access : accesses[id]) items.back().users.push_back(access.op);
    std::ranges::sort(items.back().users);
    const auto rest = std::ranges::unique(items.back().users);
    items.back().users.erase(rest.begin(), rest.end());
  }
  return items;
}

/// What lives at one op may share no byte; in one order of the ops nothing else keeps tensors apart.
TEST(MemoryPlan, TheWidestMomentIsNoHeavierThanTheHeaviestAntichain) {
  bool is_less = false, is_above_serial = false;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Model model = make_random_model({.seed = seed, .ops = 200, .shape = static_cast<RandomShape>(seed % 3)});
    const std::vector<planner::Item> items = items_of(model);
    std::uint64_t in_series = 0;
    for (const PlanOrder order : {PlanOrder::kSerial, PlanOrder::kParallel}) {
      const planner::BitMatrix before = planner::precedence(model, items, order);
      const auto exact = planner::heaviest_antichain(items, before, UINT64_MAX);
      const planner::LowerBound widest = planner::widest_moment(model, items, order);
      std::uint64_t bytes = 0;
      for (const std::uint32_t item : widest.items) bytes += items[item].size_bytes;
      EXPECT_EQ(bytes, widest.bytes) << seed;
      for (const std::uint32_t a : widest.items) {
        for (const std::uint32_t b : widest.items) EXPECT_FALSE(before.test(a, b)) << seed;
      }
      if (order == PlanOrder::kSerial) {
        EXPECT_EQ(widest.bytes, exact->bytes) << seed;
        in_series = widest.bytes;
      }
      EXPECT_LE(widest.bytes, exact->bytes) << seed;
      is_less = is_less || widest.bytes < exact->bytes;
      is_above_serial = is_above_serial || widest.bytes > in_series;
    }
  }
  EXPECT_TRUE(is_less);
  EXPECT_TRUE(is_above_serial);
}

/// Two ways to one number: pairs and their closure, and the edges alone.
TEST(MemoryPlan, TheHeaviestCutIsAnAntichainAndMostOftenTheHeaviest) {
  int equal = 0, below = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Model model = make_random_model({.seed = seed, .ops = 150, .shape = static_cast<RandomShape>(seed % 3)});
    const std::vector<planner::Item> items = items_of(model);
    for (const PlanOrder order : {PlanOrder::kSerial, PlanOrder::kParallel}) {
      const planner::BitMatrix before = planner::precedence(model, items, order);
      const std::uint64_t exact = planner::heaviest_antichain(items, before, UINT64_MAX)->bytes;
      const planner::Timeline line = planner::make_timeline(model, items, order);
      // Ops whose followers are few are searched in full; with all ops to look at, so are the others.
      for (const std::size_t most_ops : {std::size_t{0}, std::size_t{20}, model.ops.size()}) {
        for (const std::uint64_t steps : {std::uint64_t{0}, std::uint64_t{1000}, UINT64_MAX}) {
          const Rows<std::uint32_t> followers = planner::first_followers(line, most_ops);
          const planner::LowerBound cut = planner::heaviest_cut(items, line, followers, steps);
          std::uint64_t bytes = 0;
          for (const std::uint32_t item : cut.items) bytes += items[item].size_bytes;
          EXPECT_EQ(bytes, cut.bytes) << seed;
          for (const std::uint32_t a : cut.items) {
            for (const std::uint32_t b : cut.items) EXPECT_FALSE(before.test(a, b)) << seed;
          }
          EXPECT_LE(cut.bytes, exact) << seed;
          if (steps == UINT64_MAX && most_ops == model.ops.size()) (cut.bytes == exact ? equal : below) += 1;
        }
      }
    }
  }
  EXPECT_GT(equal, 8 * below);
}

TEST(MemoryPlan, AFlowThatTakesTooManyStepsGivesNoBound) {
  const Model model = make_random_model({.seed = 1, .ops = 50});
  const std::vector<planner::Item> items = items_of(model);
  const planner::BitMatrix before = planner::precedence(model, items, PlanOrder::kParallel);
  EXPECT_FALSE(planner::heaviest_antichain(items, before, 10));
  EXPECT_TRUE(planner::heaviest_antichain(items, before, 100'000));
}

/// Blocks of 64 items and of 512 users, against paths followed one by one.
TEST(MemoryPlan, PrecedenceEqualsPathsAcrossBlocks) {
  const Model model = make_random_model({.seed = 3, .ops = 330, .shape = RandomShape::kSeriesParallel});
  const std::vector<planner::Item> items = items_of(model);
  std::vector<std::vector<bool>> reach(model.ops.size(), std::vector<bool>(model.ops.size(), false));
  const auto order = topological_order(model);
  for (std::size_t i = order.size(); i-- > 0;) {
    for (const Edge& edge : model.edges) {
      if (edge.from != order[i]) continue;
      reach[edge.from][edge.to] = true;
      for (std::size_t op = 0; op < reach.size(); ++op) {
        if (reach[edge.to][op]) reach[edge.from][op] = true;
      }
    }
  }
  const planner::BitMatrix before = planner::precedence(model, items, PlanOrder::kParallel);
  const planner::BitMatrix related = planner::comparable(before);
  for (std::size_t a = 0; a < items.size(); ++a) {
    for (std::size_t b = 0; b < items.size(); ++b) {
      const bool expected = a != b && std::ranges::all_of(items[a].users, [&](std::uint32_t x) {
                              return std::ranges::all_of(items[b].users, [&](std::uint32_t y) { return reach[x][y]; });
                            });
      ASSERT_EQ(before.test(a, b), expected) << a << " " << b;
      ASSERT_EQ(related.test(a, b), before.test(a, b) || before.test(b, a)) << a << " " << b;
    }
  }
}

TEST(MemoryPlanCheck, FindsEveryPlantedFault) {
  Model good = unplaced_diamond();
  plan_memory(good);
  ASSERT_TRUE(find_plan_faults(good).empty());
  const auto faulty = [&](const char* name, const auto& change) {
    Model model = good;
    for (Tensor& tensor : model.tensors) {
      if (tensor.name == name) change(model, tensor);
    }
    return find_plan_faults(model);
  };
  const auto onto = [](const char* other) {
    return [other](Model& model, Tensor& tensor) { tensor.offset_bytes = named(model, other).offset_bytes; };
  };
  EXPECT_EQ(faulty("left", onto("right")).size(), 1U);
  EXPECT_FALSE(faulty("join", onto("left")).empty());
  EXPECT_FALSE(faulty("left", [](Model&, Tensor& t) { t.offset_bytes += 1; }).empty());
  EXPECT_FALSE(faulty("left", [](Model&, Tensor& t) { t.offset_bytes = UINT64_MAX - 63; }).empty());
  EXPECT_FALSE(faulty("left", [](Model&, Tensor& t) { t.region = kNone; }).empty());
  EXPECT_FALSE(faulty("end", [](Model& m, Tensor& t) { t.region = named(m, "left").region; }).empty());
}

/// Levels of two ops that read both of the level before: 2^40 paths, and each op is reached once.
TEST(MemoryPlan, ManyPathsAreNotFollowedOneByOne) {
  Builder b("ladder");
  Id left = input(b), right = left;
  for (int i = 0; i < 40; ++i) {
    const Id next = mix(b, "left" + std::to_string(i), {left, right}, 64);
    right = mix(b, "right" + std::to_string(i), {left, right}, 64);
    left = next;
  }
  b.output(mix(b, "end", {left, right}, 64));
  Model model = b.finish();
  const MemoryPlan plan = plan_memory(model);
  EXPECT_EQ(plan.arena_bytes, 256U) << "two levels live at a time";
  EXPECT_TRUE(find_plan_faults(model).empty());
}

}  // namespace
}  // namespace detent::models
