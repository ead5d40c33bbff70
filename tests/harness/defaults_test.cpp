// Values that nobody has filled in claim nothing, and options that nobody has set are what the headers say.
#include "tests/defaults.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/arrays/npy.hpp"
#include "base/io.hpp"
#include "base/json.hpp"
#include "base/subprocess.hpp"
#include "base/value_tables.hpp"
#include "harness/access/observed_run.hpp"
#include "harness/access/perturb.hpp"
#include "harness/access/report.hpp"
#include "harness/device/device.hpp"
#include "harness/engine_spec.hpp"
#include "harness/faults/faults.hpp"
#include "harness/faults/injector.hpp"
#include "harness/faults/port.hpp"
#include "harness/faults/record.hpp"
#include "harness/gates.hpp"
#include "harness/instance.hpp"
#include "harness/log_file.hpp"
#include "harness/machine_trace.hpp"
#include "harness/measure/host_costs.hpp"
#include "harness/measure/host_overheads.hpp"
#include "harness/measure/op_timing.hpp"
#include "harness/module/c_compiler.hpp"
#include "harness/module/c_module.hpp"
#include "harness/run.hpp"
#include "harness/run_native.hpp"
#include "harness/tensor_file.hpp"
#include "harness/together/run_together.hpp"

namespace detent::harness {
namespace {

using test::expect_value;
using test::expect_zero;

TEST(HarnessDefaults, Runs) {
  expect_zero(Span{}.op, Span{}.slot, Span{}.begin_ps, Span{}.end_ps, Span{}.begin_sequence, Event{}.time_ps,
              Event{}.slot, Event{}.value, Trace{}.dropped, harness::Run{}.digest, harness::Run{}.makespan_ps);
  EXPECT_EQ(Event{}.op, DETENT_NONE);
  EXPECT_EQ(Event{}.kind, DETENT_EVENT_RUN_BEGIN);
  const EngineSpec engine;
  EXPECT_EQ(engine.workers, 0U);
  EXPECT_EQ(engine.mode, DETENT_MODE_CLOSED_LOOP);
  EXPECT_EQ(engine.scheduler, DETENT_SCHEDULER_ROLE);
  EXPECT_EQ(engine.policy, "id");
  const NativeOptions native;
  EXPECT_EQ(native.engine.workers, 3U);
  EXPECT_TRUE(native.trace);
  EXPECT_FALSE(native.keep_output);
  const InstanceOptions instance;
  EXPECT_EQ(instance.mode, DETENT_MODE_CLOSED_LOOP);
  EXPECT_EQ(instance.scheduler, DETENT_SCHEDULER_ROLE);
  EXPECT_EQ(instance.worker_count, 1U);
  EXPECT_TRUE(instance.trace);
  expect_zero(instance.events, instance.op_states, instance.op_deadline_ps, instance.memory_limit_bytes);
  expect_zero(Gate{}.op, Gate{}.after, GateOptions{}.observe, Observation{}.read, Observation{}.wrote);
  EXPECT_EQ(GateOptions{}.watchdog_ms, 10'000U);
}

TEST(HarnessDefaults, MachineTraces) {
  expect_zero(Resource{}.kind, Use{}.resource, Use{}.kind, Use{}.begin_ps, Use{}.end_ps, Sample{}.counter,
              Sample{}.time_ps, Sample{}.value);
  EXPECT_EQ(Use{}.op, DETENT_NONE);
  EXPECT_EQ(Use{}.load, DETENT_NONE);
  const Account a;
  expect_zero(a.resource, a.compute_ps, a.memory_ps, a.overhead_ps, a.load_ps, a.idle_ps, a.dram_bytes,
              a.contention_ps);
}

TEST(HarnessDefaults, Faults) {
  expect_zero(Calls{}.first, Calls{}.onward, FailingOp{}.op, LateOp{}.op, CancelAt{}.moment, CancelAt{}.op,
              CancelAt{}.time_ps, Faults{}.op_deadline_ps, Faults{}.failing_start, OpFault{}.code, OpFault{}.delay_ps,
              OpFault{}.twice, FaultPort::Options{}.logical_time, FaultPort::Options{}.failing_start);
  EXPECT_EQ(FailingOp{}.code, 1);
  EXPECT_EQ(FailingDevice{}.code, 1);
  EXPECT_EQ(LateOp{}.delay_ps, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(LateDevice{}.delay_ps, std::numeric_limits<std::uint64_t>::max());
  expect_zero(DeviceCalls::Call{}.number, DeviceCalls::Call{}.code, DeviceCalls::Call{}.delay_ps);
  EXPECT_EQ(FaultEvent{}.op, DETENT_NONE);
  expect_zero(FaultEvent{}.kind, FaultEvent{}.code, FaultEvent{}.time_ps, FaultEvent{}.device_call,
              FaultEvent{}.is_device_fault, RunAgain{}.status, RunAgain{}.ops_ended, RunAgain{}.longest_ps);
  const FaultRecord r;
  expect_zero(r.returned_ps, r.said_in_flight, r.exact_times, r.second_answers, r.accepted_second);
  EXPECT_EQ(r.slots, 1U);
}

TEST(HarnessDefaults, Accesses) {
  expect_zero(RegionAccess{}.region, StrayAccess{}.region, StrayAccess{}.begin, StrayAccess{}.end,
              StrayAccess{}.is_write, OpAccess{}.method, OpAccess{}.is_incomplete);
  EXPECT_EQ(PerturbOptions{}.max_searches, 400U);
}

TEST(HarnessDefaults, Measurements) {
  EXPECT_EQ(HostCosts{}.cpus, 1U);
  EXPECT_EQ(HostCosts{}.corun_rate, 1);
  EXPECT_EQ(HostCostOptions{}.rounds, 9U);
  EXPECT_EQ(HostCostOptions{}.copy_bytes, 67'108'864U);
  EXPECT_EQ(CacheLevel{}.bytes, 0U);
  EXPECT_EQ(CacheLevel{}.sharers, 1U);
  const RuntimeCosts c;
  expect_zero(c.dispatch_ps, c.queue_ps, c.lock_ps, c.lock_contended_ps, c.wake_ps, c.interrupt_ps, c.log_ps);
  const ChainTimes t;
  expect_zero(t.serial_ps, t.logged_ps, t.closed_ps, t.lock_ps);
  EXPECT_EQ(OpTimerOptions{}.flush, FlushMethod::kBest);
  EXPECT_EQ(OpTimerOptions{}.walk_bytes, 0U);
  const TimeStatistics s;
  expect_zero(s.min_ps, s.median_ps, s.p99_ps, s.max_ps);
}

TEST(HarnessDefaults, ModulesAndProcesses) {
  EXPECT_FALSE(CSource{}.is_support);
  EXPECT_EQ(CCompileOptions{}.flags, std::vector<std::string>{"-O2"});
  EXPECT_EQ(CCompileOptions{}.jobs, 0U);
  EXPECT_EQ(CCompileOptions{}.time_limit_ms, 600'000U);
  EXPECT_FALSE(CCompiler{}.is_clang);
  EXPECT_TRUE(CModuleOptions{}.use_cache);
  EXPECT_FALSE(CModuleOptions{}.private_image);
  EXPECT_EQ(CModuleOptions{}.build_directory, "");
  EXPECT_EQ(ProcessResult{}.end, ProcessEnd::kNotStarted);
  EXPECT_EQ(ProcessResult{}.code, 0);
  EXPECT_EQ(ProcessOptions{}.jobs, 1U);
  EXPECT_EQ(ProcessOptions{}.time_limit_ms, 600'000U);
  const JsonLimits json;
  EXPECT_EQ(json.max_bytes, 2'147'483'648U);
  EXPECT_EQ(json.max_depth, 64U);
  EXPECT_EQ(json.max_nodes, 134'217'728U);
  EXPECT_EQ(json.max_string_bytes, 65'536U);
  EXPECT_EQ(json.max_keys, 16'777'215U);
  EXPECT_EQ(ByteRange{}.begin + ByteRange{}.end, 0U);
}

TEST(HarnessDefaults, ValuesOfAccess) { expect_zero(ObserveOptions{}.seed); }

TEST(HarnessDefaults, ValuesOfAll) {
  expect_zero(Seeds{}.input, Seeds{}.schedule, InstanceOptions{}.worker_pool_priority, LogRing{}.number,
              LogRing{}.dropped, LogFile{}.workers, LoggedRun{}.makespan_ps, LoggedRun{}.is_whole,
              NativeOptions{}.keep_log, NativeOptions{}.keep_memory, TensorBytes{}.tensor);
  expect_value(LoggedRun{}.status, DETENT_OK);
}

TEST(HarnessDefaults, ValuesOfTogether) {
  expect_zero(SharedNetwork{}.desc, SharedNetwork{}.priority, SharedFailure{}.network);
}

TEST(HarnessDefaults, Limits) {
  expect_value(kMaxNpyRank, 32);
  expect_value(kMaxNpyHeaderBytes, 65'536);
  expect_value(kMaxNameBytes, 4096);
  expect_value(kMaxLongStringBytes, 268'435'456);
  expect_value(kLogVersion, 2);
  expect_value(kGivenUpCode, 110);
  expect_zero(Guard{}.decision, OpAccess{}.variable_writes, DeviceSpec{}.scratchpad_bytes, OpFault{}.watchdog_ps);
}

}  // namespace
}  // namespace detent::harness
