// Laws of the memory plan, row bands and random models.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include <detent/detent.h>

#include "models/builder/builder.hpp"
#include "models/builder/concat.hpp"
#include "models/builder/elementwise.hpp"
#include "models/builder/layers.hpp"
#include "models/builder/split.hpp"
#include "models/core/dag.hpp"
#include "models/lower/lower.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/plan/plan_check.hpp"
#include "properties/law.hpp"
#include "properties/models/arbitrary.hpp"

namespace detent::models {
namespace {

PlanOrder arbitrary_order() { return *rc::gen::arbitrary<bool>() ? PlanOrder::kParallel : PlanOrder::kSerial; }

// A small image network: convolutions, pools, sums and concats at random.
Model pick_network() {
  Builder b("network");
  const auto pick = [](int below) { return *rc::gen::inRange(0, below); };
  std::vector<TensorId> images{conv(b, "stem", b.input("x", {1, 3, 16, 8}), {.out_channels = 32, .kernel = 3})};
  const int layers = 2 + pick(8);
  for (int i = 0; i < layers; ++i) {
    const std::string name = "op" + std::to_string(i);
    const TensorId x = images[static_cast<std::size_t>(pick(static_cast<int>(images.size())))];
    const TensorId y = images[static_cast<std::size_t>(pick(static_cast<int>(images.size())))];
    const int kind = pick(5);
    if (kind == 0) images.push_back(conv(b, name, x, {.out_channels = 32, .kernel = 1 + 2 * pick(3)}));
    if (kind == 1) images.push_back(max_pool(b, name, x, {.kernel = 3, .stride = 1, .pad = 1}));
    if (kind == 2) images.push_back(binary(b, name, DETENT_BINARY_ADD, x, y));
    if (kind == 3) images.push_back(conv(b, name + ".cv", concat(b, name, {x, y}), {.out_channels = 32}));
    if (kind == 4) images.push_back(conv(b, name, channels(b, name + ".half", x, 16, 16), {.out_channels = 32}));
  }
  b.output(conv(b, "head", images.back(), {.out_channels = 16}));
  return b.finish();
}

// The end of a classifier: few rows of many channels, then a product with a matrix.
Model pick_deep_network() {
  Builder b("deep");
  const auto pick = [](int least, int most) { return *rc::gen::inRange(least, most + 1); };
  TensorId x = conv(b, "stem", b.input("x", {1, 3, pick(1, 9), pick(1, 6)}), {.out_channels = pick(1, 120)});
  const int layers = pick(1, 6);
  for (int i = 0; i < layers; ++i) {
    const std::string name = "op" + std::to_string(i);
    const std::int32_t channels = b.tensor(x).dims[1];
    const int kind = pick(0, 2);
    if (kind == 0) x = conv(b, name, x, {.out_channels = pick(1, 200), .kernel = 1 + 2 * pick(0, 1)});
    if (kind == 1) x = conv(b, name, x, {.out_channels = channels, .kernel = 3, .groups = channels});
    if (kind == 2) x = conv(b, name, x, {.out_channels = channels, .residual = x});
  }
  b.output(gemm(b, "fc", global_avg_pool(b, "pool", x), pick(1, 700)));
  return b.finish();
}

rc::Gen<Model> networks() { return rc::gen::exec(pick_network); }

rc::Gen<Model> split_networks() { return rc::gen::oneOf(networks(), rc::gen::exec(pick_deep_network)); }

std::uint64_t bytes_in(const ByteSet& set) { return set.block * set.count; }

// What an op's bands read of each of its weights: none twice but where all read the same.
void require_weights_shared(const Model& split, const Op& op, const std::vector<const Op*>& bands) {
  for (std::size_t weight = 0; weight < op.weights.size(); ++weight) {
    const ByteSet whole = bytes_of(split, op.weights[weight]);
    std::uint64_t read = 0;
    bool is_cut = false;
    for (const Op* band : bands) {
      const ByteSet part = bytes_of(split, band->weights[weight]);
      RC_ASSERT(part.root == whole.root && part.first >= whole.first && part.end() <= whole.end());
      is_cut = is_cut || band->weights[weight] != op.weights[weight];
      read += bytes_in(part);
      for (const Op* other : bands) {
        if (!is_cut || other == band) continue;
        RC_ASSERT(!bytes_overlap(part, bytes_of(split, other->weights[weight])));
      }
    }
    RC_ASSERT(read == bytes_in(whole) * (is_cut ? 1 : bands.size()));
  }
}

RC_GTEST_PROP(MemoryPlanLaw, EveryPlanIsValid, ()) {
  laws::law_of(random_models(80), plan_command, [](const Model& drawn) {
    Model model = drawn;
    const PlanOrder order = arbitrary_order();
    plan_memory(model, {.order = order, .rounds = *rc::gen::inRange<std::uint32_t>(0, 300)});
    RC_ASSERT(find_plan_faults(model, order).empty());
  });
}

/// As very many tensors are planned, but few together.
PlanOptions arbitrary_windows(PlanOrder order) {
  return {.order = order, .pairwise_tensors = 0, .window_tensors = *rc::gen::inRange<std::uint32_t>(1, 40)};
}

RC_GTEST_PROP(MemoryPlanLaw, EveryPlanInWindowsIsValidAndNoSmallerThanItsBound, ()) {
  laws::law_of(random_models(80), plan_command, [](const Model& drawn) {
    Model model = drawn;
    const PlanOrder order = arbitrary_order();
    const MemoryPlan plan = plan_memory(model, arbitrary_windows(order));
    RC_ASSERT(find_plan_faults(model, order).empty());
    RC_ASSERT(plan.arena_bytes >= plan.lower_bound_bytes);
    RC_ASSERT(plan.arena_bytes <= plan.unshared_bytes);
    std::uint64_t peak = 0;
    for (const std::uint32_t tensor : plan.peak) peak += model.tensors[tensor].size_bytes;
    RC_ASSERT(peak == plan.lower_bound_bytes);
    Model pairwise = drawn;
    RC_ASSERT(plan_memory(pairwise, {.order = order, .rounds = 0}).lower_bound_bytes >= plan.lower_bound_bytes);
  });
}

RC_GTEST_PROP(MemoryPlanLaw, NetworksWithViewsInWindowsAreValid, ()) {
  laws::law_of(networks(), plan_command, [](const Model& drawn) {
    Model model = drawn;
    const MemoryPlan plan = plan_memory(model, arbitrary_windows(PlanOrder::kParallel));
    RC_ASSERT(find_plan_faults(model).empty());
    RC_ASSERT(plan.arena_bytes >= plan.lower_bound_bytes);
  });
}

RC_GTEST_PROP(MemoryPlanLaw, NetworksWithViewsAreValid, ()) {
  laws::law_of(networks(), plan_command, [](const Model& drawn) {
    Model model = drawn;
    plan_memory(model, {.rounds = 100});
    RC_ASSERT(find_plan_faults(model).empty());
  });
}

RC_GTEST_PROP(MemoryPlanLaw, SizeLiesBetweenTheBoundAndNoSharing, ()) {
  laws::law_of(random_models(80), plan_command, [](const Model& drawn) {
    Model model = drawn;
    const MemoryPlan plan = plan_memory(model, {.order = arbitrary_order(), .rounds = 200});
    RC_ASSERT(plan.arena_bytes >= plan.lower_bound_bytes);
    RC_ASSERT(plan.arena_bytes <= plan.unshared_bytes);
    std::uint64_t peak = 0;
    for (const std::uint32_t tensor : plan.peak) peak += model.tensors[tensor].size_bytes;
    RC_ASSERT(peak == plan.lower_bound_bytes);
  });
}

RC_GTEST_PROP(MemoryPlanLaw, PlanningAgainGivesTheSame, ()) {
  laws::law_of(random_models(60), plan_command, [](const Model& drawn) {
    Model first = drawn;
    Model second = first;
    plan_memory(first);
    plan_memory(second);
    plan_memory(second);
    RC_ASSERT(first.regions.size() == second.regions.size());
    for (std::size_t i = 0; i < first.tensors.size(); ++i) {
      RC_ASSERT(first.tensors[i].region == second.tensors[i].region);
      RC_ASSERT(first.tensors[i].offset_bytes == second.tensors[i].offset_bytes);
    }
  });
}

RC_GTEST_PROP(MemoryPlanLaw, PlannedGraphsBind, ()) {
  laws::law_of(random_models(60), plan_command, [](const Model& drawn) {
    Model model = drawn;
    plan_memory(model, {.rounds = 50});
    const LoweredModel lowered = lower(model);
    std::vector<std::uint64_t> work(detent_check_bytes(&lowered.desc()) / 8 + 16);
    detent_error error{};
    RC_ASSERT(detent_check(&lowered.desc(), work.data(), work.size() * 8, &error) == DETENT_OK);
  });
}

RC_GTEST_PROP(SplitLaw, BandsCoverEveryOutputExactly, ()) {
  laws::law_of(split_networks(), plan_command, [](const Model& drawn) {
    const Model& whole = drawn;
    Model split = whole;
    split_rows(split, {.bands = *rc::gen::inRange<std::uint32_t>(2, 9), .min_flops = 0, .min_bytes = 0});
    for (const Op& op : whole.ops) {
      std::uint64_t covered = 0;
      std::vector<ByteSet> bands;
      std::vector<const Op*> ops;
      for (const Op& band : split.ops) {
        if (band.name != op.name && band.name.rfind(op.name + "#", 0) != 0) continue;
        bands.push_back(bytes_of(split, band.outputs[0]));
        covered += bytes_in(bands.back());
        ops.push_back(&band);
      }
      const ByteSet all = bytes_of(whole, op.outputs[0]);
      RC_ASSERT(covered == bytes_in(all));
      require_weights_shared(split, op, ops);
      for (std::size_t a = 0; a < bands.size(); ++a) {
        RC_ASSERT(bands[a].root == all.root && bands[a].first >= all.first && bands[a].end() <= all.end());
        for (std::size_t b = 0; b < a; ++b) RC_ASSERT(!bytes_overlap(bands[a], bands[b]));
      }
    }
  });
}

RC_GTEST_PROP(SplitLaw, SplitNetworksPlanAndBind, ()) {
  laws::law_of(split_networks(), plan_command, [](const Model& drawn) {
    Model model = drawn;
    split_rows(model, {.bands = *rc::gen::inRange<std::uint32_t>(2, 6), .min_flops = 0, .min_bytes = 0});
    plan_memory(model, {.rounds = 20});
    RC_ASSERT(find_plan_faults(model).empty());
    const LoweredModel lowered = lower(model, {.weights = false});
    std::vector<std::uint64_t> work(detent_check_bytes(&lowered.desc()) / 8 + 16);
    detent_error error{};
    RC_ASSERT(detent_check(&lowered.desc(), work.data(), work.size() * 8, &error) == DETENT_OK);
  });
}

RC_GTEST_PROP(PlantedRaceLaw, BreaksTheParallelPlanOnly, ()) {
  laws::law_of(random_models(60), plan_command, [](const Model& drawn) {
    Model model = drawn;
    plan_memory(model, {.rounds = 20});
    const RaceKind kind = *rc::gen::arbitrary<bool>() ? RaceKind::kWar : RaceKind::kWaw;
    const auto race = plant_race(model, kind, *rc::gen::arbitrary<std::uint64_t>());
    RC_ASSERT(find_plan_faults(model, PlanOrder::kParallel).size() == (race ? 1U : 0U));
    RC_ASSERT(find_plan_faults(model, PlanOrder::kSerial).empty());
  });
}

}  // namespace
}  // namespace detent::models
