// Explorations to the last figure: how many schedules there are, what each kind of synchronisation was met how often,
// and every word of what a failure says. The searches are deterministic and count scheduling points of the engine
// alone, so the figures are the same on every machine; whoever changes the engine or a search says here by how much.
#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "tests/verify/random_graph.hpp"
#include "tests/verify/verdict_text.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::verify::explore {
namespace {

using verify::testing::DescTables;
using verify::testing::GraphSpec;
using verify::testing::text_of;

/// Ops that write 8 bytes each; op 1 is answered by a back end later if asked for.
GraphSpec figures_graph(std::uint32_t count, std::vector<support::Edge> edges, bool answered = false) {
  GraphSpec spec = verify::testing::make_ops(count);
  spec.regions = verify::testing::workspaces({std::uint64_t{64} * count});
  for (std::uint32_t op = 0; op < count; ++op) spec.ops[op].writes.push_back({0, std::uint64_t{64} * op, 8});
  spec.edges = std::move(edges);
  if (answered) spec.ops[1].core_class = 1;
  return spec;
}

std::string figures_of(const SyncPoints& sync) {
  std::string text;
  const auto add = [&](const char* name, std::uint64_t a, std::uint64_t b) {
    if (a + b != 0) text += std::string(" ") + name + " " + std::to_string(a) + "/" + std::to_string(b);
  };
  add("wait", sync.wait_asleep, sync.wait_awake);
  add("lock", sync.lock_free, sync.lock_contended);
  add("role", sync.role_free, sync.role_held);
  add("ready", sync.ready_empty, sync.ready_some);
  add("full", sync.ready_full, sync.complete_full);
  add("complete", sync.complete_empty, sync.complete_some);
  add("ops", sync.ops_ordered, sync.ops_concurrent);
  add("spurious", sync.spurious, sync.timeouts);
  add("failed", sync.failed_starts, sync.refused_answers);
  return text;
}

std::string figures_of(const GraphSpec& spec, ThreadOptions options = {}) {
  const DescTables tables(spec);
  const ThreadResult result = explore_threads(tables.desc, options);
  const ThreadStatistics& s = result.statistics;
  std::string text = text_of(result.verdict);
  text += (result.complete ? "complete" : "open") + std::string(result.out_of_memory ? ", out of memory" : "") + ": " +
          std::to_string(s.executions) + " executions, " + std::to_string(s.blocked) + " blocked, " +
          std::to_string(s.distinct) + " distinct, " + std::to_string(s.once) + " once, " + std::to_string(s.steps) +
          " steps, longest " + std::to_string(s.longest) + ", " + std::to_string(s.threads) + " threads;";
  return text + figures_of(s.sync);
}

TEST(ThreadFigures, EveryScheduleOfTwoOps) {
  const GraphSpec two = figures_graph(2, {});
  EXPECT_EQ(figures_of(two, {.engine = {.workers = 2, .mode = DETENT_MODE_SERIAL}}),
            "threads holds: serial, 2 workers, C++20 memory model: every schedule: 1 execution, 1 trace\n"
            "complete: 1 executions, 0 blocked, 1 distinct, 1 once, 15 steps, longest 15, 2 threads; ops 2/0");
  EXPECT_EQ(figures_of(two, {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED}}),
            "threads holds: layered, 2 workers, C++20 memory model: every schedule: 40 executions, 32 traces\n"
            "complete: 40 executions, 0 blocked, 32 distinct, 24 once, 1880 steps, longest 49, 2 threads; wait 90/0 "
            "ops 60/20");
  EXPECT_EQ(
      figures_of(two, {.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}}),
      "threads holds: static lists, 2 workers, C++20 memory model: every schedule: 5 executions, 4 traces\n"
      "complete: 5 executions, 0 blocked, 4 distinct, 3 once, 180 steps, longest 38, 2 threads; wait 13/0 ops 5/5");
  EXPECT_EQ(
      figures_of(two, {.memory = MemoryModel::kSc}),
      "threads holds: closed loop, 2 workers, sequential consistency: every schedule: 180 executions, 180 traces\n"
      "complete: 180 executions, 0 blocked, 180 distinct, 180 once, 12384 steps, longest 82, 2 threads; wait 392/0 "
      "role 1266/240 ready 760/0 full 0/133 complete 229/0 ops 180/180");
  EXPECT_EQ(figures_of(two),
            "threads holds: closed loop, 2 workers, C++20 memory model: every schedule: 400 executions, 180 traces\n"
            "complete: 400 executions, 32 blocked, 180 distinct, 94 once, 27277 steps, longest 82, 2 threads; wait "
            "844/0 role 2831/506 ready 1674/0 full 0/280 complete 522/0 ops 400/400");
  EXPECT_EQ(figures_of(figures_graph(2, {{0, 1}}), {.engine = {.workers = 2, .scheduler = DETENT_SCHEDULER_THREAD}}),
            "threads holds: closed loop, own scheduler, 2 workers, C++20 memory model: every schedule: 280 executions, "
            "143 traces\n"
            "complete: 280 executions, 14 blocked, 143 distinct, 74 once, 26501 steps, longest 114, 3 threads; wait "
            "986/138 role 1153/0 ready 1072/0 complete 560/0 ops 558/0");
}

