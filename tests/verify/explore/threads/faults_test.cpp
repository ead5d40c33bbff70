// Faults that meet: every pair of causes that can end or disturb a run, in every mode, under samples of schedules of
// graphs whose ops become ready one after another. What the status says must fit what is in flight (threads_laws.hpp).
#include <gtest/gtest.h>

#include <bitset>

#include "tests/effort.hpp"
#include "tests/verify/random_graph.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::verify::explore {
namespace {

using verify::testing::DescTables;
using verify::testing::GraphSpec;

enum Cause : std::uint32_t { kDeadline, kCancel, kKernelError, kFailingStart, kAnswers, kSecondAnswers, kSpurious };
constexpr std::uint32_t kCauses = 7;
using Causes = std::bitset<kCauses>;

struct Engine {
  detent_mode mode;
  detent_scheduler scheduler;
};
constexpr Engine kEngines[] = {{DETENT_MODE_SERIAL, DETENT_SCHEDULER_ROLE},
                               {DETENT_MODE_LAYERED, DETENT_SCHEDULER_ROLE},
                               {DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_ROLE},
                               {DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_THREAD},
                               {DETENT_MODE_STATIC, DETENT_SCHEDULER_ROLE}};

/// Ops that write 8 bytes each and read what their predecessors wrote; each but the first has one or two of them. With
/// answers, ops of an ASYNC class stand at the beginning, in the middle and at the end.
GraphSpec random_graph(std::uint64_t seed, std::uint32_t count, bool answers) {
  verify::testing::Random random{seed};
  GraphSpec spec = verify::testing::make_ops(count);
  for (std::uint32_t op = 0; op < count; ++op) {
    const std::uint32_t wanted = op < 2 ? 0 : 1 + random.below(2);
    for (std::uint32_t k = 0, before = op; k < wanted && before != 0; ++k) {
      before = random.below(before);
      spec.edges.emplace_back(before, op);
    }
    if (answers && random.below(2) == 0) spec.ops[op].core_class = 1;
  }
  support::add_dataflow(spec);
  return spec;
}

ThreadOptions options_of(const Causes& causes, const Engine& engine, std::uint64_t seed, std::uint32_t op_count) {
  ThreadOptions options;
  options.engine.mode = engine.mode;
  options.engine.scheduler = engine.scheduler;
  options.engine.workers = 2 + seed % 2;
  options.search = Search::kRotate;
  options.seeds.schedule = seed;
  options.max_executions = effort(100U);
  options.minimise = false;
  if (causes[kDeadline]) {
    options.op_deadline_ps = 1000;
    options.early_timeouts = 2;
  }
  options.cancel = causes[kCancel];
  if (causes[kKernelError]) options.failing_ops = {static_cast<std::uint32_t>(seed % op_count)};
  if (causes[kFailingStart] && engine.mode != DETENT_MODE_SERIAL) {
    options.whole_life = true;
    options.failing_starts = 1;
  }
  if (causes[kSecondAnswers]) options.duplicate_answers = 1;
  if (causes[kSpurious]) options.spurious_wakeups = 1;
  return options;
}

struct Met {
  std::uint64_t late = 0, spurious = 0, failed_starts = 0, refused = 0;
  void add(const SyncPoints& sync) {
    late += sync.timeouts;
    spurious += sync.spurious;
    failed_starts += sync.failed_starts;
    refused += sync.refused_answers;
  }
};

void explore(const Causes& causes, const Engine& engine, std::uint64_t seed, Met& met) {
  constexpr std::uint32_t kOps = 5;
  const DescTables tables(random_graph(seed, kOps, causes[kAnswers] || causes[kSecondAnswers]));
  const ThreadResult result = explore_threads(tables.desc, options_of(causes, engine, seed, kOps));
  if (result.failure) {
    ADD_FAILURE() << "causes " << causes << " mode " << engine.mode << " scheduler " << engine.scheduler << " graph "
                  << seed << ": " << result.failure->law << ": " << result.failure->text << "\n  "
                  << result.failure->choices;
  }
  met.add(result.statistics.sync);
}

TEST(ThreadFaults, EveryPairOfCausesInEveryMode) {
  Met met;
  std::uint64_t seed = 0;
  for (std::uint32_t a = 0; a < kCauses; ++a) {
    for (std::uint32_t b = a; b < kCauses; ++b) {
      for (const Engine& engine : kEngines) {
        for (std::uint32_t graph = 0; graph < 3; ++graph) explore(Causes{1U << a | 1U << b}, engine, ++seed, met);
      }
    }
  }
  EXPECT_GT(met.late, 0U);
  EXPECT_GT(met.spurious, 0U);
  EXPECT_GT(met.failed_starts, 0U);
  EXPECT_GT(met.refused, 0U);
}

/// One op is late, the next is not: the run waits for it.
TEST(ThreadFaults, ARunIsLeftOnlyWhenAllThatIsInFlightIsLate) {
  GraphSpec spec = verify::testing::make_ops(4);
  spec.edges = {{1, 3}};
  const DescTables tables(spec);
  for (const Engine& engine : kEngines) {
    const ThreadResult result =
        explore_threads(tables.desc, {.engine = {.workers = 3, .mode = engine.mode, .scheduler = engine.scheduler},
                                      .op_deadline_ps = 1000,
                                      .search = Search::kRotate,
                                      .max_executions = effort(3000U),
                                      .minimise = false,
                                      .early_timeouts = 3});
    EXPECT_FALSE(result.failure) << engine.mode << ": " << result.failure->law << ": " << result.failure->text;
  }
}

TEST(ThreadFaults, AllCausesAtOnceInEveryMode) {
  Met met;
  for (std::uint64_t seed = 1; seed <= effort(40U); ++seed) {
    for (const Engine& engine : kEngines) explore(Causes{(1U << kCauses) - 1}, engine, seed, met);
  }
  EXPECT_GT(met.late, 0U);
}

}  // namespace
}  // namespace detent::verify::explore
