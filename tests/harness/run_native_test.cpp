#include "harness/run_native.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

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

TEST(RunNative, OneDigestOverPoliciesAndSeeds) {
  DescBuilder b = make_diamond();
  const std::uint64_t expected = serial_digest(b.refresh());
  for (const std::string& policy : policy_names()) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      NativeOptions options = options_for(DETENT_MODE_CLOSED_LOOP, 2);
      options.engine.policy = policy;
      options.seeds.inputs.schedule = seed;
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
  EXPECT_THROW(NamedPolicy("fifo", 0, {}), std::invalid_argument);
}

}  // namespace
}  // namespace detent::harness
