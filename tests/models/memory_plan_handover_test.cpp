// Tensors that an op writes over what it reads: where plans may use it, and that the lower bound stays one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "models/core/dag.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/plan/plan_check.hpp"
#include "tests/support/xorshift.hpp"

namespace detent::models {
namespace {

constexpr std::uint64_t kUnit = 16;

/// A model of plain ops; tensors are added as they are written.
class Graph {
 public:
  Graph() {
    model_.name = "graph";
    model_.inputs.push_back(add("x", TensorRole::kInput, 1));
  }

  std::uint32_t add(const std::string& name, TensorRole role, std::uint64_t units) {
    Tensor tensor;
    tensor.name = name;
    tensor.role = role;
    tensor.size_bytes = tensor.block_bytes = tensor.stride_bytes = units * kUnit;
    tensor.align_bytes = kUnit;
    model_.tensors.push_back(std::move(tensor));
    return static_cast<std::uint32_t>(model_.tensors.size() - 1);
  }

  /// Reads `from`, writes a new tensor; may overwrite each of `from` up to `most`.
  std::uint32_t op(const std::vector<std::uint32_t>& from, std::uint64_t units, std::int64_t most) {
    const auto id = static_cast<std::uint32_t>(model_.ops.size());
    const std::uint32_t to = add("t" + std::to_string(id), TensorRole::kActivation, units);
    Op op;
    op.name = "op" + std::to_string(id);
    op.inputs = from;
    op.outputs = {to};
    model_.ops.push_back(std::move(op));
    for (const std::uint32_t one : from) handovers.push_back({id, one, to, most});
    return to;
  }

  /// The op that wrote `own` writes `to`, too.
  void also_writes(std::uint32_t own, std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t id = 0; id < model_.ops.size(); ++id) {
      if (model_.ops[id].outputs.front() != own) continue;
      model_.ops[id].outputs.push_back(to);
      handovers.push_back({id, from, to, Handover::kAnywhere});
    }
  }

  MemoryPlan plan() {
    model_.edges = derive_edges(model_);
    return plan_memory(model_, {.align_bytes = kUnit, .handovers = handovers});
  }

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] std::int64_t offset(std::uint32_t tensor) const {
    return static_cast<std::int64_t>(model_.tensors[tensor].offset_bytes);
  }
  std::vector<Handover> handovers;

 private:
  Model model_;
};

TEST(MemoryPlanHandover, AChainNeedsOneBuffer) {
  Graph graph;
  std::uint32_t last = graph.op({0}, 4, 0);
  for (int i = 0; i < 8; ++i) last = graph.op({last}, 4, 0);
  const MemoryPlan plan = graph.plan();
  EXPECT_EQ(plan.arena_bytes, 4 * kUnit);
  EXPECT_EQ(plan.lower_bound_bytes, 4 * kUnit);
  EXPECT_FALSE(graph.model().ops[0].in_place) << "its input is the application's";
  for (std::size_t i = 1; i < graph.model().ops.size(); ++i) EXPECT_TRUE(graph.model().ops[i].in_place) << i;
  EXPECT_TRUE(find_plan_faults(graph.model()).empty());
}

TEST(MemoryPlanHandover, AnOutputStartsAsFarBeforeItsInputAsItMust) {
  Graph graph;
  const std::uint32_t from = graph.op({0}, 4, 0);
  const std::uint32_t to = graph.op({from}, 4, -32);
  const MemoryPlan plan = graph.plan();
  EXPECT_EQ(graph.offset(to) - graph.offset(from), -32);
  EXPECT_EQ(plan.arena_bytes, 6 * kUnit);
  EXPECT_LE(plan.lower_bound_bytes, plan.arena_bytes);
}

TEST(MemoryPlanHandover, ADisplacementBetweenPlacesIsRoundedDown) {
  Graph graph;
  const std::uint32_t from = graph.op({0}, 4, 0);
  const std::uint32_t to = graph.op({from}, 4, -4);
  graph.plan();
  EXPECT_LE(graph.offset(to) - graph.offset(from), -static_cast<std::int64_t>(kUnit));
}

