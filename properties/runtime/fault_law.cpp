// Laws of faults in native runs: what runs, what the status says, and that the context can be used again. `detent run`
// makes the same run from the line that a law prints, and judges it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "harness/instance.hpp"
#include "harness/run_native.hpp"
#include "properties/faults.hpp"
#include "properties/law.hpp"

namespace detent::laws {
namespace {

constexpr GraphOptions kFaulty{.graph = {.most_ops = 15, .mutexes = true, .delays = true}, .race_free = true};
constexpr GraphOptions kManyFaults{
    .graph = {.most_ops = 12, .mutexes = true, .delays = true}, .most_workers = 3, .race_free = true, .faults = true};

/// As `detent run` with the words of native_fault_command.
harness::Run run_of(const GraphCase& g, const detent_desc& desc) {
  harness::NativeOptions options;
  options.engine.workers = g.workers;
  options.engine.mode = g.mode;
  options.engine.scheduler = g.scheduler;
  options.engine.policy = g.policy;
  options.seeds.schedule = g.seed;
  options.faults = g.faults;
  return harness::run_native(desc, options);
}

std::uint64_t serial_digest(const detent_desc& desc) {
  return harness::run_native(desc, {.engine = {.workers = 0}}).digest;
}

/// No thread is started: in every mode but serial (0) the caller's thread is the only worker.
GraphCase on_one_thread(GraphCase g) {
  g.workers = g.mode == DETENT_MODE_SERIAL ? 0 : 1;
  g.scheduler = DETENT_SCHEDULER_ROLE;
  return g;
}

/// On one thread, with the fault that `make` makes of the case's faulty op.
rc::Gen<GraphCase> with_fault(harness::Faults (*make)(std::uint32_t op)) {
  return rc::gen::map(graphs(kFaulty), [make](GraphCase g) {
    g.faults = make(g.faulty_op);
    return on_one_thread(g);
  });
}

harness::Faults failing(std::uint32_t op) { return {.failing_ops = {{.op = op, .code = 42}}}; }

RC_GTEST_PROP(FaultLaw, F01_NoSuccessorOfAFailedOpRunsAndTheStatusNamesIt, ()) {
  law_of(with_fault(failing), native_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::Run run = run_of(g, model.desc());
    const detent_error& error = run.result.error;
    RC_ASSERT(error.status == DETENT_KERNEL_FAILED);
    RC_ASSERT(error.op == g.faulty_op);
    RC_ASSERT(error.code == 42);
    const std::string text = harness::describe_error(model.desc(), error);
    RC_ASSERT(text.find("op" + std::to_string(g.faulty_op)) != std::string::npos);
    assert_stopped_after_fault(model.desc(), run.faults->began(), g.faulty_op);
    RC_ASSERT(run.faults->began().back() == g.faulty_op);
  });
}

RC_GTEST_PROP(FaultLaw, F01_AContextThatFailedRunsAgain, ()) {
  law_of(with_fault(failing), native_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::Run run = run_of(g, model.desc());
    RC_ASSERT(run.result.error.status == DETENT_KERNEL_FAILED);
    RC_ASSERT(run.faults->again.has_value());
    RC_ASSERT(run.faults->again->status == DETENT_OK);
    RC_ASSERT(run.faults->again->digest == serial_digest(model.desc()));
  });
}

/// Whichever op is the call: on one thread the ops begin in the order in which they are dispatched.
RC_GTEST_PROP(FaultLaw, F01_TheCallOfADeviceThatIsNamedFailsAndNoOther, ()) {
  const auto device = [](GraphCase g) {
    const auto first = static_cast<std::uint32_t>(g.seed % 8);
    g.faults.failing_devices = {
        {.device = "cpu", .calls = {.first = first, .onward = first != 0 && g.seed % 2 == 0}, .code = 42}};
    return on_one_thread(g);
  };
  law_of(rc::gen::map(graphs(kFaulty), device), native_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::Run run = run_of(g, model.desc());
    DeviceAccount(model.desc(), g.faults.failing_devices.front()).assert_failed(*run.faults);
    RC_ASSERT(run.faults->again->status == DETENT_OK);
    RC_ASSERT(run.faults->again->digest == serial_digest(model.desc()));
  });
}

