// What results hold before anything was simulated, and what options and platforms are when nobody says more.
#include "tests/defaults.hpp"

#include <gtest/gtest.h>

#include "sim/campaign/campaign.hpp"
#include "sim/campaign/campaign_file.hpp"
#include "sim/campaign/statistics.hpp"
#include "sim/chip/core_loads.hpp"
#include "sim/chip/cores.hpp"
#include "sim/cost/cost_table.hpp"
#include "sim/cost/dram.hpp"
#include "sim/cost/interference.hpp"
#include "sim/cost/overhead.hpp"
#include "sim/cost/quantile_grid.hpp"
#include "sim/engine/timed_backend.hpp"
#include "sim/kernel/event_queue.hpp"
#include "sim/kernel/job.hpp"
#include "sim/kernel/op_execution.hpp"
#include "sim/kernel/slot_table.hpp"
#include "sim/npu/array.hpp"
#include "sim/npu/layer.hpp"
#include "sim/npu/operand.hpp"
#include "sim/npu/ports.hpp"
#include "sim/npu/stream.hpp"
#include "sim/npu/timing.hpp"
#include "sim/npu/traffic.hpp"
#include "sim/platform/numbers.hpp"
#include "sim/sensitivity.hpp"
#include "sim/systemc/machine_vcd.hpp"
#include "sim/systemc/traced.hpp"
#include "sim/systemc/tracer.hpp"
#include "sim/together/together.hpp"
#include "sim/types/chosen_run.hpp"
#include "sim/types/op_times.hpp"
#include "sim/types/options.hpp"
#include "sim/types/result.hpp"

