// Searches over small programs: exact counts, and agreement with plain enumeration of all schedules.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/build.hpp"
#include "tests/effort.hpp"
#include "tests/verify/explore/threads/script.hpp"
#include "verify/explore/threads/search/bounded.hpp"
#include "verify/explore/threads/search/choices.hpp"
#include "verify/explore/threads/search/dpor.hpp"
#include "verify/explore/threads/search/sampling.hpp"
#include "verify/explore/threads/search/states.hpp"

namespace detent::verify::explore::testing {
namespace {

using Scripts = std::vector<std::vector<Action>>;

Script::Seen explore_all(const Scripts& scripts, const VirtualThreadsOptions& options = {}) {
  Script script(scripts, options);
  DporSearch search;
  Script::Seen seen = script.explore(search);
  EXPECT_EQ(search.diverged_at(), 0U);
  EXPECT_EQ(seen.executions, seen.complete + search.blocked());
  return seen;
}

Script::Seen enumerate(const Scripts& scripts, const VirtualThreadsOptions& options = {}) {
  Script script(scripts, options);
  BoundedSearch search(UINT32_MAX);
  return script.explore(search);
}

Script::Seen explore_states(const Scripts& scripts, VirtualThreadsOptions options = {}) {
  options.recognises_states = true;
  Script script(scripts, options);
  StatesSearch search(script);
  Script::Seen seen = script.explore(search);
  EXPECT_EQ(search.diverged_at(), 0U);
  EXPECT_FALSE(search.found_livelock());
  EXPECT_EQ(seen.executions, seen.complete + search.merged());
  return seen;
}

TEST(ThreadSearch, IndependentThreadsAreOneTrace) {
  const Script::Seen seen = explore_all({{{Act::kStore, 0, 1}}, {{Act::kStore, 1, 1}}, {{Act::kStore, 2, 1}}});
  EXPECT_EQ(seen.executions, 1U);
}

TEST(ThreadSearch, ReadersCommute) {
  const Script::Seen seen = explore_all({{{Act::kLoad, 0}}, {{Act::kLoad, 0}}, {{Act::kLoad, 0}}});
  EXPECT_EQ(seen.executions, 1U);
}

/// Under the memory model, which alone knows fences.
TEST(ThreadSearch, FencesComeInBothOrders) {
  const auto explore = [](const Scripts& scripts) {
    Script script(scripts, {}, true);
    DporSearch search;
    return script.explore(search);
  };
  const Action fence{Act::kFence, 0, 0, Order::kFenced};
  EXPECT_EQ(explore({{fence}, {fence}}).executions, 2U);
  EXPECT_EQ(explore({{fence}, {fence}, {fence}}).executions, 6U);
}

TEST(ThreadSearch, OneWriterAndNReadersAre2ToTheN) {
  // Abdulla et al. 2014, figure 1: each reader comes before or after the writer.
  const Scripts scripts{{{Act::kStore, 0, 1}}, {{Act::kLoad, 0}}, {{Act::kLoad, 0}}, {{Act::kLoad, 0}}};
  const Script::Seen seen = explore_all(scripts);
  EXPECT_EQ(seen.fingerprints.size(), 8U);
  EXPECT_EQ(seen.complete, 8U);
}

TEST(ThreadSearch, CriticalSectionsAreOrderedInAllWays) {
  const std::vector<Action> section{{Act::kLock, 0}, {Act::kLoad, 0}, {Act::kStore, 0, 7}, {Act::kUnlock, 0}};
  const Script::Seen seen = explore_all({section, section, section});
  EXPECT_EQ(seen.fingerprints.size(), 6U);
}

TEST(ThreadSearch, ClaimsThatFailAreReads) {
  // The first claim wins; the two others commute: 3 traces, not 6.
  const Script::Seen seen = explore_all({{{Act::kClaim, 0, 1}}, {{Act::kClaim, 0, 2}}, {{Act::kClaim, 0, 3}}});
  EXPECT_EQ(seen.fingerprints.size(), 3U);
}

TEST(ThreadSearch, ValuesAreEnumeratedWithinEachTrace) {
  const Script::Seen seen = explore_all({{{Act::kChoose, 0, 3}, {Act::kStore, 0, 1}}, {{Act::kLoad, 0}}});
  EXPECT_EQ(seen.outcomes.size(), 6U);
}

TEST(ThreadSearch, ADeadlockOfTwoLocksIsFound) {
  const Scripts scripts{{{Act::kLock, 0}, {Act::kLock, 1}, {Act::kUnlock, 1}, {Act::kUnlock, 0}},
                        {{Act::kLock, 1}, {Act::kLock, 0}, {Act::kUnlock, 0}, {Act::kUnlock, 1}}};
  EXPECT_GT(explore_all(scripts).deadlocks, 0U);
}

TEST(ThreadSearch, ANotifyBeforeTheWaitIsKept) {
  const Script::Seen seen = explore_all({{{Act::kNotify, 1}}, {{Act::kWait}}});
  EXPECT_EQ(seen.deadlocks, 0U);
}

TEST(ThreadSearch, ACheckBeforeTheWaitLosesNoWakeUpWithTokensButOneNotifyWakesOnce) {
  EXPECT_GT(explore_all({{{Act::kNotify, 1}, {Act::kNotify, 1}}, {{Act::kWait}, {Act::kWait}}}).deadlocks, 0U);
}

TEST(ThreadSearch, SpuriousWakeUpsAreChoices) {
  const Scripts scripts{{{Act::kLoad, 0}}, {{Act::kWait}, {Act::kStore, 0, 1}}};
  EXPECT_EQ(explore_all(scripts).deadlocks, 1U);
  const Script::Seen seen = explore_all(scripts, {.spurious_wakeups = 1});
  EXPECT_GT(seen.complete, seen.deadlocks);
}

TEST(ThreadSearch, AgreesWithPlainEnumerationOnRandomPrograms) {
  for (std::uint64_t seed = 1; seed <= effort(300U); ++seed) {
    const Scripts scripts = random_scripts(seed, 3, 2);
    const Script::Seen reduced = explore_all(scripts);
    const Script::Seen plain = enumerate(scripts);
    ASSERT_EQ(reduced.outcomes, plain.outcomes) << "seed " << seed;
    ASSERT_EQ(reduced.fingerprints, plain.fingerprints) << "seed " << seed;
    ASSERT_LE(reduced.executions, plain.executions);
  }
}

TEST(ThreadSearch, AgreesWithPlainEnumerationOnTwoLongerThreads) {
  for (std::uint64_t seed = 1; seed <= effort(100U); ++seed) {
    const Scripts scripts = random_scripts(seed + 1000, 2, 4);
    const Script::Seen reduced = explore_all(scripts);
    const Script::Seen plain = enumerate(scripts);
    ASSERT_EQ(reduced.outcomes, plain.outcomes) << "seed " << seed;
    ASSERT_EQ(reduced.fingerprints, plain.fingerprints) << "seed " << seed;
  }
}

TEST(ThreadStates, AgreeWithPlainEnumerationOnRandomPrograms) {
  for (std::uint64_t seed = 1; seed <= effort(300U); ++seed) {
    const Scripts scripts = random_scripts(seed, 3, 2);
    const Script::Seen states = explore_states(scripts);
    const Script::Seen plain = enumerate(scripts);
    ASSERT_EQ(states.outcomes, plain.outcomes) << "seed " << seed;
    ASSERT_LE(states.executions, plain.executions);
  }
  for (std::uint64_t seed = 1; seed <= effort(100U); ++seed) {
    const Scripts scripts = random_scripts(seed + 1000, 2, 4);
    ASSERT_EQ(explore_states(scripts).outcomes, enumerate(scripts).outcomes) << "seed " << seed;
  }
}

TEST(ThreadStates, AgreeWithTracesOnLongerPrograms) {
  for (std::uint64_t seed = 1; seed <= effort(60U); ++seed) {
    const Scripts scripts = random_scripts(seed + 5000, 3, 4);
    ASSERT_EQ(explore_states(scripts).outcomes, explore_all(scripts).outcomes) << "seed " << seed;
  }
}

TEST(ThreadStates, OrdersThatLeadToOneStateAreNotToldApart) {
  // Three threads take a lock three times each: 9! / 3!^3 = 1,680 traces; who has how many is one of 64.
  const std::vector<Action> section{{Act::kLock, 0},   {Act::kUnlock, 0}, {Act::kLock, 0},
                                    {Act::kUnlock, 0}, {Act::kLock, 0},   {Act::kUnlock, 0}};
  EXPECT_EQ(explore_all({section, section, section}).fingerprints.size(), 1680U);
  EXPECT_LT(explore_states({section, section, section}).executions, 800U);
}

TEST(ThreadStates, ChoicesOfOneStateAreAllTaken) {
  EXPECT_EQ(explore_states({{{Act::kChoose, 0, 3}, {Act::kStore, 0, 1}}, {{Act::kLoad, 0}}}).outcomes.size(), 6U);
  const Scripts scripts{{{Act::kLoad, 0}}, {{Act::kWait}, {Act::kStore, 0, 1}}};
  EXPECT_EQ(explore_states(scripts, {.spurious_wakeups = 1}).outcomes,
            enumerate(scripts, {.spurious_wakeups = 1}).outcomes);
}

/// A word that another thread sets at last.
struct LateWord {
  explicit LateWord(const VirtualThreadsOptions& options) : threads(options) {}
  VirtualThreads threads;
  std::uint32_t word = 0;
  static void write(void* arg) {
    LateWord& self = *static_cast<LateWord*>(arg);
    self.threads.step({.kind = StepKind::kWrite, .exclusive = true, .object = kWordObjects, .word = &self.word});
    self.word = 1;
  }
  void begin() {
    word = 0;
    threads.start(1, write, this);
  }
  void read() { threads.step({.kind = StepKind::kRead, .object = kWordObjects}); }
};

/// Spins on a word that another thread sets at last, without ever giving way.
class Restless final : public LateWord, public StateSource {
 public:
  Restless() : LateWord({.spins_freely = true, .recognises_states = true}) {}
  static void main(void* arg) {
    Restless& self = *static_cast<Restless*>(arg);
    self.begin();
    do {
      self.threads.pause();
      self.threads.tidy_stack();
      self.read();
      self.threads.tidy_stack();
    } while (self.word == 0);
    self.threads.join(1);
  }
  [[nodiscard]] std::uint64_t state_hash() const override {
    StateHash hash;
    threads.hash_state(hash);
    hash.add(word);
    return hash.value();
  }
};

TEST(ThreadStates, AStateThatComesAgainIsASpinWithoutEnd) {
  Restless spin;
  StatesSearch search(spin);
  int executions = 0;
  do {
    spin.threads.run(search, Restless::main, &spin);
    ASSERT_LT(++executions, 20);
  } while (search.end_execution());
  EXPECT_TRUE(search.found_livelock());
}

/// A thread that counts in one of eight variables, the others alike: in registers, as far as there are some.
class Counters final : public StateSource {
 public:
  static constexpr std::uint64_t kSteps = 4;
  explicit Counters(std::size_t counting) : counting_(counting) {}
  VirtualThreads threads{{.recognises_states = true}};
  static void main(void* arg) {
    const Counters& self = *static_cast<Counters*>(arg);
    std::uint64_t step[8] = {};
    step[self.counting_] = 1;
    self.count(step);
  }
  [[nodiscard]] std::uint64_t state_hash() const override {
    StateHash hash;
    threads.hash_state(hash);
    return hash.value();
  }

