// Faults in native runs: on one thread and on several, where gates inside the kernels decide what is in flight.
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "harness/run_native.hpp"
#include "tests/verify/random_graph.hpp"
#include "verify/runs/fault_response.hpp"

namespace detent::harness {
namespace {

using verify::testing::DescTables;
using verify::testing::GraphSpec;
using verify::testing::make_ops;

/// 0 and 1 are independent; 2 follows 0, 3 follows 1. Each op is worth handing to another worker.
GraphSpec two_chains() {
  GraphSpec spec = make_ops(4);
  spec.edges = {{0, 2}, {1, 3}};
  for (auto& op : spec.ops) op.best_ps = op.worst_ps = 1'000'000'000;
  return spec;
}

/// Kernels that wait for each other: op 0 goes on when op 1 has begun, op 1 when op 0 fails. So op 1 is
/// in flight while op 0 fails, on every machine.
class Gates {
 public:
  Gates() { current = this; }
  ~Gates() { current = nullptr; }
  Gates(const Gates&) = delete;
  Gates& operator=(const Gates&) = delete;
  detent_backend backend() {
    const auto resolve = [](void*, const char*, detent_entity* entity) {
      entity->run = [](const detent_kernel_args* args) { return current->run(args->op); };
      return DETENT_OK;
    };
    return {this, "*", resolve, nullptr};
  }

 private:
  std::int32_t run(std::uint32_t op) {
    std::unique_lock lock(mutex_);
    if (is_open_ || op > 1) return 0;
    if (op == 0) {
      changed_.wait(lock, [this] { return begun_; });
      is_open_ = true;  // for the run that follows, too
    } else {
      begun_ = true;
      changed_.notify_all();
      changed_.wait(lock, [this] { return is_open_; });
    }
    changed_.notify_all();
    return op == 0 ? 42 : 0;
  }
  static Gates* current;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool begun_ = false, is_open_ = false;
};
Gates* Gates::current = nullptr;

verify::Verdict judged(const detent_desc& desc, const NativeOptions& options, const harness::Run& run) {
  return verify::check_fault_response(desc, options.faults, *run.faults,
                                      run_native(desc, {.engine = {.workers = 0}}).digest);
}

TEST(FaultInjection, AFailureWhileAnotherOpIsInFlightDrains) {
  const DescTables tables(two_chains());
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    Gates gates;
    NativeOptions options{.engine = {.workers = 2, .mode = mode}, .backends = {gates.backend()}};
    options.faults.op_deadline_ps = 3'600'000'000'000'000;  // an hour: the events are recorded
    const harness::Run run = run_native(tables.desc, options);
    EXPECT_EQ(run.result.error.status, DETENT_KERNEL_FAILED);
    EXPECT_EQ(run.result.error.op, 0U);
    EXPECT_EQ(run.result.error.code, 42);
    EXPECT_TRUE(run.faults->in_flight().empty());
    const std::vector<std::uint32_t> began = run.faults->began();
    EXPECT_EQ(std::count(began.begin(), began.end(), 1U), 1);
    EXPECT_EQ(std::count(began.begin(), began.end(), 2U), 0);
  }
}

TEST(FaultInjection, AnOpThatHangsOnAnyThreadEndsTheRunAtItsDeadline) {
  const DescTables tables(two_chains());
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    for (const detent_scheduler scheduler : {DETENT_SCHEDULER_ROLE, DETENT_SCHEDULER_THREAD}) {
      for (const std::uint32_t workers : {1U, 2U, 3U}) {
        NativeOptions options{.engine = {.workers = workers, .mode = mode, .scheduler = scheduler}};
        options.faults = {.late_ops = {{.op = 1}}, .op_deadline_ps = 5'000'000};
        const harness::Run run = run_native(tables.desc, options);
        EXPECT_EQ(run.result.error.status, DETENT_TIMEOUT);
        EXPECT_EQ(run.result.error.op, 1U);
        EXPECT_EQ(run.faults->in_flight(), (std::vector<std::uint32_t>{1}));
        const verify::Verdict verdict = judged(tables.desc, options, run);
        EXPECT_EQ(verdict.outcome, verify::Outcome::kHolds)
            << (verdict.witnesses.empty() ? verdict.summary : verdict.witnesses.front().text);
      }
    }
  }
}

TEST(FaultInjection, LogicalTimeIsTheDelaysAlongTheLongestPath) {
  const DescTables tables(two_chains());
  NativeOptions options{.engine = {.workers = 2, .mode = DETENT_MODE_CLOSED_LOOP}};
  options.faults.late_ops = {{0, 5'000}, {1, 7'000}, {2, 1'000}};
  const harness::Run run = run_native(tables.desc, options);
  EXPECT_EQ(run.result.error.status, DETENT_OK);
  EXPECT_TRUE(run.faults->returned_ps == 7'000U || run.faults->returned_ps == 13'000U)  // side by side, or not
      << run.faults->returned_ps;
  options.engine.workers = 1;
  EXPECT_EQ(run_native(tables.desc, options).faults->returned_ps, 13'000U);
}

TEST(FaultInjection, TheMomentOfCancellationIsAnOpsBeginOrEnd) {
  const DescTables tables(two_chains());
  for (const auto moment : {CancelAt::Moment::kOpBegin, CancelAt::Moment::kOpEnd}) {
    NativeOptions options{.engine = {.workers = 1}};
    options.faults.cancel_at = {.moment = moment, .op = 1};
    const harness::Run run = run_native(tables.desc, options);
    EXPECT_EQ(run.result.error.status, DETENT_CANCELLED);
    EXPECT_EQ(run.faults->began().back(), 1U);
    EXPECT_EQ(judged(tables.desc, options, run).outcome, verify::Outcome::kHolds);
  }
}

TEST(FaultInjection, AStartThatFailsIsAStatusAndThePortCanBeUsedAgain) {
  const DescTables tables(two_chains());
  NativeOptions options{.engine = {.workers = 3}};
  options.faults.failing_start = 2;
  const harness::Run run = run_native(tables.desc, options);
  EXPECT_EQ(run.result.error.status, DETENT_WORKER_FAILED);
  ASSERT_TRUE(run.faults->again.has_value());
  EXPECT_EQ(run.faults->again->status, DETENT_OK);
  EXPECT_EQ(judged(tables.desc, options, run).outcome, verify::Outcome::kHolds);
}

TEST(FaultInjection, FaultsThatTheModelCannotHaveAreRefused) {
  const DescTables tables(two_chains());
  const auto run_with = [&](const Faults& faults) {
    NativeOptions options{.engine = {.workers = 1}};
    options.faults = faults;
    return run_native(tables.desc, options);
  };
  EXPECT_THROW(run_with({.failing_ops = {{.op = 4}}}), std::invalid_argument);
  EXPECT_THROW(run_with({.late_ops = {{.op = 0}}}), std::invalid_argument);  // it would never end
  EXPECT_THROW(run_with({.cancel_at = {{.moment = CancelAt::Moment::kTime, .time_ps = 5}}}), std::invalid_argument);
}

}  // namespace
}  // namespace detent::harness
