// Laws of faults in simulated time: every mode, scheduler, policy and combination of causes, on graphs in which ops
// become ready while others are in flight. `detent simulate` makes the same runs from the line that a law prints.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/faults/one_run.hpp"
#include "properties/faults.hpp"
#include "properties/sim/simulated.hpp"
#include "sim/cost/jitter.hpp"

namespace detent::laws {
namespace {

using harness::FaultRecord;

constexpr GraphOptions kFaulty{.graph = {.most_ops = 12, .npu = true, .delays = true}, .race_free = true};
constexpr GraphOptions kManyFaults{.graph = {.most_ops = 12, .mutexes = true, .npu = true, .delays = true},
                                   .race_free = true,
                                   .faults = true,
                                   .moments = true};

/// What each run of the case did. A simulation that fails is a failure of the law.
std::vector<FaultRecord> records_of(const GraphCase& g, const models::LoweredModel& model,
                                    const sim::Platform& platform) {
  std::vector<FaultRecord> records;
  sim::SimOptions options = options_of(g);
  options.faults = g.faults;
  options.on_faults = [&](std::uint64_t run, const FaultRecord& record) {
    RC_ASSERT(run == records.size());
    records.push_back(record);
  };
  const sim::SimResult result = simulated(model, platform, options);
  RC_ASSERT(records.size() == options.runs);
  RC_ASSERT(result.makespans_ps.size() == options.runs);
  return records;
}

rc::Gen<GraphCase> with_fault(harness::Faults (*make)(std::uint32_t op)) {
  return rc::gen::map(graphs(kFaulty), [make](GraphCase g) {
    g.faults = make(g.faulty_op);
    return g;
  });
}

harness::Faults failing(std::uint32_t op) { return {.failing_ops = {{.op = op, .code = 42}}}; }

void assert_all_answered(const GraphCase& g, const models::LoweredModel& model,
                         const std::vector<FaultRecord>& records) {
  const std::uint64_t digest = serial_digest(model.desc());
  for (const FaultRecord& record : records) {
    assert_answered(model.desc(), g.faults, record, digest);
    assert_prefix_of_an_order(model.desc(), record.began());
  }
}

RC_GTEST_PROP(SimulatedFaultLaw, F01_NoSuccessorOfAFailedOpRuns, ()) {
  law_of(with_fault(failing), bare_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    for (const FaultRecord& record : records_of(g, model, bare_platform(g))) {
      RC_ASSERT(record.error.status == DETENT_KERNEL_FAILED);
      RC_ASSERT(record.error.op == g.faulty_op);
      RC_ASSERT(record.error.code == 42);
      RC_ASSERT(record.in_flight().empty());
      assert_stopped_after_fault(model.desc(), record.began(), g.faulty_op);
    }
  });
}

/// What the failing call was, the others are not.
RC_GTEST_PROP(SimulatedFaultLaw, F01_OnlyTheCallThatIsNamedFails, ()) {
  const auto second = [](std::uint32_t op) {
    return harness::Faults{.failing_ops = {{.op = op, .calls = {.first = 2}, .code = 42}}};
  };
  law_of(with_fault(second), bare_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const std::vector<FaultRecord> records = records_of(g, model, bare_platform(g));
    for (std::size_t run = 0; run < records.size(); ++run) {
      RC_ASSERT(records[run].error.status == (run == 1 ? DETENT_KERNEL_FAILED : DETENT_OK));
    }
  });
}

/// Where nothing but ops takes time an op that hangs is noticed; no cause leaves anything else in flight.
RC_GTEST_PROP(SimulatedFaultLaw, F02_AnOpThatHangsIsTheOneThatIsLeftInFlight, ()) {
  const auto hanging = [](std::uint32_t op) {
    return harness::Faults{.late_ops = {{.op = op}}, .op_deadline_ps = 100'000};  // no op of the graphs takes as long
  };
  law_of(with_fault(hanging), bare_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    for (const FaultRecord& record : records_of(g, model, bare_platform(g))) {
      RC_ASSERT(record.error.status == DETENT_TIMEOUT);
      RC_ASSERT(record.error.op == g.faulty_op);
      RC_ASSERT(record.in_flight() == std::vector<std::uint32_t>{g.faulty_op});
      assert_stopped_after_fault(model.desc(), record.began(), g.faulty_op);
      RC_ASSERT(record.again->status == DETENT_OK);
    }
  });
}

