// Branches and loops: what runs compute, and what is refused.
#include "models/builder/control_flow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "base/input_error.hpp"
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

// ---- Fallback.

/// Every set of the ops that may fail.
std::vector<harness::Faults> failing_sets(const Model& model) {
  std::vector<harness::Faults> sets(1);
  for (std::uint32_t op = 0; op < model.ops.size(); ++op) {
    if (!model.ops[op].is_fallible) continue;
    const std::size_t count = sets.size();
    for (std::size_t i = 0; i < count; ++i) {
      sets.push_back(sets[i]);
      sets.back().failing_ops.push_back({.op = op, .code = 42});
    }
  }
  return sets;
}

TEST(Fallback, OutputsAreTheSameWhateverFails) {
  Model model = build_zoo_model("fallback:16");
  prepare_model(model, {});
  const LoweredModel lowered = lower(model);
  const std::vector<harness::Faults> sets = failing_sets(model);
  ASSERT_EQ(sets.size(), 4U);
  std::optional<std::uint64_t> digest;
  for (const detent_mode mode :
       {DETENT_MODE_SERIAL, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    for (const harness::Faults& faults : sets) {
      harness::NativeOptions options;
      options.engine.mode = mode;
      options.engine.workers = mode == DETENT_MODE_SERIAL ? 0 : 2;
      options.faults = faults;
      const harness::Run run = harness::run_native(lowered.desc(), options);
      ASSERT_EQ(run.result.error.status, DETENT_OK) << faults.failing_ops.size();
      EXPECT_EQ(run.digest, digest.value_or(run.digest)) << faults.failing_ops.size();
      digest = run.digest;
      EXPECT_EQ(run.result.ops_run, model.ops.size());
    }
  }
}

/// x + 1, where that fails x + 2, and where that fails as well x + 3.
Model three_tries(float value) {
  Builder b("tries");
  const TensorId x = computed_value(b, value);
  const auto tried = [&](const std::string& name, float by) {
    return [&b, x, name, by](Builder&) { return std::vector<TensorId>{plus(b, name, x, by)}; };
  };
  const auto second = [&](Builder& in) {
    return std::vector<TensorId>{with_fallback(in, "second", tried("two", 2), tried("three", 3))};
  };
  return finished(b, with_fallback(b, "first", tried("one", 1), second));
}

TEST(Fallback, OfAFallback) {
  const Model model = three_tries(10);
  EXPECT_EQ(result_of(model), 11);
  ASSERT_EQ(model.decisions.size(), 2U);
  EXPECT_EQ(model.decisions[0].outcomes, (std::vector<std::string>{"works", "fails"}));
  EXPECT_EQ(combine_outcomes(model, "", 10).all.size(), 3U);
  const LoweredModel lowered = lower(model);
  for (const harness::Faults& faults : failing_sets(model)) {
    harness::NativeOptions options;
    options.engine.workers = 2;
    options.faults = faults;
    options.keep_output = true;
    const harness::Run run = harness::run_native(lowered.desc(), options);
    ASSERT_EQ(run.result.error.status, DETENT_OK);
    float value = 0;
    ASSERT_EQ(run.output.size(), sizeof value);
    std::memcpy(&value, run.output.data(), sizeof value);
    const bool first_fails = !faults.failing_ops.empty() && model.ops[faults.failing_ops[0].op].name == "one";
    const float expected = !first_fails ? 11 : faults.failing_ops.size() == 1 ? 12 : 13;
    EXPECT_EQ(value, expected);
  }
}

TEST(Fallback, PackagesKeepWhatMayFail) {
  const Model model = three_tries(1);
  const Model read = decode_package(encode_package(model), "tries");
  EXPECT_EQ(read.decisions, model.decisions);
  for (std::size_t op = 0; op < model.ops.size(); ++op) {
    EXPECT_EQ(read.ops[op].is_fallible, model.ops[op].is_fallible) << op;
  }
  Model broken = model;
  for (Op& op : broken.ops) {
    if (op.is_fallible) op.outputs.pop_back();  // the last one is an F32 now
  }
  EXPECT_THROW(static_cast<void>(encode_package(broken)), InputError);
}

TEST(Fallback, GivenOutcomesLeaveNothingThatMayFail) {
  Model model = three_tries(1);
  apply_outcomes(model, read_outcomes(model, "one=fails,two=works", {}));
  EXPECT_FALSE(has_computed_decisions(model));
  for (const Op& op : model.ops) EXPECT_FALSE(op.is_fallible) << op.name;
  EXPECT_EQ(lower(model).desc().op_count, model.ops.size());
}

TEST(Fallback, Refusals) {
  Builder b("m");
  const TensorId x = b.input("x", {4});
  const auto nothing = [&](Builder&) { return std::vector<TensorId>{x}; };
  const auto copied = [&](Builder& in) { return std::vector<TensorId>{in.copy("y", x)}; };
  static_cast<void>(b.copy("before", x));
  EXPECT_THROW(static_cast<void>(with_fallback(b, "no_op", nothing, copied)), std::invalid_argument);
  static_cast<void>(b.copy("again", x));
  static_cast<void>(b.let_fail());
  EXPECT_THROW(static_cast<void>(b.let_fail()), std::invalid_argument);
}

}  // namespace
}  // namespace detent::models