TEST(ThreadFigures, EveryScheduleOfAFork) {
  const GraphSpec fork = figures_graph(3, {{0, 1}, {0, 2}});
  EXPECT_EQ(figures_of(fork, {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED}}),
            "threads holds: layered, 2 workers, C++20 memory model: every schedule: 40 executions, 32 traces\n"
            "complete: 40 executions, 0 blocked, 32 distinct, 24 once, 2360 steps, longest 61, 2 threads; wait 90/0 "
            "ops 100/20");
  EXPECT_EQ(figures_of(fork, {.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}}),
            "threads holds: static lists, 2 workers, C++20 memory model: every schedule: 100 executions, 34 traces\n"
            "complete: 100 executions, 7 blocked, 34 distinct, 7 once, 4854 steps, longest 54, 2 threads; wait 234/44 "
            "ops 203/90");
  EXPECT_EQ(figures_of(fork, {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED, .spin_limit = 1}}),
            "threads holds: layered, 2 workers, C++20 memory model: every schedule: 48 executions, 40 traces\n"
            "complete: 48 executions, 0 blocked, 40 distinct, 32 once, 2936 steps, longest 64, 2 threads; wait 105/0 "
            "ops 120/24");
  EXPECT_EQ(figures_of(fork, {.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}, .spurious_wakeups = 1}),
            "threads holds: static lists, 2 workers, C++20 memory model: every schedule: 506 executions, 161 traces\n"
            "complete: 506 executions, 18 blocked, 161 distinct, 23 once, 25949 steps, longest 57, 2 threads; wait "
            "1188/276 ops 1023/477 spurious 546/0");
  EXPECT_EQ(figures_of(fork, {.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}, .failing_ops = {0}}),
            "threads holds: static lists, 2 workers, C++20 memory model: every schedule: 153 executions, 43 traces\n"
            "complete: 153 executions, 12 blocked, 43 distinct, 7 once, 7791 steps, longest 58, 2 threads; wait "
            "642/122 ops 153/0");
  EXPECT_EQ(
      figures_of(fork,
                 {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED}, .memory = MemoryModel::kSc, .cancel = true}),
      "threads holds: layered, 2 workers, sequential consistency: every schedule: 475 executions, 467 traces\n"
      "complete: 475 executions, 8 blocked, 467 distinct, 467 once, 31385 steps, longest 74, 3 threads; wait "
      "1982/140 ops 1052/154");
}

TEST(ThreadFigures, EveryScheduleOfAnswers) {
  const GraphSpec answered = figures_graph(3, {{0, 2}, {1, 2}}, true);
  EXPECT_EQ(figures_of(answered, {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED}}),
            "threads holds: layered, 2 workers, C++20 memory model: every schedule: 3 executions, 3 traces\n"
            "complete: 3 executions, 0 blocked, 3 distinct, 3 once, 158 steps, longest 54, 3 threads; wait 6/0 lock "
            "4/0 ops 9/0");
  EXPECT_EQ(figures_of(answered, {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED}, .async_answers = false}),
            "threads holds: layered, 2 workers, C++20 memory model: every schedule: 1 execution, 1 trace\n"
            "complete: 1 executions, 0 blocked, 1 distinct, 1 once, 41 steps, longest 41, 2 threads; wait 2/0 ops 3/0");
  EXPECT_EQ(figures_of(answered, {.engine = {.workers = 1, .mode = DETENT_MODE_STATIC}, .duplicate_answers = 1}),
            "threads holds: static lists, 1 worker, C++20 memory model: every schedule: 119 executions, 36 traces\n"
            "complete: 119 executions, 0 blocked, 36 distinct, 7 once, 5436 steps, longest 49, 2 threads; wait 47/0 "
            "lock 240/0 ops 357/0 failed 0/120");
  EXPECT_EQ(
      figures_of(answered, {.engine = {.workers = 1}, .memory = MemoryModel::kSc, .duplicate_answers = 2}),
      "threads holds: closed loop, 1 worker, sequential consistency: every schedule: 7894 executions, 7894 traces\n"
      "complete: 7894 executions, 0 blocked, 7894 distinct, 7894 once, 849453 steps, longest 134, 2 threads; wait "
      "2350/0 lock 23685/0 role 76156/24310 ready 42924/0 complete 15790/0 ops 23682/0 failed 0/15790");
}

