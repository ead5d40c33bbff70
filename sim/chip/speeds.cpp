// Chip: progress and speeds of activities.
#include <algorithm>
#include <cmath>

#include "base/ids.hpp"
#include "sim/chip/chip.hpp"
#include "sim/types/wide.hpp"

namespace detent::sim {
namespace {

std::uint64_t progress_ps(std::uint64_t elapsed_ps, std::uint64_t speed) {
  return static_cast<std::uint64_t>((static_cast<Wide>(elapsed_ps) * speed) >> 32U);
}

/// Time that `left_ps` take at `speed` > 0, rounded up; cut at 2^64 - 1.
std::uint64_t needed_ps(std::uint64_t left_ps, std::uint64_t speed) {
  const Wide time = ((static_cast<Wide>(left_ps) << 32U) + speed - 1) / speed;
  return time > UINT64_MAX ? UINT64_MAX : static_cast<std::uint64_t>(time);
}

std::uint64_t fixed_speed(double speed, std::uint64_t full) {
  const double scaled = std::floor(speed * static_cast<double>(full));
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(scaled), 1, full);
}

}  // namespace

/// Count the progress of all activities up to now.
void Chip::advance() {
  const std::uint64_t now_ps = kernel_.now_ps();
  for (const SlotId slot : active_) {
    Activity& each = activities_[slot];
    const std::uint64_t elapsed_ps = now_ps - each.since_ps;
    if (elapsed_ps == 0) continue;
    const std::uint64_t done_ps = std::min(progress_ps(elapsed_ps, each.speed), each.left_ps);
    each.left_ps -= done_ps;
    if (recorder_ != nullptr && each.speed > 0) {
      const auto done = static_cast<double>(done_ps);
      const auto elapsed = static_cast<double>(elapsed_ps);
      if (each.occupies || cores_[each.core].core_class->queue_depth == 1) {
        recorder_->account(each.core, elapsed_ps, std::min(elapsed, done * each.compute_share / each.corun),
                           elapsed * (1 - each.memory_speed), done * each.bytes_per_ps);
      }
      if (each.occupies) {
        recorder_->use_core(each.core, harness::UseKind::kOp, each.op, each.since_ps, now_ps);
      }
      if (each.share > 0 && cores_[each.core].core_class->npu) {
        recorder_->use_dma(each.core, each.occupies ? 0 : 1, each.op, each.since_ps, now_ps);
      }
    }
    each.since_ps = now_ps;
  }
}

/// What runs together has changed: new speeds, new ends.
void Chip::rebalance(std::uint32_t starting) {
  if (migrating_ && !platform_.loads.empty()) move_from_loads();
  speeds_before_.clear();
  for (const SlotId slot : active_) speeds_before_.push_back(activities_[slot].speed);
  find_speeds();
  const std::uint64_t now_ps = kernel_.now_ps();
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const SlotId slot = active_[i];
    Activity& each = activities_[slot];
    if (each.speed == speeds_before_[i] && !each.is_new) continue;
    each.is_new = false;
    if (each.left_ps == 0) {
      each.end_ps = now_ps;
    } else if (each.speed == 0) {
      each.end_ps = SimKernel::kNever;
    } else {
      each.end_ps = kernel_.clock().later(needed_ps(each.left_ps, each.speed));
    }
    if (slot != starting) kernel_.ops().move_end(slot, each.end_ps);
    if (recorder_ != nullptr && each.bytes_per_ps > 0) {
      const double speed = static_cast<double>(each.speed) / static_cast<double>(kFullSpeed);
      recorder_->set_bandwidth(each.core, now_ps, each.bytes_per_ps * speed);
    }
  }
  if (!platform_.loads.empty()) arm_timer();
}

void Chip::find_speeds() {
  const std::uint64_t now_ps = kernel_.now_ps();
  clients_.clear();
  client_slots_.clear();
  for (const SlotId slot : active_) {
    Activity& each = activities_[slot];
    Core& core = cores_[each.core];
    core.loads.advance(now_ps);
    each.memory_speed = 1;
    if (core.loads.taken(now_ps)) {
      each.speed = 0;
      continue;
    }
    each.corun = corun_of(each);
    each.speed = fixed_speed(each.corun, kFullSpeed);
    if (each.share <= 0) continue;
    // Thinking takes longer while the other hardware thread computes, being served does not.
    const double share = each.share / (each.share + (1 - each.share) / each.corun);
    clients_.push_back({share, each.streams});
    client_slots_.push_back(slot);
  }
  client_speeds_.assign(clients_.size(), 1.0);
  if (clients_.size() > 1) dram_.solve(clients_, client_speeds_);
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    Activity& each = activities_[client_slots_[i]];
    each.memory_speed = client_speeds_[i];
    each.speed = fixed_speed(clients_[i].share / each.share * client_speeds_[i], kFullSpeed);
  }
}

double Chip::corun_of(const Activity& activity) const {
  const Core& core = cores_[activity.core];
  if (core.core_class->threads_per_core < 2 || core.core_class->corun_rate >= 1) return 1;
  const std::uint32_t other = core.id.index ^ 1U;
  if (other >= core.core_class->count) return 1;
  const Core& partner = cores_[activity.core - core.id.index + other];
  const bool computes = partner.activity != kNobody && !partner.loads.taken(kernel_.now_ps());
  return computes ? core.core_class->corun_rate : 1;
}

/// Migrating workers leave cores that loads have taken, while there are free ones.
void Chip::move_from_loads() {
  for (const SlotId slot : active_) {
    Activity& each = activities_[slot];
    if (!is_pool(each.core) || !each.occupies) continue;
    cores_[each.core].loads.advance(kernel_.now_ps());
    if (!cores_[each.core].loads.taken(kernel_.now_ps())) continue;
    const std::uint32_t free = free_core_like(each.core);
    if (free == kNobody) continue;
    if (recorder_ != nullptr && each.share > 0) recorder_->set_bandwidth(each.core, kernel_.now_ps(), 0);
    cores_[each.core].activity = kNobody;
    cores_[free].activity = slot;
    --cores_[each.core].commands;
    ++cores_[free].commands;
    if (at_[slot] == each.core) at_[slot] = free;  // serial mode: the slot is at home on a core of another class
    each.core = free;
    each.left_ps += platform_.overheads.migrate_ps;
    each.is_new = true;
  }
}

/// Loads matter where something executes; for workers that may move, also where something could.
void Chip::arm_timer() {
  const std::uint64_t now_ps = kernel_.now_ps();
  std::uint64_t next_ps = SimKernel::kNever;
  bool wants_to_move = false;
  for (const SlotId slot : active_) {
    const Activity& each = activities_[slot];
    next_ps = std::min(next_ps, cores_[each.core].loads.next_change_ps(now_ps));
    wants_to_move = wants_to_move || (migrating_ && each.speed == 0);
  }
  if (wants_to_move) {
    for (Core& core : cores_) {
      core.loads.advance(now_ps);
      next_ps = std::min(next_ps, core.loads.next_change_ps(now_ps));
    }
  }
  kernel_.set_timer(
      next_ps, [](void* self) { static_cast<Chip*>(self)->on_timer(); }, this);
}

void Chip::on_timer() {
  advance();
  rebalance(kNobody);
}

}  // namespace detent::sim
