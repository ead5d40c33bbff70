// What a thread reads of each op under every schedule, and under samples where causes meet; and that the law which
// judges it notices what weaker accesses would show.
#include <gtest/gtest.h>

#include "runtime/engine/context.h"
#include "tests/build.hpp"
#include "tests/effort.hpp"
#include "tests/verify/random_graph.hpp"
#include "verify/explore/threads/engine.hpp"
#include "verify/explore/threads/threads.hpp"
#include "verify/explore/threads/world/explore_port.hpp"

namespace detent::verify::explore {
namespace {

using verify::testing::DescTables;
using verify::testing::GraphSpec;

GraphSpec read_graph(std::uint32_t count, const std::vector<support::Edge>& edges) {
  GraphSpec spec = verify::testing::make_ops(count);
  spec.edges = edges;
  support::add_dataflow(spec);
  return spec;
}

struct ReadEngine {
  const char* name;
  detent_mode mode;
  detent_scheduler scheduler;
};
constexpr ReadEngine kReadEngines[] = {{"serial", DETENT_MODE_SERIAL, DETENT_SCHEDULER_ROLE},
                                       {"layered", DETENT_MODE_LAYERED, DETENT_SCHEDULER_ROLE},
                                       {"role", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_ROLE},
                                       {"thread", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_THREAD},
                                       {"lists", DETENT_MODE_STATIC, DETENT_SCHEDULER_ROLE}};

ThreadResult read_along(const GraphSpec& spec, const ThreadOptions& options) {
  const DescTables tables(spec);
  return explore_threads(tables.desc, options);
}

std::string complaint_of_reader(const ThreadResult& result) {
  return result.failure ? result.failure->law + ": " + result.failure->text + "\n  " + result.failure->choices : "";
}

TEST(OpStates, EveryScheduleOfARunAndOfAReader) {
  for (const ReadEngine& engine : kReadEngines) {
    SCOPED_TRACE(engine.name);
    const bool is_slow = engine.scheduler == DETENT_SCHEDULER_THREAD;  // 263,334 executions of two ops
    const GraphSpec spec = is_slow ? read_graph(1, {}) : read_graph(2, {{0, 1}});
    for (const MemoryModel memory : {MemoryModel::kC11, MemoryModel::kSc}) {
      const ThreadResult result =
          read_along(spec, {.engine = {.workers = 1, .mode = engine.mode, .scheduler = engine.scheduler},
                            .memory = memory,
                            .op_readings = is_slow ? 2U : 1U});
      EXPECT_EQ(complaint_of_reader(result), "");
      EXPECT_TRUE(result.complete);
      EXPECT_GT(result.statistics.distinct, 10U);
    }
  }
}

TEST(OpStates, EveryScheduleOfTwoRunsAndAReader) {
  if (kIsInstrumented) GTEST_SKIP() << "82,274 executions";
  const ThreadResult result = read_along(
      read_graph(1, {}), {.engine = {.workers = 1, .mode = DETENT_MODE_SERIAL}, .runs = 2, .op_readings = 1});
  EXPECT_EQ(complaint_of_reader(result), "");
  EXPECT_TRUE(result.complete);
}

/// Two runs of one op, the second of which may be later than the first: times tell them apart.
ThreadOptions two_runs() {
  return {.engine = {.workers = 1, .mode = DETENT_MODE_SERIAL},
          .runs = 2,
          .op_deadline_ps = 1000,
          .search = Search::kRotate,
          .max_executions = 20'000,
          .minimise = false,
          .early_timeouts = 1,
          .op_readings = 1};
}

TEST(OpStates, WhatIsReadIsOfOneRun) { EXPECT_EQ(complaint_of_reader(read_along(read_graph(1, {}), two_runs())), ""); }

TEST(OpStates, CausesThatMeetInEveryMode) {
  std::uint64_t seed = 0;
  for (const ReadEngine& engine : kReadEngines) {
    for (std::uint32_t causes = 0; causes < 16; ++causes) {
      GraphSpec spec = read_graph(5, {{0, 2}, {1, 2}, {1, 3}, {2, 4}});
      if ((causes & 1) != 0) spec.ops[1].core_class = spec.ops[2].core_class = 1;  // answered later
      ThreadOptions options{.engine = {.workers = 2, .mode = engine.mode, .scheduler = engine.scheduler},
                            .seeds = {.input = 1, .schedule = ++seed},
                            .runs = 2,
                            .search = Search::kRotate,
                            .max_executions = effort(60U),
                            .minimise = false,
                            .op_readings = 3};
      if ((causes & 2) != 0) options.op_deadline_ps = 1000, options.early_timeouts = 2;
      if ((causes & 4) != 0) options.failing_ops = {2};
      options.cancel = (causes & 8) != 0;
      const ThreadResult result = read_along(spec, options);
      EXPECT_EQ(complaint_of_reader(result), "") << engine.name << " " << causes;
    }
  }
}

/// Loads and stores of words whose name begins so are relaxed.
class RelaxedWords final : public OrderFilter {
 public:
  explicit RelaxedWords(std::string word) : word_(std::move(word)) {}
  std::uint32_t order_of(const void*, const void* base, std::uint32_t offset, std::uint32_t access) override {
    const std::string name = name_of_word(*static_cast<const detent_context*>(base), offset);
    if (name.rfind(word_, 0) != 0 || (access & kAccessUpdate) != 0) return access;
    return (access & ~std::uint32_t{kAccessPaired}) | kAccessRelaxed;
  }

 private:
  std::string word_;
};

TEST(OpStates, ARelaxedStateShowsAnEndThatItsReaderHasNotSeen) {
  RelaxedWords relaxed("shown state of op");
  const ThreadResult result = read_along(
      read_graph(2, {{0, 1}}),
      {.engine = {.workers = 1, .mode = DETENT_MODE_SERIAL}, .orders = &relaxed, .minimise = false, .op_readings = 1});
  ASSERT_TRUE(result.failure) << result.verdict.summary;
  EXPECT_EQ(result.failure->law, "op_states");
}

TEST(OpStates, RelaxedTimesMixTwoRuns) {
  RelaxedWords relaxed("shown words of op");
  ThreadOptions options = two_runs();
  options.orders = &relaxed;
  const ThreadResult result = read_along(read_graph(1, {}), options);
  ASSERT_TRUE(result.failure) << result.verdict.summary;
  EXPECT_EQ(result.failure->law, "op_states");
  EXPECT_NE(result.failure->text.find("with times of another run"), std::string::npos) << result.failure->text;
}

TEST(OpStates, ReadingsNeedASearchThatIsNotByStates) {
  EXPECT_THROW(read_along(read_graph(1, {}), {.search = Search::kStates, .op_readings = 1}), std::invalid_argument);
}

}  // namespace
}  // namespace detent::verify::explore
