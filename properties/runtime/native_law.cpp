// Law of determinism: a race-free Desc has one digest, whatever mode, worker count, scheduler, policy or order runs it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <vector>

#include "harness/run_native.hpp"
#include "properties/runtime/random_desc.hpp"

namespace detent::laws {
namespace {

using harness::NativeOptions;

/// A linear extension drawn at random: repeatedly one of the ops whose predecessors have all been taken.
std::vector<std::uint32_t> random_order(const detent_desc& desc, Random& random) {
  std::vector<std::uint32_t> indegree(desc.op_count);
  std::vector<std::uint32_t> ready;
  std::vector<std::uint32_t> order;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    indegree[op] = desc.ops[op].entry_count;
    if (indegree[op] == 0) ready.push_back(op);
  }
  while (!ready.empty()) {
    std::swap(ready[random.below(static_cast<std::uint32_t>(ready.size()))], ready.back());
    const std::uint32_t op = ready.back();
    ready.pop_back();
    order.push_back(op);
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t i = 0; i < next.count; ++i) {
      if (--indegree[desc.successors[next.first + i]] == 0) ready.push_back(desc.successors[next.first + i]);
    }
  }
  return order;
}

NativeOptions draw_options(const detent_desc& desc, Random& random) {
  NativeOptions options;
  options.mode = static_cast<detent_mode>(random.below(4));
  options.scheduler = random.one_in(3) ? DETENT_SCHEDULER_THREAD : DETENT_SCHEDULER_ROLE;
  options.worker_count = random.below(4);
  options.policy = harness::policy_names()[random.below(5)];
  options.policy_seed = random.next();
  if (options.policy == "given") options.order = random_order(desc, random);
  return options;
}

RC_GTEST_PROP(NativeLaw, OneDigestHoweverExecuted, (std::uint64_t seed)) {
  RandomDesc random(seed, 25);
  const detent_desc& desc = random.builder().desc();
  NativeOptions serial;
  serial.worker_count = 0;
  const harness::Run reference = harness::run_native(desc, serial);
  RC_ASSERT(reference.result.error.status == DETENT_OK);
  for (int i = 0; i < 4; ++i) {
    const NativeOptions options = draw_options(desc, random.random());
    const harness::Run run = harness::run_native(desc, options);
    RC_LOG() << "mode " << options.mode << " workers " << options.worker_count << " policy " << options.policy << "\n";
    RC_ASSERT(run.result.error.status == DETENT_OK);
    RC_ASSERT(run.trace.spans.size() == desc.op_count);
    RC_ASSERT(run.trace.dropped == 0u);
    RC_ASSERT(run.digest == reference.digest);
  }
}

/// In a trace, an op begins after each of its predecessors has ended.
RC_GTEST_PROP(NativeLaw, TracesRespectEdges, (std::uint64_t seed)) {
  RandomDesc random(seed, 25);
  const detent_desc& desc = random.builder().desc();
  const harness::Run run = harness::run_native(desc, draw_options(desc, random.random()));
  RC_ASSERT(run.trace.spans.size() == desc.op_count);
  std::vector<harness::Span> spans(desc.op_count);
  for (const harness::Span& span : run.trace.spans) spans[span.op] = span;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t i = 0; i < next.count; ++i) {
      RC_ASSERT(spans[desc.successors[next.first + i]].begin_ps >= spans[op].end_ps);
    }
  }
}

}  // namespace
}  // namespace detent::laws
