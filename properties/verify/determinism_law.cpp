// Laws of determinism and of traces: what the proof promises, and what the rules of a trace refuse.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "harness/run_native.hpp"
#include "properties/law.hpp"
#include "tests/verify/random_graph.hpp"
#include "verify/explore/ops/runner.hpp"
#include "verify/explore/ops/space/count.hpp"
#include "verify/explore/ops/space/space.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/runs/access_audit.hpp"
#include "verify/runs/determinism.hpp"
#include "verify/runs/trace_rules.hpp"

namespace detent::laws {
namespace {

using verify::Outcome;

std::uint64_t digest_in_order(const detent_desc& desc, const std::vector<std::uint32_t>& order) {
  verify::explore::OpRunner runner(desc, {});
  RC_ASSERT(runner.error().status == DETENT_OK);
  return runner.run(order).digest;
}

RC_GTEST_PROP(DeterminismLaw, RaceFreeGraphsGiveOneDigestInEveryOrder, ()) {
  law_of(graphs({.graph = {.mutexes = true}, .race_free = true}), native_order_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_desc& desc = model.desc();
    RC_ASSERT(verify::judge_determinism(desc, verify::find_races(desc)).outcome == Outcome::kHolds);
    const std::uint64_t serial = harness::run_native(desc, {.engine = {.workers = 0}}).digest;
    RC_ASSERT(digest_in_order(desc, order_of(desc, g.schedule)) == serial);
    const verify::Order order(desc);
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      RC_ASSERT(digest_in_order(desc, verify::make_random_schedule(order, seed)) == serial);
    }
  });
}

/// The proof is that there is one trace, no more and no less.
RC_GTEST_PROP(DeterminismLaw, ProvedExactlyWhereThereIsOneTrace, ()) {
  law_of(graphs({.graph = {.mutexes = true, .commutes = true}}), explore_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const verify::explore::OpSpace space(model.desc());
    const bool proved = verify::judge_determinism(model.desc(), space.report()).outcome == Outcome::kHolds;
    RC_ASSERT(proved == (verify::explore::count_traces(space.graph()).total == 1));
  });
}

RC_GTEST_PROP(DeterminismLaw, RunsOfProvedGraphsAgree, ()) {
  law_of(graphs({.graph = {.most_ops = 8}, .race_free = true}), verify_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const verify::DeterminismOptions options{.worker_counts = {0, 1}, .max_runs = 12, .seeds = {.schedule = g.seed}};
    RC_ASSERT(verify::check_determinism(model.desc(), options).verdict.outcome == Outcome::kHolds);
  });
}

/// An observer reads every byte at the end and two writers race: the two orders must differ, or the mixing kernel
/// would hide races from every dynamic check.
RC_GTEST_PROP(DeterminismLaw, TwoOrdersOfAWriteRaceGiveTwoDigests, ()) {
  const auto places = rc::gen::pair(rc::gen::inRange<std::uint64_t>(0, 24), rc::gen::inRange<std::uint64_t>(0, 8));
  const auto racing = [](const std::pair<std::uint64_t, std::uint64_t>& place) {
    GraphCase g;
    g.graph.ops.resize(3);
    g.graph.ops[0].writes = {{0, place.first, 8, 1, 0}};
    g.graph.ops[1].writes = {{0, place.first + place.second, 8, 1, 0}};
    g.graph.ops[2].reads = {{0, 0, 64, 1, 0}};
    g.graph.ops[2].writes = {{1, 0, 64, 1, 0}};
    g.graph.edges = {{0, 2, 0, 0}, {1, 2, 0, 0}};
    return g;
  };
  law_of(rc::gen::map(places, racing), explore_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    RC_ASSERT(digest_in_order(model.desc(), {0, 1, 2}) != digest_in_order(model.desc(), {1, 0, 2}));
  });
}

RC_GTEST_PROP(AccessLaw, MixingKernelsTouchWhatTheyDeclare, ()) {
  law_of(graphs({.graph = {.most_ops = 6}}), verify_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const verify::AccessAudit audit = verify::audit_by_perturbation(model.desc());
    RC_LOG() << audit.verdict.summary << "\n";
    RC_ASSERT(audit.verdict.outcome == Outcome::kHolds);
  });
}

std::uint32_t overrunning_op = DETENT_NONE;  // kernels have no pointer of their own

/// The mixing kernel, which in one op also turns the byte behind its first output over.
detent_backend overrunning_backend(std::uint32_t op) {
  overrunning_op = op;
  const auto resolve = [](void*, const char* name, detent_entity* entity) {
    if (std::string(name) != "mix") return DETENT_UNKNOWN_KERNEL;
    entity->run = [](const detent_kernel_args* args) -> std::int32_t {
      const detent_backend builtin = detent_cpu_backend("*", detent_builtin_kernels());
      detent_entity mix{};
      if (builtin.resolve(builtin.self, "mix", &mix) != DETENT_OK) return 1;
      const std::int32_t code = mix.run(args);
      if (args->op == overrunning_op) {
        const detent_buffer& output = args->outputs[0];
        static_cast<std::uint8_t*>(output.data)[output.tensor->size_bytes] ^= 0xFF;
      }
      return code;
    };
    return DETENT_OK;
  };
  return {nullptr, "*", resolve, nullptr};
}

