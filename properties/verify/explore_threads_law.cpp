// Laws of the engine under schedules of its threads: no oracle complains on any graph, mode, scheduler, number of
// workers and fault. A sample of schedules per graph; tests/verify/explore exhausts small graphs.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "properties/law.hpp"
#include "verify/explore/threads/threads.hpp"
#include "verify/runs/determinism.hpp"

namespace detent::laws {
namespace {

using verify::explore::Search;
using verify::explore::ThreadOptions;
using verify::explore::ThreadResult;

constexpr GraphOptions kSmall{
    .graph = {.most_ops = 6, .mutexes = true, .delays = true, .affinity = true}, .most_workers = 3, .race_free = true};

ThreadOptions options_of(const GraphCase& g) {
  ThreadOptions options;
  options.engine.mode = g.mode;
  options.engine.scheduler = g.scheduler;
  options.engine.workers = g.workers;
  options.seeds.input = 0;
  options.search = Search::kRotate;
  options.seeds.schedule = g.seed;
  options.max_executions = 20;
  options.minimise = false;
  return options;
}

void assert_no_failure(const GraphCase& g, const ThreadOptions& options) {
  const models::LoweredModel model = lowered(g);
  const ThreadResult result = verify::explore::explore_threads(model.desc(), options);
  if (!result.failure) return;
  RC_FAIL(result.failure->law + ": " + result.failure->text + "\nchoices: " + result.failure->choices);
}

RC_GTEST_PROP(ThreadLaw, NoScheduleBreaksALaw, ()) {
  law_of(graphs(kSmall), threads_command, [](const GraphCase& g) { assert_no_failure(g, options_of(g)); });
}

RC_GTEST_PROP(ThreadLaw, FewPreemptionsBreakNoLaw, ()) {
  law_of(graphs({.graph = {.most_ops = 4}, .most_workers = 3, .race_free = true}), threads_command,
         [](const GraphCase& g) {
           ThreadOptions options = options_of(g);
           options.search = Search::kBounded;
           options.max_preemptions = 1;
           options.max_executions = 100;
           assert_no_failure(g, options);
         });
}

RC_GTEST_PROP(ThreadLaw, PartialOrderReductionFindsNothingEither, ()) {
  law_of(graphs({.graph = {.most_ops = 4}, .most_workers = 2, .race_free = true}), threads_command,
         [](const GraphCase& g) {
           ThreadOptions options = options_of(g);
           options.search = Search::kExhaustive;
           options.max_executions = 100;
           assert_no_failure(g, options);
         });
}

RC_GTEST_PROP(ThreadLaw, TwoRunsOnOneContextAreAlike, ()) {
  law_of(graphs(kSmall), threads_command, [](const GraphCase& g) {
    ThreadOptions options = options_of(g);
    options.runs = 2;
    options.max_executions = 10;
    assert_no_failure(g, options);
  });
}

RC_GTEST_PROP(ThreadFaultLaw, F11_SpuriousWakeUpsChangeNothing, ()) {
  const auto repeat = [](const GraphCase& g, const std::string& file) {
    return threads_command(g, file) + " --spurious 2";
  };
  law_of(graphs(kSmall), repeat, [](const GraphCase& g) {
    ThreadOptions options = options_of(g);
    options.spurious_wakeups = 2;
    assert_no_failure(g, options);
  });
}

RC_GTEST_PROP(ThreadFaultLaw, F01_AFailingOpStopsTheEngineAndLeavesItUsable, ()) {
  law_of(graphs(kSmall), failing_op_command, [](const GraphCase& g) {
    ThreadOptions options = options_of(g);
    options.failing_ops = {g.faulty_op};
    assert_no_failure(g, options);
  });
}

RC_GTEST_PROP(ThreadFaultLaw, F07_CancellingAtAnyMomentDrains, ()) {
  const auto repeat = [](const GraphCase& g, const std::string& file) {
    return threads_command(g, file) + " --cancel";
  };
  law_of(graphs(kSmall), repeat, [](const GraphCase& g) {
    ThreadOptions options = options_of(g);
    options.cancel = true;
    assert_no_failure(g, options);
  });
}

RC_GTEST_PROP(ThreadFaultLaw, F12_SecondAnswersAreRefused, ()) {
  law_of(graphs(kSmall), second_answers_command, [](const GraphCase& g) {
    ThreadOptions options = options_of(g);
    options.duplicate_answers = 1;
    assert_no_failure(g, options);
  });
}

RC_GTEST_PROP(ThreadFaultLaw, F04_WorkersThatCannotStartFailInitAndNothingElse, ()) {
  law_of(graphs(kSmall), failing_start_command, [](const GraphCase& g) {
    ThreadOptions options = options_of(g);
    options.whole_life = true;
    options.failing_starts = 1;
    assert_no_failure(g, options);
  });
}

/// Whatever meets, the status fits what is in flight: nothing, unless it is TIMEOUT (verify/explore/threads/laws.hpp).
RC_GTEST_PROP(ThreadFaultLaw, StatusAgainstWhatIsInFlight, ()) {
  law_of(graphs(kSmall), fault_set_command, [](const GraphCase& g) {
    const FaultSet faults = faults_of(g);
    ThreadOptions options = options_of(g);
    options.op_deadline_ps = faults.deadline ? 1000 : 0;
    options.early_timeouts = faults.deadline ? 2 : 0;
    options.cancel = faults.cancel;
    if (faults.failing_op) options.failing_ops = {g.faulty_op};
    options.whole_life = faults.failing_start;
    options.failing_starts = faults.failing_start ? 1 : 0;
    options.duplicate_answers = faults.second_answers ? 1 : 0;
    options.spurious_wakeups = faults.spurious ? 1 : 0;
    assert_no_failure(g, options);
  });
}

/// What is found on graphs with races is a race, and its choices repeat it step by step.
RC_GTEST_PROP(ThreadFaultLaw, FailureIsARaceAndReplays, ()) {
  law_of(graphs({.graph = {.most_ops = 5}, .most_workers = 3}), threads_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const ThreadOptions options = options_of(g);
    const ThreadResult result = verify::explore::explore_threads(model.desc(), options);
    if (!result.failure) return;
    RC_ASSERT(result.failure->law == "output");
    const verify::RaceReport races = verify::find_races(model.desc());
    RC_ASSERT(verify::judge_determinism(model.desc(), races).outcome == verify::Outcome::kViolated);
    const auto once = verify::explore::replay_threads(model.desc(), options, result.failure->choices);
    const auto twice = verify::explore::replay_threads(model.desc(), options, result.failure->choices);
    RC_ASSERT(once.failure.has_value());
    RC_ASSERT(once.failure->law == "output");
    RC_ASSERT(once.listing == twice.listing);
  });
}

}  // namespace
}  // namespace detent::laws
