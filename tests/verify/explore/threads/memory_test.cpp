// Litmus tests of the C++20 memory model: which outcomes the searches produce, and which they never do.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tests/effort.hpp"
#include "tests/verify/explore/threads/axioms.hpp"
#include "tests/verify/explore/threads/script.hpp"
#include "verify/explore/threads/search/bounded.hpp"
#include "verify/explore/threads/search/dpor.hpp"
#include "verify/explore/threads/search/sampling.hpp"
#include "verify/explore/threads/search/states.hpp"

namespace detent::verify::explore::testing {
namespace {

using Scripts = std::vector<std::vector<Action>>;
constexpr std::uint32_t kX = 0, kY = 1;

/// The orders of one column of the table.
struct Orders {
  Order store, load;
};
constexpr Orders kRelaxed{Order::kRelaxed, Order::kRelaxed};
constexpr Orders kPaired{Order::kPaired, Order::kPaired};
constexpr Orders kFenced{Order::kFenced, Order::kFenced};
constexpr Orders kFencedStores{Order::kFenced, Order::kRelaxed};

Action store(std::uint32_t word, std::uint32_t value, Orders orders) {
  return {Act::kStore, word, value, orders.store};
}
Action load(std::uint32_t word, Orders orders) { return {Act::kLoad, word, 0, orders.load}; }
constexpr Action kFenceAll{Act::kFence, 0, 0, Order::kFenced};
constexpr Action kFencePair{Act::kFence, 0, 0, Order::kPaired};

/// Every schedule and every store that may be seen, without reduction.
std::set<std::string> plain_outcomes(const Scripts& scripts) {
  Script script(scripts, {}, true);
  BoundedSearch search(UINT32_MAX);
  return script.explore(search).outcomes;
}

std::set<std::string> states_outcomes(const Scripts& scripts) {
  Script script(scripts, {.recognises_states = true}, true);
  StatesSearch search(script);
  std::set<std::string> outcomes = script.explore(search).outcomes;
  EXPECT_EQ(search.diverged_at(), 0U);
  EXPECT_FALSE(search.found_livelock());
  return outcomes;
}

std::set<std::string> traces_outcomes(const Scripts& scripts) {
  Script script(scripts, {}, true);
  DporSearch search;
  std::set<std::string> outcomes = script.explore(search).outcomes;
  EXPECT_EQ(search.diverged_at(), 0U);
  return outcomes;
}

/// Is there an execution with these loads by thread, "1,;0,;", and (if given) these words at the end?
bool allows(const Scripts& scripts, const std::string& outcome) {
  const std::set<std::string> plain = plain_outcomes(scripts);
  EXPECT_EQ(states_outcomes(scripts), plain);
  const bool has_fences = std::any_of(scripts.begin(), scripts.end(), [](const auto& actions) {
    return std::any_of(actions.begin(), actions.end(), [](const Action& action) { return action.act == Act::kFence; });
  });
  if (!has_fences) {
    EXPECT_EQ(traces_outcomes(scripts), plain);
  }
  return std::any_of(plain.begin(), plain.end(),
                     [&](const std::string& found) { return found.rfind(outcome, 0) == 0; });
}

TEST(Litmus, StoreBuffering) {
  const auto weak = [](Orders o) {
    return allows({{store(kX, 1, o), load(kY, o)}, {store(kY, 1, o), load(kX, o)}}, "0,;0,;");
  };
  EXPECT_TRUE(weak(kRelaxed));
  EXPECT_TRUE(weak(kPaired));
  EXPECT_FALSE(weak(kFenced));
  EXPECT_TRUE(weak(kFencedStores));
}

TEST(Litmus, StoreBufferingWithFences) {
  EXPECT_FALSE(allows({{store(kX, 1, kRelaxed), kFenceAll, load(kY, kRelaxed)},
                       {store(kY, 1, kRelaxed), kFenceAll, load(kX, kRelaxed)}},
                      "0,;0,;"));
  EXPECT_TRUE(allows({{store(kX, 1, kRelaxed), kFencePair, load(kY, kRelaxed)},
                      {store(kY, 1, kRelaxed), kFencePair, load(kX, kRelaxed)}},
                     "0,;0,;"));
}

TEST(Litmus, MessagePassing) {
  const auto weak = [](Orders o) {
    return allows({{store(kX, 1, o), store(kY, 1, o)}, {load(kY, o), load(kX, o)}}, ";1,0,;");
  };
  EXPECT_TRUE(weak(kRelaxed));
  EXPECT_FALSE(weak(kPaired));
  EXPECT_FALSE(weak(kFenced));
  EXPECT_TRUE(weak(kFencedStores));
}

TEST(Litmus, MessagePassingWithFences) {
  EXPECT_FALSE(allows({{store(kX, 1, kRelaxed), kFencePair, store(kY, 1, kRelaxed)},
                       {load(kY, kRelaxed), kFencePair, load(kX, kRelaxed)}},
                      ";1,0,;"));
  EXPECT_TRUE(
      allows({{store(kX, 1, kRelaxed), kFencePair, store(kY, 1, kRelaxed)}, {load(kY, kRelaxed), load(kX, kRelaxed)}},
             ";1,0,;"));
  EXPECT_TRUE(
      allows({{store(kX, 1, kRelaxed), store(kY, 1, kRelaxed)}, {load(kY, kRelaxed), kFencePair, load(kX, kRelaxed)}},
             ";1,0,;"));
}

TEST(Litmus, CoherenceOfReads) {
  for (const Orders o : {kRelaxed, kPaired, kFenced, kFencedStores}) {
    EXPECT_FALSE(allows({{store(kX, 1, o)}, {load(kX, o), load(kX, o)}}, ";1,0,;"));
  }
}

TEST(Litmus, IndependentReadsOfIndependentWrites) {
  const auto weak = [](Orders o) {
    return allows({{store(kX, 1, o)}, {store(kY, 1, o)}, {load(kX, o), load(kY, o)}, {load(kY, o), load(kX, o)}},
                  ";;1,0,;1,0,;");
  };
  EXPECT_TRUE(weak(kRelaxed));
  EXPECT_TRUE(weak(kPaired));
  EXPECT_FALSE(weak(kFenced));
  EXPECT_TRUE(weak(kFencedStores));
}

TEST(Litmus, TwoPlusTwoWrites) {
  const auto weak = [](Orders o) {
    return allows({{store(kX, 1, o), store(kY, 2, o)}, {store(kY, 1, o), store(kX, 2, o)}}, ";;1 1 ");
  };
  EXPECT_TRUE(weak(kRelaxed));
  EXPECT_TRUE(weak(kPaired));
  EXPECT_FALSE(weak(kFenced));
  EXPECT_FALSE(weak(kFencedStores));
}

TEST(Litmus, WriteToReadCausality) {
  const auto weak = [](Orders o) {
    return allows({{store(kX, 1, o)}, {load(kX, o), store(kY, 1, o)}, {load(kY, o), load(kX, o)}}, ";1,;1,0,;");
  };
  EXPECT_TRUE(weak(kRelaxed));
  EXPECT_FALSE(weak(kPaired));
  EXPECT_FALSE(weak(kFenced));
  EXPECT_TRUE(weak(kFencedStores));
}

TEST(Litmus, AReleaseSequenceGoesOnThroughUpdatesOnly) {
  const auto weak = [](const Action& second) {
    return allows({{store(kX, 1, kRelaxed), store(kY, 1, kPaired)}, {second}, {load(kY, kPaired), load(kX, kRelaxed)}},
                  second.act == Act::kAdd ? ";1,;2,0,;" : ";;2,0,;");
  };
  EXPECT_FALSE(weak({Act::kAdd, kY, 1, Order::kRelaxed}));
  EXPECT_TRUE(weak({Act::kStore, kY, 2, Order::kRelaxed}));
}

TEST(Litmus, UpdatesLoseNothing) {
  for (const Order order : {Order::kRelaxed, Order::kPaired, Order::kFenced}) {
    EXPECT_FALSE(allows({{{Act::kAdd, kX, 1, order}}, {{Act::kAdd, kX, 1, order}}}, "0,;0,;"));
  }
}

TEST(Litmus, LoadBufferingIsNotProduced) {
  for (const Orders o : {kRelaxed, kPaired, kFenced}) {  // C++20 allows it where all is relaxed, RC11 does not
    EXPECT_FALSE(allows({{load(kX, o), store(kY, 1, o)}, {load(kY, o), store(kX, 1, o)}}, "1,;1,;"));
  }
}

TEST(Litmus, LocksAndNotificationsOrder) {
  const Orders o = kRelaxed;
  EXPECT_FALSE(allows({{store(kX, 1, o), {Act::kNotify, 1}}, {{Act::kWait}, load(kX, o)}}, ";0,;"));
  EXPECT_FALSE(allows({{{Act::kLock, 0}, store(kX, 1, o), store(kY, 1, o), {Act::kUnlock, 0}},
                       {{Act::kLock, 0}, load(kY, o), load(kX, o), {Act::kUnlock, 0}}},
                      ";1,0,;"));
  EXPECT_FALSE(allows({{store(kX, 1, o)}, {load(kX, o), {Act::kNotify, 2}}, {{Act::kWait}, load(kX, o)}}, ";1,;0,;"));
}

TEST(Litmus, AClaimThatFailsMaySeeWhatIsOverwritten) {
  // Store buffering with a compare-and-swap instead of the load: it is a load where it fails.
  const auto weak = [](Order order) {
    return allows({{{Act::kStore, kX, 2, Order::kRelaxed}, {Act::kStore, kX, 0, order}, {Act::kLoad, kY, 0, order}},
                   {{Act::kStore, kY, 1, order}, {Act::kClaim, kX, 3, order}}},
                  "0,;0,;");
  };
  EXPECT_TRUE(weak(Order::kPaired));
  EXPECT_FALSE(weak(Order::kFenced));
}

TEST(Litmus, StoresOfOneValueByTwoThreadsAreToldApart) {
  // Both stores of y are 1; only one of them shows x. By values the states after the load of y are the same. The last
  // thread can go on all the time: where only one can, states are not looked at.
  constexpr std::uint32_t kDone = 2;
  EXPECT_TRUE(allows({{{Act::kStore, kY, 1, Order::kRelaxed}},
                      {{Act::kLoad, kDone, 0, Order::kRelaxed},
                       {Act::kLoad, kY, 0, Order::kPaired},
                       {Act::kLoad, kX, 0, Order::kRelaxed}},
                      {{Act::kStore, kX, 1, Order::kRelaxed},
                       {Act::kStore, kY, 1, Order::kPaired},
                       {Act::kStore, kDone, 1, Order::kRelaxed}},
                      {{Act::kLoad, 3, 0, Order::kFenced}}},
                     ";1,1,0,;"));
}

/// Loads, stores and updates of two words in any order of the memory model.
Scripts random_accesses(std::uint64_t seed, std::uint32_t threads, std::uint32_t length) {
  ThreadRandom random(seed);
  constexpr Act kActs[] = {Act::kLoad,  Act::kLoad, Act::kLoad, Act::kStore, Act::kStore,
                           Act::kStore, Act::kSwap, Act::kAdd,  Act::kClaim};
  constexpr Order kOrders[] = {Order::kRelaxed, Order::kPaired, Order::kFenced};
  Scripts scripts(threads);
  for (std::vector<Action>& script : scripts) {
    for (std::uint32_t i = 0; i < length; ++i) {
      const Act act = kActs[random.below(9)];
      script.push_back({act, random.below(2), 1 + random.below(3), kOrders[random.below(3)]});
    }
  }
  return scripts;
}

TEST(Litmus, RandomProgramsHaveTheOutcomesOfTheAxioms) {
  for (std::uint64_t seed = 1; seed <= effort(400U); ++seed) {
    const bool two = seed % 2 == 0;
    const Scripts scripts = random_accesses(seed, two ? 2 : 3, two ? 3 : 2);
    const std::set<std::string> expected = outcomes_by_axioms(scripts);
    ASSERT_EQ(traces_outcomes(scripts), expected) << "seed " << seed;
    ASSERT_EQ(states_outcomes(scripts), expected) << "seed " << seed;
    if (seed % 8 == 0) {
      ASSERT_EQ(plain_outcomes(scripts), expected) << "seed " << seed;
    }
  }
}

/// Every schedule, without reduction, and from each point of each of them the outcomes that can follow.
class Futures final : public Strategy {
 public:
  explicit Futures(const Script& script) : script_(script) {}
  void begin_execution() override {
    search_.begin_execution();
    path_.clear();
    decisions_ = 0;
  }
  ThreadId pick(const Turns& turns, std::uint64_t enabled) override {
    path_.push_back({decisions_, script_.state_hash()});
    const ThreadId picked = search_.pick(turns, enabled);
    decide(picked);
    return picked;
  }
  std::uint32_t choose(const Turns& turns, std::uint32_t count) override {
    const std::uint32_t chosen = search_.choose(turns, count);
    decide(0x100U + chosen);
    return chosen;
  }
  bool end_execution() override {
    const std::string outcome = script_.outcome();
    for (const auto& [decisions, state] : path_) followed_[{state, decisions}].insert(outcome);
    return search_.end_execution();
  }

