#include "harness/run_native.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>

#include "runtime/engine/context.h"
#include "tests/runtime/desc_builder.hpp"

namespace detent::harness {
namespace {

using test::DescBuilder;
using test::make_diamond;

NativeOptions options_for(detent_mode mode, std::uint32_t workers) {
  NativeOptions options;
  options.engine.mode = mode;
  options.engine.workers = workers;
  return options;
}

std::uint64_t serial_digest(const detent_desc& desc) {
  return run_native(desc, options_for(DETENT_MODE_SERIAL, 0)).digest;
}

void expect_complete(const Run& run, std::uint32_t op_count) {
  EXPECT_EQ(run.result.error.status, DETENT_OK);
  EXPECT_EQ(run.result.ops_run, op_count);
  EXPECT_EQ(run.trace.dropped, 0u);
  std::set<std::uint32_t> ops;
  for (const Span& span : run.trace.spans) ops.insert(span.op);
  EXPECT_EQ(ops.size(), op_count);
  EXPECT_EQ(run.trace.spans.size(), op_count);
}

TEST(RunNative, OneDigestOverModesAndWorkers) {
  DescBuilder b = make_diamond();
  const std::uint64_t expected = serial_digest(b.refresh());
  EXPECT_NE(expected, 0u);
  for (const detent_mode mode :
       {DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
    for (const std::uint32_t workers : {0u, 1u, 2u, 3u}) {
      const harness::Run run = run_native(b.refresh(), options_for(mode, workers));
      expect_complete(run, 4);
      EXPECT_EQ(run.digest, expected) << "mode " << mode << ", workers " << workers;
    }
  }
}

TEST(RunNative, RunsOfOneContextFindTheSameInputWhateverElseTheyKeep) {
  DescBuilder b = make_diamond();
  const std::uint64_t expected = serial_digest(b.refresh());
  std::uint64_t count = 0;
  NativeOptions options = options_for(DETENT_MODE_CLOSED_LOOP, 2);
  options.keep_memory = true;
  const detent_error error =
      run_native_repeatedly(b.refresh(), options, 5, [&](std::uint64_t number, const harness::Run& run) {
        EXPECT_EQ(number, count++);
        EXPECT_EQ(run.digest, expected) << number;
        return number < 3;
      });
  EXPECT_EQ(error.status, DETENT_OK);
  EXPECT_EQ(count, 4U) << "no more once it is said";
}

TEST(RunNative, OneDigestOverPoliciesAndSeeds) {
  DescBuilder b = make_diamond();
  const std::uint64_t expected = serial_digest(b.refresh());
  for (const std::string& policy : policy_names()) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      NativeOptions options = options_for(DETENT_MODE_CLOSED_LOOP, 2);
      options.engine.policy = policy;
      options.seeds.schedule = seed;
      if (policy == "given") options.engine.order = {0, 2, 1, 3};
      const harness::Run run = run_native(b.refresh(), options);
      expect_complete(run, 4);
      EXPECT_EQ(run.digest, expected) << policy;
    }
  }
}

TEST(RunNative, SchedulerThreadGivesTheSameDigest) {
  DescBuilder b = make_diamond();
  NativeOptions options = options_for(DETENT_MODE_CLOSED_LOOP, 2);
  options.engine.scheduler = DETENT_SCHEDULER_THREAD;
  const harness::Run run = run_native(b.refresh(), options);
  expect_complete(run, 4);
  EXPECT_EQ(run.digest, serial_digest(b.refresh()));
}

/// A back end that executes the built-in kernels and notes the spin limit of the port that the engine runs on.
class SpinLimitRecorder {
 public:
  [[nodiscard]] detent_backend backend() { return {this, "*", &resolve, &dispatch}; }
  [[nodiscard]] std::uint32_t spin_limit() const { return spin_limit_; }

