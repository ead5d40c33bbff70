// Where each op stands in simulated time: the record of an op is its span of the trace, in every mode, and keeping it
// takes no time.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "harness/instance.hpp"
#include "sim/engine/systemc_port.hpp"
#include "sim/engine/timed_backend.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

class StatesRun final : public Job {
 public:
  StatesRun(const detent_desc& desc, const std::vector<OpTime>& times, detent_mode mode, bool op_states)
      : desc_(desc),
        mode_(mode),
        op_states_(op_states),
        port_(SimKernel::instance(), {}),
        backend_(SimKernel::instance(), desc, times, {}) {}

  void main() override {
    harness::InstanceOptions options;
    options.mode = mode_;
    options.worker_count = 3;
    options.backends = {backend_.backend()};
    options.op_states = op_states_;
    harness::Instance instance(desc_, port_.port(), options);
    ASSERT_EQ(instance.status(), DETENT_OK);
    run = instance.run();
    records.resize(op_states_ ? desc_.op_count : 0);
    for (std::uint32_t op = 0; op < records.size(); ++op)
      EXPECT_EQ(detent_context_op_state(instance.context(), op, &records[op]), DETENT_OK);
  }
  void on_deadlock() override { ADD_FAILURE() << "deadlock"; }

  harness::Run run;
  std::vector<detent_op_record> records;

 private:
  const detent_desc& desc_;
  detent_mode mode_;
  bool op_states_;
  SystemcPort port_;
  TimedBackend backend_;
};

struct StatesOutcome {
  harness::Run run;
  std::vector<detent_op_record> records;
};

StatesOutcome run_states(const Graph& graph, detent_mode mode, bool op_states) {
  const GraphDesc tables(graph, false);
  static const detent_region kNoRegion{};
  detent_desc desc = tables.desc();
  desc.regions = &kNoRegion;
  std::vector<OpTime> times;
  for (const GraphOp& op : graph) times.push_back({op.best_ps, op.worst_ps});
  std::unique_ptr<Job> job = std::make_unique<StatesRun>(desc, times, mode, op_states);
  auto* const run = static_cast<StatesRun*>(job.get());
  EXPECT_TRUE(SimKernel::instance().run(job).finished);
  return {run->run, run->records};
}

/// A fork of four and what joins it, on three workers: one of the four waits for a worker.
Graph fork_and_join() {
  Graph graph;
  graph.push_back({10, 10, kCpu, 0, {1, 2, 3, 4}, {}});
  for (std::uint64_t i = 0; i < 4; ++i) graph.push_back({20 + i, 20 + i, kCpu, 0, {5}, {}});
  graph.push_back({5, 5, kCpu, 0, {}, {}});
  return graph;
}

TEST(OpStateSimulated, ARecordIsTheSpanOfItsOp) {
  const Graph graph = fork_and_join();
  for (const detent_mode mode :
       {DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
    SCOPED_TRACE(harness::mode_name(mode));
    const StatesOutcome outcome = run_states(graph, mode, true);
    ASSERT_EQ(outcome.run.result.error.status, DETENT_OK);
    ASSERT_EQ(outcome.run.trace.spans.size(), graph.size());
    const std::uint64_t zero_ps = outcome.run.result.begin_ps;
    for (const harness::Span& span : outcome.run.trace.spans) {
      const detent_op_record& record = outcome.records[span.op];
      EXPECT_EQ(record.state, DETENT_OP_DONE);
      EXPECT_EQ(record.worker, span.slot);
      EXPECT_EQ(record.begin_ps - zero_ps, span.begin_ps);
      EXPECT_EQ(record.end_ps - zero_ps, span.end_ps);
    }
    EXPECT_EQ(outcome.records[0].ready_ps, zero_ps);
    for (std::uint32_t op = 1; op < 5; ++op) EXPECT_EQ(outcome.records[op].ready_ps, outcome.records[0].end_ps);
    std::uint64_t last_ps = 0;
    for (std::uint32_t op = 1; op < 5; ++op) last_ps = std::max(last_ps, outcome.records[op].end_ps);
    EXPECT_EQ(outcome.records[5].ready_ps, last_ps);
  }
}

TEST(OpStateSimulated, KeepingItTakesNoSimulatedTime) {
  const Graph graph = fork_and_join();
  for (const detent_mode mode : {DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
    const StatesOutcome with = run_states(graph, mode, true), without = run_states(graph, mode, false);
    EXPECT_EQ(with.run.makespan_ps, without.run.makespan_ps);
    EXPECT_TRUE(without.records.empty());
  }
}

}  // namespace
}  // namespace detent::sim::test