  /// States are the same only where the same can follow. @return  the outcomes of two points that are taken for one
  /// state and are none, or ""
  [[nodiscard]] std::string first_wrong_merge() const {
    for (auto one = followed_.begin(), next = one; one != followed_.end(); one = next) {
      if (++next == followed_.end() || next->first.first != one->first.first || next->second == one->second) continue;
      std::string text;
      for (const std::string& outcome : one->second) text += outcome + "| ";
      for (const std::string& outcome : next->second) text += "/ " + outcome;
      return text;
    }
    return "";
  }
  /// Points that share a state with another one.
  [[nodiscard]] std::size_t merges() const {
    std::set<std::uint64_t> states;
    for (const auto& [point, outcomes] : followed_) states.insert(point.first);
    return followed_.size() - states.size();
  }

 private:
  void decide(std::uint64_t value) { decisions_ = (decisions_ ^ value) * 0x9e3779b97f4a7c15U + 1; }

  const Script& script_;
  BoundedSearch search_{UINT32_MAX};
  std::uint64_t decisions_ = 0;                                                        ///< all so far
  std::vector<std::pair<std::uint64_t, std::uint64_t>> path_;                          ///< decisions, state
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::set<std::string>> followed_;  ///< by state and decisions
};

/// Loads that are forgotten, and few values: what tells states apart is what was seen, and by whom.
Scripts forgetful_accesses(std::uint64_t seed) {
  ThreadRandom random(seed);
  constexpr Act kActs[] = {Act::kPeek, Act::kPeek, Act::kLoad, Act::kStore, Act::kStore, Act::kStore, Act::kClaim};
  constexpr Order kOrders[] = {Order::kRelaxed, Order::kRelaxed, Order::kPaired, Order::kFenced};
  const std::uint32_t words = 1 + random.below(2);
  Scripts scripts(2 + random.below(2));
  for (std::uint32_t i = 0; i < 7; ++i) {
    std::vector<Action>& script =
        scripts[i < scripts.size() ? i : random.below(static_cast<std::uint32_t>(scripts.size()))];
    script.push_back({kActs[random.below(7)], random.below(words), random.below(3), kOrders[random.below(4)]});
  }
  return scripts;
}

/// As forgetful_accesses, with what hands one thread's view over to another: tokens, mutexes, fences.
Scripts forgetful_meetings(std::uint64_t seed) {
  ThreadRandom random(seed);
  constexpr Act kActs[] = {Act::kPeek, Act::kPeek, Act::kLoad, Act::kStore, Act::kStore, Act::kNotify, Act::kFence};
  constexpr Order kOrders[] = {Order::kRelaxed, Order::kRelaxed, Order::kRelaxed, Order::kPaired};
  constexpr std::uint32_t kThreads = 3;
  const std::uint32_t words = 1 + random.below(2);
  Scripts scripts(kThreads);
  std::uint32_t notified = 0;  // by thread, as bits
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t thread = i < kThreads ? i : random.below(kThreads);
    Action action{kActs[random.below(7)], random.below(words), random.below(3), kOrders[random.below(4)]};
    if (action.act == Act::kFence) action.order = random.below(2) == 0 ? Order::kFenced : Order::kPaired;
    if (action.act == Act::kNotify) {
      action.object = (thread + 1 + random.below(kThreads - 1)) % kThreads;
      notified |= 1U << action.object;
    }
    const bool is_locked = random.below(4) == 0;
    if (is_locked) scripts[thread].push_back({Act::kLock});
    scripts[thread].push_back(action);
    if (is_locked) scripts[thread].push_back({Act::kUnlock});
  }
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
    if ((notified >> thread & 1U) == 0) continue;
    const auto place = random.below(static_cast<std::uint32_t>(scripts[thread].size()) + 1);
    scripts[thread].insert(scripts[thread].begin() + place, {Act::kWait});
    scripts[thread].push_back({Act::kLoad, random.below(words), 0, Order::kRelaxed});
  }
  return scripts;
}

