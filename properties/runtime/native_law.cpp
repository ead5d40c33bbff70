// Laws of native runs on the single port: one digest however executed, orders, and contexts that are used again.
// Several workers are the business of the laws of sim/ and verify/: a law starts no threads.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "harness/run_native.hpp"
#include "properties/law.hpp"

namespace detent::laws {
namespace {

constexpr GraphOptions kRaceFree{.graph = {.most_ops = 20, .mutexes = true, .delays = true}, .race_free = true};

/// The case's mode and policy on one worker, which is the caller; `order` as policy given, if not empty.
harness::Run run_on_one_worker(const GraphCase& g, const detent_desc& desc, std::vector<std::uint32_t> order = {}) {
  const detent_port port = detent_port_single();
  const harness::NamedPolicy policy(order.empty() ? g.policy : "given", g.seed, std::move(order));
  harness::InstanceOptions options;
  options.mode = g.mode;
  options.policy = policy.policy();
  harness::Instance instance(desc, port, options);
  RC_ASSERT(instance.status() == DETENT_OK);
  instance.fill(0);
  return instance.run();
}

std::vector<std::uint32_t> ops_by_start(const harness::Run& run) {
  std::vector<harness::Span> spans = run.trace.spans;
  std::sort(spans.begin(), spans.end(),
            [](const harness::Span& a, const harness::Span& b) { return a.begin_sequence < b.begin_sequence; });
  std::vector<std::uint32_t> ops;
  for (const harness::Span& span : spans) ops.push_back(span.op);
  return ops;
}

harness::Run run_serially(const detent_desc& desc) { return harness::run_native(desc, {.engine = {.workers = 0}}); }

RC_GTEST_PROP(NativeLaw, OneDigestHoweverExecuted, ()) {
  law_of(graphs(kRaceFree), native_digest_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::Run reference = run_serially(model.desc());
    RC_ASSERT(reference.result.error.status == DETENT_OK);
    const harness::Run run = run_on_one_worker(g, model.desc());
    RC_ASSERT(run.result.error.status == DETENT_OK);
    RC_ASSERT(run.result.ops_run == model.desc().op_count);
    RC_ASSERT(run.trace.spans.size() == model.desc().op_count);
    RC_ASSERT(run.trace.dropped == 0U);
    RC_ASSERT(run.digest == reference.digest);
  });
}

RC_GTEST_PROP(NativeLaw, OneDigestInEveryOrder, ()) {
  law_of(graphs(kRaceFree), native_order_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::Run run = run_on_one_worker(g, model.desc(), order_of(model.desc(), g.schedule));
    RC_ASSERT(run.result.error.status == DETENT_OK);
    RC_ASSERT(run.digest == run_serially(model.desc()).digest);
  });
}

/// In a trace, an op begins after each of its predecessors has ended.
RC_GTEST_PROP(NativeLaw, TracesRespectEdges, ()) {
  law_of(graphs({.graph = {.most_ops = 25, .delays = true}}), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_desc& desc = model.desc();
    const harness::Run run = run_on_one_worker(g, desc);
    RC_ASSERT(run.trace.spans.size() == desc.op_count);
    std::vector<harness::Span> spans(desc.op_count);
    for (const harness::Span& span : run.trace.spans) spans[span.op] = span;
    for (std::uint32_t op = 0; op < desc.op_count; ++op) {
      const detent_slice next = desc.ops[op].successors;
      for (std::uint32_t i = 0; i < next.count; ++i) {
        RC_ASSERT(spans[desc.successors[next.first + i]].begin_ps >= spans[op].end_ps);
      }
    }
  });
}

RC_GTEST_PROP(NativeLaw, AGivenOrderIsTheOrderOfStarts, ()) {
  const auto closed_loop = [](GraphCase g) {
    g.mode = DETENT_MODE_CLOSED_LOOP;
    return g;
  };
  law_of(rc::gen::map(graphs({.graph = {.most_ops = 20}}), closed_loop), native_order_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_port port = detent_port_single();
    const harness::NamedPolicy policy("given", 0, order_of(model.desc(), g.schedule));
    harness::Instance instance(model.desc(), port, {.policy = policy.policy()});
    instance.fill(0);
    const harness::Run run = instance.run();
    RC_ASSERT(run.result.error.status == DETENT_OK);
    RC_ASSERT(ops_by_start(run) == order_of(model.desc(), g.schedule));
  });
}

RC_GTEST_PROP(NativeLaw, RunningAgainGivesTheSameBytes, ()) {
  law_of(graphs({.graph = {.most_ops = 20, .mutexes = true}}), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_port port = detent_port_single();
    harness::Instance instance(model.desc(), port, {.mode = g.mode});
    RC_ASSERT(instance.status() == DETENT_OK);
    instance.fill(g.seed);
    const std::uint64_t first = instance.run().digest;
    instance.fill(g.seed);
    RC_ASSERT(instance.run().digest == first);
  });
}

/// Two contexts on one Desc: the runs of one leave the bytes of the other alone.
RC_GTEST_PROP(NativeLaw, ContextsOnOneDescShareNothing, ()) {
  law_of(graphs({.graph = {.most_ops = 12}}), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_port port = detent_port_single();
    harness::Instance a(model.desc(), port, {.mode = g.mode});
    harness::Instance b(model.desc(), port, {});
    a.fill(1);
    const std::uint64_t of_a = a.run().digest;
    b.fill(2);
    static_cast<void>(b.run());
    RC_ASSERT(a.digest() == of_a);
  });
}

RC_GTEST_PROP(NativeLaw, RunsWithoutATraceGiveTheSameBytes, ()) {
  law_of(graphs({.graph = {.most_ops = 12, .delays = true}}), native_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_port port = detent_port_single();
    harness::Instance instance(model.desc(), port, {.mode = g.mode, .trace = false});
    instance.fill(0);
    RC_ASSERT(instance.run_untraced().error.status == DETENT_OK);
    harness::Instance traced(model.desc(), port, {.mode = g.mode});
    traced.fill(0);
    RC_ASSERT(traced.run().digest == instance.digest());
  });
}

}  // namespace
}  // namespace detent::laws
