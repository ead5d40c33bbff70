// Sets of abstract states: what stands for the runs of another one, and what is kept.
#include "verify/abstraction/state.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace detent::verify {
namespace {

/// One core that may be free at `earliest_ps` and is at `latest_ps`.
AbstractState state_of(std::int64_t earliest_ps, std::int64_t latest_ps) {
  AbstractState state;
  state.may_be_free_ps = {earliest_ps};
  state.is_free_ps = {latest_ps};
  return state;
}

bool equal(const AbstractState& state, std::int64_t earliest_ps, std::int64_t latest_ps) {
  return state.may_be_free_ps.front() == earliest_ps && state.is_free_ps.front() == latest_ps;
}

TEST(StateSet, AStateThatAnotherCoversIsNotKept) {
  StateSet set;
  set.add(state_of(5, 10), 4);
  set.add(state_of(6, 9), 4);
  ASSERT_EQ(set.states().size(), 1U);
  EXPECT_TRUE(equal(set.states().front(), 5, 10));
}

TEST(StateSet, AStateTakesThePlaceOfThoseThatItCovers) {
  StateSet set;
  set.add(state_of(5, 10), 4);
  set.add(state_of(7, 12), 4);
  set.add(state_of(20, 30), 4);
  EXPECT_EQ(set.states().size(), 3U);
  set.add(state_of(4, 13), 4);
  ASSERT_EQ(set.states().size(), 2U);
  EXPECT_TRUE(equal(set.states()[0], 20, 30));
  EXPECT_TRUE(equal(set.states()[1], 4, 13));
}

TEST(StateSet, AFullSetWidensTheNearest) {
  StateSet set;
  set.add(state_of(5, 10), 2);
  set.add(state_of(50, 60), 2);
  set.add(state_of(6, 12), 2);
  ASSERT_EQ(set.states().size(), 2U);
  EXPECT_TRUE(equal(set.states()[0], 5, 12));
  EXPECT_TRUE(equal(set.states()[1], 50, 60));
}

TEST(AbstractState, EveryPartMustBeCovered) {
  const AbstractState known = state_of(5, 10);
  EXPECT_TRUE(covers(known, state_of(5, 10)));
  EXPECT_FALSE(covers(known, state_of(4, 10)));
  EXPECT_FALSE(covers(known, state_of(5, 11)));
  AbstractState later = known;
  later.now_ps = 1;
  EXPECT_TRUE(covers(known, later)) << "earliest times grow";
  EXPECT_FALSE(covers(later, known));
  AbstractState with_end = known, with_last = known;
  with_end.ends = {{.earliest_ps = 1, .latest_ps = 3, .has_last_core = false}};
  with_last.ends = {{.earliest_ps = 1, .latest_ps = 3, .has_last_core = true}};
  EXPECT_TRUE(covers(with_end, with_last));
  EXPECT_FALSE(covers(with_last, with_end)) << "it knows more";
  merge(with_last, with_end);
  EXPECT_FALSE(with_last.ends.front().has_last_core);
}

}  // namespace
}  // namespace detent::verify
