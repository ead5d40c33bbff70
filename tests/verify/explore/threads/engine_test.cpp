// The real engine on small graphs under every schedule, and under samples of larger ones. Each planted fault of
// tests/mutants that only a schedule can show is killed here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/builder/control_flow.hpp"
#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/build.hpp"
#include "tests/effort.hpp"
#include "tests/verify/random_graph.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::verify::explore {
namespace {

using verify::testing::DescTables;
using verify::testing::GraphSpec;

/// n ops that write 8 bytes each and read what their predecessors wrote.
GraphSpec graph_of(std::uint32_t count, const std::vector<support::Edge>& edges) {
  GraphSpec spec = verify::testing::make_ops(count);
  spec.edges = edges;
  support::add_dataflow(spec);
  return spec;
}

GraphSpec independent(std::uint32_t count) { return graph_of(count, {}); }
GraphSpec chain(std::uint32_t count) {
  std::vector<support::Edge> edges;
  for (std::uint32_t op = 1; op < count; ++op) edges.emplace_back(op - 1, op);
  return graph_of(count, edges);
}
GraphSpec fork3() { return graph_of(3, {{0, 1}, {0, 2}}); }
GraphSpec join3() { return graph_of(3, {{0, 2}, {1, 2}}); }
/// Two chains across: each worker waits for the other's first op in static mode.
GraphSpec cross() { return graph_of(4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}}); }
/// Ops 0 and 1 belong to a back end that answers later; op 2 needs both.
GraphSpec answered() {
  GraphSpec spec = graph_of(3, {{0, 2}, {1, 2}});
  spec.ops[0].core_class = spec.ops[1].core_class = 1;
  return spec;
}

std::string complaint(const ThreadResult& result) {
  if (!result.failure) return "";
  std::string text = result.failure->law + ": " + result.failure->text;
  for (const std::string& constraint : result.failure->constraints) text += "\n  " + constraint;
  return text + "\n  " + result.failure->choices;
}

ThreadResult explore(const GraphSpec& spec, const ThreadOptions& options) {
  const DescTables tables(spec);
  ThreadResult result = explore_threads(tables.desc, options);
  EXPECT_EQ(complaint(result), "");
  return result;
}

/// Every schedule within the options was executed and broke no law, under both memory models.
ThreadResult exhaust(const GraphSpec& spec, ThreadOptions options = {}) {
  ThreadResult weak = explore(spec, options);
  EXPECT_TRUE(weak.complete);
  EXPECT_EQ(weak.verdict.outcome, Outcome::kHolds) << weak.verdict.summary;
  EXPECT_NE(weak.verdict.summary.find("C++20 memory model"), std::string::npos) << weak.verdict.summary;
  options.memory = MemoryModel::kSc;
  const ThreadResult strong = explore(spec, options);
  EXPECT_TRUE(strong.complete);
  EXPECT_NE(strong.verdict.summary.find("sequential consistency"), std::string::npos) << strong.verdict.summary;
  EXPECT_LT(strong.statistics.executions, strong.statistics.distinct + strong.statistics.distinct / 4 + 10);
  return weak;
}

TEST(ThreadEngine, AChainLeavesNothingToChoose) { EXPECT_EQ(exhaust(chain(4)).statistics.executions, 1U); }

TEST(ThreadEngine, ClosedLoopUnderEverySchedule) {
  const ThreadResult two = exhaust(independent(2));
  EXPECT_GT(two.statistics.distinct, 100U);
  const SyncPoints& points = exhaust(join3()).statistics.sync;
  EXPECT_GT(points.wait_asleep, 0U);
  EXPECT_GT(points.wait_awake, 0U);
  EXPECT_GT(points.role_free, 0U);
  EXPECT_GT(points.role_held, 0U);
  EXPECT_GT(points.ready_empty, 0U);
  EXPECT_GT(points.complete_empty, 0U);
  EXPECT_GT(points.complete_full, 0U);
  EXPECT_GT(exhaust(independent(3)).statistics.sync.ready_some, 0U);
}