TEST(MemoryPlanHandover, InputWithAnotherReaderIsNotOverwritten) {
  Graph graph;
  const std::uint32_t from = graph.op({0}, 4, 0);
  const std::uint32_t left = graph.op({from}, 4, 0);
  const std::uint32_t right = graph.op({from}, 4, 0);
  graph.op({left, right}, 4, 0);
  const MemoryPlan plan = graph.plan();
  EXPECT_EQ(plan.arena_bytes, 12 * kUnit) << "left and right may run at once, and neither ends what both read";
  EXPECT_FALSE(graph.model().ops[1].in_place);
  EXPECT_FALSE(graph.model().ops[2].in_place);
  EXPECT_TRUE(graph.model().ops[3].in_place);
  EXPECT_TRUE(find_plan_faults(graph.model()).empty());
}

TEST(MemoryPlanHandover, AnOutputThatIsBegunEarlierKeepsItsBytes) {
  // op2 adds to what op1 has begun to write while op0's result is still to be read.
  Graph graph;
  const std::uint32_t from = graph.op({0}, 4, 0);
  const std::uint32_t to = graph.op({0}, 4, 0);
  graph.also_writes(graph.op({from}, 1, 0), from, to);
  graph.plan();
  EXPECT_TRUE(std::abs(graph.offset(to) - graph.offset(from)) >= 64);
  EXPECT_TRUE(find_plan_faults(graph.model()).empty());
}

TEST(MemoryPlanHandover, AnOpMayOverwriteBothItsInputs) {
  Graph graph;
  const std::uint32_t left = graph.op({0}, 2, 0);
  const std::uint32_t right = graph.op({0}, 2, 0);
  graph.op({left, right}, 4, Handover::kAnywhere);
  const MemoryPlan plan = graph.plan();
  EXPECT_EQ(plan.arena_bytes, 4 * kUnit);
  EXPECT_EQ(plan.lower_bound_bytes, 4 * kUnit);
}

TEST(MemoryPlanHandover, TheCheckKnowsOpsInPlace) {
  Graph graph;
  const std::uint32_t from = graph.op({0}, 4, 0);
  graph.op({from}, 4, 0);
  graph.plan();
  Model model = graph.model();
  ASSERT_TRUE(find_plan_faults(model).empty());
  model.ops[1].in_place = false;
  EXPECT_EQ(find_plan_faults(model).size(), 1U);
  model.ops[1].in_place = true;
  model.ops[1].outputs.push_back(from);
  EXPECT_FALSE(find_plan_faults(model).empty()) << "the op writes what it should only read";
  model = graph.model();
  model.ops[1].inputs.push_back(model.ops[1].outputs[0]);
  EXPECT_FALSE(find_plan_faults(model).empty()) << "the op reads what it should only write";
}

// --- random graphs against brute force

Graph random_graph(std::uint64_t seed) {
  support::Xorshift random(seed);
  Graph graph;
  std::vector<std::uint32_t> made = {0};
  const std::uint64_t ops = 3 + random.below(3);
  for (std::uint64_t i = 0; i < ops; ++i) {
    std::vector<std::uint32_t> from = {made[made.size() - 1 - random.below(std::min<std::size_t>(made.size(), 2))]};
    const std::uint32_t other = made[random.below(made.size())];
    if (random.below(2) == 0 && other != from[0]) from.push_back(other);
    const std::int64_t mosts[] = {0, Handover::kAnywhere, -16, 16, -40};
    made.push_back(graph.op(from, 1 + random.below(4), mosts[random.below(5)]));
    if (random.below(4) == 0) graph.handovers.pop_back();
  }
  return graph;
}

