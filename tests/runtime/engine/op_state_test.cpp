// Where each op stands: before, during and after runs on one thread, in every mode, for every way in which a run ends.
#include <gtest/gtest.h>

#include <string>

#include "tests/runtime/engine/graph.hpp"
#include "tests/runtime/engine/ports.hpp"

namespace detent::test {
namespace {

constexpr std::uint64_t kNever = UINT64_MAX;

struct ModeCase {
  const char* name;
  detent_mode mode;
};
constexpr ModeCase kModeCases[] = {{"serial", DETENT_MODE_SERIAL},
                                   {"layered", DETENT_MODE_LAYERED},
                                   {"closed loop", DETENT_MODE_CLOSED_LOOP},
                                   {"static", DETENT_MODE_STATIC}};

detent_op_record record_of(const Bound& bound, std::uint32_t op) {
  detent_op_record record{};
  EXPECT_EQ(detent_context_op_state(bound.context(), op, &record), DETENT_OK);
  return record;
}

/// A letter per op: waiting, ready, running ("u"), done, failed, cancelled.
std::string letters(const Bound& bound, std::uint32_t op_count) {
  std::string text;
  for (std::uint32_t op = 0; op < op_count; ++op) text += "wrudfc"[record_of(bound, op).state];
  return text;
}

/// One worker, a port on which each look at the clock takes 1 ns, and a class whose back end answers later.
struct Later {
  explicit Later(Graph made, const ModeCase& mode, std::uint64_t op_deadline_ps = 0) : graph(std::move(made)) {
    setup.mode = mode.mode;
    setup.backends = {backend.backend()};
    setup.op_deadline_ps = op_deadline_ps;
    setup.op_states = true;
    setup.port = backend.port();
  }
  /// These ops are of an ASYNC class that answers later, or of a class of workers that does.
  void answer_later(const std::vector<std::uint32_t>& ops, detent_class_kind kind = DETENT_CLASS_ASYNC) {
    graph.class_table = {{"cpu", DETENT_CLASS_WORKERS}, {"later", kind}};
    graph.classes.assign(graph.op_count(), 0);
    for (const std::uint32_t op : ops) graph.classes[op] = 1;
  }
  LaterBackend backend{"later"};
  Graph graph;
  EngineSetup setup;
};

TEST(OpState, IsKeptOnlyWhereTheConfigAsksForIt) {
  Graph graph = diamond();
  const Bound without(graph, {.single_port = true});
  detent_op_record record{};
  record.state = DETENT_OP_FAILED;
  EXPECT_EQ(detent_context_op_state(without.context(), 0, &record), DETENT_UNSUPPORTED);
  EXPECT_EQ(record.state, DETENT_OP_FAILED);
  EXPECT_EQ(detent_context_op_state(nullptr, 0, &record), DETENT_INVALID_ARGUMENT);
  const Bound with(graph, {.op_states = true, .single_port = true});
  EXPECT_EQ(detent_context_op_state(with.context(), 4, &record), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_context_op_state(with.context(), 0, nullptr), DETENT_INVALID_ARGUMENT);
}

TEST(OpState, TakesFortyBytesOfArenaPerOp) {
  Graph graph = wide(640);  // whole cache lines
  const detent_port port = detent_port_single();
  detent_config config = detent_default_config(&port);
  const std::size_t without = detent_arena_bytes(&graph.desc(), &config);
  config.op_states = true;
  EXPECT_EQ(detent_arena_bytes(&graph.desc(), &config), without + std::size_t{640} * 40);
}

TEST(OpState, BeforeTheFirstRunEveryOpWaits) {
  Later world(diamond(), kModeCases[2]);
  const Bound bound(world.graph, world.setup);
  const detent_op_record record = record_of(bound, 0);
  EXPECT_EQ(record.state, DETENT_OP_WAITING);
  EXPECT_EQ(record.run, 0U);
  EXPECT_EQ(record.attempts, 0U);
  EXPECT_EQ(record.worker, DETENT_NONE);
  EXPECT_EQ(record.ready_ps, kNever);
  EXPECT_EQ(record.begin_ps, kNever);
  EXPECT_EQ(record.end_ps, kNever);
}

TEST(OpState, KernelsSeeThemselvesRunningAndOthersWhereTheyStand) {
  for (const ModeCase& mode : kModeCases) {
    SCOPED_TRACE(mode.name);
    Later world(diamond(), mode);
    Bound bound(world.graph, world.setup);
    std::vector<std::string> seen;
    world.graph.witness().hook = [&](std::uint32_t) { seen.push_back(letters(bound, 4)); };
    ASSERT_EQ(bound.run().error.status, DETENT_OK);
    EXPECT_EQ(seen, (std::vector<std::string>{"uwww", "durw", "dduw", "dddu"}));
    EXPECT_EQ(letters(bound, 4), "dddd");
  }
}

TEST(OpState, SaysWhoAndWhenAndInWhichRun) {
  for (const ModeCase& mode : kModeCases) {
    SCOPED_TRACE(mode.name);
    Later world(diamond(), mode);
    Bound bound(world.graph, world.setup);
    for (std::uint32_t run = 1; run <= 3; ++run) {
      const detent_result result = bound.run();
      for (std::uint32_t op = 0; op < 4; ++op) {
        const detent_op_record record = record_of(bound, op);
        EXPECT_EQ(record.run, run);
        EXPECT_EQ(record.attempts, 1U);
        EXPECT_EQ(record.worker, 0U);
        EXPECT_EQ(record.code, 0);
        EXPECT_GE(record.ready_ps, result.begin_ps);
        EXPECT_LT(record.ready_ps, record.begin_ps);
        EXPECT_LT(record.begin_ps, record.end_ps);
        EXPECT_LE(record.end_ps, result.end_ps);
      }
      for (const support::Edge& edge : world.graph.edges())
        EXPECT_GE(record_of(bound, edge.to).ready_ps, record_of(bound, edge.from).end_ps);
    }
  }
}

TEST(OpState, AKernelErrorFailsItsOpAndLeavesTheOthersWhereTheyStood) {
  for (const ModeCase& mode : kModeCases) {
    SCOPED_TRACE(mode.name);
    Later world(diamond(), mode);
    Bound bound(world.graph, world.setup);
    world.graph.witness().codes[1] = -7;
    ASSERT_EQ(bound.run().error.status, DETENT_KERNEL_FAILED);
    EXPECT_EQ(letters(bound, 4), "dfrw");
    EXPECT_EQ(record_of(bound, 1).code, -7);
    EXPECT_NE(record_of(bound, 1).end_ps, kNever);
    EXPECT_EQ(record_of(bound, 2).worker, DETENT_NONE);
    EXPECT_EQ(record_of(bound, 2).begin_ps, kNever);
    ASSERT_EQ(detent_reset(bound.context()), DETENT_OK);
    EXPECT_EQ(letters(bound, 4), "dfrw");  // until the next run begins
  }
}

TEST(OpState, AttemptsCountUntilTheOpEndsWell) {
  for (const ModeCase& mode : kModeCases) {
    SCOPED_TRACE(mode.name);
    Later world(diamond(), mode);
    Bound bound(world.graph, world.setup);
    world.graph.witness().codes[1] = 5;
    for (std::uint32_t attempt = 1; attempt <= 40; ++attempt) {
      ASSERT_EQ(bound.run().error.status, DETENT_KERNEL_FAILED);
      EXPECT_EQ(record_of(bound, 1).attempts, std::min(attempt, 31U));
      EXPECT_EQ(record_of(bound, 1).run, attempt);
      EXPECT_EQ(record_of(bound, 0).attempts, 1U);
      EXPECT_EQ(record_of(bound, 3).attempts, 0U);
      ASSERT_EQ(detent_reset(bound.context()), DETENT_OK);
    }
    world.graph.witness().codes[1] = 0;
    ASSERT_EQ(bound.run().error.status, DETENT_OK);
    EXPECT_EQ(record_of(bound, 1).attempts, 31U);
    ASSERT_EQ(bound.run().error.status, DETENT_OK);
    EXPECT_EQ(record_of(bound, 1).attempts, 1U);
  }
}

TEST(OpState, ACancelledRunCancelsWhatWasNotGivenOut) {
  for (const ModeCase& mode : kModeCases) {
    SCOPED_TRACE(mode.name);
    Later world(diamond(), mode);
    Bound bound(world.graph, world.setup);
    world.graph.witness().hook = [&](std::uint32_t op) {
      if (op == 1) detent_cancel(bound.context());
    };
    const detent_result result = bound.run();
    ASSERT_EQ(result.error.status, DETENT_CANCELLED);
    EXPECT_EQ(letters(bound, 4), "ddcc");
    EXPECT_NE(record_of(bound, 2).ready_ps, kNever);
    EXPECT_EQ(record_of(bound, 3).ready_ps, kNever);
    for (const std::uint32_t op : {2U, 3U}) {
      EXPECT_EQ(record_of(bound, op).end_ps, result.end_ps);
      EXPECT_EQ(record_of(bound, op).begin_ps, kNever);
      EXPECT_EQ(record_of(bound, op).attempts, 0U);
    }
  }
}

TEST(OpState, AnOpOfABackEndRunsUntilItIsAnswered) {
  for (const ModeCase& mode : kModeCases) {
    for (const detent_class_kind kind : {DETENT_CLASS_ASYNC, DETENT_CLASS_WORKERS}) {
      SCOPED_TRACE(std::string(mode.name) + (kind == DETENT_CLASS_ASYNC ? ", async" : ""));
      Later world(chain(3), mode);
      world.answer_later({1}, kind);
      Bound bound(world.graph, world.setup);
      std::string waiting;
      world.backend.on_wait = [&] { waiting = letters(bound, 3); };
      ASSERT_EQ(bound.run().error.status, DETENT_OK);
      EXPECT_EQ(waiting, "duw");
      EXPECT_EQ(letters(bound, 3), "ddd");
      EXPECT_LT(record_of(bound, 1).begin_ps, record_of(bound, 1).end_ps);
      EXPECT_GE(record_of(bound, 2).ready_ps, record_of(bound, 1).end_ps);
    }
  }
}

/// Of the one thread that runs all of it.
std::uint32_t pauses = 0;

TEST(OpState, AWorkerPausesAsOftenAsThePortSaysBeforeItWaitsForAnAnswer) {
  for (const ModeCase& mode : kModeCases) {
    for (const detent_class_kind kind : {DETENT_CLASS_ASYNC, DETENT_CLASS_WORKERS}) {
      for (const std::uint32_t spins : {0U, 1U, 7U}) {
        SCOPED_TRACE(std::string(mode.name) + (kind == DETENT_CLASS_ASYNC ? ", async " : " ") + std::to_string(spins));
        Later world(chain(3), mode);
        world.answer_later({1}, kind);
        detent_port port = *world.backend.port();
        port.spin_limit = spins;
        port.pause = [](void*) { ++pauses; };
        world.setup.port = &port;
        Bound bound(world.graph, world.setup);
        std::vector<std::uint32_t> pauses_before_waits;
        world.backend.on_wait = [&] { pauses_before_waits.push_back(pauses); };
        pauses = 0;
        ASSERT_EQ(bound.run().error.status, DETENT_OK);
        EXPECT_EQ(pauses_before_waits, std::vector<std::uint32_t>{spins});
      }
    }
  }
}

TEST(OpState, AnswersFromInsideDispatchCount) {
  for (const ModeCase& mode : kModeCases) {
    SCOPED_TRACE(mode.name);
    Later world(chain(3), mode);
    world.answer_later({0, 1});
    world.backend.answers_inside_dispatch = true;
    Bound bound(world.graph, world.setup);
    ASSERT_EQ(bound.run().error.status, DETENT_OK);
    EXPECT_EQ(letters(bound, 3), "ddd");
  }
}

TEST(OpState, ABackEndThatIsDoneAtOnceEndsItsOp) {
  for (const ModeCase& mode : kModeCases) {
    for (const std::int32_t code : {0, 9}) {
      SCOPED_TRACE(std::string(mode.name) + " " + std::to_string(code));
      Later world(chain(3), mode);
      world.answer_later({1});
      world.backend.is_done_at_once = true;
      world.backend.answer_code = code;
      Bound bound(world.graph, world.setup);
      EXPECT_EQ(bound.run().error.status, code == 0 ? DETENT_OK : DETENT_KERNEL_FAILED);
      EXPECT_EQ(letters(bound, 3), code == 0 ? "ddd" : "dfw");
      EXPECT_EQ(record_of(bound, 1).code, code);
    }
  }
}

TEST(OpState, AnAnswerWithACodeFailsTheOp) {
  for (const ModeCase& mode : kModeCases) {
    SCOPED_TRACE(mode.name);
    Later world(chain(3), mode);
    world.answer_later({1});
    world.backend.answer_code = 4;
    Bound bound(world.graph, world.setup);
    ASSERT_EQ(bound.run().error.status, DETENT_KERNEL_FAILED);
    EXPECT_EQ(letters(bound, 3), "dfw");
    EXPECT_EQ(record_of(bound, 1).code, 4);
  }
}

TEST(OpState, ALateOpRunsOnUntilItIsAnswered) {
  for (const ModeCase& mode : kModeCases) {
    for (const detent_class_kind kind : {DETENT_CLASS_ASYNC, DETENT_CLASS_WORKERS}) {
      for (const std::int32_t code : {0, 3}) {
        SCOPED_TRACE(std::string(mode.name) + (kind == DETENT_CLASS_ASYNC ? ", async " : " ") + std::to_string(code));
        Later world(chain(3), mode, 20'000);
        world.answer_later({1}, kind);
        world.backend.answers_on_wait = false;
        Bound bound(world.graph, world.setup);
        const detent_result result = bound.run();
        ASSERT_EQ(result.error.status, DETENT_TIMEOUT);
        EXPECT_EQ(result.ops_in_flight, 1U);
        EXPECT_EQ(letters(bound, 3), "duw");
        EXPECT_EQ(record_of(bound, 1).end_ps, kNever);
        ASSERT_EQ(detent_reset(bound.context()), DETENT_BUSY);
        ASSERT_TRUE(world.backend.answer_one(code));
        EXPECT_EQ(letters(bound, 3), code == 0 ? "ddw" : "dfw");
        EXPECT_EQ(record_of(bound, 1).code, code);
        EXPECT_GT(record_of(bound, 1).end_ps, result.end_ps);
        ASSERT_EQ(detent_reset(bound.context()), DETENT_OK);
        world.backend.answers_on_wait = true;
        ASSERT_EQ(bound.run().error.status, DETENT_OK);
        EXPECT_EQ(record_of(bound, 1).attempts, code == 0 ? 1U : 2U);
      }
    }
  }
}

TEST(OpState, AnOpThatEndsLateIsDone) {
  for (const ModeCase& mode : kModeCases) {
    SCOPED_TRACE(mode.name);
    Later world(chain(3), mode, 20'000);
    Bound bound(world.graph, world.setup);
    world.graph.witness().hook = [&](std::uint32_t op) { world.backend.now_ps += op == 1 ? 50'000 : 0; };
    ASSERT_EQ(bound.run().error.status, DETENT_TIMEOUT);
    const detent_op_record record = record_of(bound, 1);
    EXPECT_EQ(record.state, DETENT_OP_DONE);
    EXPECT_GT(record.end_ps - record.begin_ps, 20'000U);
    EXPECT_EQ(record_of(bound, 2).begin_ps, kNever);
  }
}

TEST(OpState, TimesOfAnOpDoNotGoBackWithTheClock) {
  for (const ModeCase& mode : kModeCases) {
    SCOPED_TRACE(mode.name);
    Later world(chain(2), mode);
    world.backend.now_ps = std::uint64_t{5} << 32;
    Bound bound(world.graph, world.setup);
    world.graph.witness().hook = [&](std::uint32_t) { world.backend.now_ps -= 100'000; };
    ASSERT_EQ(bound.run().error.status, DETENT_OK);
    for (const std::uint32_t op : {0U, 1U}) {
      const detent_op_record record = record_of(bound, op);
      EXPECT_LE(record.ready_ps, record.begin_ps);
      EXPECT_LE(record.begin_ps, record.end_ps);
      EXPECT_GT(record.begin_ps, std::uint64_t{4} << 32);
    }
  }
}

TEST(OpState, APortWithoutAClockSaysZero) {
  Graph graph = chain(2);
  const detent_port port = detent_port_single_clocked(nullptr, nullptr);
  Bound bound(graph, {.op_states = true, .port = &port});
  ASSERT_EQ(bound.run().error.status, DETENT_OK);
  EXPECT_EQ(letters(bound, 2), "dd");
  EXPECT_EQ(record_of(bound, 1).end_ps, 0U);
}

}  // namespace
}  // namespace detent::test