/// Points of these differ in one view only: a token's, or one that a fence would take over or pass on.
std::vector<Scripts> forgetful_views() {
  constexpr Order kNone = Order::kRelaxed;
  const Action fence{Act::kFence, 0, 0, Order::kPaired};
  return {
      {{{Act::kStore, kX, 1, kNone}},
       {{Act::kWait}, {Act::kLoad, kX, 0, kNone}},
       {{Act::kPeek, kX, 0, kNone}, {Act::kNotify, 1}}},
      {{{Act::kStore, kY, 1, kNone}, {Act::kStore, kX, 1, Order::kPaired}, {Act::kStore, kX, 1, kNone}},
       {{Act::kPeek, kX, 0, kNone}, {Act::kPeek, kX, 0, kNone}, fence, {Act::kLoad, kY, 0, kNone}}},
      {{{Act::kStore, kY, 1, kNone}},
       {{Act::kPeek, kY, 0, kNone}, fence, {Act::kPeek, kY, 0, kNone}, {Act::kStore, kX, 1, kNone}},
       {{Act::kLoad, kX, 0, kNone}, fence, {Act::kLoad, kY, 0, kNone}}},
  };
}

/// One word of three threads, driven by hand.
struct OneWord {
  OneWord() {
    memory.reset();
    for (const ThreadId child : {1U, 2U}) memory.start(0, child);
    for (const ThreadId reader : {1U, 2U}) access(reader, StepKind::kRead, 0);
  }
  void access(ThreadId thread, StepKind kind, std::uint32_t alternative) {
    Step step{.kind = kind, .exclusive = kind == StepKind::kWrite, .object = kWordObjects};
    step.access = kAccessRelaxed;
    step.word = &word;
    EXPECT_LT(alternative, memory.begin_access(thread, step));
    memory.take(alternative);
    if (kind == StepKind::kWrite) ++word;
    memory.end_access();
  }
  [[nodiscard]] std::uint64_t hash() const {
    StateHash state;
    memory.hash({}, state);
    return state.value();
  }
  Memory memory{3};
  std::uint32_t word = 0;
};