/// What a plan must keep to, from the definition, by paths found one after the other.
class Rules {
 public:
  explicit Rules(const Graph& graph) : graph_(graph), model_(graph.model()) {
    const std::size_t n = model_.ops.size();
    path_.assign(n, std::vector<bool>(n, false));
    for (const Edge& edge : model_.edges) path_[edge.from][edge.to] = true;
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) path_[i][j] = path_[i][j] || (path_[i][k] && path_[k][j]);
    users_.resize(model_.tensors.size());
    for (std::uint32_t op = 0; op < n; ++op) {
      for (const std::uint32_t tensor : model_.ops[op].inputs) users_[tensor].push_back(op);
      for (const std::uint32_t tensor : model_.ops[op].outputs) users_[tensor].push_back(op);
    }
  }

  [[nodiscard]] bool allow(std::uint32_t a, std::int64_t at_a, std::uint32_t b, std::int64_t at_b) const {
    const bool meet = at_a < at_b + size(b) && at_b < at_a + size(a);
    return !meet || precedes(a, b) || precedes(b, a) || hands_over(a, at_a, b, at_b) || hands_over(b, at_b, a, at_a);
  }
  [[nodiscard]] std::int64_t size(std::uint32_t tensor) const {
    return static_cast<std::int64_t>(model_.tensors[tensor].size_bytes);
  }

 private:
  [[nodiscard]] bool precedes(std::uint32_t a, std::uint32_t b) const {
    return std::ranges::all_of(users_[a], [&](std::uint32_t one) {
      return std::ranges::all_of(users_[b], [&](std::uint32_t other) { return path_[one][other]; });
    });
  }
  [[nodiscard]] bool hands_over(std::uint32_t from, std::int64_t at_from, std::uint32_t to, std::int64_t at_to) const {
    return std::ranges::any_of(graph_.handovers, [&](const Handover& handover) {
      if (handover.from != from || handover.to != to) return false;
      const auto ends = [&](std::uint32_t user) { return user == handover.op || path_[user][handover.op]; };
      const auto begins = [&](std::uint32_t user) { return user == handover.op || path_[handover.op][user]; };
      return at_to - at_from <= handover.most_displacement_bytes && std::ranges::all_of(users_[from], ends) &&
             std::ranges::all_of(users_[to], begins);
    });
  }

  const Graph& graph_;
  const Model& model_;
  std::vector<std::vector<bool>> path_;
  std::vector<std::vector<std::uint32_t>> users_;
};

/// The least arena below `limit`, or `limit`: every place of every tensor is tried.
std::int64_t least_arena(const Rules& rules, const std::vector<std::uint32_t>& tensors, std::int64_t limit) {
  std::int64_t best = limit;
  std::vector<std::int64_t> places;
  const std::function<void(std::int64_t)> search = [&](std::int64_t height) {
    if (height >= best) return;
    if (places.size() == tensors.size()) {
      best = height;
      return;
    }
    const std::uint32_t tensor = tensors[places.size()];
    for (std::int64_t at = 0; at + rules.size(tensor) < best; at += kUnit) {
      bool fits = true;
      for (std::size_t i = 0; i < places.size() && fits; ++i) fits = rules.allow(tensors[i], places[i], tensor, at);
      if (!fits) continue;
      places.push_back(at);
      search(std::max(height, at + rules.size(tensor)));
      places.pop_back();
    }
  };
  search(0);
  return best;
}

TEST(MemoryPlanHandover, NoPlanIsBelowTheBoundAndEachKeepsTheRules) {
  std::size_t optimal = 0, tight = 0, in_place = 0;
  constexpr std::uint64_t kGraphs = 400;
  for (std::uint64_t seed = 1; seed <= kGraphs; ++seed) {
    Graph graph = random_graph(seed);
    const MemoryPlan plan = graph.plan();
    const Rules rules(graph);
    std::vector<std::uint32_t> tensors;
    for (std::uint32_t id = 1; id < graph.model().tensors.size(); ++id) tensors.push_back(id);
    for (const std::uint32_t a : tensors) {
      for (const std::uint32_t b : tensors) {
        ASSERT_TRUE(a == b || rules.allow(a, graph.offset(a), b, graph.offset(b))) << seed << ": " << a << ", " << b;
      }
    }
    ASSERT_TRUE(find_plan_faults(graph.model()).empty()) << seed;
    const auto found = static_cast<std::int64_t>(plan.arena_bytes);
    const std::int64_t least = least_arena(rules, tensors, found);
    ASSERT_LE(static_cast<std::int64_t>(plan.lower_bound_bytes), least) << seed;
    optimal += least == found ? 1U : 0U;
    tight += static_cast<std::int64_t>(plan.lower_bound_bytes) == least ? 1U : 0U;
    in_place += std::ranges::any_of(graph.model().ops, [](const Op& op) { return op.in_place; }) ? 1U : 0U;
  }
  EXPECT_GT(optimal, kGraphs * 95 / 100);
  EXPECT_GT(tight, kGraphs / 2);
  EXPECT_GT(in_place, kGraphs / 2);
}

}  // namespace
}  // namespace detent::models
