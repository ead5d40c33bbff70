// Fallbacks behind ops that may fail: what they change of a model, and that outputs do not tell what has failed.
#include "models/devices/fallbacks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "base/random.hpp"
#include "harness/run_native.hpp"
#include "models/builder/control_flow.hpp"
#include "models/builder/elementwise.hpp"
#include "models/builder/random_model.hpp"
#include "models/core/outcomes.hpp"
#include "models/devices/assign_core_class.hpp"
#include "models/files/package.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "models/plan/plan_check.hpp"
#include "models/zoo/zoo.hpp"
#include "verify/flow/value_flow.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/static/structure.hpp"

namespace detent::models {
namespace {

/// Ops of class npu fall back on the CPU.
std::size_t add_to_npu(Model& model, double slower = 2) {
  std::vector<FallbackOn> wanted(model.ops.size());
  for (std::size_t id = 0; id < model.ops.size(); ++id) {
    if (model.ops[id].core_class == "npu") wanted[id] = {.core_class = "cpu", .slower = slower};
  }
  return add_fallbacks(model, wanted);
}

/// Planned; every third op or so is on the NPU.
Model random_network(std::uint64_t seed, std::uint32_t ops = 12) {
  Model model = make_random_model({.seed = seed,
                                   .ops = ops,
                                   .shape = static_cast<RandomShape>(seed % 3),
                                   .max_tensor_bytes = 256,
                                   .npu_share = 0.3});
  prepare_model(model, {});
  return model;
}

std::uint32_t id_of(const Model& model, const std::string& name) {
  const auto at = std::ranges::find(model.ops, name, &Op::name);
  EXPECT_NE(at, model.ops.end()) << name;
  return static_cast<std::uint32_t>(at - model.ops.begin());
}

bool has_edge(const Model& model, const std::string& from, const std::string& to) {
  const std::uint32_t a = id_of(model, from), b = id_of(model, to);
  return std::ranges::any_of(model.edges, [&](const Edge& edge) { return edge.from == a && edge.to == b; });
}

/// image -> a (cpu) -> b (npu) -> c (npu) -> d (cpu)
Model chain() {
  Builder b("chain");
  TensorId x = b.input("image", {1, 64});
  for (const char* name : {"a", "b", "c", "d"}) {
    x = unary(b, name, x, DETENT_ACT_SIGMOID);
    b.last_op().core_class = *name == 'b' || *name == 'c' ? "npu" : "cpu";
  }
  b.output(x);
  Model model = b.finish();
  prepare_model(model, {});
  return model;
}

TEST(Fallbacks, StandBehindTheirOps) {
  Model model = chain();
  const Model before = model;
  EXPECT_EQ(add_to_npu(model), 2U);
  ASSERT_EQ(model.ops.size(), 6U);
  const Op& again = model.ops[2];
  EXPECT_EQ(again.name, "b.fallback");
  EXPECT_EQ(again.core_class, "cpu");
  EXPECT_EQ(again.outputs, before.ops[1].outputs) << "no tensor and no copy of its own";
  EXPECT_TRUE(again.replaces);
  EXPECT_TRUE(model.ops[1].is_fallible);
  EXPECT_EQ(failing_op_of(model, 2), 1U);
  EXPECT_EQ(failing_op_of(model, 1), kNone);
  EXPECT_EQ(failing_op_of(model, 0), kNone);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"a", "b"},
                                                                                 {"b", "b.fallback"},
                                                                                 {"b", "c"},
                                                                                 {"b.fallback", "c"},
                                                                                 {"b", "c.fallback"},
                                                                                 {"c", "d"},
                                                                                 {"c.fallback", "d"}}) {
    EXPECT_TRUE(has_edge(model, from, to)) << from << " " << to;
  }
  ASSERT_EQ(model.decisions.size(), 2U);
  EXPECT_EQ(model.decisions[0].name, "b");
  EXPECT_TRUE(is_failure(model, model.decisions[0]));
  const Region& region = model.regions.back();
  EXPECT_EQ(region.name, "failures");
  EXPECT_EQ(region.size_bytes, 2U);
}

TEST(Fallbacks, LeaveWhereEverythingLies) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Model model = random_network(seed);
    const std::vector<Tensor> before = model.tensors;
    const std::size_t added = add_to_npu(model);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), model.tensors.begin())) << seed;
    EXPECT_EQ(model.tensors.size(), before.size() + added);
    EXPECT_TRUE(find_plan_faults(model).empty()) << seed;
  }
}

TEST(Fallbacks, RandomNetworksStayRightForEveryOutcome) {
  std::size_t fallbacks = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Model model = random_network(seed);
    fallbacks += add_to_npu(model);
    const LoweredModel lowered = lower(model);
    const ValueTables values = value_tables(model);
    EXPECT_EQ(verify::check_structure(lowered.desc()).outcome, verify::Outcome::kHolds) << seed;
    EXPECT_EQ(verify::check_value_flow(lowered.desc(), &values).outcome, verify::Outcome::kHolds) << seed;
    EXPECT_EQ(verify::check_buffer_races(lowered.desc()).outcome, verify::Outcome::kHolds) << seed;
  }
  EXPECT_GT(fallbacks, 100U);
}