namespace detent::sim::test {
namespace {

using detent::test::expect_value;
using detent::test::expect_zero;

TEST(SimDefaults, Options) {
  const SimOptions o;
  EXPECT_EQ(o.runs, 1U);
  EXPECT_EQ(o.execute_runs, 3U);
  EXPECT_EQ(o.engine.policy, "id");
  EXPECT_EQ(o.engine.mode, DETENT_MODE_CLOSED_LOOP);
  EXPECT_EQ(o.keep_worst, 10U);
  EXPECT_TRUE(o.keep_makespans && o.with_traces);
  expect_zero(o.engine.workers, o.seeds.schedule, o.seeds.input, o.timing_only, o.engine.scheduler, o.costs,
              o.migrating, o.known, o.keep_ends, o.part.first, o.part.count);
  EXPECT_EQ(o.jitter.kind, Jitter::Kind::kUniform);
  EXPECT_EQ(o.jitter.spread, 0.1);
  expect_zero(o.jitter.shape, o.jitter.core_correlation);
  EXPECT_EQ(Jitter::Rule{}.kind, Jitter::Kind::kUniform);
  EXPECT_EQ(Jitter::Rule{}.spread, 0.1);
  EXPECT_EQ(Jitter::Rule{}.shape, 0);
  EXPECT_EQ(SensitivityOptions{}.step, 0.01);
  EXPECT_EQ(SensitivityOptions{}.budget_op_runs, 100'000'000U);
  EXPECT_EQ(VcdOptions{}.end_ps, 0U);
  EXPECT_EQ(VcdOptions{}.max_events, 2'000'000U);
  EXPECT_TRUE(EngineKind{}.may_migrate);
  expect_zero(SlowerOp{}.op, SlowerOp{}.step);
}

TEST(SimDefaults, Results) {
  const SimResult r;
  expect_zero(r.runs, r.executed_runs, r.min_ps, r.median_ps, r.p99_ps, r.max_ps, r.worst_run, r.worst_seed, r.mean_ps,
              r.standard_error_ps);
  expect_zero(RunOutcome{}.run, RunOutcome{}.makespan_ps, OpTime{}.best_ps, OpTime{}.worst_ps, CoreUse{}.slot,
              CoreUse{}.busy_ps, RankedRun{}.run, RankedRun{}.seed, RankedRun{}.makespan_ps);
  const OpWork w;
  expect_zero(w.compute_ps, w.dram_bytes, w.front_ps, w.front_bytes);
  EXPECT_EQ(OpEnd{}.earliest_ps, UINT64_MAX);
  expect_zero(OpEnd{}.latest_ps, OpEnd{}.earliest_seed, OpEnd{}.latest_seed, Interference{}.per_run_ps,
              EngineOverhead{}.run_ps);
  const CostEffect e;
  expect_zero(e.is_op, e.op, e.cost_change, e.change_ps, e.elasticity, e.longer, e.shorter, e.anomalous());
  expect_zero(Sensitivity{}.max_ps, Sensitivity{}.ops, Sensitivity{}.ops_tried);
  const Summary s;
  expect_zero(s.min_ps, s.median_ps, s.p99_ps, s.max_ps, s.worst_run, s.median_run, Moments{}.mean_ps,
              Moments{}.standard_error_ps, Histogram{}.from_ps);
  EXPECT_EQ(Histogram{}.width_ps, 1U);
  EXPECT_EQ(CampaignHeader{}.block_runs, 1U);
  EXPECT_EQ(CampaignContent{}.good_bytes, 0U);
  expect_zero(ProvenanceCount{}.seen, ProvenanceCount{}.derived, ProvenanceCount{}.memory, EventKey{}.time_ps,
              EventKey{}.order);
  EXPECT_EQ(CoreId{}.core_class, DETENT_NONE);
  expect_zero(CoreId{}.index, CoreMap{}.worker_count, CoreMap{}.slot_count, DramClient{}.share);
  EXPECT_EQ(DramClient{}.streams, 1U);
  const MeasuredTimes t;
  expect_zero(t.min_ps, t.median_ps, t.p99_ps, t.max_ps, MeasuredOp{}.dram_bytes, CostTable{}.use_cold);
}

TEST(SimDefaults, Platforms) {
  const CoreClass c;
  expect_zero(c.count, c.clock_hz, c.flops_per_cycle, c.l1_bytes, c.l2_bytes, c.cache_bytes_per_cycle,
              c.dram_bytes_per_s);
  EXPECT_EQ(c.efficiency, 1);
  EXPECT_EQ(c.threads_per_core, 1U);
  EXPECT_EQ(c.corun_rate, 1);
  EXPECT_EQ(c.queue_depth, 1U);
  const Overheads o;
  expect_zero(o.dispatch_ps, o.queue_ps, o.lock_ps, o.wake_ps, o.log_ps, o.lock_contended_ps, o.interrupt_ps,
              o.migrate_ps);
  const Load l;
  expect_zero(l.core, l.period_ps, l.duration_ps, l.offset_ps, l.jitter_ps);
  const Platform p;
  expect_zero(p.dram_bytes_per_s, p.memory_bytes, p.contention);
  EXPECT_EQ(p.burst_bytes, 64U);
}

TEST(SimDefaults, NpusAndGpus) {
  const npu::NpuConfig n;
  EXPECT_EQ(n.array.rows, 32U);
  EXPECT_EQ(n.array.cols, 32U);
  EXPECT_EQ(n.dataflow, npu::Dataflow::kWeightStationary);
  EXPECT_EQ(n.input_buffer_bytes, 524'288U);
  EXPECT_EQ(n.weight_buffer_bytes, 524'288U);
  EXPECT_EQ(n.output_buffer_bytes, 262'144U);
  EXPECT_EQ(n.word_bytes, 1U);
  EXPECT_EQ(n.vector_lanes, 32U);
  EXPECT_EQ(n.port_bytes_per_cycle, 16U);
  EXPECT_EQ(n.dma_outstanding, 8U);
  expect_zero(n.private_ports, n.command_cycles);
  const GpuConfig gpu;
  EXPECT_EQ(gpu.wave_elements, 1U);
  EXPECT_EQ(gpu.loads_outstanding, 1U);
  expect_zero(gpu.launch_cycles);
  const npu::LayerCost c;
  expect_zero(c.on_array, c.groups, c.elements, c.compute_cycles, c.macs, c.utilisation, c.dram_read_bytes,
              c.dram_write_bytes, c.gemm.m, c.gemm.n, c.gemm.k, c.sram.input_reads, c.sram.weight_reads,
              c.sram.output_writes);
  const npu::Mapping m;
  expect_zero(m.sr, m.sc, m.t, m.row_folds, m.col_folds, m.folds, m.cycles_per_fold, m.compute_cycles, m.macs,
              m.mapping_efficiency, m.utilisation);
  const npu::LayerTiming t;
  EXPECT_EQ(t.groups, 1U);
  expect_zero(t.cycles, t.stall_cycles, t.compute_cycles, t.macs, t.utilisation);
  const npu::TimingConfig g;
  expect_zero(g.dataflow, g.shared_port, g.vector_lanes, g.buffers.input, g.buffers.weight, g.buffers.output,
              g.bandwidth.input, g.bandwidth.weight, g.bandwidth.output);
  const npu::Conv v;
  expect_zero(v.in_h, v.in_w, v.filter_h, v.filter_w, v.channels, v.filters);
  EXPECT_EQ(v.stride_h, 1U);
  EXPECT_EQ(v.stride_w, 1U);
  const npu::Layer l;
  expect_zero(l.kind, l.elements);
  EXPECT_EQ(l.groups, 1U);
  EXPECT_EQ(l.input_count, 2U);
  const npu::Traffic f;
  expect_zero(f.input_reads, f.weight_reads, f.partial_reads, f.output_writes, npu::OperandWords{}.input,
              npu::OperandWords{}.weight, npu::OperandWords{}.output);
}

TEST(SimDefaults, ValuesOfChip) {
  expect_zero(CoreLoads::Stretch{}.load, CoreLoads::Stretch{}.begin_ps, CoreLoads::Stretch{}.end_ps);
}

TEST(SimDefaults, ValuesOfCost) { expect_zero(TailCell{}.index, TailCell{}.fraction); }

TEST(SimDefaults, ValuesOfEngine) {
  expect_zero(TimedBackend::Options{}.chip, TimedBackend::Options{}.ends, TimedBackend::Options{}.faults);
  expect_value(TimedBackend::Options{}.with_kernels, true);
}

TEST(SimDefaults, ValuesOfKernel) {
  expect_zero(Session{}.finished, OpExecution::Interrupt{}.self, OpExecution::Interrupt{}.code, Slot{}.arg,
              Slot{}.notified, Slot{}.waits_for, Slot{}.until_ps, Slot{}.priority);
  expect_value(Slot{}.state, SlotState::kIdle);
}

TEST(SimDefaults, ValuesOfNpu) {
  expect_zero(npu::Gemm{}.m, npu::Gemm{}.n, npu::Gemm{}.k, npu::FoldPlace{}.stack, npu::FoldPlace{}.row_begin,
              npu::FoldPlace{}.row_count, npu::Bandwidth{}.input, npu::Bandwidth{}.weight, npu::Bandwidth{}.output,
              npu::StreamRange{}.begin, npu::StreamRange{}.end, npu::BufferWords{}.input, npu::BufferWords{}.weight,
              npu::BufferWords{}.output);
  expect_value(npu::Array{}.rows, 32);
  expect_value(npu::Array{}.cols, 32);
}

TEST(SimDefaults, ValuesOfSystemc) {
  expect_zero(TracedChange{}.signal, TracedChange{}.value, TracedStep{}.begin, TracedStep{}.end, TracedText{}.begin_ps);
  expect_value(TracedSignal{}.width, 1);
  expect_value(TracedChange{}.has_value, true);
}

TEST(SimDefaults, ValuesOfTogether) {
  expect_zero(PeriodicNetwork{}.desc, PeriodicNetwork{}.costs, PeriodicNetwork{}.priority, PeriodicNetwork{}.period_ps,
              TogetherOptions{}.timing_only, TogetherOptions{}.keep_runs, NetworkResponses{}.overruns,
              TogetherResult{}.end_ps, TogetherResult{}.failed_network);
  expect_value(TogetherOptions{}.runs, 1);
  expect_value(TogetherOptions{}.execute_runs, 3);
}

TEST(SimDefaults, ValuesOfTypes) {
  expect_zero(ChosenRun{}.seed, RunRange{}.first, RunRange{}.count, SimOptions{}.search_runs, SearchResult{}.runs,
              SearchResult{}.all_worst_ps, SearchResult{}.longest_ps, SearchResult{}.failed, Percentile{}.value_ps,
              Percentile{}.low_ps, Percentile{}.high_ps, Percentile{}.needs_runs, Percentile{}.has_interval,
              SimResult{}.is_longest_found, SimResult{}.at_limit);
  expect_value(OpWork{}.source, TimeSource::kNone);
}

TEST(SimDefaults, Limits) {
  expect_value(kMaxStreams, 160);
  expect_value(npu::kMaxDim, 2'147'483'648U);
  expect_value(npu::kMaxArrayEdge, 4096);
  expect_value(npu::kOperandCount, 3);
  expect_value(npu::kMaxFolds, 67'108'864);
  expect_zero(PeriodicNetwork{}.release_jitter_ps);
}

}  // namespace
}  // namespace detent::sim::test