/// Slot 0 is the only one, so nothing else can answer: the run ends at the deadline and the op is with its back end.
RC_GTEST_PROP(FaultLaw, F02_AnOpThatHangsEndsTheRunAtItsDeadline, ()) {
  const auto hanging = [](std::uint32_t op) {
    return harness::Faults{.late_ops = {{.op = op}}, .op_deadline_ps = 1'000'000};
  };
  law_of(with_fault(hanging), native_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::Run run = run_of(g, model.desc());
    RC_ASSERT(run.result.error.status == DETENT_TIMEOUT);
    RC_ASSERT(run.result.error.op == g.faulty_op);
    RC_ASSERT(run.faults->in_flight() == std::vector<std::uint32_t>{g.faulty_op});
    assert_stopped_after_fault(model.desc(), run.faults->began(), g.faulty_op);
    RC_ASSERT(run.faults->again->status == DETENT_OK);
    RC_ASSERT(run.faults->again->digest == serial_digest(model.desc()));
  });
}

RC_GTEST_PROP(FaultLaw, F02_LatenessWithinTheDeadlineChangesNothing, ()) {
  const auto late = [](std::uint32_t op) {
    return harness::Faults{.late_ops = {{.op = op, .delay_ps = 1'000'000}}, .op_deadline_ps = 1'000'000};
  };
  law_of(with_fault(late), native_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::Run run = run_of(g, model.desc());
    RC_ASSERT(run.result.error.status == DETENT_OK);
    RC_ASSERT(run.faults->began().size() == model.desc().op_count);
    RC_ASSERT(run.faults->returned_ps == 1'000'000U);
    RC_ASSERT(run.digest == serial_digest(model.desc()));
  });
}

/// The op during which it comes is the last one that runs.
RC_GTEST_PROP(FaultLaw, F07_ACancelledRunStopsAndTheNextOneIsWhole, ()) {
  const auto cancelled = [](std::uint32_t op) { return harness::Faults{.cancel_at = {{.op = op}}}; };
  law_of(with_fault(cancelled), native_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::Run run = run_of(g, model.desc());
    const std::vector<std::uint32_t> began = run.faults->began();
    const bool was_last = began.size() == model.desc().op_count;
    const detent_status status = run.result.error.status;
    RC_ASSERT(status == DETENT_CANCELLED || (was_last && status == DETENT_OK));
    assert_stopped_after_fault(model.desc(), began, g.faulty_op);
    RC_ASSERT(began.back() == g.faulty_op);
    RC_ASSERT(run.faults->in_flight().empty());
    RC_ASSERT(run.faults->again->status == DETENT_OK);
    RC_ASSERT(run.faults->again->ops_ended == model.desc().op_count);
    RC_ASSERT(run.faults->again->digest == serial_digest(model.desc()));
  });
}

RC_GTEST_PROP(FaultLaw, F12_UnexpectedAnswerIsRefused, ()) {
  const auto twice = [](std::uint32_t op) { return harness::Faults{.answered_twice = {op}}; };
  law_of(with_fault(twice), native_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::Run run = run_of(g, model.desc());
    RC_ASSERT(run.result.error.status == DETENT_OK);
    RC_ASSERT(run.faults->second_answers == 1U);
    RC_ASSERT(run.faults->accepted_second == 0U);
    RC_ASSERT(run.digest == serial_digest(model.desc()));
    RC_ASSERT(run.faults->again->digest == serial_digest(model.desc()));
  });
}