TEST(ThreadFigures, AClassThatIsAnsweredMayStandFirst) {
  DescTables tables(figures_graph(2, {{0, 1}}, true));
  std::swap(tables.classes[0], tables.classes[1]);
  for (detent_op& op : tables.ops) op.core_class = 1 - op.core_class;
  EXPECT_EQ(text_of(explore_threads(tables.desc, {.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}}).verdict),
            "threads holds: static lists, 2 workers, C++20 memory model: every schedule: 17 executions, 7 traces\n");
}

TEST(ThreadFigures, EveryScheduleOfAWholeLife) {
  const GraphSpec one = figures_graph(1, {});
  EXPECT_EQ(figures_of(one, {.whole_life = true}),
            "threads holds: closed loop, 2 workers, C++20 memory model: every schedule: 1 execution, 1 trace\n"
            "complete: 1 executions, 0 blocked, 1 distinct, 1 once, 54 steps, longest 54, 2 threads; wait 2/0 role 8/0 "
            "ready 6/0 complete 2/0 ops 1/0");
  EXPECT_EQ(figures_of(one, {.engine = {.workers = 3}, .whole_life = true, .failing_starts = 1}),
            "threads holds: closed loop, 3 workers, C++20 memory model: every schedule: 4 executions, 4 traces\n"
            "complete: 4 executions, 0 blocked, 4 distinct, 4 once, 90 steps, longest 66, 3 threads; wait 5/0 role 8/0 "
            "ready 6/0 complete 2/0 ops 1/0 failed 3/0");
}

TEST(ThreadFigures, EveryScheduleWithMutexes) {
  GraphSpec mutexes = figures_graph(3, {});
  mutexes.mutex_count = 1;
  mutexes.ops[0].mutexes = mutexes.ops[2].mutexes = {0};
  EXPECT_EQ(figures_of(mutexes, {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED}}),
            "threads holds: layered, 2 workers, C++20 memory model: every schedule: 64 executions, 48 traces\n"
            "complete: 64 executions, 0 blocked, 48 distinct, 32 once, 3768 steps, longest 61, 2 threads; wait 138/0 "
            "ops 160/32");
  EXPECT_EQ(
      figures_of(mutexes, {.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}}),
      "threads holds: static lists, 2 workers, C++20 memory model: every schedule: 5 executions, 4 traces\n"
      "complete: 5 executions, 0 blocked, 4 distinct, 3 once, 190 steps, longest 40, 2 threads; wait 13/0 ops 10/5");
}

TEST(ThreadFigures, SamplesOfEachSearch) {
  const GraphSpec graph = figures_graph(5, {{0, 2}, {0, 3}, {1, 3}, {2, 4}}, true);
  EXPECT_EQ(figures_of(graph, {.max_executions = 60}),
            "threads unknown: closed loop, 2 workers, C++20 memory model: no law broken in a sample: 60 executions, 33 "
            "traces (exhaustive)\n"
            "open: 60 executions, 1 blocked, 33 distinct, 20 once, 6661 steps, longest 124, 3 threads; wait 75/5 lock "
            "61/0 role 770/84 ready 445/0 complete 244/0 ops 300/0");
  EXPECT_EQ(figures_of(graph, {.search = Search::kBounded, .max_executions = 60}),
            "threads unknown: closed loop, 2 workers, C++20 memory model: no law broken in a sample: 60 executions, 1 "
            "trace (bounded)\n"
            "open: 60 executions, 0 blocked, 1 distinct, 0 once, 5940 steps, longest 99, 3 threads; wait 122/0 lock "
            "61/0 role 732/0 ready 427/0 complete 244/0 ops 300/0");
  EXPECT_EQ(figures_of(graph, {.seeds = {.input = 1, .schedule = 3}, .search = Search::kRandom, .max_executions = 60}),
            "threads unknown: closed loop, 2 workers, C++20 memory model: no law broken in a sample: 60 executions, 50 "
            "traces (random)\n"
            "open: 60 executions, 0 blocked, 50 distinct, 43 once, 6711 steps, longest 145, 3 threads; wait 170/0 lock "
            "61/0 role 607/222 ready 354/0 full 0/25 complete 219/0 ops 206/94");
  EXPECT_EQ(
      figures_of(graph,
                 {.seeds = {.input = 1, .schedule = 3}, .search = Search::kPct, .max_executions = 60, .pct_depth = 4}),
      "threads unknown: closed loop, 2 workers, C++20 memory model: no law broken in a sample: 60 executions, 22 "
      "traces (pct)\n"
      "open: 60 executions, 0 blocked, 22 distinct, 15 once, 5815 steps, longest 121, 3 threads; wait 131/1 lock "
      "61/0 role 666/48 ready 394/0 full 0/6 complete 238/0 ops 243/57");
  EXPECT_EQ(figures_of(graph, {.seeds = {.input = 1, .schedule = 3}, .search = Search::kPos, .max_executions = 60}),
            "threads unknown: closed loop, 2 workers, C++20 memory model: no law broken in a sample: 60 executions, 40 "
            "traces (pos)\n"
            "open: 60 executions, 0 blocked, 40 distinct, 35 once, 6147 steps, longest 130, 3 threads; wait 148/0 lock "
            "61/0 role 643/100 ready 378/0 full 0/9 complete 235/0 ops 217/83");
  EXPECT_EQ(figures_of(graph, {.engine = {.workers = 3},
                               .seeds = {.input = 1, .schedule = 3},
                               .search = Search::kRotate,
                               .max_executions = 60}),
            "threads unknown: closed loop, 3 workers, C++20 memory model: no law broken in a sample: 60 executions, 33 "
            "traces (rotate)\n"
            "open: 60 executions, 0 blocked, 33 distinct, 28 once, 6078 steps, longest 131, 4 threads; wait 200/1 lock "
            "61/0 role 647/104 ready 381/0 complete 231/13 ops 241/59");
}