TEST(Litmus, ViewOfAThreadCountsBesideATokenThatKnowsMore) {
  OneWord one, other;
  for (OneWord* each : {&one, &other}) {
    each->access(0, StepKind::kWrite, 0);
    each->memory.views().notify(0, 1);
  }
  EXPECT_EQ(one.hash(), other.hash());
  one.access(1, StepKind::kRead, 0);
  other.access(1, StepKind::kRead, 1);  // may read the new value still, or the old one again
  EXPECT_NE(one.hash(), other.hash());
  for (OneWord* each : {&one, &other}) each->memory.views().wake(1, 1);
  EXPECT_EQ(one.hash(), other.hash());
}

TEST(Litmus, HashTellsWhichThreadHasSeenEachOfManyMoments) {
  for (const std::size_t place : {0U, 5U, 63U, 64U, 70U}) {
    OneWord one, other;
    std::vector<Views::Mark> marks(80, {0, 0});  // seen by all
    for (OneWord* each : {&one, &other}) marks[place] = {2, each->memory.views().mark(2)};
    const auto hash = [&](const OneWord& of) {
      StateHash state;
      of.memory.hash(marks, state);
      return state.value();
    };
    EXPECT_EQ(hash(one), hash(other));
    one.memory.views().join_thread(1, 2);
    EXPECT_NE(hash(one), hash(other)) << place;
    other.memory.views().join_thread(1, 2);
    EXPECT_EQ(hash(one), hash(other));
  }
}

