// Branches and loops: what runs compute, and what is refused.
#include "models/builder/control_flow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "harness/run_native.hpp"
#include "models/builder/elementwise.hpp"
#include "models/core/decisions.hpp"
#include "models/core/outcomes.hpp"
#include "models/files/package.hpp"
#include "models/lower/lower.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/zoo/zoo.hpp"

namespace detent::models {
namespace {

TensorId plus(Builder& b, const std::string& name, TensorId x, float value) {
  return binary_constant(b, name, DETENT_BINARY_ADD, x, b.constant(name + ".value", {1}, {value}));
}

/// A tensor of this value that a run computes.
TensorId computed_value(Builder& b, float value) {
  const TensorId zero = binary_constant(b, "zero", DETENT_BINARY_MUL, b.input("x", {1}), b.constant("by", {1}, {0.0F}));
  return plus(b, "value", zero, value);
}

Model finished(Builder& b, TensorId y) {
  b.output(y);
  Model model = b.finish();
  prepare_model(model, {});
  return model;
}

/// x > 0 ? (x > 10 ? x + 1 : x + 2) : x + 3
Model nested(float value) {
  Builder b("nested");
  const TensorId x = computed_value(b, value);
  const TensorId outer = decide(b, "outer", x, DETENT_DECIDE_BY_MAX, 0.0F);
  const auto then_body = [&](Builder& in) {
    const TensorId inner = decide(in, "inner", x, DETENT_DECIDE_BY_MAX, 10.0F);
    return if_else(
        in, "deep", inner, [&](Builder& deep) { return std::vector<TensorId>{plus(deep, "one", x, 1)}; },
        [&](Builder& deep) { return std::vector<TensorId>{plus(deep, "two", x, 2)}; });
  };
  const auto else_body = [&](Builder& in) { return std::vector<TensorId>{plus(in, "three", x, 3)}; };
  return finished(b, if_else(b, "merged", outer, then_body, else_body).front());
}

/// Halves a number while it is above 1, at most five times.
Model halved(float value) {
  Builder b("halved");
  const TensorId half = b.constant("half", {1}, {0.5F});
  const Loop loop{.condition =
                      [](Builder& in, const std::string& name, const std::vector<TensorId>& state) {
                        return decide(in, name, state[0], DETENT_DECIDE_BY_MAX_ABS, 1.0F);
                      },
                  .body =
                      [&](Builder& in, const std::string& name, const std::vector<TensorId>& state) {
                        return std::vector{binary_constant(in, name, DETENT_BINARY_MUL, state[0], half)};
                      },
                  .max_iterations = 5};
  return finished(b, while_loop(b, "loop", {computed_value(b, value)}, loop).front());
}

/// The result, equal in every mode, with one worker and with two, run after run.
float result_of(const Model& model) {
  const LoweredModel lowered = lower(model);
  float result = NAN;
  for (const detent_mode mode :
       {DETENT_MODE_SERIAL, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    for (const std::uint32_t workers : {1U, 2U}) {
      harness::NativeOptions options;
      options.engine.mode = mode;
      options.engine.workers = mode == DETENT_MODE_SERIAL ? 0 : workers;
      options.keep_output = true;
      const harness::Run run = harness::run_native(lowered.desc(), options);
      EXPECT_EQ(run.result.error.status, DETENT_OK);
      float value = 0;
      if (run.output.size() == sizeof value) std::memcpy(&value, run.output.data(), sizeof value);
      EXPECT_TRUE(std::isnan(result) || value == result) << value << " and " << result;
      result = value;
    }
  }
  return result;
}

TEST(ControlFlow, BranchesComputeWhatTheirConditionsSay) {
  EXPECT_EQ(result_of(nested(20)), 21);
  EXPECT_EQ(result_of(nested(5)), 7);
  EXPECT_EQ(result_of(nested(-5)), -2);
}

TEST(ControlFlow, LoopsEndByTheirConditionOrTheirBound) {
  EXPECT_EQ(result_of(halved(0.5F)), 0.5F);
  EXPECT_EQ(result_of(halved(-0.75F)), -0.75F);
  EXPECT_EQ(result_of(halved(8)), 1);
  EXPECT_EQ(result_of(halved(-12)), -0.75F);
  EXPECT_EQ(result_of(halved(100)), 3.125F);  // five times, though it is above 1
}

TEST(ControlFlow, NamesAndOutcomesOfDecisions) {
  const Model model = nested(5);
  ASSERT_EQ(model.decisions.size(), 2U);
  EXPECT_EQ(model.decisions[0].outcomes, (std::vector<std::string>{"else", "then"}));
  EXPECT_TRUE(has_computed_decisions(model));
  EXPECT_EQ(combine_outcomes(model, "", 10).all.size(), 3U);
}

TEST(ControlFlow, PackagesKeepGuards) {
  const Model model = nested(5);
  Model read = decode_package(encode_package(model), "nested");
  derive_decisions(read);
  EXPECT_EQ(read.decisions, model.decisions);
  for (std::size_t op = 0; op < model.ops.size(); ++op) EXPECT_EQ(read.ops[op].guarded, model.ops[op].guarded);
}

TEST(ControlFlow, GivenOutcomesLeaveNoGuards) {
  Model model = nested(5);
  apply_outcomes(model, read_outcomes(model, "outer=else", {}));
  EXPECT_FALSE(has_computed_decisions(model));
}

TEST(ControlFlow, Refusals) {
  Builder b("m");
  const TensorId x = b.input("x", {4});
  const TensorId first = decide(b, "first", x, DETENT_DECIDE_BY_MAX, 0.0F);
  EXPECT_THROW(b.end_branch(), std::invalid_argument);
  EXPECT_THROW(b.begin_branch(x, true), std::invalid_argument);
  b.begin_branch(first, true);
  EXPECT_THROW(b.begin_branch(first, true), std::invalid_argument);  // decided outside
  b.copy("y", x);
  EXPECT_THROW(b.finish(), std::invalid_argument);
  b.end_branch();
  const auto none = [](Builder&) { return std::vector<TensorId>{}; };
  const auto one = [&](Builder&) { return std::vector<TensorId>{x}; };
  const auto other = [&](Builder& in) { return std::vector<TensorId>{in.input("z", {8})}; };
  EXPECT_THROW(if_else(b, "number", first, one, none), std::invalid_argument);
  b.end_branch();
  EXPECT_THROW(if_else(b, "shape", first, one, other), std::invalid_argument);
  b.end_branch();
  EXPECT_THROW(while_loop(b, "endless", {x}, {.condition = {}, .body = {}, .max_iterations = 0}),
               std::invalid_argument);
  EXPECT_THROW(decide(b, "bool", first, DETENT_DECIDE_BY_MAX, 0.0F), std::invalid_argument);
}

TEST(ControlFlow, SplitBandsKeepTheGuard) {
  Model model = build_zoo_model("cascade:32");
  const std::size_t whole = model.ops.size();
  prepare_model(model, {.split = 2});
  EXPECT_GT(model.ops.size(), whole);
  for (const Op& op : model.ops) {
    EXPECT_TRUE(!op.name.starts_with("large.") || op.guarded != Guarded::kNo) << op.name;
  }
}

}  // namespace
}  // namespace detent::models