/// Threads are started here, and joined again; what is asserted does not depend on which of them goes first.
RC_GTEST_PROP(FaultLaw, F04_AWorkerThatCannotStartIsAStatus, ()) {
  const auto gen = rc::gen::map(
      graphs({.graph = {.most_ops = 15, .mutexes = true}, .most_workers = 3, .race_free = true}), [](GraphCase g) {
        ++g.workers;
        g.faults.failing_start = 1 + static_cast<std::uint32_t>(g.seed % (g.workers - 1));
        return g;
      });
  law_of(gen, native_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::Run run = run_of(g, model.desc());
    const bool starts_any = g.mode != DETENT_MODE_SERIAL;
    RC_ASSERT(run.result.error.status == (starts_any ? DETENT_WORKER_FAILED : DETENT_OK));
    RC_ASSERT(run.faults->again->status == DETENT_OK);
    RC_ASSERT(run.faults->again->digest == serial_digest(model.desc()));
  });
}

RC_GTEST_PROP(FaultLaw, EveryFaultOnOneThreadIsAnswered, ()) {
  law_of(rc::gen::map(graphs(kManyFaults), on_one_thread), native_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::Run run = run_of(g, model.desc());
    assert_answered(model.desc(), g.faults, *run.faults, serial_digest(model.desc()));
    assert_prefix_of_an_order(model.desc(), run.faults->began());
  });
}

/// On threads of the machine. Time passes only while all of them wait, so what is late is so on every machine, and the
/// verdict holds whichever thread goes first.
RC_GTEST_PROP(FaultLaw, EveryFaultOnThreadsIsAnswered, ()) {
  law_of(graphs(kManyFaults), native_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::Run run = run_of(g, model.desc());
    assert_answered(model.desc(), g.faults, *run.faults, serial_digest(model.desc()));
    assert_prefix_of_an_order(model.desc(), run.faults->began());
  });
}

constexpr std::uint8_t kUntouched = 0xA5;

/// Init, run and end in `bytes` of memory that begins `shift` bytes into a buffer; what lies around is left alone.
detent_status run_in(const detent_desc& desc, const detent_config& config, std::size_t shift, std::size_t bytes) {
  std::vector<std::uint8_t> memory(shift + bytes + 256, kUntouched);
  detent_context* context = nullptr;
  detent_error error{};
  const detent_status status = detent_init(memory.data() + shift, bytes, &desc, &config, &context, &error);
  RC_ASSERT((status == DETENT_OK) == (context != nullptr));
  if (status == DETENT_OK) {
    detent_result result{};
    RC_ASSERT(detent_run(context, &result) == DETENT_OK);
    RC_ASSERT(detent_deinit(context) == DETENT_OK);
  }
  const auto is_untouched = [](std::uint8_t byte) { return byte == kUntouched; };
  const auto begin = memory.begin() + static_cast<std::ptrdiff_t>(shift);
  RC_ASSERT(std::all_of(memory.begin(), begin, is_untouched));
  RC_ASSERT(std::all_of(begin + static_cast<std::ptrdiff_t>(bytes), memory.end(), is_untouched));
  return status;
}

/// The arena that is asked for suffices at every alignment; a smaller one is refused or suffices, too.
RC_GTEST_PROP(FaultLaw, F09_TheArenaThatIsAskedForSuffices, ()) {
  law_of(graphs(kFaulty), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_port port = detent_port_single();
    detent_config config = detent_default_config(&port);
    const detent_backend builtin = detent_cpu_backend("*", detent_builtin_kernels());
    config.backends = &builtin;
    config.backend_count = 1;
    config.mode = g.mode;
    config.worker_count = 1;
    const std::size_t bytes = detent_arena_bytes(&model.desc(), &config);
    const std::size_t shift = g.seed % 129;
    RC_ASSERT(run_in(model.desc(), config, shift, bytes) == DETENT_OK);
    RC_ASSERT(run_in(model.desc(), config, shift, bytes / 2) == DETENT_NO_SPACE);
    for (std::size_t less = 8; less <= 256 && less <= bytes; less += 8) {
      const detent_status status = run_in(model.desc(), config, shift, bytes - less);
      RC_ASSERT(status == DETENT_OK || status == DETENT_NO_SPACE);
    }
  });
}

}  // namespace
}  // namespace detent::laws
