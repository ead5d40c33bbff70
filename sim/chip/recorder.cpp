#include "sim/chip/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/units.hpp"

namespace detent::sim {

ChipRecorder::ChipRecorder(const Platform& platform, const std::vector<CoreId>& cores)
    : counts_dram_(platform.contention == Contention::kQueue) {
  for (const Load& load : platform.loads) trace_.loads.push_back(load.name);
  if (counts_dram_) dram_counter_ = add_counter("dram", "B/s");
  for (const CoreId& id : cores) {
    const CoreClass& core_class = platform.classes[id.core_class];
    const std::string name = core_class.name + std::to_string(id.index);
    CoreState state;
    const bool is_accelerator = core_class.is_accelerator();
    state.resource =
        add_resource(name, is_accelerator ? harness::ResourceKind::kAccelerator : harness::ResourceKind::kCore);
    if (counts_dram_) state.bandwidth_counter = add_counter("dram " + name, "B/s");
    if (core_class.npu) {
      state.first_dma = add_resource(name + ".dma0", harness::ResourceKind::kDma);
      add_resource(name + ".dma1", harness::ResourceKind::kDma);
    }
    if (is_accelerator) state.queue_counter = add_counter(name + " queue", "entries");
    cores_.push_back(state);
  }
  if (counts_dram_) add_resource("dram", harness::ResourceKind::kDram);
}

std::uint32_t ChipRecorder::add_resource(const std::string& name, harness::ResourceKind kind) {
  trace_.resources.push_back({name, kind});
  return static_cast<std::uint32_t>(trace_.resources.size() - 1);
}

std::uint32_t ChipRecorder::add_counter(const std::string& name, const std::string& unit) {
  trace_.counters.push_back({name, unit});
  const auto counter = static_cast<std::uint32_t>(trace_.counters.size() - 1);
  trace_.samples.push_back({counter, 0, 0});
  return counter;
}

/// Of several values at one time the last one counts.
void ChipRecorder::sample(std::uint32_t counter, std::uint64_t now_ps, std::uint64_t value) {
  trace_.samples.push_back({counter, now_ps - begin_ps_, value});
}

void ChipRecorder::use_core(std::uint32_t core, harness::UseKind kind, OpId op, std::uint64_t begin_ps,
                            std::uint64_t end_ps) {
  if (begin_ps == end_ps) return;
  trace_.uses.push_back({cores_[core].resource, kind, op, DETENT_NONE, begin_ps - begin_ps_, end_ps - begin_ps_});
}

void ChipRecorder::use_dma(std::uint32_t core, std::uint32_t channel, OpId op, std::uint64_t begin_ps,
                           std::uint64_t end_ps) {
  if (begin_ps == end_ps) return;
  trace_.uses.push_back({cores_[core].first_dma + channel, harness::UseKind::kTransfer, op, DETENT_NONE,
                         begin_ps - begin_ps_, end_ps - begin_ps_});
}

void ChipRecorder::take_core(std::uint32_t core, std::uint32_t load, std::uint64_t begin_ps, std::uint64_t end_ps) {
  trace_.uses.push_back(
      {cores_[core].resource, harness::UseKind::kLoad, DETENT_NONE, load, begin_ps - begin_ps_, end_ps - begin_ps_});
}

void ChipRecorder::account(std::uint32_t core, std::uint64_t elapsed_ps, double compute_ps, double contention_ps,
                           double bytes) {
  CoreState& state = cores_[core];
  state.executing_ps += elapsed_ps;
  state.compute_ps += compute_ps;
  state.contention_ps += contention_ps;
  state.bytes += bytes;
}

void ChipRecorder::set_bandwidth(std::uint32_t core, std::uint64_t now_ps, double bytes_per_ps) {
  if (!counts_dram_) return;
  CoreState& state = cores_[core];
  const auto value = static_cast<std::uint64_t>(std::llround(bytes_per_ps * kPicosecondsPerSecond));
  if (value == state.bytes_per_s) return;
  state.bytes_per_s = value;
  sample(state.bandwidth_counter, now_ps, value);
  std::uint64_t all = 0;
  for (const CoreState& each : cores_) all += each.bytes_per_s;
  sample(dram_counter_, now_ps, all);
}

void ChipRecorder::set_queue(std::uint32_t core, std::uint64_t now_ps, std::uint64_t entries) {
  sample(cores_[core].queue_counter, now_ps, entries);
}

/// By time; nothing after the end; on one resource nothing overlaps (the runtime's steps give way, such as a wake-up on
/// a core that a load has); what touches and means the same is one use.
void ChipRecorder::tidy_uses(std::uint64_t makespan_ps) {
  std::vector<harness::Use>& all = trace_.uses;
  std::sort(all.begin(), all.end(), [](const harness::Use& a, const harness::Use& b) {
    return std::tie(a.begin_ps, a.resource, a.kind, a.end_ps) < std::tie(b.begin_ps, b.resource, b.kind, b.end_ps);
  });
  std::vector<std::size_t> last(trace_.resources.size(), SIZE_MAX);
  std::vector<harness::Use> kept;
  for (harness::Use use : all) {
    use.end_ps = std::min(use.end_ps, makespan_ps);
    std::size_t& place = last[use.resource];
    if (place != SIZE_MAX && kept[place].end_ps > use.begin_ps) {
      if (use.kind == harness::UseKind::kOverhead) {
        use.begin_ps = kept[place].end_ps;
      } else {
        kept[place].end_ps = use.begin_ps;
      }
    }
    if (use.begin_ps >= use.end_ps) continue;
    const bool goes_on = place != SIZE_MAX && kept[place].end_ps == use.begin_ps && kept[place].kind == use.kind &&
                         kept[place].op == use.op && kept[place].load == use.load;
    if (goes_on) {
      kept[place].end_ps = use.end_ps;
      continue;
    }
    place = kept.size();
    kept.push_back(use);
  }
  std::erase_if(kept, [](const harness::Use& use) { return use.begin_ps == use.end_ps; });
  all = std::move(kept);
}

void ChipRecorder::tidy_samples() {
  std::vector<harness::Sample>& all = trace_.samples;
  std::stable_sort(all.begin(), all.end(), [](const harness::Sample& a, const harness::Sample& b) {
    return std::tie(a.time_ps, a.counter) < std::tie(b.time_ps, b.counter);
  });
  std::vector<harness::Sample> kept;
  for (const harness::Sample& each : all) {
    const bool replaces = !kept.empty() && kept.back().time_ps == each.time_ps && kept.back().counter == each.counter;
    if (replaces) kept.pop_back();
    kept.push_back(each);
  }
  all = std::move(kept);
}

void ChipRecorder::sum_up(std::uint64_t makespan_ps) {
  std::vector<std::uint64_t> overhead_ps(trace_.resources.size(), 0);
  std::vector<std::uint64_t> load_ps(trace_.resources.size(), 0);
  for (const harness::Use& use : trace_.uses) {
    if (use.kind == harness::UseKind::kOverhead) overhead_ps[use.resource] += use.end_ps - use.begin_ps;
    if (use.kind == harness::UseKind::kLoad) load_ps[use.resource] += use.end_ps - use.begin_ps;
  }
  for (const CoreState& state : cores_) {
    harness::Account account;
    account.resource = state.resource;
    account.compute_ps =
        std::min(state.executing_ps, static_cast<std::uint64_t>(std::llround(std::max(0.0, state.compute_ps))));
    account.memory_ps = state.executing_ps - account.compute_ps;
    account.contention_ps = std::min(account.memory_ps, static_cast<std::uint64_t>(std::llround(state.contention_ps)));
    account.overhead_ps = overhead_ps[state.resource];
    account.load_ps = load_ps[state.resource];
    account.dram_bytes = static_cast<std::uint64_t>(std::llround(state.bytes));
    account.idle_ps = makespan_ps - state.executing_ps - account.overhead_ps - account.load_ps;
    trace_.accounts.push_back(account);
  }
}

harness::MachineTrace ChipRecorder::finish(std::uint64_t end_ps) {
  const std::uint64_t makespan_ps = end_ps - begin_ps_;
  tidy_uses(makespan_ps);
  tidy_samples();
  sum_up(makespan_ps);
  return std::exchange(trace_, {});
}

}  // namespace detent::sim