/// A byte behind an output is found, unless another output of the op holds it.
RC_GTEST_PROP(AccessLaw, AByteTooManyIsFoundAndBlamedOnItsOp, ()) {
  law_of(graphs({.graph = {.most_ops = 6}}), verify_command, [](const GraphCase& g) {
    const std::vector<Range>& writes = g.graph.ops[g.faulty_op].writes;
    if (writes.empty()) return;
    const std::uint64_t behind = writes[0].offset + writes[0].size;
    const bool is_own = std::any_of(writes.begin(), writes.end(), [&](const Range& range) {
      return range.region == writes[0].region && range.offset <= behind && behind < range.offset + range.size;
    });
    if (is_own) return;
    const models::LoweredModel model = lowered(g);
    harness::PerturbOptions options;
    options.run.backends = {overrunning_backend(g.faulty_op)};
    const verify::AccessAudit audit = verify::audit_by_perturbation(model.desc(), options);
    RC_ASSERT(audit.verdict.outcome == Outcome::kViolated);
    RC_ASSERT(!audit.findings.empty());
    for (const verify::AccessFinding& finding : audit.findings) RC_ASSERT(finding.op == g.faulty_op);
  });
}

/// A run that never was: each op on a slot of its own for one instant after its predecessors.
harness::Trace ideal_trace(const detent_desc& desc, const std::vector<std::uint32_t>& order) {
  harness::Trace trace;
  for (std::uint32_t i = 0; i < order.size(); ++i) trace.spans.push_back({order[i], 0, 10ULL * i, 10ULL * i + 10, 0});
  RC_ASSERT(trace.spans.size() == desc.op_count);
  return trace;
}

RC_GTEST_PROP(TraceRuleLaw, AnyOrderOneByOneIsAccepted, ()) {
  law_of(graphs({.graph = {.mutexes = true}}), native_order_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const harness::Trace trace = ideal_trace(model.desc(), order_of(model.desc(), g.schedule));
    RC_ASSERT(verify::check_trace(model.desc(), trace, 1, 10 * trace.spans.size()).outcome == Outcome::kHolds);
  });
}

/// Each op on a slot of its own: one that begins a moment early is refused exactly where that is too early.
RC_GTEST_PROP(TraceRuleLaw, OverlapIsRefusedExactlyWhereOpsAreOrderedOrExclusive, ()) {
  law_of(graphs({.graph = {.mutexes = true}}), native_order_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const std::vector<std::uint32_t> order = order_of(model.desc(), g.schedule);
    harness::Trace trace = ideal_trace(model.desc(), order);
    for (std::uint32_t i = 0; i < trace.spans.size(); ++i) trace.spans[i].slot = i;
    const std::size_t at = g.seed % order.size();
    if (at == 0) return;
    --trace.spans[at].begin_ps;
    const std::uint32_t before = order[at - 1];
    const std::uint32_t after = order[at];
    const auto& held = g.graph.ops[before].mutexes;
    const bool too_early = std::any_of(g.graph.edges.begin(), g.graph.edges.end(),
                                       [&](const auto& e) { return e.from == before && e.to == after; }) ||
                           std::find_first_of(held.begin(), held.end(), g.graph.ops[after].mutexes.begin(),
                                              g.graph.ops[after].mutexes.end()) != held.end();
    const auto slots = static_cast<std::uint32_t>(order.size());
    const verify::Verdict verdict = verify::check_trace(model.desc(), trace, slots, 10 * order.size());
    RC_ASSERT((verdict.outcome == Outcome::kViolated) == too_early);
  });
}

RC_GTEST_PROP(TraceRuleLaw, AnyOtherOrderLostOrDoubledOpIsRefused, ()) {
  law_of(graphs({.graph = {.mutexes = true}}), native_order_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const detent_desc& desc = model.desc();
    const std::vector<std::uint32_t> order = order_of(desc, g.schedule);
    const std::uint64_t end_ps = 10 * order.size();
    std::vector<std::uint32_t> swapped = order;
    std::swap(swapped[g.faulty_op], swapped[g.seed % order.size()]);
    const bool is_order = verify::is_linear_extension(desc, swapped);
    RC_ASSERT((verify::check_trace(desc, ideal_trace(desc, swapped), 1, end_ps).outcome == Outcome::kHolds) ==
              is_order);
    harness::Trace broken = ideal_trace(desc, order);
    broken.spans[g.faulty_op].op = broken.spans[g.seed % order.size()].op;
    RC_ASSERT((verify::check_trace(desc, broken, 1, end_ps).outcome == Outcome::kViolated) ==
              (broken.spans[g.faulty_op].op != order[g.faulty_op]));
    broken = ideal_trace(desc, order);
    broken.spans.pop_back();
    RC_ASSERT(verify::check_trace(desc, broken, 1, end_ps).outcome == Outcome::kViolated);
    RC_ASSERT(verify::check_trace(desc, ideal_trace(desc, order), 1, end_ps - 1).outcome == Outcome::kViolated);
  });
}

}  // namespace
}  // namespace detent::laws