/// Sums and activations of earlier results, of the CPU and the NPU in turns. (What kernel "mix" computes depends on
/// ids.)
Model random_sums(std::uint64_t seed) {
  RandomSource random(seed);
  Builder b("sums");
  std::vector<TensorId> made = {b.input("image", {1, 64})};
  for (std::uint32_t i = 0; i < 9; ++i) {
    const TensorId x = made[random.below(static_cast<std::uint32_t>(made.size()))];
    const std::string name = "op" + std::to_string(i);
    made.push_back(random.below(2) == 0 ? binary(b, name, DETENT_BINARY_ADD, x, made.back())
                                        : unary(b, name, x, DETENT_ACT_SIGMOID));
    b.last_op().core_class = random.below(2) == 0 ? "npu" : "cpu";
  }
  b.output(made.back());
  Model model = b.finish();
  prepare_model(model, {});
  return model;
}

TEST(Fallbacks, OutputsAreTheSameWhateverFails) {
  std::size_t runs = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Model model = random_sums(seed);
    const std::uint64_t digest = harness::run_native(lower(model).desc(), {}).digest;
    add_to_npu(model);
    const LoweredModel lowered = lower(model);
    for (std::uint32_t set = 0; set < 8; ++set) {
      harness::NativeOptions options;
      options.engine.mode = static_cast<detent_mode>(set % 4);
      options.engine.workers = options.engine.mode == DETENT_MODE_SERIAL ? 0 : 2;
      std::uint32_t fallible = 0;
      for (std::uint32_t op = 0; op < model.ops.size(); ++op) {
        if (model.ops[op].is_fallible && (set >> fallible++ % 3 & 1U) != 0)
          options.faults.failing_ops.push_back({.op = op, .code = 7});
      }
      const harness::Run run = harness::run_native(lowered.desc(), options);
      ASSERT_EQ(run.result.error.status, DETENT_OK) << seed;
      EXPECT_EQ(run.digest, digest) << seed << " " << set;
      runs += options.faults.failing_ops.empty() ? 0U : 1U;
    }
  }
  EXPECT_GT(runs, 100U);
}

/// What failed computes and the fallback replaces it, as a run under given outcomes does.
TEST(Fallbacks, GivenOutcomesGiveTheSameOutput) {
  Model model = chain();
  const std::uint64_t digest = harness::run_native(lower(model).desc(), {}).digest;
  add_to_npu(model);
  const Combinations all = combine_outcomes(model, "", 10);
  EXPECT_EQ(all.all.size(), 4U);
  for (const Outcomes& outcomes : all.all) {
    Model run = model;
    apply_outcomes(run, outcomes);
    const harness::Run made = harness::run_native(lower(run).desc(), {});
    ASSERT_EQ(made.result.error.status, DETENT_OK) << outcomes_text(model, outcomes);
    EXPECT_EQ(made.digest, digest) << outcomes_text(model, outcomes);
  }
}

TEST(Fallbacks, CombinationsWithFewFailures) {
  Model model = chain();
  add_to_npu(model);
  EXPECT_EQ(combine_outcomes(model, "", 10, 0U).all.size(), 1U);
  EXPECT_EQ(combine_outcomes(model, "", 10, 1U).all.size(), 3U);
  EXPECT_EQ(combine_outcomes(model, "", 10, 2U).all.size(), 4U);
  EXPECT_EQ(combine_outcomes(model, "b=fails", 10, 1U).all.size(), 1U);
  EXPECT_THROW(combine_outcomes(model, "b=fails,c=fails", 10, 1U), std::invalid_argument);
  EXPECT_EQ(outcomes_text(model, read_outcomes(model, "c=fails", 3)), "b=works,c=fails") << "nothing fails unasked";
  EXPECT_EQ(outcomes_text(model, read_outcomes(model, "", std::nullopt)), "b=works,c=works");
}

TEST(Fallbacks, OutcomesForPeopleNameWhatFails) {
  Model model = chain();
  add_to_npu(model);
  EXPECT_EQ(outcomes_for_people(model, {0, 0}), "nothing fails");
  EXPECT_EQ(outcomes_for_people(model, {0, 1}), "c=fails");
  EXPECT_EQ(outcomes_for_people(model, {1, 1}), "b=fails,c=fails");
  Model many = random_network(1, 40);
  const std::size_t count = add_to_npu(many);
  ASSERT_GT(count, 4U);
  const std::string text = outcomes_for_people(many, Outcomes(count, 1));
  EXPECT_TRUE(text.ends_with(" and " + std::to_string(count - 3) + " more fail")) << text;
  EXPECT_EQ(std::ranges::count(text, '='), 3);
}

