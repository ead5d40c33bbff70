// The loop over executions, the search for a small failing schedule, and the verdict.
#include "verify/explore/threads/threads.hpp"

#include <functional>
#include <memory>

#include "base/counted.hpp"
#include "base/interrupt.hpp"
#include "verify/explore/threads/engine.hpp"
#include "verify/explore/threads/listing.hpp"
#include "verify/explore/threads/order/fingerprints.hpp"
#include "verify/explore/threads/pool.hpp"
#include "verify/explore/threads/search/bounded.hpp"
#include "verify/explore/threads/search/dpor.hpp"
#include "verify/explore/threads/search/sampling.hpp"
#include "verify/explore/threads/search/states.hpp"

namespace detent::verify::explore {

namespace {

struct SearchName {
  Search search;
  const char* name;
};
constexpr SearchName kSearchNames[] = {
    {Search::kExhaustive, "exhaustive"}, {Search::kStates, "states"}, {Search::kBounded, "bounded"},
    {Search::kRandom, "random"},         {Search::kPct, "pct"},       {Search::kPos, "pos"},
    {Search::kRotate, "rotate"}};

struct MemoryName {
  MemoryModel memory;
  const char* name;
};
constexpr MemoryName kMemoryNames[] = {{MemoryModel::kSc, "sc"}, {MemoryModel::kC11, "c11"}};

/// Several searches in turn, one execution each.
class Rotation final : public Strategy {
 public:
  Rotation(std::uint64_t seed, std::uint64_t executions) : left_(executions) {
    parts_.push_back(std::make_unique<Pct>(seed, executions, 2));
    parts_.push_back(std::make_unique<Pct>(seed + 1, executions, 3));
    parts_.push_back(std::make_unique<Pos>(seed + 2, executions));
    parts_.push_back(std::make_unique<RandomWalk>(seed + 3, executions));
  }
  void begin_execution() override { now().begin_execution(); }
  ThreadId pick(const Turns& turns, std::uint64_t enabled) override { return now().pick(turns, enabled); }
  std::uint32_t choose(const Turns& turns, std::uint32_t count) override { return now().choose(turns, count); }
  bool end_execution() override {
    --left_;
    return left_ != 0;
  }

 private:
  Strategy& now() { return *parts_[left_ % parts_.size()]; }
  std::vector<std::unique_ptr<Strategy>> parts_;
  std::uint64_t left_;
};

/// A strategy with what only some searches can tell.
struct Searcher {
  std::unique_ptr<Strategy> strategy;
  const DporSearch* dpor = nullptr;
  const StatesSearch* states = nullptr;
  const BoundedSearch* bounded = nullptr;