 private:
  static detent_status resolve(void*, const char* name, detent_entity* entity) {
    const detent_backend builtin = detent_cpu_backend("*", detent_builtin_kernels());
    return builtin.resolve(builtin.self, name, entity);
  }
  static detent_dispatch dispatch(void* self, detent_context* context, const detent_entity* entity, std::uint32_t,
                                  std::int32_t* code) {
    static_cast<SpinLimitRecorder*>(self)->spin_limit_ = context->port->spin_limit;
    *code = entity->run(&entity->args);
    return DETENT_DISPATCH_DONE;
  }
  std::atomic<std::uint32_t> spin_limit_{12345};
};

std::uint32_t spin_limit_of_run(NativeOptions options) {
  DescBuilder b = make_diamond();
  SpinLimitRecorder recorder;
  options.backends = {recorder.backend()};
  EXPECT_EQ(run_native(b.refresh(), options).result.error.status, DETENT_OK);
  return recorder.spin_limit();
}

TEST(RunNative, SpinLimitReachesThePortOfTheEngine) {
  constexpr std::uint32_t kMostMeasured = 100'000;  // what the port measures is never more
  for (const detent_mode mode : {DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
    NativeOptions options = options_for(mode, 2);
    EXPECT_LE(spin_limit_of_run(options), kMostMeasured) << "without a limit: the port's own";
    for (const std::uint32_t limit : {0U, 7U, kMostMeasured + 1}) {
      options.engine.spin_limit = limit;
      EXPECT_EQ(spin_limit_of_run(options), limit) << mode_name(mode);
    }
  }
}

TEST(RunNative, GivenOrderIsTheOrderOfStarts) {
  DescBuilder b = make_diamond();
  NativeOptions options = options_for(DETENT_MODE_CLOSED_LOOP, 1);
  options.engine.policy = "given";
  options.engine.order = {0, 2, 1, 3};
  const harness::Run run = run_native(b.refresh(), options);
  ASSERT_EQ(run.trace.spans.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(run.trace.spans[i].op, options.engine.order[i]);
  options.engine.order = {0, 3, 1, 2};
  EXPECT_EQ(run_native(b.refresh(), options).result.error.status, DETENT_INVALID_ARGUMENT);
}

TEST(RunNative, InputSeedAndInputBytesChangeTheDigest) {
  DescBuilder b = make_diamond();
  NativeOptions options = options_for(DETENT_MODE_SERIAL, 0);
  const std::uint64_t seed_zero = run_native(b.refresh(), options).digest;
  options.seeds.input = 1;
  EXPECT_NE(run_native(b.refresh(), options).digest, seed_zero);
  options.input_bytes.assign(64, 9);
  const std::uint64_t bytes = run_native(b.refresh(), options).digest;
  options.seeds.input = 2;
  EXPECT_EQ(run_native(b.refresh(), options).digest, bytes);
}

TEST(RunNative, InputOfTheWrongSizeIsRefused) {
  DescBuilder b = make_diamond();
  NativeOptions options = options_for(DETENT_MODE_SERIAL, 0);
  options.input_bytes.assign(63, 0);
  EXPECT_THROW(run_native(b.refresh(), options), std::invalid_argument);
}

TEST(RunNative, DescThatDoesNotBindGivesItsError) {
  DescBuilder b = make_diamond();
  b.tensors[3].offset_bytes = 64;
  const harness::Run run = run_native(b.refresh(), options_for(DETENT_MODE_CLOSED_LOOP, 2));
  EXPECT_EQ(run.result.error.status, DETENT_OVERLAP);
  EXPECT_TRUE(run.trace.spans.empty());
}

TEST(NamedPolicy, KnowsItsNamesAndNoOther) {
  for (const std::string& name : policy_names()) {
    EXPECT_EQ(NamedPolicy(name, 0, {}).policy().name, name);
  }
  EXPECT_THROW(NamedPolicy("lifo", 0, {}), std::invalid_argument);
}

}  // namespace
}  // namespace detent::harness
