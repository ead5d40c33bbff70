// Laws of native runs on threads of this machine: one digest, edges and mutexes kept, whatever the number of workers,
// the mode, who schedules and how long slots spin. Time is bounded: graphs are small, and a run that hangs ends the
// test by its limit of time. The program is built with the thread sanitizer, too.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <thread>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/run_native.hpp"
#include "properties/law.hpp"

namespace detent::laws {
namespace {

constexpr GraphOptions kGraphs{
    .graph = {.most_ops = 24, .mutexes = true, .delays = true, .affinity = true}, .most_workers = 4, .race_free = true};

/// As the replay line of native_threads_line says it. Seeds choose among the ways to wait.
harness::NativeOptions threads_of(const GraphCase& g) {
  harness::NativeOptions options;
  options.engine.workers = g.workers;
  options.engine.mode = g.mode;
  options.engine.scheduler = g.scheduler;
  options.engine.policy = g.policy;
  options.engine.spin_limit = spin_limit_of(g);
  options.seeds.schedule = g.seed;
  return options;
}

/// Each op's span, by id.
std::vector<harness::Span> spans_by_op(const harness::Run& run, const detent_desc& desc) {
  RC_ASSERT(run.trace.dropped == 0U);
  RC_ASSERT(run.trace.spans.size() == desc.op_count);
  std::vector<harness::Span> spans(desc.op_count);
  std::vector<bool> has_run(desc.op_count);
  for (const harness::Span& span : run.trace.spans) {
    RC_ASSERT(!has_run[span.op]);
    has_run[span.op] = true;
    spans[span.op] = span;
  }
  return spans;
}

void assert_edges_kept(const detent_desc& desc, const std::vector<harness::Span>& spans) {
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t i = next.first; i < next.first + next.count; ++i) {
      RC_ASSERT(spans[desc.successors[i]].begin_ps >= spans[op].end_ps);
    }
  }
}

/// Ops that hold a common mutex, one after the other.
void assert_mutexes_exclude(const detent_desc& desc, const std::vector<harness::Span>& spans) {
  std::map<std::uint32_t, std::vector<harness::Span>> holders;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    const detent_slice mutexes = desc.ops[op].mutexes;
    for (std::uint32_t i = mutexes.first; i < mutexes.first + mutexes.count; ++i) {
      holders[desc.mutex_refs[i]].push_back(spans[op]);
    }
  }
  for (auto& [mutex, held] : holders) {
    std::sort(held.begin(), held.end(), [](const harness::Span& a, const harness::Span& b) {
      return a.begin_ps < b.begin_ps || (a.begin_ps == b.begin_ps && a.end_ps < b.end_ps);
    });
    for (std::size_t i = 1; i < held.size(); ++i) RC_ASSERT(held[i].begin_ps >= held[i - 1].end_ps);
  }
}

/// Each op on a worker that it is for.
void assert_affinity_kept(const GraphCase& g, const detent_desc& desc, const std::vector<harness::Span>& spans) {
  const std::uint32_t first_worker = g.scheduler == DETENT_SCHEDULER_THREAD && g.mode == DETENT_MODE_CLOSED_LOOP;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    const std::uint32_t workers = desc.ops[op].workers;
    if (workers != 0 && g.mode != DETENT_MODE_SERIAL) RC_ASSERT((workers >> (spans[op].slot - first_worker) & 1U) != 0);
  }
}

RC_GTEST_PROP(ThreadsLaw, OneDigestAndEveryOpInItsPlace, ()) {
  law_of(graphs(kGraphs), native_threads_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_desc& desc = model.desc();
    const std::uint64_t digest = harness::run_native(desc, {.engine = {.workers = 0}}).digest;
    const detent_error error =
        harness::run_native_repeatedly(desc, threads_of(g), 3, [&](std::uint64_t /*number*/, const harness::Run& run) {
          RC_ASSERT(run.result.error.status == DETENT_OK);
          RC_ASSERT(run.result.ops_run == desc.op_count);
          RC_ASSERT(run.digest == digest);
          const std::vector<harness::Span> spans = spans_by_op(run, desc);
          assert_edges_kept(desc, spans);
          assert_mutexes_exclude(desc, spans);
          assert_affinity_kept(g, desc, spans);
          return true;
        });
    RC_ASSERT(error.status == DETENT_OK);
  });
}

/// Contexts with threads of their own at the same time: the runs of one leave the bytes of the other alone.
RC_GTEST_PROP(ThreadsLaw, ContextsWithThreadsOfTheirOwnShareNothing, ()) {
  law_of(graphs(kGraphs), native_threads_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const auto digest_of = [&](std::uint64_t seed) {
      harness::NativeOptions serial{.engine = {.workers = 0}};
      serial.seeds.input = seed;
      return harness::run_native(model.desc(), serial).digest;
    };
    std::vector<std::uint64_t> found(2);
    const auto run = [&](std::uint64_t seed) {
      harness::NativeOptions options = threads_of(g);
      options.seeds.input = seed;
      found[seed] = harness::run_native(model.desc(), options).digest;
    };
    std::thread other(run, 1);
    run(0);
    other.join();
    RC_ASSERT(found == (std::vector<std::uint64_t>{digest_of(0), digest_of(1)}));
  });
}

std::string device_line(const GraphCase& g, const std::string& file) {
  return native_threads_line(g, file) + " device=software";
}

/// Ops of class "npu" by commands of a device: ranges in place, with gaps and across each other keep their bytes, and
/// so does what lies between them, while other ops write there.
RC_GTEST_PROP(ThreadsLaw, DeviceGivesTheBytesOfARunWithoutIt, ()) {
  constexpr GraphOptions kOnDevice{
      .graph = {.most_ops = 24, .mutexes = true, .strided = true, .npu = true, .delays = true},
      .most_workers = 3,
      .race_free = true};
  law_of(graphs(kOnDevice), device_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_desc& desc = model.desc();
    const std::uint64_t digest = harness::run_native(desc, {.engine = {.workers = 0}}).digest;
    harness::Device device({.module = "software"}, desc);
    harness::NativeOptions options = threads_of(g);
    options.extend = [&device](harness::InstanceOptions& words) { device.serve(words); };
    constexpr std::uint64_t kRuns = 3;
    const auto is_same = [&](std::uint64_t /*number*/, const harness::Run& run) {
      RC_ASSERT(run.digest == digest);
      return true;
    };
    RC_ASSERT(harness::run_native_repeatedly(desc, options, kRuns, is_same).status == DETENT_OK);
    std::uint64_t ops = 0;
    for (const OpSpec& op : g.graph.ops) ops += is_npu(op) ? kRuns : 0;
    RC_ASSERT(device.counters().ops == ops);

    harness::NativeOptions inline_options;
    inline_options.engine.workers = g.workers;
    inline_options.backends = {device.inline_backend()};
    RC_ASSERT(harness::run_native(desc, inline_options).digest == digest);
    RC_ASSERT(device.counters().ops == ops + ops / kRuns);
  });
}

}  // namespace
}  // namespace detent::laws
