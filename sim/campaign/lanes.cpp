#include "sim/campaign/lanes.hpp"

#include <algorithm>
#include <string>
#include <tuple>

namespace detent::sim {
namespace {

void sort_spans(harness::Trace& trace) {
  std::sort(trace.spans.begin(), trace.spans.end(), [](const auto& a, const auto& b) {
    return std::tie(a.begin_ps, a.slot, a.op) < std::tie(b.begin_ps, b.slot, b.op);
  });
}

}  // namespace

void move_delays(const detent_desc& desc, const CoreMap& cores, harness::Trace& trace) {
  if (cores.slot_names.size() == cores.slot_count) return;
  for (auto& span : trace.spans) {
    const detent_class& core_class = desc.classes[desc.ops[span.op].core_class];
    if (core_class.kind == DETENT_CLASS_ASYNC) span.slot = cores.slot_count;
  }
  sort_spans(trace);
}

void move_queued_ops(const Platform& platform, const CoreMap& cores, const Chip& chip, harness::Trace& trace) {
  const std::vector<CoreId> all = chip.cores();
  const std::vector<CoreId>& homes = cores.slot_cores;
  std::vector<std::uint64_t> free_at_ps(homes.size(), 0);
  for (harness::Span& span : trace.spans) {
    if (span.slot >= homes.size() || homes[span.slot].core_class == DETENT_NONE) continue;
    const std::uint32_t core = chip.core_of(span.op);
    if (core >= all.size() || platform.classes[all[core].core_class].queue_depth == 1) continue;
    for (SlotId slot = 0; slot < homes.size(); ++slot) {
      const bool is_there = homes[slot].core_class == all[core].core_class && homes[slot].index == all[core].index;
      if (!is_there || free_at_ps[slot] > span.begin_ps) continue;
      span.slot = slot;
      free_at_ps[slot] = span.end_ps;
      break;
    }
  }
  sort_spans(trace);
}

std::vector<CoreUse> measure_use(const Platform& platform, const CoreMap& cores, const Chip& chip,
                                 const harness::Run& run) {
  std::vector<CoreUse> use;
  std::vector<std::uint64_t> spans_ps(cores.slot_count, 0);
  for (const auto& span : run.trace.spans) {
    if (span.slot < cores.slot_count) spans_ps[span.slot] += span.end_ps - span.begin_ps;
  }
  const std::vector<CoreId> all = chip.cores();
  for (SlotId slot = 0; slot < cores.slot_count; ++slot) {
    std::uint64_t busy_ps = spans_ps[slot];
    const CoreId& home = cores.slot_cores[slot];
    if (home.core_class != DETENT_NONE) {
      const CoreClass& core_class = platform.classes[home.core_class];
      if (core_class.queue_depth > 1 && cores.slot_names[slot] != core_class.name + std::to_string(home.index))
        continue;
      for (std::size_t core = 0; core < run.machine.accounts.size(); ++core) {
        if (all[core].core_class != home.core_class || all[core].index != home.index) continue;
        busy_ps = run.machine.accounts[core].compute_ps + run.machine.accounts[core].memory_ps;
      }
    }
    use.push_back({cores.slot_names[slot], slot, busy_ps});
  }
  return use;
}

}  // namespace detent::sim
