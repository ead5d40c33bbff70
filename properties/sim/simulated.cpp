#include "properties/sim/simulated.hpp"

#include <array>
#include <utility>

#include "harness/run_native.hpp"

namespace detent::laws {
namespace {

using JitterKind = sim::Jitter::Kind;

JitterKind jitter_kind(const std::string& word) {
  static const std::array<std::pair<const char*, JitterKind>, 4> kKinds = {{{"uniform", JitterKind::kUniform},
                                                                            {"triangular", JitterKind::kTriangular},
                                                                            {"pareto", JitterKind::kPareto},
                                                                            {"lognormal", JitterKind::kLognormal}}};
  for (const auto& [name, kind] : kKinds) {
    if (word == name) return kind;
  }
  return JitterKind::kWorst;
}

}  // namespace

sim::SimOptions options_of(const GraphCase& g) {
  sim::SimOptions options;
  options.engine.workers = g.workers;
  options.runs = 5;
  options.seeds.schedule = g.seed;
  options.jitter.kind = jitter_kind(g.jitter);
  options.jitter.shape = options.jitter.kind == JitterKind::kPareto ? 1.5 : 1;  // those of --jitter
  options.engine.mode = g.mode;
  options.engine.scheduler = g.scheduler;
  options.engine.policy = g.policy;
  return options;
}

sim::Platform bare_platform(const GraphCase& g) { return sim::plain_platform({{"cpu", g.workers}, {"npu", 1}}); }

sim::SimResult simulated(const models::LoweredModel& model, const sim::Platform& platform,
                         const sim::SimOptions& options) {
  sim::SimResult result = sim::simulate(model.desc(), platform, options);
  if (result.failure) RC_FAIL(*result.failure);
  return result;
}

sim::SimResult simulated_bare(const GraphCase& g, const models::LoweredModel& model) {
  return simulated(model, bare_platform(g), options_of(g));
}

sim::SimResult simulated_on_chip(const GraphCase& g, const models::LoweredModel& model) {
  static const sim::Platform kChip = sim::find_platform("quad_npu");
  return simulated(model, kChip, options_of(g));
}

sim::SimResult simulated_in_order(const GraphCase& g, const models::LoweredModel& model) {
  sim::SimOptions options = options_of(g);
  options.engine.workers = 1;
  options.engine.mode = DETENT_MODE_CLOSED_LOOP;
  options.engine.policy = "given";
  options.engine.order = order_of(model.desc(), g.schedule);
  return simulated(model, sim::plain_platform({{"cpu", 1}}), options);
}

std::string text_of(const sim::SimResult& result) {
  std::string text;
  const auto add = [&text](const auto&... numbers) { ((text += std::to_string(numbers) + " "), ...); };
  add(result.runs, result.executed_runs, result.min_ps, result.median_ps, result.p99_ps, result.max_ps);
  add(result.worst_run, result.worst_seed);
  for (const std::uint64_t makespan_ps : result.makespans_ps) add(makespan_ps);
  for (const std::uint64_t digest : result.digests) add(digest);
  for (const harness::Run* run : {&result.worst, &result.typical}) {
    add(run->makespan_ps, run->digest);
    for (const harness::Span& s : run->trace.spans) add(s.op, s.slot, s.begin_ps, s.end_ps, s.begin_sequence);
    for (const harness::Use& u : run->machine.uses) add(u.resource, static_cast<int>(u.kind), u.begin_ps, u.end_ps);
  }
  return text;
}

std::vector<harness::Span> spans_by_op(const detent_desc& desc, const harness::Trace& trace) {
  RC_ASSERT(trace.dropped == 0U);
  RC_ASSERT(trace.spans.size() == desc.op_count);
  std::vector<harness::Span> spans(desc.op_count);
  std::vector<bool> seen(desc.op_count);
  for (const harness::Span& span : trace.spans) {
    RC_ASSERT(span.op < desc.op_count);
    RC_ASSERT(!seen[span.op]);
    seen[span.op] = true;
    spans[span.op] = span;
  }
  return spans;
}

std::uint64_t serial_digest(const detent_desc& desc) {
  const harness::Run run = harness::run_native(desc, {.engine = {.workers = 0}});
  RC_ASSERT(run.result.error.status == DETENT_OK);
  return run.digest;
}

}  // namespace detent::laws