TEST(ThreadFigures, BoundedSearchesToTheirEnd) {
  const GraphSpec two = figures_graph(2, {});
  const auto bounded = [&](const GraphSpec& spec, std::uint32_t preemptions, MemoryModel memory) {
    return figures_of(spec, {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED},
                             .search = Search::kBounded,
                             .memory = memory,
                             .max_preemptions = preemptions});
  };
  EXPECT_EQ(bounded(two, 0, MemoryModel::kC11),
            "threads unknown: layered, 2 workers, C++20 memory model: no law broken in a sample: 1 execution, 1 trace "
            "(bounded)\n"
            "complete: 1 executions, 0 blocked, 1 distinct, 1 once, 49 steps, longest 49, 2 threads; wait 5/0 ops 2/0");
  EXPECT_EQ(
      bounded(two, 1, MemoryModel::kC11),
      "threads unknown: layered, 2 workers, C++20 memory model: no law broken in a sample: 15 executions, 6 traces "
      "(bounded)\n"
      "complete: 15 executions, 0 blocked, 6 distinct, 2 once, 703 steps, longest 49, 2 threads; wait 36/0 ops 27/3");
  EXPECT_EQ(bounded(two, 2, MemoryModel::kSc),
            "threads unknown: layered, 2 workers, sequential consistency: no law broken in a sample: 204 executions, "
            "16 traces (bounded)\n"
            "complete: 204 executions, 0 blocked, 16 distinct, 0 once, 9833 steps, longest 49, 2 threads; wait 558/0 "
            "ops 372/36");
  EXPECT_EQ(bounded(two, 2, MemoryModel::kC11),
            "threads unknown: layered, 2 workers, C++20 memory model: no law broken in a sample: 204 executions, 16 "
            "traces (bounded)\n"
            "complete: 204 executions, 0 blocked, 16 distinct, 0 once, 9833 steps, longest 49, 2 threads; wait 558/0 "
            "ops 372/36");
}