TEST(ThreadEngine, FirstReadyFirstStartedUnderEverySchedule) {
  for (const GraphSpec& spec : {fork3(), join3()}) {
    exhaust(spec, {.engine = {.workers = 2, .policy = "fifo"}, .max_executions = 20'000'000});
  }
  exhaust(chain(3), {.engine = {.workers = 1, .policy = "fifo"}, .runs = 2});
}

TEST(ThreadEngine, OwnSchedulerUnderEverySchedule) {
  exhaust(chain(2), {.engine = {.workers = 2, .scheduler = DETENT_SCHEDULER_THREAD}});
  exhaust(independent(2), {.engine = {.workers = 2, .scheduler = DETENT_SCHEDULER_THREAD}});
}

/// As exhaust, by states.
ThreadResult exhaust_states(const GraphSpec& spec, ThreadOptions options = {}) {
  options.search = Search::kStates;
  options.max_executions = 20'000'000;
  ThreadResult result = explore(spec, options);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.verdict.outcome, Outcome::kHolds) << result.verdict.summary;
  return result;
}

/// The address sanitizer leaves marks between the variables of a frame, which tell equal states apart.
constexpr const char* kStatesDoNotMerge = "states do not merge in instrumented builds";

TEST(ThreadEngineStates, AChainUnderItsOwnSchedulerGrowsByTheOpNotByTheFactor) {
  if (kIsInstrumented) GTEST_SKIP() << kStatesDoNotMerge;
  const ThreadOptions own{.engine = {.workers = 2, .scheduler = DETENT_SCHEDULER_THREAD}};
  const std::uint64_t two = exhaust_states(chain(2), own).statistics.states;
  const std::uint64_t three = exhaust_states(chain(3), own).statistics.states;
  const std::uint64_t four = exhaust_states(chain(4), own).statistics.states;
  EXPECT_LT(four - three, (three - two) * 3 / 2);
}

TEST(ThreadEngineStates, EveryModeUnderEverySchedule) {
  if (kIsInstrumented) GTEST_SKIP() << kStatesDoNotMerge;
  for (const detent_mode mode :
       {DETENT_MODE_SERIAL, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    exhaust_states(chain(3), {.engine = {.workers = 2, .mode = mode}});
    const ThreadResult result = exhaust_states(independent(2), {.engine = {.workers = 2, .mode = mode}});
    EXPECT_NE(result.verdict.summary.find("state"), std::string::npos);
  }
  exhaust_states(cross(), {.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}});
  EXPECT_EQ(
      exhaust_states(independent(2), {.engine = {.workers = 2, .mode = DETENT_MODE_SERIAL}}).statistics.executions, 1U);
}

TEST(ThreadEngineStates, FullStateTableMakesTheVerdictUnknown) {
  // 32 KiB are 4096 cells, three quarters of them used; twice as many need 96 KiB while they are filled.
  const ThreadResult result =
      explore(independent(3), {.search = Search::kStates, .max_executions = 20'000'000, .max_state_bytes = 95'000});
  EXPECT_TRUE(result.out_of_memory);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.verdict.outcome, Outcome::kUnknown);
  EXPECT_EQ(result.statistics.states, 3072U);
  // How many states merge depends on what the compiler leaves in frames, so the executions are the build's.
  EXPECT_EQ(result.verdict.summary,
            fmt::format("closed loop, 2 workers, C++20 memory model: no law broken, but not every state was seen: the "
                        "table is full after {} executions, 3072 states; give it more memory than 92 KiB",
                        result.statistics.executions));
  const ThreadResult more =
      explore(independent(3), {.search = Search::kStates, .max_executions = 20'000'000, .max_state_bytes = 1U << 20U});
  EXPECT_GT(more.statistics.states, result.statistics.states);
}

TEST(ThreadEngineStates, EveryKindOfChoiceUnderEverySchedule) {
  if (kIsInstrumented) GTEST_SKIP() << kStatesDoNotMerge;
  GraphSpec asynchronous = chain(2);
  asynchronous.ops[0].core_class = 1;
  exhaust_states(asynchronous);
  exhaust_states(asynchronous,
                 {.engine = {.workers = 1, .scheduler = DETENT_SCHEDULER_THREAD}, .duplicate_answers = 1});
  EXPECT_GT(exhaust_states(fork3(), {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED}, .spurious_wakeups = 1})
                .statistics.sync.spurious,
            0U);
  exhaust_states(independent(2), {.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}, .cancel = true});
  exhaust_states(fork3(), {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED, .spin_limit = 1}});
  exhaust_states(fork3(), {.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}, .failing_ops = {0}});
  EXPECT_GT(exhaust_states(chain(1), {.engine = {.workers = 3}, .whole_life = true, .failing_starts = 1})
                .statistics.sync.failed_starts,
            0U);
}