/// The moment is before everything else of its instant: what begins later was not cancelled in time.
RC_GTEST_PROP(SimulatedFaultLaw, F07_NoOpBeginsAfterTheInstantOfTheCancellation, ()) {
  const auto cancelled = [](GraphCase g) {
    g.faults.cancel_at = {.moment = harness::CancelAt::Moment::kTime, .time_ps = 1 + g.seed % 300};
    return g;
  };
  law_of(rc::gen::map(graphs(kFaulty), cancelled), bare_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    for (const FaultRecord& record : records_of(g, model, bare_platform(g))) {
      const bool whole = record.began().size() == model.desc().op_count;
      RC_ASSERT(record.error.status == DETENT_CANCELLED || (whole && record.error.status == DETENT_OK));
      RC_ASSERT(record.in_flight().empty());
      for (const harness::FaultEvent& event : record.events) {
        const bool begins = event.kind == harness::FaultEvent::Kind::kBegin;
        RC_ASSERT(!begins || event.time_ps <= g.faults.cancel_at->time_ps);
      }
    }
  });
}

RC_GTEST_PROP(SimulatedFaultLaw, EveryFaultIsAnswered, ()) {
  law_of(graphs(kManyFaults), bare_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    assert_all_answered(g, model, records_of(g, model, bare_platform(g)));
  });
}

/// With the overheads of a chip: other steps fall between the same causes.
RC_GTEST_PROP(SimulatedFaultLaw, EveryFaultOnAChipIsAnswered, ()) {
  const auto longer = [](GraphCase g) {  // as long as the chip's overheads
    for (OpSpec& op : g.graph.ops) op.best_ps *= 20'000, op.worst_ps *= 20'000;
    g.faults.op_deadline_ps *= 20'000;
    const auto lengthen = [](auto& late) {
      if (late.delay_ps != harness::LateOp::kNever) late.delay_ps *= 20'000;
    };
    std::ranges::for_each(g.faults.late_ops, lengthen);
    std::ranges::for_each(g.faults.late_devices, lengthen);
    if (g.faults.cancel_at) g.faults.cancel_at->time_ps *= 20'000;
    return g;
  };
  law_of(rc::gen::map(graphs(kManyFaults), longer), chip_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    assert_all_answered(g, model, records_of(g, model, sim::find_platform("quad_npu")));
  });
}

/// Calls of a device are counted over the runs, in the order in which the ops of its class are dispatched.
RC_GTEST_PROP(SimulatedFaultLaw, F01_TheCallsOfADeviceThatAreNamedFailInWhicheverRun, ()) {
  const auto device = [](GraphCase g) {
    const auto first = static_cast<std::uint32_t>(1 + g.seed % 20);
    g.faults.failing_devices = {{.device = "cpu", .calls = {.first = first, .onward = g.seed % 2 == 0}, .code = 42}};
    return g;
  };
  law_of(rc::gen::map(graphs(kFaulty), device), bare_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    DeviceAccount account(model.desc(), g.faults.failing_devices.front());
    for (const FaultRecord& record : records_of(g, model, bare_platform(g))) account.assert_failed(record);
  });
}

/// Faults of one run leave nothing behind: run r of a campaign is the same as alone.
RC_GTEST_PROP(SimulatedFaultLaw, EachRunIsTheSameAlone, ()) {
  law_of(graphs(kManyFaults), bare_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const std::vector<FaultRecord> records = records_of(g, model, bare_platform(g));
    const std::size_t run = g.seed % records.size();
    const harness::Faults faults = harness::faults_of_one_run(g.faults, model.desc(), records[run]);
    if (faults.empty()) {  // a run like any other, of which nothing is recorded
      RC_ASSERT(records[run].error.status == DETENT_OK);
      RC_ASSERT(records[run].device_faults().empty());
      return;
    }
    FaultRecord alone;
    sim::SimOptions options = options_of(g);
    options.runs = 1;
    options.seeds.schedule = sim::run_seed(g.seed, run);
    options.faults = faults;
    options.on_faults = [&](std::uint64_t, const FaultRecord& record) { alone = record; };
    static_cast<void>(simulated(model, bare_platform(g), options));
    RC_ASSERT(alone.error.status == records[run].error.status);
    RC_ASSERT(alone.error.op == records[run].error.op);
    RC_ASSERT(alone.returned_ps == records[run].returned_ps);
    RC_ASSERT(alone.began() == records[run].began());
    RC_ASSERT(alone.device_faults().size() == records[run].device_faults().size());
    RC_ASSERT(alone.in_flight() == records[run].in_flight());
  });
}

RC_GTEST_PROP(SimulatedFaultLaw, AFailedCampaignLeavesTheNextOneAlone, ()) {
  law_of(with_fault(failing), chip_fault_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const std::string before = text_of(simulated_on_chip(g, model));
    RC_ASSERT(records_of(g, model, bare_platform(g)).front().error.status == DETENT_KERNEL_FAILED);
    RC_ASSERT(text_of(simulated_on_chip(g, model)) == before);
  });
}

}  // namespace
}  // namespace detent::laws
