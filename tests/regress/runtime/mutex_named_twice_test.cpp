// An op that names one mutex twice waited for its own answer: lists of static mode made the second name wait for who
// had the mutex before, which was the op itself where a back end answers for it.
#include <gtest/gtest.h>

#include "tests/verify/random_graph.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::test {
namespace {

TEST(Regress, AnOpThatNamesAMutexTwiceDoesNotWaitForItself) {
  using verify::explore::Search;
  verify::testing::GraphSpec spec = verify::testing::make_ops(3);
  spec.classes = {{"cpu", DETENT_CLASS_WORKERS}, {"dma", DETENT_CLASS_ASYNC}};
  spec.mutex_count = 1;
  spec.ops[0].core_class = 1;
  for (verify::testing::OpSpec& op : spec.ops) op.mutexes = {0, 0};
  const verify::testing::DescTables tables(spec);
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    const verify::explore::ThreadResult result = verify::explore::explore_threads(
        tables.desc, {.engine = {.workers = 2, .mode = mode}, .search = Search::kRotate, .max_executions = 300});
    EXPECT_FALSE(result.failure) << mode << ", " << result.failure->law << ": " << result.failure->text;
  }
}

}  // namespace
}  // namespace detent::test
