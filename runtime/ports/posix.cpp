// POSIX port: one pthread per started slot, one mutex and condition per slot to park on.
#include <pthread.h>
#include <unistd.h>

#include <cstring>

#include <detent/detent.h>
#include <detent/limits.h>

#include "runtime/base/compiler.h"
#include "runtime/ports/host_clock.h"
#include "runtime/ports/host_cores.h"
#include "runtime/ports/host_placement.h"
#include "runtime/ports/pause.h"

namespace {

namespace atomics = detent::atomics;

constexpr uint32_t kSlotCount = DETENT_MAX_WORKERS + 1;  // the scheduler thread may take slot 0 for itself
constexpr uint64_t kSpinPs = 10'000'000;                 // parking costs a futex wake of 24 to 33 us: spin 10 us first
constexpr uint32_t kActiveSpins = 50;                    // times kSpinPs: 500 us, over ops that long and between runs
constexpr uint32_t kCalibrationPauses = 256;

struct alignas(DETENT_CACHE_LINE) Slot {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  pthread_t thread;
  void (*entry)(void *);
  void *arg;
  bool notified;
  alignas(DETENT_CACHE_LINE) detent::Placement placement;
};
#if defined(__linux__)
// An emitted directory has the size that the port takes on the machine that emitted it.
static_assert(sizeof(Slot) == size_t{4} * DETENT_CACHE_LINE, "one size for every processor");
#endif

struct PosixState {
  uint64_t epoch_ps;  // of the port's creation: times start near 0 and do not wrap for 213 days
  uint32_t core_count;
  uint32_t highest_slot;  // started so far; shared
  alignas(DETENT_CACHE_LINE) pthread_mutex_t mutex;
  bool claimed;  // by a context; shared
  Slot slots[kSlotCount];
};

PosixState &state_of(void *self) { return *static_cast<PosixState *>(self); }

uint64_t now_ps(void *self) { return detent::host_now_ps() - state_of(self).epoch_ps; }

void lock(void *self) { pthread_mutex_lock(&state_of(self).mutex); }
void unlock(void *self) { pthread_mutex_unlock(&state_of(self).mutex); }

timespec absolute_time(const PosixState &state, uint64_t deadline_ps) {
  const uint64_t host_ps = deadline_ps > UINT64_MAX - state.epoch_ps ? UINT64_MAX : deadline_ps + state.epoch_ps;
  const uint64_t host_ns = host_ps / 1000 + (host_ps % 1000 != 0 ? 1 : 0);
  timespec time{};
  time.tv_sec = static_cast<time_t>(host_ns / 1'000'000'000u);
  time.tv_nsec = static_cast<long>(host_ns % 1'000'000'000u);
  return time;
}

void wait(void *self, uint32_t slot_index, uint64_t deadline_ps) {
  PosixState &state = state_of(self);
  Slot &slot = state.slots[slot_index];
  const timespec until = absolute_time(state, deadline_ps);
  int rc = 0;
  pthread_mutex_lock(&slot.mutex);
  while (!slot.notified && rc == 0) {
    rc = deadline_ps == UINT64_MAX ? pthread_cond_wait(&slot.changed, &slot.mutex)
                                   : pthread_cond_timedwait(&slot.changed, &slot.mutex, &until);
  }
  slot.notified = false;
  pthread_mutex_unlock(&slot.mutex);
}

bool has_core_per_slot(const PosixState &state) {
  return atomics::load<atomics::kRelaxed>(state.highest_slot) < state.core_count;
}

void notify(void *self, uint32_t slot_index) {
  PosixState &state = state_of(self);
  Slot &slot = state.slots[slot_index];
  pthread_mutex_lock(&slot.mutex);
  if (has_core_per_slot(state)) slot.placement.put_beside_caller(slot.thread);
  slot.notified = true;
  pthread_cond_signal(&slot.changed);
  pthread_mutex_unlock(&slot.mutex);
}

void *thread_main(void *arg) {
  Slot &slot = *static_cast<Slot *>(arg);
  pthread_mutex_lock(&slot.mutex);
  slot.placement.begin();
  pthread_mutex_unlock(&slot.mutex);
  slot.entry(slot.arg);
  pthread_mutex_lock(&slot.mutex);
  slot.placement.end();
  pthread_mutex_unlock(&slot.mutex);
  return nullptr;
}

detent_status start(void *self, uint32_t slot_index, void (*entry)(void *arg), void *arg) {
  if (slot_index == 0 || slot_index >= kSlotCount) return DETENT_WORKER_FAILED;
  Slot &slot = state_of(self).slots[slot_index];
  slot.entry = entry;
  slot.arg = arg;
  slot.notified = false;
  uint32_t &highest_slot = state_of(self).highest_slot;
  if (slot_index > highest_slot) atomics::store<atomics::kRelaxed>(highest_slot, slot_index);
  return pthread_create(&slot.thread, nullptr, thread_main, &slot) == 0 ? DETENT_OK : DETENT_WORKER_FAILED;
}

void join(void *self, uint32_t slot_index) { pthread_join(state_of(self).slots[slot_index].thread, nullptr); }

void pause(void *) { detent::cpu_pause(); }

detent_status claim(void *self) {
  const bool was_claimed = atomics::exchange<atomics::kAcquireRelease>(state_of(self).claimed, true);
  return was_claimed ? DETENT_BUSY : DETENT_OK;
}

void release(void *self) { atomics::store<atomics::kRelease>(state_of(self).claimed, false); }

/// Pauses that take kSpinPs here; 0 on a machine of one core, where spinning only delays the thread waited for.
uint32_t measure_spin_limit() {
  if (sysconf(_SC_NPROCESSORS_ONLN) <= 1) return 0;
  uint64_t best_ps = UINT64_MAX;
  for (int round = 0; round < 3; ++round) {
    const uint64_t begin_ps = detent::host_now_ps();
    for (uint32_t i = 0; i < kCalibrationPauses; ++i) detent::cpu_pause();
    const uint64_t elapsed_ps = detent::host_now_ps() - begin_ps;
    if (elapsed_ps < best_ps) best_ps = elapsed_ps;
  }
  const uint64_t pauses = kSpinPs * kCalibrationPauses / (best_ps + 1);
  return pauses < 100'000 ? static_cast<uint32_t>(pauses) : 100'000;
}

bool init_slot(Slot &slot, const pthread_condattr_t &monotonic) {
  return pthread_mutex_init(&slot.mutex, nullptr) == 0 && pthread_cond_init(&slot.changed, &monotonic) == 0;
}

bool init_state(PosixState &state) {
  std::memset(static_cast<void *>(&state), 0, sizeof state);
  state.epoch_ps = detent::host_now_ps();
  state.core_count = detent::usable_cores();
  pthread_condattr_t monotonic;
  if (pthread_condattr_init(&monotonic) != 0) return false;
  bool ok = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0;
  ok = ok && pthread_mutex_init(&state.mutex, nullptr) == 0;
  for (uint32_t i = 0; i < kSlotCount; ++i) ok = ok && init_slot(state.slots[i], monotonic);
  pthread_condattr_destroy(&monotonic);
  return ok;
}

}  // namespace

extern "C" size_t detent_port_posix_bytes(void) { return sizeof(PosixState); }

extern "C" detent_status detent_port_posix(void *memory, size_t memory_bytes, detent_port *port) {
  if (memory == nullptr || port == nullptr) return DETENT_INVALID_ARGUMENT;
  if (reinterpret_cast<uintptr_t>(memory) % DETENT_CACHE_LINE != 0) return DETENT_ALIGNMENT;
  if (memory_bytes < sizeof(PosixState)) return DETENT_NO_SPACE;
  if (!init_state(state_of(memory))) return DETENT_WORKER_FAILED;
  *port = detent_port{};
  port->self = memory;
  port->checkpoint_mask = 0;
  port->spin_limit = measure_spin_limit();
  port->active_spin_limit = port->spin_limit * kActiveSpins;
  port->processors = state_of(memory).core_count;
  port->max_slots = kSlotCount;
  port->default_workers = detent_default_worker_count();
  port->now_ps = now_ps;
  port->lock = lock;
  port->unlock = unlock;
  port->wait = wait;
  port->notify = notify;
  port->start = start;
  port->join = join;
  port->pause = pause;
  port->checkpoint = nullptr;
  port->claim = claim;
  port->release = release;
  return DETENT_OK;
}