TEST(ThreadFigures, SamplesWithDeadlinesAndSeveralRuns) {
  const GraphSpec graph = figures_graph(4, {{0, 2}, {1, 3}}, true);
  const auto late = [&](detent_mode mode) {
    return figures_of(graph, {.engine = {.workers = 2, .mode = mode},
                              .op_deadline_ps = 1000,
                              .search = Search::kRotate,
                              .max_executions = 60,
                              .spurious_wakeups = 1,
                              .early_timeouts = 2});
  };
  EXPECT_EQ(late(DETENT_MODE_SERIAL),
            "threads unknown: serial, 2 workers, C++20 memory model: no law broken in a sample: 60 executions, 18 "
            "traces (rotate)\n"
            "open: 60 executions, 0 blocked, 18 distinct, 6 once, 2713 steps, longest 66, 3 threads; wait 66/25 lock "
            "91/0 ops 115/0 spurious 9/64");
  EXPECT_EQ(late(DETENT_MODE_LAYERED),
            "threads unknown: layered, 2 workers, C++20 memory model: no law broken in a sample: 60 executions, 25 "
            "traces (rotate)\n"
            "open: 60 executions, 0 blocked, 25 distinct, 16 once, 4555 steps, longest 125, 3 threads; wait 298/59 "
            "lock 118/0 ops 89/53 spurious 42/74");
  EXPECT_EQ(late(DETENT_MODE_CLOSED_LOOP),
            "threads unknown: closed loop, 2 workers, C++20 memory model: no law broken in a sample: 60 executions, 36 "
            "traces (rotate)\n"
            "open: 60 executions, 0 blocked, 36 distinct, 28 once, 5738 steps, longest 187, 3 threads; wait 143/4 lock "
            "119/0 role 971/72 ready 611/23 full 1/2 complete 255/0 ops 115/25 spurious 12/84");
  EXPECT_EQ(late(DETENT_MODE_STATIC),
            "threads unknown: static lists, 2 workers, C++20 memory model: no law broken in a sample: 60 executions, "
            "23 traces (rotate)\n"
            "open: 60 executions, 0 blocked, 23 distinct, 17 once, 3607 steps, longest 99, 3 threads; wait 254/28 "
            "lock 85/0 ops 104/20 spurious 44/62");
  const auto twice = [&](detent_mode mode) {
    return figures_of(
        graph, {.engine = {.workers = 3, .mode = mode}, .runs = 2, .search = Search::kRotate, .max_executions = 40});
  };
  EXPECT_EQ(twice(DETENT_MODE_SERIAL),
            "threads unknown: serial, 3 workers, C++20 memory model: no law broken in a sample: 40 executions, 7 "
            "traces (rotate)\n"
            "open: 40 executions, 0 blocked, 7 distinct, 0 once, 2378 steps, longest 61, 5 threads; wait 47/4 lock "
            "82/0 ops 320/0");
  EXPECT_EQ(twice(DETENT_MODE_LAYERED),
            "threads unknown: layered, 3 workers, C++20 memory model: no law broken in a sample: 40 executions, 27 "
            "traces (rotate)\n"
            "open: 40 executions, 0 blocked, 27 distinct, 23 once, 6111 steps, longest 159, 5 threads; wait 205/23 "
            "lock 82/0 ops 255/65");
  EXPECT_EQ(twice(DETENT_MODE_CLOSED_LOOP),
            "threads unknown: closed loop, 3 workers, C++20 memory model: no law broken in a sample: 40 executions, 31 "
            "traces (rotate)\n"
            "open: 40 executions, 0 blocked, 31 distinct, 28 once, 7081 steps, longest 228, 5 threads; wait 189/1 lock "
            "82/0 role 651/131 ready 382/0 complete 236/10 ops 236/84");
  EXPECT_EQ(twice(DETENT_MODE_STATIC),
            "threads unknown: static lists, 3 workers, C++20 memory model: no law broken in a sample: 40 executions, "
            "24 traces (rotate)\n"
            "open: 40 executions, 0 blocked, 24 distinct, 19 once, 4299 steps, longest 121, 5 threads; wait 263/10 "
            "lock 82/0 ops 259/61");
}

/// Two ops that write the same bytes.
GraphSpec figures_race() {
  GraphSpec spec = verify::testing::make_ops(2);
  spec.ops[0].writes = spec.ops[1].writes = {{0, 0, 8}};
  return spec;
}