TEST(Litmus, ViewsAreKeptWhenMoreWordsAreMet) {
  constexpr std::uint32_t kWordCount = 150;
  std::vector<std::uint32_t> words(kWordCount);
  Memory memory(3);
  memory.reset();
  for (const ThreadId child : {1U, 2U}) memory.start(0, child);
  const auto access = [&](ThreadId thread, StepKind kind, std::uint32_t word) {
    Step step{.kind = kind, .exclusive = kind == StepKind::kWrite, .object = kWordObjects + word};
    step.access = kAccessRelaxed;
    step.word = &words[word];
    const std::uint32_t alternatives = memory.begin_access(thread, step);
    memory.take(0);
    if (kind == StepKind::kWrite) ++words[word];
    memory.end_access();
    return alternatives;
  };
  for (const ThreadId reader : {0U, 1U}) access(reader, StepKind::kRead, 0);
  access(2, StepKind::kWrite, 0);
  EXPECT_EQ(access(0, StepKind::kRead, 0), 2U);  // the old value, or the new one, which it takes
  for (std::uint32_t word = 1; word < kWordCount; ++word) access(2, StepKind::kWrite, word);
  EXPECT_EQ(access(0, StepKind::kRead, 0), 1U);
  EXPECT_EQ(access(1, StepKind::kRead, 0), 2U);
  EXPECT_EQ(access(1, StepKind::kRead, 0), 1U);
}

/// @return  points that share a state with another one
std::size_t expect_one_future(Scripts scripts, std::uint64_t seed) {
  Script script(std::move(scripts), {.recognises_states = true}, true);
  BoundedSearch first(UINT32_MAX);  // who accesses which word how is learnt
  static_cast<void>(script.explore(first));
  Futures futures(script);
  static_cast<void>(script.explore(futures));
  EXPECT_EQ(futures.first_wrong_merge(), "") << "seed " << seed;
  return futures.merges();
}

TEST(Litmus, StatesThatCountAsOneHaveOneFuture) {
  std::size_t accesses = 0, meetings = 0;
  for (std::uint64_t seed = 1; seed <= effort(100U); ++seed) {
    accesses += expect_one_future(forgetful_accesses(seed), seed);
    ASSERT_FALSE(HasFailure());
    meetings += expect_one_future(forgetful_meetings(seed), seed);
  }
  for (const Scripts& scripts : forgetful_views()) EXPECT_GT(expect_one_future(scripts, 0), 0U);
  EXPECT_GT(accesses, effort(10'000U));
  EXPECT_GT(meetings, effort(10'000U));
}

}  // namespace
}  // namespace detent::verify::explore::testing