  [[nodiscard]] bool enumerates() const { return dpor != nullptr || states != nullptr || bounded != nullptr; }
  [[nodiscard]] std::uint32_t diverged_at() const {
    if (dpor != nullptr) return dpor->diverged_at();
    if (states != nullptr) return states->diverged_at();
    return bounded != nullptr ? bounded->diverged_at() : 0;
  }
};

Searcher make_searcher(const ThreadOptions& options, const Program& program) {
  Searcher made;
  switch (options.search) {
    case Search::kExhaustive: {
      auto search = std::make_unique<DporSearch>();
      made.dpor = search.get();
      made.strategy = std::move(search);
      break;
    }
    case Search::kStates: {
      auto search = std::make_unique<StatesSearch>(program, options.max_state_bytes);
      made.states = search.get();
      made.strategy = std::move(search);
      break;
    }
    case Search::kBounded: {
      auto search = std::make_unique<BoundedSearch>(options.max_preemptions);
      made.bounded = search.get();
      made.strategy = std::move(search);
      break;
    }
    case Search::kRandom:
      made.strategy = std::make_unique<RandomWalk>(options.seeds.schedule, options.max_executions);
      break;
    case Search::kPct:
      made.strategy = std::make_unique<Pct>(options.seeds.schedule, options.max_executions, options.pct_depth);
      break;
    case Search::kPos:
      made.strategy = std::make_unique<Pos>(options.seeds.schedule, options.max_executions);
      break;
    case Search::kRotate:
      made.strategy = std::make_unique<Rotation>(options.seeds.schedule, options.max_executions);
      break;
  }
  return made;
}

ThreadSchedule schedule_of(const Execution& execution) {
  return {{execution.decisions().begin(), execution.decisions().end()}, execution.trail()};
}

/// What a search finds out by comparing executions.
std::optional<ThreadFailure> failure_of_search(const Searcher& searcher, const Execution& execution) {
  const bool circles = searcher.states != nullptr && searcher.states->found_livelock();
  if (searcher.diverged_at() == 0 && !circles) return std::nullopt;
  ThreadFailure failure{.law = circles ? "termination" : "nondeterminism"};
  failure.choices = format_schedule(schedule_of(execution));
  failure.text = circles
                     ? "after " + counted(execution.steps(), "step") + " a state comes again: they may go on for ever"
                     : "uncontrolled nondeterminism at step " + std::to_string(searcher.diverged_at()) +
                           ": the same schedule meets another set of choices";
  return failure;
}

/// What a schedule breaks, with names, from a replay.
ThreadFailure describe_failure(Program& program, const ThreadSchedule& schedule) {
  ListedSchedule listed(schedule, program);
  program.execute(listed);
  ThreadFailure failure{.law = program.threads().execution().law(), .text = program.threads().execution().text()};
  failure.choices = format_schedule(schedule);
  failure.preemptions = listed.preemptions();
  failure.constraints = listed.constraints();
  return failure;
}

/// The first schedule with the fewest preemptions that breaks the same law; the given one if the budget ends before.
ThreadSchedule minimise_schedule(Program& program, const ThreadSchedule& schedule, const std::string& law) {
  constexpr std::uint32_t kMostPreemptions = 4;
  constexpr std::uint64_t kBudget = 100'000;  // executions
  std::uint64_t executions = 0;
  for (std::uint32_t bound = 0; bound <= kMostPreemptions; ++bound) {
    BoundedSearch search(bound);
    bool more = true;
    while (more && executions < kBudget) {
      ++executions;
      program.execute(search);
      if (program.threads().execution().law() == law) return schedule_of(program.threads().execution());
      more = search.end_execution();
    }
  }
  return schedule;
}

std::string bytes_text(std::uint64_t bytes) {
  const bool is_small = bytes < (std::uint64_t{1} << 20U);
  return is_small ? std::to_string(bytes >> 10U) + " KiB" : std::to_string(bytes >> 20U) + " MiB";
}

std::string program_text(const ThreadOptions& options, std::size_t networks) {
  const char* const modes[] = {"serial", "layered", "closed loop", "static lists"};
  std::string text = modes[options.engine.mode];
  if (networks > 1) text = std::to_string(networks) + " networks on one pool";
  if (options.engine.mode == DETENT_MODE_CLOSED_LOOP && options.engine.scheduler == DETENT_SCHEDULER_THREAD)
    text += ", own scheduler";
  text += ", " + counted(options.engine.workers, "worker");
  return text + (options.memory == MemoryModel::kC11 ? ", C++20 memory model" : ", sequential consistency");
}

void judge_threads(ThreadResult& result, const ThreadOptions& options, std::size_t networks) {
  Verdict& verdict = result.verdict;
  verdict.property = Property::kThreads;
  const ThreadStatistics& s = result.statistics;
  const bool by_states = options.search == Search::kStates;
  const std::string effort = counted(s.executions, "execution") + ", " +
                             (by_states ? counted(s.states, "state") : counted(s.distinct, "trace"));
  const std::string head = program_text(options, networks) + ": ";
  if (result.failure) {
    verdict.outcome = Outcome::kViolated;
    verdict.summary = head + "law \"" + result.failure->law + "\" is broken after " + effort;
    Witness witness{.text = result.failure->text, .ops = {}, .schedule = {}};
    for (const std::string& constraint : result.failure->constraints) witness.text += "; " + constraint;
    witness.text += "; choices " + result.failure->choices;
    verdict.witnesses.push_back(std::move(witness));
  } else if (result.complete && (options.search == Search::kExhaustive || by_states)) {
    verdict.outcome = Outcome::kHolds;
    verdict.summary = head + "every schedule: " + effort;
  } else if (result.out_of_memory) {
    verdict.outcome = Outcome::kUnknown;
    verdict.summary = head + "no law broken, but not every state was seen: the table is full after " + effort +
                      "; give it more memory than " + bytes_text(options.max_state_bytes);
  } else {
    verdict.outcome = Outcome::kUnknown;
    verdict.summary = head + "no law broken in a sample: " + effort + " (" + search_name(options.search) + ")";
  }
}

/// Who accesses which words, and how: the hash of a state counts on it, and a search that learns it later begins anew.
void survey(Program& program) {
  constexpr std::uint64_t kExecutions = 300;
  RandomWalk walk(1, kExecutions);
  do program.execute(walk);
  while (walk.end_execution());
}

void count_execution(ThreadStatistics& statistics, const Program& program, End end, FingerprintSet& seen) {
  ++statistics.executions;
  const std::uint32_t steps = program.threads().execution().steps();
  statistics.steps += steps;
  if (steps > statistics.longest) statistics.longest = steps;
  if (end != End::kStopped && program.threads().turns().observers().history() != nullptr)
    seen.insert(program.fingerprint());
}

}  // namespace

const char* search_name(Search search) {
  for (const SearchName& row : kSearchNames) {
    if (row.search == search) return row.name;
  }
  return "?";
}

const char* memory_name(MemoryModel memory) {
  for (const MemoryName& row : kMemoryNames) {
    if (row.memory == memory) return row.name;
  }
  return "?";
}

std::optional<MemoryModel> memory_of(const std::string& name) {
  for (const MemoryName& row : kMemoryNames) {
    if (name == row.name) return row.memory;
  }
  return std::nullopt;
}

std::optional<Search> search_of(const std::string& name) {
  for (const SearchName& row : kSearchNames) {
    if (name == row.name) return row.search;
  }
  return std::nullopt;
}

namespace {

/// @param networks  how many the program runs at once
ThreadResult search(Program& program, const ThreadOptions& options, std::size_t networks) {
  if (options.search == Search::kStates && options.memory == MemoryModel::kC11) survey(program);
  Searcher searcher = make_searcher(options, program);
  ThreadResult result;
  FingerprintSet seen;
  bool more = true;
  while (more && result.statistics.executions < options.max_executions && !stop_requested()) {
    const End end = program.execute(*searcher.strategy);
    count_execution(result.statistics, program, end, seen);
    if (!program.threads().execution().law().empty()) {
      const ThreadSchedule found = schedule_of(program.threads().execution());
      const std::string law = program.threads().execution().law();
      result.failure = describe_failure(program, options.minimise ? minimise_schedule(program, found, law) : found);
      break;
    }
    more = searcher.strategy->end_execution();
    if ((result.failure = failure_of_search(searcher, program.threads().execution()))) break;
  }
  result.out_of_memory = searcher.states != nullptr && searcher.states->is_full();
  result.complete = !more && searcher.enumerates() && !result.failure && !result.out_of_memory;
  result.statistics.blocked = searcher.dpor != nullptr ? searcher.dpor->blocked() : 0;
  if (searcher.states != nullptr) {
    result.statistics.states = searcher.states->states();
    result.statistics.merged = searcher.states->merged();
  }
  result.statistics.distinct = seen.size();
  result.statistics.once = seen.once();
  result.statistics.threads = program.history().order().thread_count();
  result.statistics.sync = program.points();
  judge_threads(result, options, networks);
  return result;
}

}  // namespace

ThreadResult explore_threads(const detent_desc& desc, const ThreadOptions& options) {
  EngineProgram program(desc, options);
  return search(program, options, 1);
}

ThreadResult explore_pool(const std::vector<PoolNetwork>& networks, const ThreadOptions& options) {
  PoolProgram program(networks, options);
  return search(program, options, networks.size());
}

namespace {

/// @param choices  what `schedule` was read from
ThreadReplay replay(Program& program, const ThreadSchedule& schedule, const std::string& choices) {
  ListedSchedule listed(schedule, program);
  program.execute(listed);
  ThreadReplay told{.listing = listed.lines(), .steps = listed.steps()};
  const Execution& execution = program.threads().execution();
  const std::uint32_t misfit = listed.given().misfit_at();
  const bool ends_alike = listed.given().taken() == schedule.decisions.size() && execution.trail() == schedule.trail;
  if (misfit != 0 || (!ends_alike && execution.decisions().size() <= schedule.decisions.size())) {
    told.failure = ThreadFailure{.law = "nondeterminism", .choices = choices};
    told.failure->text = "uncontrolled nondeterminism at step " +
                         std::to_string(misfit != 0 ? misfit : execution.decisions().size()) +
                         ": the choice string belongs to another model, configuration or engine";
  } else if (!execution.law().empty()) {
    told.failure = ThreadFailure{.law = execution.law(), .text = execution.text(), .choices = choices};
    told.failure->preemptions = listed.preemptions();
    told.failure->constraints = listed.constraints();
  }
  return told;
}

}  // namespace

ThreadReplay replay_threads(const detent_desc& desc, const ThreadOptions& options, const std::string& choices) {
  const ThreadSchedule schedule = parse_schedule(choices);
  EngineProgram program(desc, options);
  return replay(program, schedule, choices);
}

ThreadReplay replay_pool(const std::vector<PoolNetwork>& networks, const ThreadOptions& options,
                         const std::string& choices) {
  const ThreadSchedule schedule = parse_schedule(choices);
  PoolProgram program(networks, options);
  return replay(program, schedule, choices);
}

}  // namespace detent::verify::explore