TEST(Fallbacks, InABranchTheyRunWhereTheBranchDoes) {
  for (const float value : {-1.0F, 1.0F}) {
    Builder b("branch");
    const TensorId x = b.input("x", {1});
    const TensorId zero = binary_constant(b, "zero", DETENT_BINARY_MUL, x, b.constant("by", {1}, {0.0F}));
    const TensorId at = binary_constant(b, "at", DETENT_BINARY_ADD, zero, b.constant("value", {1}, {value}));
    const TensorId is_large = decide(b, "large", at, DETENT_DECIDE_BY_MAX, 0.0F);
    const auto step = [&](const std::string& name, float by) {
      return [&b, at, name, by](Builder&) {
        const TensorId y = binary_constant(b, name, DETENT_BINARY_ADD, at, b.constant(name + ".by", {1}, {by}));
        b.last_op().core_class = "npu";
        return std::vector<TensorId>{y};
      };
    };
    b.output(if_else(b, "merged", is_large, step("up", 10), step("down", -10)).front());
    Model model = b.finish();
    prepare_model(model, {});
    EXPECT_EQ(add_to_npu(model), 2U);
    EXPECT_EQ(combine_outcomes(model, "", 10).all.size(), 4U) << "what does not run does not fail";
    const LoweredModel lowered = lower(model);
    harness::NativeOptions options;
    options.keep_output = true;
    for (const char* name : {"up", "down"}) options.faults.failing_ops.push_back({.op = id_of(model, name), .code = 1});
    std::ranges::sort(options.faults.failing_ops, {}, &harness::FailingOp::op);
    const harness::Run run = harness::run_native(lowered.desc(), options);
    ASSERT_EQ(run.result.error.status, DETENT_OK);
    float found = 0;
    ASSERT_EQ(run.output.size(), sizeof found);
    std::copy_n(run.output.begin(), sizeof found, reinterpret_cast<std::uint8_t*>(&found));
    EXPECT_EQ(found, value > 0 ? 11 : -11);
  }
}

TEST(Fallbacks, StayOffTheDeviceThatFails) {
  Model model = build_zoo_model("fallback:16");
  assign_class(model, "npu", accelerated_kernels());
  for (const Op& op : model.ops) {
    if (op.kernel != "conv2d_f32" && op.kernel != "gemm_f32") continue;
    EXPECT_EQ(op.core_class, op.name.ends_with(".cpu") ? "cpu" : "npu") << op.name;
  }
}

TEST(Fallbacks, TimesOfTheirOwn) {
  Model model = chain();
  model.ops[1].time_ps = {1001, 2001};
  model.ops[1].release_ps = {5, 6};
  model.ops[1].workers = 4;
  add_to_npu(model, 2.5);
  const std::pair<std::uint64_t, std::uint64_t> longer{2502, 5003};
  EXPECT_EQ(model.ops[2].time_ps, longer);
  EXPECT_EQ(model.ops[2].workers, 0U);
  EXPECT_FALSE(model.ops[2].release_ps);
  EXPECT_EQ(model.ops[4].name, "c.fallback");
  EXPECT_FALSE(model.ops[4].time_ps);
  Model endless = chain();
  endless.ops[1].time_ps = {1, UINT64_MAX / 2};
  EXPECT_THROW(add_to_npu(endless, 100), std::invalid_argument);
}

TEST(Fallbacks, PackagesKeepThem) {
  Model model = chain();
  add_to_npu(model);
  Model read = decode_package(encode_package(model), "chain");
  for (std::size_t op = 0; op < model.ops.size(); ++op) EXPECT_EQ(read.ops[op].replaces, model.ops[op].replaces) << op;
  EXPECT_EQ(failing_op_of(read, 2), 1U);
}

TEST(Fallbacks, OpsThatCanHaveNone) {
  Model model = chain();
  const auto fault = [&](const auto& change) {
    Op op = model.ops[1];
    change(op);
    const char* const found = fallback_fault(model, op);
    return found != nullptr ? std::string(found) : std::string();
  };
  EXPECT_EQ(fault([](Op&) {}), "");
  EXPECT_EQ(fault([](Op& op) { op.is_fallible = true; }), "has one already");
  EXPECT_NE(fault([](Op& op) { op.in_place = true; }), "");
  EXPECT_EQ(fault([](Op& op) { op.outputs.clear(); }), "writes nothing");
  EXPECT_NE(fault([](Op& op) { op.commutes = "sums"; }), "");
  model.tensors[model.ops[1].outputs[0]].role = TensorRole::kRange;
  EXPECT_NE(fault([](Op&) {}), "");
  Model branches = build_zoo_model("cascade:32");
  const auto decider = std::ranges::find(branches.ops, "decide_f32", &Op::kernel);
  ASSERT_NE(decider, branches.ops.end());
  EXPECT_STREQ(fallback_fault(branches, *decider), "decides which ops run");
}

}  // namespace
}  // namespace detent::models