TEST(ThreadFigures, AFailureAndItsReplay) {
  const DescTables tables(figures_race());
  const ThreadOptions options{.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}};
  const ThreadResult result = explore_threads(tables.desc, options);
  EXPECT_EQ(text_of(result.verdict),
            "threads violated: static lists, 2 workers, C++20 memory model: law \"output\" is broken after 6 "
            "executions, 5 traces\n"
            "- the output differs from that of serial execution; slot 0 stops before it executes an op that races; "
            "slot 1 goes on; choices t1:0x14.1x14.0x8#0a642299beb95be9\n");
  ASSERT_TRUE(result.failure);
  const ThreadReplay replay = replay_threads(tables.desc, options, result.failure->choices);
  EXPECT_EQ(replay.listing,
            "     1  slot 0                   updates busy\n"
            "     2  slot 0                   writes cancelled\n"
            "     3  slot 0                   writes run number\n"
            "     4  slot 0                   writes failure\n"
            "     5  slot 0                   writes progress of slot 0\n"
            "     6  slot 0                   writes begun of slot 0\n"
            "     7  slot 0                   writes progress of slot 1\n"
            "     8  slot 0                   writes begun of slot 1\n"
            "     9  slot 0                   updates working\n"
            "    10  slot 0                   writes inbox of slot 1\n"
            "    11  slot 0                   reads parked of slot 1\n"
            "    12  slot 0                   notifies slot 1\n"
            "    13  slot 0                   reads failure\n"
            "    14  slot 0                   reads cancelled\n"
            "    15  slot 1                   wakes from its wait\n"
            "    16  slot 1                   reads inbox of slot 1\n"
            "    17  slot 1                   writes parked of slot 1\n"
            "    18  slot 1                   reads inbox of slot 1\n"
            "    19  slot 1                   reads inbox of slot 1\n"
            "    20  slot 1                   writes inbox of slot 1\n"
            "    21  slot 1                   reads failure\n"
            "    22  slot 1                   reads cancelled\n"
            "    23  slot 1                   executes an op that races\n"
            "    24  slot 1                   updates working\n"
            "    25  slot 1                   reads parked of slot 0\n"
            "    26  slot 1                   writes parked of slot 1\n"
            "    27  slot 1                   reads inbox of slot 1\n"
            "    28  slot 1                   reads quit\n"
            "    29  slot 0                   executes an op that races\n"
            "    30  slot 0                   writes parked of slot 0\n"
            "    31  slot 0                   reads working\n"
            "    32  slot 0                   writes parked of slot 0\n"
            "    33  slot 0                   reads working\n"
            "    34  slot 0                   reads abandoned\n"
            "    35  slot 0                   reads failure\n"
            "    36  slot 0                   writes busy\n");
  ASSERT_TRUE(replay.failure);
  EXPECT_EQ(replay.failure->text, result.failure->text);
  EXPECT_EQ(replay.failure->choices, result.failure->choices);
  EXPECT_EQ(replay.failure->constraints, result.failure->constraints);
  EXPECT_EQ(replay.failure->preemptions, result.failure->preemptions);
}

TEST(ThreadFigures, AFailureOfTheClosedLoopAndItsReplay) {
  const DescTables tables(figures_race());
  const ThreadResult result = explore_threads(tables.desc);
  EXPECT_EQ(text_of(result.verdict),
            "threads violated: closed loop, 2 workers, C++20 memory model: law \"output\" is broken after 401 "
            "executions, 181 traces\n"
            "- the output differs from that of serial execution; slot 0 stops before it executes an op that races; "
            "slot 1 goes on; choices t1:0x17.1x21.0x15#295ab6cf907e9737\n");
  ASSERT_TRUE(result.failure);
  const ThreadReplay replay = replay_threads(tables.desc, {}, result.failure->choices);
  EXPECT_EQ(replay.listing,
            "     1  slot 0                   updates busy\n"
            "     2  slot 0                   writes cancelled\n"
            "     3  slot 0                   writes run number\n"
            "     4  slot 0                   updates role\n"
            "     5  slot 0                   writes finished\n"
            "     6  slot 0                   reads cancelled\n"
            "     7  slot 0                   writes inbox of slot 1\n"
            "     8  slot 0                   reads complete queue\n"
            "     9  slot 0                   reads a cell of the complete queue\n"
            "    10  slot 0                   reads foreign queue\n"
            "    11  slot 0                   updates role\n"
            "    12  slot 0                   reads parked of slot 1\n"
            "    13  slot 0                   notifies slot 1\n"
            "    14  slot 0                   reads complete queue\n"
            "    15  slot 0                   reads a cell of the complete queue\n"
            "    16  slot 0                   reads foreign queue\n"
            "    17  slot 0                   reads foreign queue\n"
            "    18  slot 1                   wakes from its wait\n"
            "    19  slot 1                   reads inbox of slot 1\n"
            "    20  slot 1                   writes parked of slot 1\n"
            "    21  slot 1                   reads inbox of slot 1\n"
            "    22  slot 1                   reads inbox of slot 1\n"
            "    23  slot 1                   writes inbox of slot 1\n"
            "    24  slot 1                   executes an op that races\n"
            "    25  slot 1                   reads role\n"
            "    26  slot 1                   updates role\n"
            "    27  slot 1                   reads cancelled\n"
            "    28  slot 1                   reads complete queue\n"
            "    29  slot 1                   reads a cell of the complete queue\n"
            "    30  slot 1                   reads foreign queue\n"
            "    31  slot 1                   updates role\n"
            "    32  slot 1                   reads complete queue\n"
            "    33  slot 1                   reads a cell of the complete queue\n"
            "    34  slot 1                   reads foreign queue\n"
            "    35  slot 1                   reads foreign queue\n"
            "    36  slot 1                   writes parked of slot 1\n"
            "    37  slot 1                   reads inbox of slot 1\n"
            "    38  slot 1                   reads quit\n"
            "    39  slot 0                   executes an op that races\n"
            "    40  slot 0                   reads role\n"
            "    41  slot 0                   updates role\n"
            "    42  slot 0                   reads cancelled\n"
            "    43  slot 0                   reads complete queue\n"
            "    44  slot 0                   reads a cell of the complete queue\n"
            "    45  slot 0                   reads foreign queue\n"
            "    46  slot 0                   updates role\n"
            "    47  slot 0                   writes finished\n"
            "    48  slot 0                   reads complete queue\n"
            "    49  slot 0                   reads a cell of the complete queue\n"
            "    50  slot 0                   reads foreign queue\n"
            "    51  slot 0                   reads foreign queue\n"
            "    52  slot 0                   reads finished\n"
            "    53  slot 0                   writes busy\n");
  std::string steps;
  for (const ThreadStep& step : replay.steps) {
    if (step.preempts) steps += std::to_string(step.number) + " " + step.thread + " " + step.does + "\n";
  }
  EXPECT_EQ(steps, "18 slot 1 wakes from its wait\n");
}

