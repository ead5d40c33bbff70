// Chains of empty ops through the engine, one word between two CPUs, two threads that park and wake each other.
#include "harness/measure/host_overheads.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>

#include "base/ids.hpp"
#include "harness/instance.hpp"
#include "harness/measure/host_cpu.hpp"
#include "harness/posix_port.hpp"
#include "runtime/ports/pause.h"

namespace detent::harness {
namespace {

constexpr std::uint32_t kChainOps = 2000;
constexpr std::uint64_t kLockRounds = 20'000;
constexpr std::uint32_t kWakeRounds = 200;

/// Ops without tensors, each the successor of the one before.
class EmptyChain {
 public:
  explicit EmptyChain(std::uint32_t op_count) : ops_(op_count), successors_(op_count - 1) {
    for (std::uint32_t i = 0; i < op_count; ++i) {
      detent_op& op = ops_[i];
      op.name = "empty";
      op.id = i;
      op.flags = DETENT_OP_DELAY;
      op.commute_group = DETENT_NONE;
      op.entry_count = i == 0 ? 0 : 1;
      op.successors = {i, i + 1 < op_count ? 1U : 0U};
      if (i + 1 < op_count) successors_[i] = i + 1;
    }
    desc_.name = "empty_chain";
    desc_.ops = ops_.data();
    desc_.op_count = op_count;
    desc_.successors = successors_.data();
    desc_.successor_count = op_count - 1;
    desc_.kernels = &kernel_;
    desc_.kernel_count = 1;
    desc_.classes = &class_;
    desc_.class_count = 1;
  }
  EmptyChain(const EmptyChain&) = delete;
  EmptyChain& operator=(const EmptyChain&) = delete;
  [[nodiscard]] const detent_desc& desc() const { return desc_; }

 private:
  const char* kernel_ = "delay";
  detent_class class_{"cpu", DETENT_CLASS_WORKERS};
  std::vector<detent_op> ops_;
  std::vector<std::uint32_t> successors_;
  detent_desc desc_{};
};

/// Dispatches by itself, so that the engine goes through its queues for every op instead of keeping the role.
detent_backend empty_backend() {
  const auto resolve = [](void*, const char*, detent_entity* entity) {
    entity->run = [](const detent_kernel_args*) -> std::int32_t { return 0; };
    return DETENT_OK;
  };
  const auto dispatch = [](void*, detent_context*, const detent_entity* entity, std::uint32_t, std::int32_t* code) {
    *code = entity->run(&entity->args);
    return DETENT_DISPATCH_DONE;
  };
  return {nullptr, "*", resolve, dispatch};
}

/// Take and release one word as the engine's role.
void take_and_release(std::atomic<std::uint32_t>& word, std::uint64_t rounds) {
  for (std::uint64_t i = 0; i < rounds; ++i) {
    while (word.exchange(1) != 0) cpu_pause();
    word.exchange(0);
  }
}

std::uint64_t free_lock_ps(int cpu, std::uint32_t rounds) {
  std::atomic<std::uint32_t> word{0};
  return time_together({cpu}, rounds, [&](std::size_t) { take_and_release(word, kLockRounds); }) / kLockRounds;
}

/// Two CPUs take turns: each finds the word in the other's cache.
std::uint64_t contended_lock_ps(int a, int b, std::uint32_t rounds) {
  alignas(DETENT_CACHE_LINE) std::atomic<std::uint64_t> turn{0};
  const std::uint64_t time_ps = time_together({a, b}, rounds, [&](std::size_t i) {
    const std::uint64_t base = turn.load() / (2 * kLockRounds) * (2 * kLockRounds);
    for (std::uint64_t r = 0; r < kLockRounds; ++r) {
      const std::uint64_t mine = base + 2 * r + i;
      while (turn.load() != mine) cpu_pause();
      turn.exchange(mine + 1);
    }
  });
  return time_ps / (2 * kLockRounds);
}

/// The two sides of the wake-up benchmark: a slot each, and whose turn it is.
struct WakeGame {
  const detent_port& port;
  bool with_lock = false;
  std::atomic<std::uint32_t> turn{0};

  void play(SlotId slot, std::uint32_t rounds) {
    for (std::uint32_t r = 0; r < rounds; ++r) {
      const std::uint32_t mine = 2 * r + slot;
      while (turn.load() != mine) port.wait(port.self, slot, UINT64_MAX);
      turn.store(mine + 1);
      if (with_lock) {
        port.lock(port.self);
        port.unlock(port.self);
      }
      port.notify(port.self, 1 - slot);
    }
  }
};

std::uint64_t hand_over_ps(const std::vector<int>& cpus, std::uint32_t rounds, bool with_lock) {
  std::uint64_t least = UINT64_MAX;
  const PosixPort posix;
  const int other = cpus.size() > 1 ? cpus[1] : cpus[0];
  for (std::uint32_t round = 0; round < rounds; ++round) {
    WakeGame game{posix.port(), with_lock};
    least = std::min(least, time_together({cpus[0], other}, 1, [&](std::size_t slot) {
                       game.play(static_cast<std::uint32_t>(slot), kWakeRounds);
                     }));
  }
  return least / (2 * kWakeRounds);
}

std::uint64_t less(std::uint64_t whole, std::uint64_t part) { return whole > part ? whole - part : 0; }

}  // namespace

std::uint64_t chain_op_ps(std::uint32_t op_count, bool serial, bool log, std::uint32_t rounds) {
  const EmptyChain chain(op_count);
  const PosixPort posix;
  InstanceOptions options;
  options.mode = serial ? DETENT_MODE_SERIAL : DETENT_MODE_CLOSED_LOOP;
  options.worker_count = serial ? 0 : 1;
  options.trace = log;
  options.backends.push_back(empty_backend());
  Instance instance(chain.desc(), posix.port(), options);
  if (instance.status() != DETENT_OK) throw std::logic_error(describe_error(chain.desc(), instance.error()));
  std::uint64_t least = UINT64_MAX;
  for (std::uint32_t round = 0; round <= rounds; ++round) {
    const detent_result result = instance.run_untraced();
    least = std::min(least, result.end_ps - result.begin_ps);
  }
  return least / op_count;
}

RuntimeCosts costs_of_chains(const ChainTimes& times) {
  return {.dispatch_ps = times.serial_ps,
          .queue_ps = less(times.closed_ps, times.serial_ps + times.lock_ps) / 2,
          .lock_ps = times.lock_ps,
          .lock_contended_ps = times.lock_ps,
          .log_ps = less(times.logged_ps, times.serial_ps) / 2};
}

RuntimeCosts measure_runtime(const std::vector<int>& cpus, std::uint32_t rounds) {
  RuntimeCosts costs = costs_of_chains({.serial_ps = chain_op_ps(kChainOps, true, false, rounds),
                                        .logged_ps = chain_op_ps(kChainOps, true, true, rounds),
                                        .closed_ps = chain_op_ps(kChainOps, false, false, rounds),
                                        .lock_ps = free_lock_ps(cpus[0], rounds)});
  if (cpus.size() > 1) {
    costs.lock_contended_ps = std::max(costs.lock_ps, contended_lock_ps(cpus[0], cpus[1], rounds));
  }
  costs.wake_ps = hand_over_ps(cpus, rounds, false);
  costs.interrupt_ps = hand_over_ps(cpus, rounds, true);
  return costs;
}

}  // namespace detent::harness
