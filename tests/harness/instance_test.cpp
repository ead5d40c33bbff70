#include "harness/instance.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/runtime/desc_builder.hpp"

namespace detent::harness {
namespace {

using test::DescBuilder;
using test::make_diamond;

TEST(Instance, RunsAgainAndAgainWithOneDigest) {
  DescBuilder b = make_diamond();
  const detent_port port = detent_port_single();
  Instance instance(b.refresh(), port, {.mode = DETENT_MODE_SERIAL});
  ASSERT_EQ(instance.status(), DETENT_OK);
  instance.fill(1);
  const std::uint64_t first = instance.run().digest;
  for (int i = 0; i < 5; ++i) {
    instance.fill(1);
    EXPECT_EQ(instance.run().digest, first);
  }
  instance.fill(2);
  EXPECT_NE(instance.run().digest, first);
}

TEST(Instance, TraceHoldsEveryOpOnceAfterItsPredecessors) {
  DescBuilder b = make_diamond();
  const detent_port port = detent_port_single();
  Instance instance(b.refresh(), port, {.mode = DETENT_MODE_SERIAL});
  instance.fill(1);
  const harness::Run run = instance.run();
  EXPECT_EQ(run.result.error.status, DETENT_OK);
  EXPECT_EQ(run.result.ops_run, 4u);
  ASSERT_EQ(run.trace.spans.size(), 4u);
  EXPECT_EQ(run.trace.dropped, 0u);
  EXPECT_TRUE(run.trace.events.empty());
  EXPECT_EQ(run.trace.spans[0].op, 0u);
  EXPECT_EQ(run.trace.spans[3].op, 3u);
  for (const Span& span : run.trace.spans) {
    EXPECT_LE(span.begin_ps, span.end_ps);
    EXPECT_LE(span.end_ps, run.makespan_ps);
  }
}

TEST(Instance, EventsOnlyWhenAskedFor) {
  DescBuilder b = make_diamond();
  const detent_port port = detent_port_single();
  Instance instance(b.refresh(), port, {.mode = DETENT_MODE_SERIAL, .events = true});
  instance.fill(1);
  const harness::Run run = instance.run();
  EXPECT_EQ(run.trace.spans.size(), 4u);
  EXPECT_FALSE(run.trace.events.empty());
}

TEST(Instance, UntracedRunsKeepNothing) {
  DescBuilder b = make_diamond();
  const detent_port port = detent_port_single();
  Instance instance(b.refresh(), port, {.mode = DETENT_MODE_SERIAL, .trace = false});
  instance.fill(1);
  EXPECT_EQ(instance.run_untraced().ops_run, 4u);
  EXPECT_EQ(detent_context_log(instance.context(), 0), nullptr);
  EXPECT_TRUE(instance.run().trace.spans.empty());
}

TEST(Instance, DescThatDoesNotBindSaysWhy) {
  DescBuilder b = make_diamond();
  b.add_edge(3, 0);
  const detent_port port = detent_port_single();
  const Instance instance(b.refresh(), port, {.mode = DETENT_MODE_SERIAL});
  EXPECT_EQ(instance.status(), DETENT_CYCLE);
  EXPECT_EQ(describe_error(b.refresh(), instance.error()),
            "B20 CYCLE: the op graph has a cycle (op 0 \"split\", op 2 \"right\"); remove one edge of the cycle");
  EXPECT_EQ(instance.context(), nullptr);
}

TEST(Instance, BrokenTablesAndWrongOptionsAreErrorsNotCrashes) {
  DescBuilder b = make_diamond();
  b.refresh();
  b.ops[1].inputs = {0, 1000};
  const detent_port port = detent_port_single();
  EXPECT_EQ(Instance(b.refresh(), port, {}).status(), DETENT_TABLE_RANGE);
  DescBuilder sound = make_diamond();
  EXPECT_EQ(Instance(sound.refresh(), port, {.worker_count = 3, .worker_classes = {0}}).status(),
            DETENT_INVALID_ARGUMENT);
}

TEST(Instance, B50_MemoryLimit) {
  DescBuilder b = make_diamond();
  const detent_port port = detent_port_single();
  EXPECT_EQ(Instance(b.refresh(), port, {.memory_limit_bytes = 100}).status(), DETENT_MEMORY_LIMIT);
}

/// A back end whose second op fails as long as `fails` is set.
struct Faulty {
  bool fails = true;
  static detent_status resolve(void* self, const char*, detent_entity* entity) {
    entity->run = [](const detent_kernel_args* args) { return args->op == 1 ? 77 : 0; };
    if (!static_cast<Faulty*>(self)->fails) return DETENT_UNKNOWN_KERNEL;
    return DETENT_OK;
  }
  static detent_dispatch dispatch(void* self, detent_context*, const detent_entity* entity, std::uint32_t,
                                  std::int32_t* code) {
    *code = static_cast<Faulty*>(self)->fails ? entity->run(&entity->args) : 0;
    return DETENT_DISPATCH_DONE;
  }
  detent_backend backend() { return {this, "cpu", resolve, dispatch}; }
};

TEST(Instance, F01_FailedRunIsResetByTheNext) {
  DescBuilder b = make_diamond();
  Faulty faulty;
  const detent_port port = detent_port_single();
  Instance instance(b.refresh(), port, {.mode = DETENT_MODE_SERIAL, .backends = {faulty.backend()}});
  instance.fill(1);
  const harness::Run failed = instance.run();
  EXPECT_EQ(failed.result.error.status, DETENT_KERNEL_FAILED);
  EXPECT_EQ(failed.result.error.op, 1u);
  EXPECT_EQ(failed.result.error.code, 77);
  EXPECT_EQ(failed.digest, 0u);
  EXPECT_LT(failed.trace.spans.size(), 4u);
  faulty.fails = false;
  EXPECT_EQ(instance.run().result.error.status, DETENT_OK);
}

TEST(Instance, AFailedRunSaysWhereEachOpStoodWhereThatIsAskedFor) {
  DescBuilder b = make_diamond();
  const detent_port port = detent_port_single();
  for (const bool op_states : {false, true}) {
    Faulty faulty;
    Instance instance(b.refresh(), port,
                      {.mode = DETENT_MODE_SERIAL, .backends = {faulty.backend()}, .op_states = op_states});
    instance.fill(1);
    const harness::Run failed = instance.run();
    ASSERT_EQ(failed.result.error.status, DETENT_KERNEL_FAILED);
    if (!op_states) {
      EXPECT_TRUE(failed.op_records.empty());
      continue;
    }
    ASSERT_EQ(failed.op_records.size(), 4U);
    const detent_op_record &done = failed.op_records[0], &bad = failed.op_records[1], &last = failed.op_records[3];
    EXPECT_EQ(done.state, DETENT_OP_DONE);
    EXPECT_EQ(done.code, 0);
    EXPECT_EQ(done.worker, 0U);
    EXPECT_EQ(done.run, 1U);
    EXPECT_LE(done.ready_ps, done.begin_ps);
    EXPECT_LE(done.begin_ps, done.end_ps);
    EXPECT_EQ(bad.state, DETENT_OP_FAILED);
    EXPECT_EQ(bad.code, 77);
    EXPECT_EQ(bad.attempts, 1U);
    EXPECT_NE(last.state, DETENT_OP_DONE);
    EXPECT_EQ(last.worker, DETENT_NONE) << "never given out";
    EXPECT_EQ(last.attempts, 0U);
    EXPECT_EQ(last.begin_ps, UINT64_MAX);
    faulty.fails = false;
    EXPECT_TRUE(instance.run().op_records.empty()) << "a run that went well";
  }
}

}  // namespace
}  // namespace detent::harness
