// Orders of the engine's accesses taken away: a search under the C++20 memory model notices each, and one under
// sequential consistency does not. All accesses: tests/mutants/ORDERS.md.
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/engine/context.h"
#include "tests/verify/random_graph.hpp"
#include "verify/explore/threads/engine.hpp"
#include "verify/explore/threads/threads.hpp"
#include "verify/explore/threads/world/explore_port.hpp"

namespace detent::verify::explore {
namespace {

using verify::testing::DescTables;

/// Accesses to words of one name count in another order, those of the kinds in `access_mask` left out.
class Weaker final : public OrderFilter {
 public:
  Weaker(std::string word, std::uint32_t access_mask, std::uint32_t access)
      : word_(std::move(word)), mask_(access_mask), access_(access) {}
  std::uint32_t order_of(const void*, const void* base, std::uint32_t offset, std::uint32_t access) override {
    const std::string name = name_of_word(*static_cast<const detent_context*>(base), offset);
    if (name.rfind(word_, 0) != 0 || (access & mask_) != 0) return access;
    ++met_;
    return access | access_;
  }
  [[nodiscard]] std::uint64_t met() const { return met_; }

 private:
  std::string word_;
  std::uint32_t mask_, access_;
  std::uint64_t met_ = 0;
};

/// Two ops side by side, every schedule.
ThreadResult explore_weaker(Weaker& weaker, ThreadOptions options) {
  verify::testing::GraphSpec spec = verify::testing::make_ops(3);
  spec.regions = verify::testing::workspaces({256});
  for (std::uint32_t op = 0; op < 3; ++op) spec.ops[op].writes.push_back({0, std::uint64_t{64} * op, 8});
  spec.edges = {{0, 2}, {1, 2}};
  spec.ops[2].reads = {{0, 0, 8}, {0, 64, 8}};
  const DescTables tables(spec);
  options.orders = &weaker;
  options.max_executions = 20'000;
  return explore_threads(tables.desc, options);
}

struct Row {
  const char* word;
  detent_mode mode;
  const char* law;
};

class WeakerWord : public ::testing::TestWithParam<Row> {};

TEST_P(WeakerWord, IsFoundUnderTheMemoryModelOnly) {
  const Row& row = GetParam();
  Weaker weaker(row.word, kAccessUpdate, kAccessPaired);
  const ThreadResult weak = explore_weaker(weaker, {.engine = {.workers = 2, .mode = row.mode}});
  EXPECT_GT(weaker.met(), 0U);
  ASSERT_TRUE(weak.failure) << weak.verdict.summary;
  EXPECT_EQ(weak.failure->law, row.law);
  EXPECT_NE(weak.verdict.summary.find("C++20 memory model"), std::string::npos);
  const ThreadResult strong =
      explore_weaker(weaker, {.engine = {.workers = 2, .mode = row.mode}, .memory = MemoryModel::kSc});
  EXPECT_FALSE(strong.failure) << strong.verdict.summary;
}

INSTANTIATE_TEST_SUITE_P(Orders, WeakerWord,
                         ::testing::Values(Row{"a cell of the complete queue", DETENT_MODE_CLOSED_LOOP, "deadlock"},
                                           Row{"inbox", DETENT_MODE_CLOSED_LOOP, "deadlock"},
                                           Row{"parked", DETENT_MODE_CLOSED_LOOP, "deadlock"},
                                           Row{"finished", DETENT_MODE_CLOSED_LOOP, "deadlock"},
                                           Row{"parked", DETENT_MODE_LAYERED, "deadlock"},
                                           Row{"progress", DETENT_MODE_STATIC, "deadlock"}));

/// The engine of before looked at the role with a relaxed load: a completion was lost on ARM and RISC-V.
TEST(ThreadOrders, ARelaxedLookAtTheRoleLosesACompletion) {
  Weaker weaker("role", kAccessUpdate, kAccessRelaxed);
  const ThreadResult weak = explore_weaker(weaker, {});
  ASSERT_TRUE(weak.failure) << weak.verdict.summary;
  EXPECT_EQ(weak.failure->law, "deadlock");
  const std::string told = "slot 1 reads role = held, which slot 0 had already overwritten";
  const auto& constraints = weak.failure->constraints;
  EXPECT_NE(std::find(constraints.begin(), constraints.end(), told), constraints.end());
  EXPECT_FALSE(explore_weaker(weaker, {.memory = MemoryModel::kSc}).failure);
}

/// A call of the port neither releases nor acquires.
class Unordered final : public OrderFilter {
 public:
  explicit Unordered(PortCall call) : call_(call) {}
  std::uint32_t order_of(const void*, const void*, std::uint32_t, std::uint32_t access) override { return access; }
  bool is_ordered(const void*, PortCall call) override { return call != call_; }

 private:
  PortCall call_;
};

/// Two answers of other threads: the second one to enter the queue passes on the first one's end by the lock alone.
TEST(ThreadOrders, ALockThatOrdersNothingHidesTheEndOfAnAnswer) {
  verify::testing::GraphSpec spec = verify::testing::make_ops(3);
  spec.edges = {{0, 2}, {1, 2}};
  spec.ops[0].core_class = spec.ops[1].core_class = 1;
  const DescTables tables(spec);
  for (const PortCall call : {PortCall::kLock, PortCall::kUnlock}) {
    Unordered unordered(call);
    const ThreadResult result = explore_threads(tables.desc, {.engine = {.workers = 2},
                                                              .search = Search::kRotate,
                                                              .max_executions = 4000,
                                                              .orders = &unordered,
                                                              .minimise = false});
    ASSERT_TRUE(result.failure) << result.verdict.summary;
    EXPECT_EQ(result.failure->law, "happens_before");
  }
}

}  // namespace
}  // namespace detent::verify::explore