 private:
  [[gnu::noinline]] static void read(VirtualThreads& threads) {
    threads.step({.kind = StepKind::kRead, .object = kWordObjects});
    threads.tidy_stack();
  }
  static void other(void* arg) { read(static_cast<Counters*>(arg)->threads); }
  void count(const std::uint64_t* step) const {
    VirtualThreads& at = const_cast<VirtualThreads&>(threads);
    at.start(1, other, const_cast<Counters*>(this));
    std::uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    while (a + b + c + d + e + f + g + h < kSteps) {
      read(at);
      a += step[0], b += step[1], c += step[2], d += step[3], e += step[4], f += step[5], g += step[6], h += step[7];
      asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
      asm volatile("" : "+r"(g), "+r"(h));
    }
    at.join(1);
  }
  const std::size_t counting_;
};

TEST(ThreadStates, EveryRegisterOfAThreadIsPartOfItsState) {
  if (kIsInstrumented) GTEST_SKIP() << "states do not merge in instrumented builds";
  for (std::size_t counting = 0; counting < 8; ++counting) {
    Counters program(counting);
    StatesSearch search(program);
    do {
      program.threads.run(search, Counters::main, &program);
    } while (search.end_execution());
    EXPECT_FALSE(search.found_livelock()) << "variable " << counting;
    EXPECT_EQ(search.states(), Counters::kSteps) << "variable " << counting;
  }
}

TEST(ThreadStates, StateTableTellsStatesOnThePathFromOthers) {
  StateTable table;
  for (std::uint64_t i = 1; i <= 20'000; ++i) {
    ASSERT_EQ(table.enter(i * 0x9e3779b97f4a7c15u), StateTable::Met::kNever);
    ASSERT_EQ(table.enter(i * 0x9e3779b97f4a7c15u), StateTable::Met::kOnThisPath);
    if (i % 2 == 0) table.leave(i * 0x9e3779b97f4a7c15u);
  }
  EXPECT_EQ(table.size(), 20'000U);
  for (std::uint64_t i = 1; i <= 20'000; ++i) {
    ASSERT_EQ(table.enter(i * 0x9e3779b97f4a7c15u),
              i % 2 == 0 ? StateTable::Met::kBefore : StateTable::Met::kOnThisPath);
  }
}

TEST(ThreadStates, AHashDependsOnEveryByteAndOnTheirOrder) {
  std::vector<std::uint8_t> bytes(77, 0);
  std::set<std::uint64_t> seen;
  const auto hash_of = [&](std::size_t count) {
    StateHash hash;
    hash.add_bytes(bytes.data(), count);
    return hash.value();
  };
  for (std::size_t count = 0; count <= bytes.size(); ++count) seen.insert(hash_of(count));
  for (std::uint8_t& byte : bytes) {
    byte = 1;
    seen.insert(hash_of(bytes.size()));
    byte = 0;
  }
  EXPECT_EQ(seen.size(), 2 * bytes.size() + 1);
}

TEST(ThreadSearch, SamplesStayWithinTheTraces) {
  const Scripts scripts = random_scripts(7, 3, 3);
  const Script::Seen all = explore_all(scripts);
  RandomWalk walk(1, 2000);
  Pct pct(2, 2000, 3);
  Pos pos(3, 2000);
  for (Strategy* strategy : std::initializer_list<Strategy*>{&walk, &pct, &pos}) {
    Script script(scripts);
    const Script::Seen seen = script.explore(*strategy);
    EXPECT_EQ(seen.executions, 2000U);
    EXPECT_GT(seen.fingerprints.size(), 1U);
    for (const std::uint64_t fingerprint : seen.fingerprints) EXPECT_EQ(all.fingerprints.count(fingerprint), 1U);
  }
}

TEST(ThreadSearch, APreemptionBoundOfZeroSwitchesOnlyWhereItMust) {
  Script script({{{Act::kStore, 0, 1}, {Act::kStore, 0, 2}}, {{Act::kLoad, 0}}});
  BoundedSearch none(0);
  EXPECT_EQ(script.explore(none).outcomes.size(), 1U);
  BoundedSearch one(1);
  EXPECT_EQ(script.explore(one).outcomes.size(), 3U);
}

/// A load that sees an old store counts against the bound, as a preemption does; what else a thread chooses does not.
TEST(ThreadSearch, ABoundOfZeroLeavesChoicesFreeAfterALoadThatMightSeeAnOldStore) {
  const auto explore = [](std::uint32_t bound) {
    Script script({{{Act::kStore, 0, 1, Order::kRelaxed}}, {{Act::kLoad, 0, 0, Order::kRelaxed}, {Act::kChoose, 0, 3}}},
                  {}, true);
    BoundedSearch search(bound);
    std::set<std::string> seen;  // the load, then the choice
    for (const std::string& outcome : script.explore(search).outcomes)
      seen.insert(outcome.substr(0, outcome.rfind(';')));
    return seen;
  };
  EXPECT_EQ(explore(0), (std::set<std::string>{";1,0,", ";1,1,", ";1,2,"}));
  EXPECT_EQ(explore(UINT32_MAX), (std::set<std::string>{";0,0,", ";0,1,", ";0,2,", ";1,0,", ";1,1,", ";1,2,"}));
}

TEST(ThreadSearch, ASpinEndsWhenSomebodyWrites) {
  struct Spin : LateWord {
    Spin() : LateWord({}) {}
    static void main(void* arg) {
      Spin& self = *static_cast<Spin*>(arg);
      self.begin();
      while (true) {
        self.read();
        if (self.word != 0) break;
        self.threads.pause();
      }
      self.threads.join(1);
    }
  } spin;
  History history(2);
  DporSearch search;
  int executions = 0;
  do {
    ASSERT_EQ(spin.threads.run(search, Spin::main, &spin, &history), End::kDone);
    ASSERT_LT(++executions, 20);
  } while (search.end_execution());
  EXPECT_EQ(executions, 2);
}

TEST(ThreadSearch, UncontrolledNondeterminismIsNoticed) {
  struct Drifting {
    VirtualThreads threads;
    std::uint32_t calls = 0;
    static void other(void* arg) {
      static_cast<Drifting*>(arg)->threads.step({.kind = StepKind::kWrite, .exclusive = true, .object = kWordObjects});
    }
    static void main(void* arg) {
      Drifting& self = *static_cast<Drifting*>(arg);
      self.threads.start(1, other, arg);
      self.threads.step({.kind = StepKind::kRead, .object = kWordObjects + self.calls++});
      self.threads.step({.kind = StepKind::kRead, .object = kWordObjects});
      self.threads.join(1);
    }
  } drifting;
  History history(2);
  DporSearch search;
  drifting.threads.run(search, Drifting::main, &drifting, &history);
  ASSERT_TRUE(search.end_execution());
  drifting.threads.run(search, Drifting::main, &drifting, &history);
  EXPECT_FALSE(search.end_execution());
  EXPECT_EQ(search.diverged_at(), 1U);

  struct AllDiffer final : StateSource {
    mutable std::uint64_t count = 0;
    [[nodiscard]] std::uint64_t state_hash() const override { return ++count * 0x9e3779b97f4a7c15u; }
  } all_differ;
  StatesSearch states(all_differ);
  drifting.threads.run(states, Drifting::main, &drifting, &history);
  ASSERT_TRUE(states.end_execution());
  drifting.threads.run(states, Drifting::main, &drifting, &history);
  EXPECT_FALSE(states.end_execution());
  EXPECT_EQ(states.diverged_at(), 1U);
}

TEST(ThreadHistory, AnExecutionBeginsWithoutTheRacesOfTheLast) {
  History history(2);
  const Step write{.kind = StepKind::kWrite, .exclusive = true, .object = kWordObjects};
  const int driver = 0;
  for (const std::uint32_t kept : {0U, 1U, 2U, History::kNoReturn}) {
    history.begin(&driver, 0);
    EXPECT_TRUE(history.races().empty());
    history.add(0, write);
    EXPECT_TRUE(history.races().empty());
    history.add(1, write);
    ASSERT_EQ(history.races().size(), 1U);
    EXPECT_EQ(history.races()[0], 0U);
    EXPECT_EQ(history.position(), 2U);
    history.begin(&driver, kept);
    EXPECT_TRUE(history.races().empty()) << kept;
    EXPECT_EQ(history.order().size(), kept == History::kNoReturn ? 0U : kept);
    EXPECT_EQ(history.position(), 0U);
  }
}

TEST(ThreadHistory, KeptStepsCountAsStepsPlayedAnew) {
  const Step write{.kind = StepKind::kWrite, .exclusive = true, .object = kWordObjects};
  const Step read{.kind = StepKind::kRead, .object = kWordObjects};
  const auto play = [&](History& history, const std::vector<std::pair<ThreadId, Step>>& steps) {
    for (const auto& [thread, step] : steps) history.add(thread, step);
    return history.fingerprint();
  };
  const std::vector<std::pair<ThreadId, Step>> first{{0, write}, {1, read}, {2, read}, {0, write}, {1, write}};
  const std::vector<std::pair<ThreadId, Step>> second{{0, write}, {1, read}, {2, read}, {2, write}, {0, read}};
  const int driver = 0, other_driver = 0;
  for (std::uint32_t kept = 0; kept <= 3; ++kept) {
    History history(3), anew(3);
    history.begin(&driver, 0);
    play(history, first);
    history.begin(&driver, kept);
    anew.begin(&driver, 0);
    EXPECT_EQ(play(history, second), play(anew, second)) << kept;
    EXPECT_EQ(history.order().size(), 5U);
    for (std::uint32_t event = 0; event < 5; ++event) {
      for (ThreadId thread = 0; thread < 3; ++thread) {
        EXPECT_EQ(history.order().clock(event, thread), anew.order().clock(event, thread)) << kept << " " << event;
      }
    }
    EXPECT_EQ(std::vector(history.races().begin(), history.races().end()), (std::vector<std::uint32_t>{3}));
    history.begin(&other_driver, kept);
    EXPECT_EQ(history.order().size(), 0U) << "of another search nothing is kept";
  }
}

TEST(ThreadSchedule, TextRoundTrips) {
  ThreadSchedule schedule;
  for (const std::uint32_t thread : {0U, 0U, 0U, 2U, 1U, 1U}) schedule.decisions.push_back({thread & 63U, 0});
  schedule.decisions.push_back({1, 1});
  schedule.decisions.push_back({0, 0});
  schedule.trail = 0x1234;
  const std::string text = format_schedule(schedule);
  EXPECT_EQ(text, "t1:0x3.2x1.1x2.c1.0x1#0000000000001234");
  EXPECT_EQ(format_schedule(parse_schedule(text)), text);
  EXPECT_EQ(parse_schedule("t1:#00").decisions.size(), 0U);
}

TEST(ThreadSchedule, BadTextIsRefused) {
  for (const char* text : {"", "t2:0x1#0", "t1:0x1", "t1:0y1#0", "t1:0x0#0", "t1:64x1#0", "t1:0x99999999999#0",
                           "t1:0x1#0 ", "t1:0x4000000000#0", "t1:0x1,1x1#0", "t1:0x1#g"}) {
    EXPECT_THROW(parse_schedule(text), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace detent::verify::explore::testing