TEST(ThreadEngineStates, OwnSchedulerWithTwoReadyOps) {
  if (kIsInstrumented) GTEST_SKIP() << kStatesDoNotMerge;
  EXPECT_GT(exhaust_states(independent(2), {.engine = {.workers = 2, .scheduler = DETENT_SCHEDULER_THREAD}})
                .statistics.merged,
            1000U);
}

TEST(ThreadEngineStates, TwoRunsLateOpsAndAnswersInAnyOrder) {
  if (kIsInstrumented) GTEST_SKIP() << kStatesDoNotMerge;
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    // The closed loop under the C++20 memory model takes minutes here: ThreadEngine.TwoRunsInARow and the deadlines
    // draw.
    const MemoryModel memory = mode == DETENT_MODE_CLOSED_LOOP ? MemoryModel::kSc : MemoryModel::kC11;
    exhaust_states(independent(2), {.engine = {.workers = 2, .mode = mode}, .runs = 2, .memory = memory});
    const ThreadResult late = exhaust_states(
        independent(2),
        {.engine = {.workers = 2, .mode = mode}, .op_deadline_ps = 1000, .memory = memory, .early_timeouts = 1});
    EXPECT_GT(late.statistics.sync.timeouts, 0U);
  }
  for (const detent_mode mode : {DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    EXPECT_GT(exhaust_states(answered(), {.engine = {.workers = 1, .mode = mode}}).statistics.sync.lock_contended, 0U);
  }
}

TEST(ThreadEngine, LayeredUnderEverySchedule) {
  exhaust(independent(3), {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED}});
  exhaust(fork3(), {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED}});
  exhaust(cross(), {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED}});
}

TEST(ThreadEngine, StaticListsUnderEverySchedule) {
  exhaust(fork3(), {.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}});
  exhaust(join3(), {.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}});
  exhaust(cross(), {.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}});
}

TEST(ThreadEngine, AffinityUnderEverySchedule) {
  GraphSpec crossed = chain(3);  // there and back
  crossed.ops[0].workers = 2;
  crossed.ops[1].workers = 1;
  crossed.ops[2].workers = 2;
  GraphSpec apart = independent(3);  // the best op is not for the first worker
  apart.ops[0].workers = 2;
  apart.ops[1].workers = 2;
  for (const GraphSpec& spec : {crossed, apart}) {
    for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
      exhaust(spec, {.engine = {.workers = 2, .mode = mode}});
    }
  }
  exhaust(crossed, {.engine = {.workers = 2, .scheduler = DETENT_SCHEDULER_THREAD}});
}