TEST(ThreadFigures, FailuresThatAreNotMinimised) {
  const DescTables race(figures_race());
  const DescTables chain(figures_graph(3, {{0, 1}, {1, 2}}));
  const auto failure = [](const DescTables& tables, const ThreadOptions& options) {
    const ThreadResult result = explore_threads(tables.desc, options);
    return text_of(result.verdict) + std::to_string(result.failure ? result.failure->preemptions : 99) + " preemptions";
  };
  EXPECT_EQ(
      failure(race, {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED}, .search = Search::kPos, .minimise = false}),
      "threads violated: layered, 2 workers, C++20 memory model: law \"output\" is broken after 4 executions, 4 "
      "traces\n"
      "- the output differs from that of serial execution; slot 0 stops before it reads cancelled; slot 1 goes on; "
      "slot 1 stops before it reads inbox of slot 1; slot 0 goes on; slot 0 stops before it executes an op that races; "
      "slot 1 goes on; slot 1 stops before it reads failure; slot 0 goes on; slot 0 stops before it reads failure; "
      "slot 1 goes on; choices t1:0x16.1x3.0x2.1x7.0x1.1x8.0x10#0cbed97aa0161f63\n"
      "5 preemptions");
  EXPECT_EQ(
      failure(race, {.search = Search::kRandom, .minimise = false}),
      "threads violated: closed loop, 2 workers, C++20 memory model: law \"output\" is broken after 4 executions, 4 "
      "traces\n"
      "- the output differs from that of serial execution; slot 0 stops before it reads complete queue; slot 1 goes "
      "on; slot 1 stops before it writes parked of slot 1; slot 0 goes on; slot 0 stops before it reads foreign queue; "
      "slot 1 goes on; slot 1 stops before it reads cancelled; slot 0 goes on; slot 0 stops before it reads role; slot "
      "1 goes on; slot 1 stops before it reads complete queue; slot 0 goes on; slot 0 stops before it reads role; slot "
      "1 goes on; slot 1 stops before it reads a cell of the complete queue; slot 0 goes on; slot 0 stops before it "
      "reads finished; slot 1 goes on; slot 1 stops before it writes a cell of the complete queue; slot 0 goes on; "
      "slot 1 stops before it reads complete queue; slot 0 goes on; slot 0 stops before it reads finished; slot 1 goes "
      "on; slot 1 stops before it reads a cell of the complete queue; slot 0 goes on; slot 0 stops before it writes "
      "parked of slot 0; slot 1 goes on; slot 1 stops before it reads foreign queue; slot 0 goes on; slot 0 stops "
      "before it reads finished; slot 1 goes on; choices "
      "t1:0x13.1x2.0x3.1x7.0x2.1x1.0x3.1x1.0x4.1x1.0x1.1x13.0x2.1x1.0x1.1x1.0x2.1x5.0x2#c9f201c15f6f8448\n"
      "16 preemptions");
  EXPECT_EQ(failure(chain, {.max_steps = 10, .minimise = false}),
            "threads violated: closed loop, 2 workers, C++20 memory model: law \"termination\" is broken after 1 "
            "execution, 1 trace\n"
            "- no end within 10 steps; choices t1:0x10#e268bf65037974b6\n"
            "0 preemptions");
}

