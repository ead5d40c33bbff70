// What acquire and release teach, and relaxed accesses do not.
#include "verify/explore/threads/order/knowledge.hpp"

#include <gtest/gtest.h>

#include "runtime/base/atomic.h"

namespace detent::verify::explore {
namespace {

constexpr ObjectId kWord = kWordObjects;

Step access(StepKind kind, bool relaxed) {
  Step step{.kind = kind, .object = kWord};
  if (relaxed) step.access = static_cast<decltype(step.access)>(step.access | kAccessRelaxed);
  return step;
}

/// Does thread 1 know a moment of thread 0 after 0 has written the word and 1 has read it?
bool learns(bool relaxed_write, bool relaxed_read) {
  Knowledge knowledge(2);
  knowledge.reset();
  const std::uint32_t moment = knowledge.mark(0);
  knowledge.add(0, access(StepKind::kWrite, relaxed_write));
  knowledge.add(1, access(StepKind::kRead, relaxed_read));
  return knowledge.seen(1)[0] >= moment;
}

TEST(ThreadKnowledge, OnlyAnAcquireOfAReleaseLearns) {
  EXPECT_TRUE(learns(false, false));
  EXPECT_FALSE(learns(false, true)) << "a relaxed read";
  EXPECT_FALSE(learns(true, false)) << "a relaxed write";
  EXPECT_FALSE(learns(true, true));
}

TEST(ThreadKnowledge, StartsAndJoinsLearn) {
  Knowledge knowledge(2);
  knowledge.reset();
  const std::uint32_t before = knowledge.mark(0);
  knowledge.started(0, 1);
  EXPECT_GE(knowledge.seen(1)[0], before);
  const std::uint32_t after = knowledge.mark(1);
  EXPECT_LT(knowledge.seen(0)[1], after);
  knowledge.joined(0, 1);
  EXPECT_GE(knowledge.seen(0)[1], after);
}

}  // namespace
}  // namespace detent::verify::explore