TEST(ThreadEngine, F11_SpuriousWakeUpsChangeNothing) {
  for (const detent_mode mode : {DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    const ThreadResult result = exhaust(fork3(), {.engine = {.workers = 2, .mode = mode}, .spurious_wakeups = 1});
    EXPECT_GT(result.statistics.sync.spurious, 0U);
  }
  exhaust(independent(2), {.max_executions = 20'000'000, .spurious_wakeups = 1});
}

TEST(ThreadEngine, F01_AKernelErrorDrainsAndTheContextWorksAgain) {
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    exhaust(fork3(), {.engine = {.workers = 2, .mode = mode}, .failing_ops = {0}});
    exhaust(fork3(), {.engine = {.workers = 2, .mode = mode}, .failing_ops = {2}});
    exhaust(cross(), {.engine = {.workers = 2, .mode = mode}, .max_executions = 5'000, .failing_ops = {0, 1}});
  }
}

TEST(ThreadEngine, F04_AWorkerThatCannotStartFailsInit) {
  const ThreadResult result = exhaust(chain(1), {.engine = {.workers = 3}, .whole_life = true, .failing_starts = 1});
  EXPECT_GT(result.statistics.sync.failed_starts, 0U);
}

TEST(ThreadEngine, F07_CancellingAtAnyMomentDrains) {
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    exhaust(independent(2), {.engine = {.workers = 2, .mode = mode}, .cancel = true});
  }
}

TEST(ThreadEngine, StartAndStopUnderEverySchedule) { exhaust(independent(2), {.whole_life = true}); }

TEST(ThreadEngine, AnAnswerAtAnyMoment) {
  GraphSpec spec = chain(2);
  spec.ops[0].core_class = 1;
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    exhaust(spec, {.engine = {.workers = 2, .mode = mode}});
  }
  exhaust(spec, {.engine = {.workers = 1, .scheduler = DETENT_SCHEDULER_THREAD}});
}

TEST(ThreadEngine, AnswersInAnyOrder) {
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    const ThreadOptions sample{
        .engine = {.workers = 2, .mode = mode}, .search = Search::kRotate, .max_executions = effort(5000U)};
    EXPECT_GT(explore(answered(), sample).statistics.sync.lock_contended, 0U);
    explore(answered(), {.engine = {.workers = 1, .mode = mode}, .search = Search::kBounded, .max_preemptions = 1});
  }
}

struct ModeAndScheduler {
  detent_mode mode;
  detent_scheduler scheduler;
};

/// Op 0, on a back end of its own, may fail; 1 takes its result where it has not, and 2 computes it anew; 3 reads it.
class FallbackNetwork {
 public:
  FallbackNetwork(const FallbackNetwork&) = delete;
  FallbackNetwork& operator=(const FallbackNetwork&) = delete;
  explicit FallbackNetwork(detent_class_kind kind) : lowered_(lower_it()), desc_(lowered_.desc()) {
    classes_.assign(desc_.classes, desc_.classes + desc_.class_count);
    classes_[desc_.ops[0].core_class].kind = kind;
    desc_.classes = classes_.data();
  }
  [[nodiscard]] const detent_desc& desc() const { return desc_; }

 private:
  static models::LoweredModel lower_it() {
    models::Builder b("fallback");
    const TensorId x = b.input("x", {2});
    const TensorId tried = b.copy("try", x);
    b.last_op().core_class = "npu";
    const TensorId y = models::with_fallback(
        b, "step", [&](models::Builder&) { return std::vector{tried}; },
        [&](models::Builder& in) { return std::vector{in.copy("again", x)}; });
    b.output(b.copy("last", y));
    models::Model model = b.finish();
    models::prepare_model(model, {});
    return models::lower(model);
  }

  models::LoweredModel lowered_;
  std::vector<detent_class> classes_;
  detent_desc desc_;
};

TEST(ThreadEngine, AFailureThatTheRunGoesOnAfterUnderEverySchedule) {
  for (const detent_class_kind kind : {DETENT_CLASS_WORKERS, DETENT_CLASS_ASYNC}) {
    const FallbackNetwork network(kind);
    for (const ModeAndScheduler& engine : {ModeAndScheduler{DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_ROLE},
                                           {DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_THREAD},
                                           {DETENT_MODE_LAYERED, DETENT_SCHEDULER_ROLE},
                                           {DETENT_MODE_STATIC, DETENT_SCHEDULER_ROLE}}) {
      for (const std::vector<std::uint32_t>& failing : {std::vector<std::uint32_t>{}, {0}}) {
        ThreadOptions options;
        options.engine = {.workers = 2, .mode = engine.mode, .scheduler = engine.scheduler};
        options.failing_ops = failing;
        options.duplicate_answers = kind == DETENT_CLASS_ASYNC ? 1 : 0;
        options.search = Search::kRotate;
        options.max_executions = effort(500U);
        const ThreadResult result = explore_threads(network.desc(), options);
        EXPECT_EQ(complaint(result), "") << kind << " " << engine.mode;
      }
    }
    ThreadOptions all;
    all.engine = {.workers = 1, .mode = DETENT_MODE_CLOSED_LOOP};
    all.failing_ops = {0};
    const bool is_answered = kind == DETENT_CLASS_ASYNC;
    all.search = is_answered ? Search::kBounded : Search::kExhaustive;
    const ThreadResult result = explore_threads(network.desc(), all);
    EXPECT_EQ(complaint(result), "");
    EXPECT_TRUE(result.complete || is_answered);
  }
}