std::string refusal_of(const GraphSpec& spec, const ThreadOptions& options) {
  const DescTables tables(spec);
  try {
    explore_threads(tables.desc, options);
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "none";
}

TEST(ThreadFigures, RefusalsSayWhatIsWrong) {
  const GraphSpec two = figures_graph(2, {{0, 1}}, true);
  EXPECT_EQ(refusal_of(two, {.engine = {.workers = 0}}), "threads: no workers; give 1 or more");
  EXPECT_EQ(refusal_of(two, {.engine = {.workers = 1}, .worker_classes = {0, 0}}),
            "threads: worker classes must be one per worker, or none");
  EXPECT_EQ(refusal_of(two, {.runs = 0}), "threads: no runs; give 1 or more");
  EXPECT_EQ(refusal_of(two, {.max_executions = 0}), "threads: no executions; give 1 or more");
  EXPECT_EQ(refusal_of(two, {.search = Search::kPct, .pct_depth = 0}), "threads: pct depth 0; give 1 or more");
  EXPECT_EQ(refusal_of(two, {.search = Search::kPos, .max_executions = 1, .pct_depth = 0}), "none");
  EXPECT_EQ(refusal_of(two, {.engine = {.workers = 64}}),
            "threads: more than 64 threads; take fewer workers, async ops or runs");
  EXPECT_EQ(refusal_of(two, {.runs = 62, .search = Search::kRandom, .max_executions = 1}), "none");
  EXPECT_EQ(refusal_of(two, {.runs = 63}), "threads: more than 64 threads; take fewer workers, async ops or runs");
  EXPECT_EQ(refusal_of(two, {.runs = 62, .cancel = true}),
            "threads: more than 64 threads; take fewer workers, async ops or runs");
  EXPECT_EQ(refusal_of(two, {.failing_starts = 1}), "threads: failing starts need whole_life");
  EXPECT_EQ(refusal_of(two, {.runs = 2, .duplicate_answers = 1}),
            "threads: with several runs a second answer may be the first one of the next run; give one run");
  EXPECT_EQ(refusal_of(two, {.early_timeouts = 1}), "threads: early timeouts need a deadline");
  EXPECT_EQ(refusal_of(two, {.failing_ops = {1, 2}}), "threads: failing op 2 does not exist");
  GraphSpec cycle = two;
  cycle.edges.emplace_back(1, 0);
  EXPECT_EQ(refusal_of(cycle, {}),
            "test: the op graph has a cycle; `detent verify` prints the structure verdict with the ops concerned");
}

std::string replay_refusal(const std::string& choices) {
  const DescTables tables(figures_graph(2, {}));
  try {
    const ThreadReplay replay = replay_threads(tables.desc, {}, choices);
    return replay.failure ? replay.failure->law + ": " + replay.failure->text : "fits";
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
}

TEST(ThreadFigures, InvalidChoiceStringsAreRefused) {
  EXPECT_EQ(replay_refusal(""), "choice string: \"t1:\" expected at character 1; give the line as it was printed");
  EXPECT_EQ(replay_refusal("t2:0x1#0"),
            "choice string: \"t1:\" expected at character 1; give the line as it was printed");
  EXPECT_EQ(replay_refusal("t1:"), "choice string: a number expected at character 4; give the line as it was printed");
  EXPECT_EQ(replay_refusal("t1:0y1#0"), "choice string: 'x' expected at character 5; give the line as it was printed");
  EXPECT_EQ(replay_refusal("t1:0x1,1x1#0"),
            "choice string: '.' or '#' expected at character 7; give the line as it was printed");
  EXPECT_EQ(replay_refusal("t1:0x1.#0"), "fits");
  EXPECT_EQ(replay_refusal("t1:64x1#0"),
            "choice string: a number is out of range at character 4; give the line as it was printed");
  EXPECT_EQ(replay_refusal("t1:0x0#0"),
            "choice string: a number is out of range at character 4; give the line as it was printed");
  EXPECT_EQ(replay_refusal("t1:0x10000001#0"),
            "choice string: a number is out of range at character 4; give the line as it was printed");
  EXPECT_EQ(replay_refusal("t1:0x1.0x10000000#0"),
            "choice string: a number is out of range at character 8; give the line as it was printed");
  EXPECT_EQ(replay_refusal("t1:0x1#0 "),
            "choice string: the end expected at character 9; give the line as it was printed");
  EXPECT_EQ(replay_refusal("t1:0x1#"),
            "choice string: a number expected at character 8; give the line as it was printed");
  EXPECT_EQ(replay_refusal("t1:63x1#0"),
            "nondeterminism: uncontrolled nondeterminism at step 1: the choice string belongs to another model, "
            "configuration or engine");
  EXPECT_EQ(replay_refusal("t1:0x1.c9#0"),
            "nondeterminism: uncontrolled nondeterminism at step 2: the choice string belongs to another model, "
            "configuration or engine");
  EXPECT_EQ(replay_refusal("t1:0x1#0"), "fits");
  EXPECT_EQ(replay_refusal("t1:#0"), "fits");
  EXPECT_EQ(replay_refusal("t1:0x10000000#0"),
            "nondeterminism: uncontrolled nondeterminism at step 33: the choice string belongs to another model, "
            "configuration or engine");
}

}  // namespace
}  // namespace detent::verify::explore
