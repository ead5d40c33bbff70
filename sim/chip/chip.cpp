#include "sim/chip/chip.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/units.hpp"

namespace detent::sim {
namespace {

std::vector<std::uint32_t> loads_on(const Platform& platform, const CoreClass& core_class, std::uint32_t index) {
  std::vector<std::uint32_t> mine;
  for (std::uint32_t i = 0; i < platform.loads.size(); ++i) {
    if (platform.loads[i].core_class == core_class.name && platform.loads[i].core == index) mine.push_back(i);
  }
  return mine;
}

bool shares_something(const CoreClass& core) {
  return (core.threads_per_core > 1 && core.corun_rate < 1) || core.queue_depth > 1;
}

double stream_share(double busy, std::uint32_t streams) {
  if (streams <= 1) return std::clamp(busy, 0.0, 1.0);
  static std::vector<std::unique_ptr<StreamShares>> tables;  // simulated threads run one at a time
  if (tables.size() <= streams) tables.resize(streams + 1);
  if (!tables[streams]) tables[streams] = std::make_unique<StreamShares>(streams);
  return tables[streams]->at(busy);
}

}  // namespace

Chip::Chip(SimKernel& kernel, const Platform& platform, const CoreMap& cores, const detent_desc& desc,
           const std::vector<OpWork>& work, bool migrating)
    : kernel_(kernel), platform_(platform), work_(work), migrating_(migrating) {
  for (std::uint32_t c = 0; c < platform.classes.size(); ++c) {
    const CoreClass& core_class = platform.classes[c];
    first_core_.push_back(static_cast<std::uint32_t>(cores_.size()));
    for (std::uint32_t i = 0; i < core_class.count; ++i) {
      cores_.push_back({{c, i}, &core_class, CoreLoads(platform.loads, loads_on(platform, core_class, i))});
    }
  }
  std::vector<std::uint32_t> platform_class(desc.class_count, kNobody);
  for (std::uint32_t i = 0; i < desc.class_count; ++i) {
    for (std::uint32_t c = 0; c < platform.classes.size(); ++c) {
      if (platform.classes[c].name == desc.classes[i].name) platform_class[i] = c;
    }
  }
  op_class_.reserve(desc.op_count);
  op_cores_.assign(desc.op_count, kNobody);
  bool uses_dram = false;
  for (OpId op = 0; op < desc.op_count; ++op) {
    op_class_.push_back(platform_class[desc.ops[op].core_class]);
    uses_dram = uses_dram || work[op].dram_bytes > 0 || work[op].front_bytes > 0;
  }
  for (const CoreId& id : cores.slot_cores) {
    home_.push_back(id.core_class == DETENT_NONE ? kNobody : first_core_[id.core_class] + id.index);
  }
  at_ = home_;
  activities_.resize(SimKernel::kSlots);
  is_plain_ = !uses_dram && platform.loads.empty() && !migrating &&
              std::none_of(platform.classes.begin(), platform.classes.end(), shares_something);
}

std::vector<CoreId> Chip::cores() const {
  std::vector<CoreId> ids;
  for (const Core& core : cores_) ids.push_back(core.id);
  return ids;
}

void Chip::begin_run(std::uint64_t seed, ChipRecorder* recorder) {
  recorder_ = recorder;
  at_ = home_;
  active_.clear();
  for (Core& core : cores_) {
    core.activity = kNobody;
    core.commands = 0;
    core.waiting.clear();
    if (core.loads.empty()) continue;
    core.loads.keep_stretches(recorder != nullptr);
    core.loads.begin(kernel_.now_ps(), seed);
  }
  if (!is_plain_) kernel_.set_timer(SimKernel::kNever, nullptr, nullptr);
  if (recorder_ != nullptr) recorder_->begin(kernel_.now_ps());
}

void Chip::end_run() {
  if (recorder_ == nullptr) return;
  const std::uint64_t now_ps = kernel_.now_ps();
  for (std::uint32_t core = 0; core < cores_.size(); ++core) {
    CoreLoads& loads = cores_[core].loads;
    if (loads.empty()) continue;
    loads.advance(now_ps);
    for (const CoreLoads::Stretch& stretch : loads.stretches()) {
      if (stretch.begin_ps < now_ps) {
        recorder_->take_core(core, stretch.load, stretch.begin_ps, std::min(stretch.end_ps, now_ps));
      }
    }
  }
  recorder_ = nullptr;  // what workers do on their way to sleep belongs to no run
}

void Chip::execute(SlotId slot, OpId op, std::int32_t priority, std::uint64_t duration_ps) {
  if (is_plain_ && recorder_ == nullptr) {
    kernel_.ops().execute(duration_ps, priority, op);
    const std::uint32_t core = core_for(slot, op);
    if (cores_[core].core_class->is_accelerator()) spend_on(core, platform_.overheads.interrupt_ps);
    return;
  }
  const std::uint32_t core = core_for(slot, op);
  ++cores_[core].commands;
  if (core != at_[slot] && is_pool(core) && at_[slot] != kNobody &&
      cores_[at_[slot]].core_class == cores_[core].core_class) {
    at_[slot] = core;
    spend_on(core, platform_.overheads.migrate_ps);
  }
  const OpWork& work = work_[op];
  const std::uint64_t front_ps = std::min(work.front_ps, duration_ps);
  Activity activity;
  activity.core = core;
  activity.op = op;
  activity.compute_share =
      work.time.best_ps > work.front_ps
          ? static_cast<double>(work.compute_ps) / static_cast<double>(work.time.best_ps - work.front_ps)
          : 1.0;
  if (front_ps > 0) {
    Activity front = activity;
    front.occupies = false;
    front.compute_share = 0;
    run(slot, priority, front_ps, work.front_bytes, front);
  }
  run(slot, priority, duration_ps - front_ps, work.dram_bytes, activity);
  if (cores_[core].core_class->is_accelerator()) spend_on(core, platform_.overheads.interrupt_ps);
  op_cores_[op] = activities_[slot].core;
  --cores_[op_cores_[op]].commands;
}

/// Part of an op: from now, or from when the NPU's array comes free, until its time is over.
void Chip::run(SlotId slot, std::int32_t priority, std::uint64_t duration_ps, std::uint64_t dram_bytes,
               Activity activity) {
  Core& core = cores_[activity.core];
  const auto duration = static_cast<double>(duration_ps);
  activity.left_ps = duration_ps;
  if (dram_bytes > 0 && duration_ps > 0) {
    const double served_ps =
        static_cast<double>(dram_bytes) / static_cast<double>(platform_.dram_bytes_per_s) * kPicosecondsPerSecond;
    activity.streams = core.core_class->streams();
    activity.share = stream_share(served_ps / duration, activity.streams);
    activity.bytes_per_ps = static_cast<double>(dram_bytes) / duration;
  }
  activities_[slot] = activity;
  std::uint64_t end_ps = SimKernel::kNever;
  if (activity.occupies && core.activity != kNobody) {
    core.waiting.push_back(slot);
    if (recorder_ != nullptr) recorder_->set_queue(activity.core, kernel_.now_ps(), core.waiting.size());
  } else {
    activate(slot, slot);
    end_ps = activities_[slot].end_ps;
  }
  kernel_.ops().execute_until(end_ps, priority, activity.op);
  deactivate(slot);
}

/// @param starting  the slot that is about to wait for its end itself; all others are told by the kernel
void Chip::activate(SlotId slot, std::uint32_t starting) {
  advance();
  Activity& activity = activities_[slot];
  activity.since_ps = kernel_.now_ps();
  activity.speed = 0;
  activity.is_new = true;
  if (activity.occupies) cores_[activity.core].activity = slot;
  active_.push_back(slot);
  rebalance(starting);
}

void Chip::deactivate(SlotId slot) {
  advance();
  active_.erase(std::find(active_.begin(), active_.end(), slot));
  const Activity& done = activities_[slot];
  Core& core = cores_[done.core];
  if (recorder_ != nullptr && done.share > 0) recorder_->set_bandwidth(done.core, kernel_.now_ps(), 0);
  if (done.occupies) {
    core.activity = kNobody;
    if (!core.waiting.empty()) {
      const std::uint32_t next = core.waiting.front();
      core.waiting.pop_front();
      if (recorder_ != nullptr) recorder_->set_queue(done.core, kernel_.now_ps(), core.waiting.size());
      activate(next, kNobody);
      return;
    }
  }
  rebalance(kNobody);
}

bool Chip::is_free(std::uint32_t core) {
  cores_[core].loads.advance(kernel_.now_ps());
  return cores_[core].commands == 0 && !cores_[core].loads.taken(kernel_.now_ps());
}

/// May workers of the core's class move from one core to another?
bool Chip::is_pool(std::uint32_t core) const {
  return migrating_ && !cores_[core].core_class->is_accelerator() && cores_[core].core_class->queue_depth == 1;
}

/// The first core of the same class that is idle and no load has, kNobody if there is none.
std::uint32_t Chip::free_core_like(std::uint32_t core) {
  const std::uint32_t first = first_core_[cores_[core].id.core_class];
  for (std::uint32_t other = first; other < first + cores_[core].core_class->count; ++other) {
    if (is_free(other)) return other;
  }
  return kNobody;
}

/// The core of the same class with the fewest commands, `core` itself if it is one of them.
std::uint32_t Chip::shortest_queue(std::uint32_t core) const {
  const std::uint32_t first = first_core_[cores_[core].id.core_class];
  std::uint32_t best = core;
  for (std::uint32_t other = first; other < first + cores_[core].core_class->count; ++other) {
    if (cores_[other].commands < cores_[best].commands) best = other;
  }
  return best;
}

/// Where the op executes: on the worker's core if it is of the op's class (serial mode has one worker for all).
std::uint32_t Chip::core_for(SlotId slot, OpId op) {
  const std::uint32_t core_class = op_class_[op];
  const std::uint32_t at = slot < at_.size() ? at_[slot] : kNobody;
  if (at == kNobody || cores_[at].id.core_class != core_class) return first_core_[core_class];
  if (cores_[at].core_class->queue_depth > 1) return shortest_queue(at);
  if (!is_pool(at) || is_free(at)) return at;
  const std::uint32_t free = free_core_like(at);
  return free != kNobody ? free : shortest_queue(at);  // a worker without an op leaves a core of its class without one
}

void Chip::spend(std::uint64_t cost_ps) {
  const SlotId slot = kernel_.current();
  if (slot < at_.size() && at_[slot] != kNobody) {
    spend_on(at_[slot], cost_ps);
  } else {
    kernel_.spend(cost_ps);
  }
}

void Chip::spend_on(std::uint32_t core, std::uint64_t cost_ps) {
  if (cost_ps == 0) return;
  Core& spent = cores_[core];
  while (cost_ps > 0) {
    std::uint64_t part_ps = cost_ps;
    const std::uint64_t now_ps = kernel_.now_ps();
    if (!spent.loads.empty()) {
      spent.loads.advance(now_ps);
      const std::uint64_t change_ps = spent.loads.next_change_ps(now_ps);
      if (spent.loads.taken(now_ps)) {
        kernel_.spend(change_ps - now_ps);
        continue;
      }
      part_ps = std::min(cost_ps, change_ps - now_ps);
    }
    kernel_.spend(part_ps);
    cost_ps -= part_ps;
    if (recorder_ != nullptr && spent.core_class->queue_depth == 1) {
      recorder_->use_core(core, harness::UseKind::kOverhead, DETENT_NONE, now_ps, now_ps + part_ps);
    }
  }
}

void Chip::note_wake(SlotId slot, std::uint64_t wake_ps) {
  if (recorder_ == nullptr || wake_ps == 0 || slot >= at_.size() || at_[slot] == kNobody) return;
  if (cores_[at_[slot]].core_class->queue_depth != 1) return;
  const std::uint64_t now_ps = kernel_.now_ps();
  recorder_->use_core(at_[slot], harness::UseKind::kOverhead, DETENT_NONE, now_ps, now_ps + wake_ps);
}

}  // namespace detent::sim