TEST(ThreadEngine, F12_ASecondAnswerIsRefused) {
  GraphSpec spec = chain(2);
  spec.ops[0].core_class = 1;
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    const ThreadResult result = exhaust(spec, {.engine = {.workers = 1, .mode = mode}, .duplicate_answers = 1});
    EXPECT_GT(result.statistics.sync.refused_answers, 0U);
  }
}

TEST(ThreadEngine, F02_DeadlinesThatPassAtAnyMoment) {
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    const ThreadResult result = explore(independent(2), {.engine = {.workers = 2, .mode = mode},
                                                         .op_deadline_ps = 1000,
                                                         .search = Search::kRotate,
                                                         .max_executions = effort(3000U),
                                                         .early_timeouts = 2});
    EXPECT_GT(result.statistics.sync.timeouts, 0U);
  }
}

TEST(ThreadEngine, TwoRunsInARow) {
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    explore(independent(2), {.engine = {.workers = 2, .mode = mode},
                             .runs = 2,
                             .search = Search::kRotate,
                             .max_executions = effort(5000U)});
    explore(independent(2), {.engine = {.workers = 2, .mode = mode},
                             .runs = 2,
                             .search = Search::kBounded,
                             .max_executions = effort(10000U),
                             .max_preemptions = 2});
  }
}

TEST(ThreadEngine, ThreeRunsWhoseAsynchronousOpsAreAnswered) {
  GraphSpec asynchronous = chain(2);
  asynchronous.ops[0].core_class = 1;
  explore(asynchronous, {.engine = {.workers = 1}, .runs = 3, .search = Search::kRotate, .max_executions = 50});
}

TEST(ThreadEngine, SpinningBeforeSleeping) {
  for (const detent_mode mode : {DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    exhaust(fork3(), {.engine = {.workers = 2, .mode = mode, .spin_limit = 1}});
  }
  explore(join3(),
          {.engine = {.workers = 2, .spin_limit = 2}, .search = Search::kRotate, .max_executions = effort(5000U)});
}

TEST(ThreadEngine, MutexesAreHeldByOneOpAtATime) {
  GraphSpec spec = independent(3);
  spec.mutex_count = 1;
  spec.ops[0].mutexes = spec.ops[1].mutexes = {0};
  exhaust(spec);
  exhaust(spec, {.engine = {.workers = 2, .mode = DETENT_MODE_LAYERED}});
  exhaust(spec, {.engine = {.workers = 2, .mode = DETENT_MODE_STATIC}});
}

TEST(ThreadEngine, LargerGraphsBySampling) {
  verify::testing::RandomSpec shape{.op_count = 8};
  shape.region_bytes = 4096;
  shape.max_writes = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const GraphSpec spec = verify::testing::make_random_spec(seed, shape);
    for (const Search search : {Search::kRandom, Search::kPct, Search::kPos}) {
      const ThreadResult result = explore(spec, {.engine = {.workers = 3},
                                                 .seeds = {.input = 1, .schedule = seed},
                                                 .search = search,
                                                 .max_executions = effort(300U)});
      EXPECT_EQ(result.verdict.outcome, Outcome::kUnknown);
      EXPECT_EQ(result.statistics.executions, effort(300U));
    }
  }
}

/// Two ops that write the same bytes: the digest tells who came last.
GraphSpec racy() {
  GraphSpec spec = verify::testing::make_ops(2);
  spec.regions = verify::testing::workspaces({64});
  spec.ops[0].writes.push_back({0, 0, 8});
  spec.ops[1].writes.push_back({0, 0, 8});
  return spec;
}

