// Overhead of a pool of workers: what its charged steps add to a run -> terms of the bounds of periodic tasks.
//
// Claim. Let every op v take C'(v) = C(v) + local(v) on its core, and take out of a window all instants (1) at which
// some thread holds the scheduler role of some network, or is on its way from a wake-up that the last release of a role
// gave it. At every other instant an op that is ready and not given waits because every worker of its class is in the
// local part of an op (of any network), or for a mutex; and an op that is given is in its local part. A worker that
// chooses an op of a higher number has chosen before one of a lower number was ready. So the argument of
// verify/periodic holds over C', and instants (1) last no longer than run_ps of every run of every network that reaches
// into the window, plus window_ps.
//
// Local part of v: D (dispatch, two log records) + C(v) + I (interrupt of an accelerator) + Q (put).
//
// Nobody rests beside work. While no role is held, each network has published what is ready. A publication wakes as
// many sleeping workers as it has ops, or all that it has an op for; and who is awake looks at all networks before it
// sleeps, and sleeps only where it finds nothing. So at least as many workers of a class are awake and have not looked
// as there are ops that wait, or none of the class sleeps. Who is awake for more than W (the wake-up) after the last
// release has looked, and has an op, or waits for a role that somebody holds.
//
// Holds of a network's role in one run: one opens it; each op is reported in one at most, and given in one at most
// where a worker comes for it (async ops are given where they become ready); and a worker may come in vain. A worker w
// comes only where its bit of the network's ready word is set, and if it then finds nothing, every op of its class that
// was ready when the bit was set has been given to others, or stands behind a mutex of an op that has begun since. It
// is cleared then. So w comes in vain once at most for every op of its class that another worker executes, and for
// every op of the network that shares a mutex: (workers - 1) per op of the class in sum, and workers per op with a
// mutex. Each hold pays L when it begins and W for all that its release wakes, which are woken at one instant. Under
// the role an op pays Q (made ready, unless it is an entry), Q (given), Q (taken from the CompleteQueue); an async op
// D, too.
//
// Once for a window: a worker can be on its way to the role of one network in vain for a run that has ended before the
// window begins (L + W each); the last release before it may have woken somebody (W); and the caller wakes at the end
// of the run (W).
#include <algorithm>

#include "base/ids.hpp"
#include "sim/cost/overhead.hpp"
#include "sim/types/wide.hpp"

namespace detent::sim {
namespace {

bool is_async(const detent_desc& desc, OpId op) {
  return desc.classes[desc.ops[op].core_class].kind == DETENT_CLASS_ASYNC;
}

bool is_accelerator(const Platform& platform, const char* class_name) {
  return std::ranges::any_of(platform.classes,
                             [&](const CoreClass& core) { return core.name == class_name && core.is_accelerator(); });
}

std::uint64_t narrowed(Wide value) { return value < UINT64_MAX ? static_cast<std::uint64_t>(value) : UINT64_MAX; }

/// Ops that hold a mutex which another op holds, too.
Wide count_sharing(const detent_desc& desc) {
  std::vector<std::uint32_t> holders(desc.mutex_count, 0);
  const auto mutexes_of = [&](OpId op) {
    const detent_slice& slice = desc.ops[op].mutexes;
    return std::vector<std::uint32_t>(desc.mutex_refs + slice.first, desc.mutex_refs + slice.first + slice.count);
  };
  if (desc.mutex_count == 0) return 0;
  for (OpId op = 0; op < desc.op_count; ++op) {
    for (const std::uint32_t mutex : mutexes_of(op)) ++holders[mutex];
  }
  Wide sharing = 0;
  for (OpId op = 0; op < desc.op_count; ++op) {
    const std::vector<std::uint32_t> mutexes = mutexes_of(op);
    if (std::ranges::any_of(mutexes, [&](std::uint32_t mutex) { return holders[mutex] > 1; })) ++sharing;
  }
  return sharing;
}

/// How often workers come for an op of a run and find none, at most.
Wide count_vain(const detent_desc& desc, const std::vector<std::uint32_t>& workers) {
  std::vector<Wide> ops(desc.class_count, 0);
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (!is_async(desc, op)) ++ops[desc.ops[op].core_class];
  }
  const Wide sharing = count_sharing(desc);
  Wide vain = 0;
  for (std::uint32_t c = 0; c < desc.class_count; ++c) {
    if (ops[c] == 0 || workers[c] == 0) continue;
    vain += ops[c] * (workers[c] - 1) + sharing * workers[c];
  }
  return vain;
}

}  // namespace

PoolOverhead pool_overhead(const detent_desc& desc, const Platform& platform,
                           const std::vector<std::uint32_t>& workers) {
  const Overheads& o = platform.overheads;
  const Wide hold_ps = Wide{std::max(o.lock_ps, o.lock_contended_ps)} + o.wake_ps;
  const Wide dispatch_ps = Wide{o.dispatch_ps} + 2 * Wide{o.log_ps};
  PoolOverhead made;
  Wide role_ps = 0, holds = 1;
  for (OpId op = 0; op < desc.op_count; ++op) {
    role_ps += 3 * Wide{o.queue_ps};
    ++holds;
    if (is_async(desc, op)) {
      role_ps += dispatch_ps;
      made.local_ps.push_back(0);
      continue;
    }
    ++holds;
    const bool interrupts = is_accelerator(platform, desc.classes[desc.ops[op].core_class].name);
    made.local_ps.push_back(narrowed(dispatch_ps + o.queue_ps + (interrupts ? o.interrupt_ps : 0)));
  }
  holds += count_vain(desc, workers);
  made.run_ps = narrowed(role_ps + holds * hold_ps);
  Wide all_workers = 0;
  for (const std::uint32_t count : workers) all_workers += count;
  made.window_ps = narrowed(all_workers * hold_ps + 2 * Wide{o.wake_ps});
  return made;
}

}  // namespace detent::sim
