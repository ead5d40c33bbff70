// Failures repeated on native threads: a gate at op begin per constraint.
#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/gates.hpp"
#include "harness/instance.hpp"
#include "harness/posix_port.hpp"
#include "tests/effort.hpp"
#include "tests/verify/explore/ops/programs.hpp"
#include "verify/explore/ops/failure.hpp"

namespace detent::verify::explore {
namespace {

using testing::DescTables;
using testing::GraphSpec;

TEST(Gates, ReproduceAReuseAfterAChainOf16EveryTime) {
  const DescTables tables(testing::make_reuse_after_chain(16));
  const OpSpace space(tables.desc);
  const auto failure = minimise_failure(space, schedules_of_pair(space, space.pairs().front()).back(), {});
  ASSERT_TRUE(failure.has_value());
  const GateReplay replay = replay_with_gates(space, failure->constraints, {.runs = effort(1000U)});
  EXPECT_EQ(replay.runs, effort(1000U));
  EXPECT_EQ(replay.reproduced, replay.runs);
  EXPECT_EQ(replay.digests, std::vector{failure->digest});
}

TEST(Gates, HoldSeveralOpsWithAsManyMoreWorkers) {
  const DescTables tables(testing::make_alike(4, {"u0"}));
  const OpSpace space(tables.desc);
  const std::vector<Constraint> backwards{{3, 2}, {2, 1}, {1, 0}};
  EXPECT_EQ(workers_for_gates(tables.desc, backwards), 4U);
  const GateReplay replay = replay_with_gates(space, backwards, {.workers = 4, .runs = effort(50U)});
  EXPECT_EQ(replay.reproduced, replay.runs);
  EXPECT_EQ(replay.digests.size(), 1U);
}

TEST(Gates, GatesThatWouldNeverOpenAreRefused) {
  GraphSpec spec = testing::make_program({{"u0"}, {"u0"}, {"u0", "u0"}});
  const DescTables tables(spec);
  const OpSpace space(tables.desc);
  EXPECT_THROW(replay_with_gates(space, {{1, 0}}, {.workers = 1}), std::invalid_argument);
  EXPECT_THROW(replay_with_gates(space, {{1, 0}, {0, 1}}, {.workers = 3}), std::invalid_argument);
  EXPECT_THROW(replay_with_gates(space, {{3, 2}}, {.workers = 3}), std::invalid_argument);
  spec.mutex_count = 1;
  spec.ops[0].mutexes = spec.ops[1].mutexes = {0};
  const DescTables locked(spec);
  EXPECT_THROW(replay_with_gates(OpSpace(locked.desc), {{1, 0}}, {.workers = 2}), std::invalid_argument);
  EXPECT_THROW(harness::GatedBackend({}, 2, {.gates = {{.op = 0, .after = 2}}}), std::invalid_argument);
  EXPECT_THROW(harness::GatedBackend({}, 2, {.gates = {{.op = 1, .after = 1}}}), std::invalid_argument);
}

TEST(Gates, WatchdogOpensAGateThatNoOpCanOpen) {
  const DescTables tables(testing::make_ops(2));
  harness::GatedBackend gates({}, 2,
                              {.gates = {{.op = 0, .after = 1}}, .skipped = {}, .observe = false, .watchdog_ms = 1});
  harness::PosixPort port;
  harness::InstanceOptions options;
  options.worker_count = 1;
  options.backends = {gates.backend()};
  harness::Instance instance(tables.desc, port.port(), options);
  ASSERT_EQ(instance.status(), DETENT_OK);
  gates.arm();
  EXPECT_EQ(instance.run().result.error.status, DETENT_OK);
  EXPECT_TRUE(gates.expired());
}

TEST(Gates, ReportADescThatDoesNotBind) {
  DescTables tables(testing::make_program({{"u0"}, {"u0"}}));
  const OpSpace space(tables.desc);
  tables.kernels[0] = "nobody's";
  EXPECT_EQ(replay_with_gates(space, {{1, 0}}, {}).error.status, DETENT_UNKNOWN_KERNEL);
  EXPECT_FALSE(minimise_failure(space, {1, 0}, {}).has_value());
}

}  // namespace
}  // namespace detent::verify::explore