TEST(ThreadFailures, ABufferRaceIsFoundMinimisedAndReplayed) {
  const DescTables tables(racy());
  for (const Search search :
       {Search::kExhaustive, Search::kStates, Search::kPct, Search::kPos, Search::kRandom, Search::kBounded}) {
    if (kIsInstrumented && search == Search::kStates) continue;  // states do not merge there
    const ThreadOptions options{.search = search, .max_executions = search == Search::kStates ? 100'000U : 2'000U};
    const ThreadResult result = explore_threads(tables.desc, options);
    ASSERT_TRUE(result.failure) << search_name(search);
    EXPECT_EQ(result.verdict.outcome, Outcome::kViolated);
    EXPECT_EQ(result.failure->law, "output");
    EXPECT_LE(result.failure->preemptions, 1U);
    EXPECT_EQ(result.failure->constraints.size(), result.failure->preemptions);
    const ThreadReplay first = replay_threads(tables.desc, options, result.failure->choices);
    const ThreadReplay second = replay_threads(tables.desc, options, result.failure->choices);
    ASSERT_TRUE(first.failure);
    EXPECT_EQ(first.failure->law, "output");
    EXPECT_EQ(first.listing, second.listing);
    EXPECT_NE(first.listing.find("executes an op that races"), std::string::npos);
    EXPECT_NE(first.listing.find("updates role"), std::string::npos);
  }
}

TEST(ThreadFailures, UndeclaredKernelErrorBreaksTheLawOfStatuses) {
  const DescTables tables(chain(2));
  struct Failing {
    static detent_status resolve(void*, const char*, detent_entity* entity) {
      entity->run = [](const detent_kernel_args*) { return std::int32_t{5}; };
      return DETENT_OK;
    }
  };
  ThreadOptions options;
  options.backends.push_back({nullptr, "cpu", Failing::resolve, nullptr});
  const ThreadResult result = explore_threads(tables.desc, options);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->law, "status");
  EXPECT_EQ(result.failure->preemptions, 0U);
}

TEST(ThreadFailures, AScheduleOfAnotherModelDoesNotFit) {
  const DescTables race(racy());
  const DescTables other(chain(3));
  const ThreadResult result = explore_threads(race.desc);
  ASSERT_TRUE(result.failure);
  const ThreadReplay replay = replay_threads(other.desc, {}, result.failure->choices);
  ASSERT_TRUE(replay.failure);
  EXPECT_EQ(replay.failure->law, "nondeterminism");
}

TEST(ThreadFailures, TooFewStepsBreakTheLawOfTermination) {
  const DescTables tables(chain(3));
  const ThreadResult result = explore_threads(tables.desc, {.max_steps = 10, .minimise = false});
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->law, "termination");
}

TEST(ThreadFailures, ContradictoryOptionsAreRefused) {
  const DescTables tables(chain(2));
  const auto refused = [&](const ThreadOptions& options) {
    EXPECT_THROW(explore_threads(tables.desc, options), std::invalid_argument);
  };
  refused({.engine = {.workers = 0}});
  refused({.engine = {.workers = 65}});
  refused({.runs = 0});
  refused({.max_executions = 0});
  refused({.search = Search::kPct, .pct_depth = 0});
  refused({.failing_starts = 1});
  refused({.runs = 2, .duplicate_answers = 1});
  refused({.early_timeouts = 1});
  refused({.failing_ops = {2}});
  refused({.worker_classes = {0}});
}

TEST(ThreadFailures, ADescThatDoesNotBindIsRefused) {
  DescTables tables(chain(2));
  tables.ops[1].entry_count = 0;
  EXPECT_THROW(explore_threads(tables.desc), std::invalid_argument);
}

TEST(ThreadFailures, SearchesHaveNames) {
  for (const char* name : {"exhaustive", "states", "bounded", "random", "pct", "pos", "rotate"}) {
    const std::optional<Search> search = search_of(name);
    ASSERT_TRUE(search) << name;
    EXPECT_STREQ(search_name(*search), name);
  }
  EXPECT_FALSE(search_of("all"));
}

}  // namespace
}  // namespace detent::verify::explore
