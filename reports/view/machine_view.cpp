// Machine view: a run -> what each part of the chip did, in order and without overlaps.
#include "reports/view/machine_view.hpp"

#include <algorithm>
#include <tuple>

#include "reports/view/desc_view.hpp"
#include "reports/view/lanes.hpp"

namespace detent::reports {
namespace {

constexpr const char* kReadyOps = "ready ops";

harness::MachineTrace machine_of_spans(const detent_desc* desc, const TimelineRun& run) {
  harness::MachineTrace machine;
  for (const Lane& lane : lanes_of(run)) {
    const auto is_idle_delay = [&](const harness::Span& span) { return is_delay(desc, span.op); };
    if (!lane.spans.empty() && std::ranges::all_of(lane.spans, is_idle_delay)) continue;
    const auto resource = static_cast<std::uint32_t>(machine.resources.size());
    machine.resources.push_back({lane.name, harness::ResourceKind::kCore});
    for (const harness::Span& span : lane.spans) {
      if (is_idle_delay(span)) continue;
      machine.uses.push_back({resource, harness::UseKind::kOp, span.op, DETENT_NONE, span.begin_ps, span.end_ps});
    }
  }
  return machine;
}

/// Keep what names existing parts; clip what runs into its predecessor or over the end.
std::vector<harness::Use> ordered_uses(const harness::MachineTrace& machine, std::uint64_t makespan_ps) {
  std::vector<harness::Use> sorted = machine.uses;
  std::stable_sort(sorted.begin(), sorted.end(), [](const harness::Use& a, const harness::Use& b) {
    return std::tie(a.begin_ps, a.end_ps, a.resource) < std::tie(b.begin_ps, b.end_ps, b.resource);
  });
  std::vector<std::uint64_t> free_ps(machine.resources.size(), 0);
  std::vector<harness::Use> out;
  out.reserve(sorted.size());
  for (harness::Use use : sorted) {
    if (use.resource >= free_ps.size() || use.begin_ps > makespan_ps) continue;
    const bool is_empty = use.end_ps <= use.begin_ps;
    use.begin_ps = std::max(use.begin_ps, free_ps[use.resource]);
    use.end_ps = is_empty ? use.begin_ps : std::min(use.end_ps, makespan_ps);
    if (use.end_ps < use.begin_ps || (use.end_ps == use.begin_ps && !is_empty)) continue;
    free_ps[use.resource] = use.end_ps;
    out.push_back(use);
  }
  std::stable_sort(out.begin(), out.end(), [](const harness::Use& a, const harness::Use& b) {
    return std::tie(a.begin_ps, a.end_ps, a.resource) < std::tie(b.begin_ps, b.end_ps, b.resource);
  });
  return out;
}

/// The log tells the ready queue's length after each push; every op that begins has left it.
void count_ready_ops(const TimelineRun& run, harness::MachineTrace& machine) {
  struct Step {
    std::uint64_t time_ps;
    bool is_push;
    std::int64_t length;
  };
  std::vector<Step> steps;
  for (const harness::Event& event : run.trace.events) {
    if (event.kind == DETENT_EVENT_READY) steps.push_back({event.time_ps, true, event.value});
  }
  if (steps.empty()) return;
  for (const harness::Span& span : run.trace.spans) steps.push_back({span.begin_ps, false, 0});
  std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.time_ps < b.time_ps; });
  const auto counter = static_cast<std::uint32_t>(machine.counters.size());
  machine.counters.push_back({kReadyOps, "entries"});
  std::int64_t length = 0;
  for (const Step& step : steps) {
    length = std::max<std::int64_t>(0, step.is_push ? step.length : length - 1);
    machine.samples.push_back({counter, step.time_ps, static_cast<std::uint64_t>(length)});
  }
}

}  // namespace

bool is_delay(const detent_desc* desc, OpId op) {
  return op < op_count(desc) && (desc->ops[op].flags & DETENT_OP_DELAY) != 0;
}

harness::MachineTrace machine_of(const detent_desc* desc, const TimelineRun& run) {
  harness::MachineTrace machine = run.machine.resources.empty() ? machine_of_spans(desc, run) : run.machine;
  std::uint64_t end_ps = run.makespan_ps;
  if (run.machine.resources.empty()) {
    for (const harness::Use& use : machine.uses) end_ps = std::max(end_ps, use.end_ps);
  }
  machine.uses = ordered_uses(machine, end_ps);
  if (find_counter(machine, kReadyOps) == nullptr) count_ready_ops(run, machine);
  std::erase_if(machine.samples, [&](const harness::Sample& sample) {
    return sample.counter >= machine.counters.size() || sample.time_ps > end_ps;
  });
  std::stable_sort(machine.samples.begin(), machine.samples.end(),
                   [](const harness::Sample& a, const harness::Sample& b) {
                     return std::tie(a.time_ps, a.counter) < std::tie(b.time_ps, b.counter);
                   });
  std::erase_if(machine.accounts,
                [&](const harness::Account& account) { return account.resource >= machine.resources.size(); });
  return machine;
}

const harness::Counter* find_counter(const harness::MachineTrace& machine, const std::string& name) {
  const auto at = std::ranges::find_if(machine.counters, [&](const harness::Counter& c) { return c.name == name; });
  return at == machine.counters.end() ? nullptr : &*at;
}

bool counts_dram(const harness::MachineTrace& machine) {
  return std::ranges::any_of(machine.counters, [](const harness::Counter& counter) {
    return counter.name == "dram" || counter.name.starts_with("dram ");
  });
}

DramTotals dram_totals(const harness::MachineTrace& machine, std::uint64_t makespan_ps) {
  DramTotals totals;
  for (const harness::Account& account : machine.accounts) totals.bytes += account.dram_bytes;
  for (const harness::Sample& sample : machine.samples) {
    if (sample.counter >= machine.counters.size() || machine.counters[sample.counter].name != "dram") continue;
    totals.peak_bytes_per_s = std::max(totals.peak_bytes_per_s, sample.value);
  }
  if (makespan_ps > 0) {
    totals.mean_bytes_per_s =
        static_cast<std::uint64_t>(static_cast<double>(totals.bytes) * 1e12 / static_cast<double>(makespan_ps));
  }
  return totals;
}

}  // namespace detent::reports
