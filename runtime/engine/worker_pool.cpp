// Workers that several contexts share: which member a free worker serves, when it sleeps and who wakes it.
#include "runtime/engine/worker_pool.h"

#include "runtime/base/float_environment.h"

namespace detent {

namespace {

constexpr std::uint32_t serving(std::uint32_t member) { return kPoolWorkerChoosing + 1 + member; }

std::uint32_t bit_of(const AccessSite &site) { return 1u << (site.slot - 1); }

std::int32_t priority_of(const AccessSite &site, const PoolMember &member) {
  return static_cast<std::int32_t>(load_relaxed(site, member.priority));
}

/// Of the members that have an op for this worker, the one of lowest priority number; of equals the first after the one
/// served last. DETENT_NONE: there is none. The worker says CHOOSING.
std::uint32_t choose_member(const detent_worker_pool &pool, const PoolWorker &me) {
  std::uint32_t best = DETENT_NONE;
  std::int32_t best_priority = 0;
  for (std::uint32_t i = 1; i <= pool.member_count; ++i) {
    const std::uint32_t index = (me.last_member + i) % pool.member_count;
    const PoolMember &member = pool.members[index];
    if ((load_seq_cst(me.site, member.ready) & bit_of(me.site)) == 0) continue;
    const std::int32_t priority = priority_of(me.site, member);
    if (best != DETENT_NONE && priority >= best_priority) continue;
    best = index;
    best_priority = priority;
  }
  return best;
}

bool has_work_or_quits(const detent_worker_pool &pool, const PoolWorker &me) {
  for (std::uint32_t i = 0; i < pool.member_count; ++i) {
    if ((load_seq_cst(me.site, pool.members[i].ready) & bit_of(me.site)) != 0) return true;
  }
  return load_seq_cst(me.site, pool.quit) != 0;
}

void sleep_until_work(const detent_worker_pool &pool, PoolWorker &me) {
  const detent_port &port = *pool.port;
  for (std::uint32_t spins = 0; spins < port.spin_limit; ++spins) {
    if (has_work_or_quits(pool, me)) return;
    port.pause(port.self);
  }
  store_seq_cst<std::uint32_t>(me.site, me.state, kPoolWorkerParked);
  while (!has_work_or_quits(pool, me)) {
    port.wait(port.self, me.site.slot, UINT64_MAX);
    store_seq_cst<std::uint32_t>(me.site, me.state, kPoolWorkerParked);
  }
}

detent_context &context_of(void *self) { return *static_cast<detent_context *>(self); }
const detent_port &port_of(void *self) { return *context_of(self).config.worker_pool->port; }

/// The port's slot for a slot of a member.
std::uint32_t port_slot(const detent_context &c, std::uint32_t slot) {
  return slot == 0 ? c.config.worker_pool->worker_count + 1 + c.pool_member : slot;
}

void pass_checkpoint(void *self, detent_checkpoint kind, std::uint32_t slot, std::uint32_t index) {
  const detent_context &c = context_of(self);
  const detent_port &port = port_of(self);
  const bool names_op = (kind & (DETENT_CP_ATOMIC | DETENT_CP_COMPARE)) == 0 && index != DETENT_NONE;
  const std::uint32_t first_op = c.config.worker_pool->members[c.pool_member].first_op;
  port.checkpoint(port.self, kind, port_slot(c, slot), names_op ? first_op + index : index);
}

}  // namespace

detent_port member_port(detent_context &c) {
  detent_port port = *c.config.worker_pool->port;
  port.self = &c;
  port.now_ps = [](void *self) { return port_of(self).now_ps(port_of(self).self); };
  port.lock = [](void *self) { port_of(self).lock(port_of(self).self); };
  port.unlock = [](void *self) { port_of(self).unlock(port_of(self).self); };
  port.pause = [](void *self) { port_of(self).pause(port_of(self).self); };
  port.wait = [](void *self, std::uint32_t slot, std::uint64_t deadline_ps) {
    port_of(self).wait(port_of(self).self, port_slot(context_of(self), slot), deadline_ps);
  };
  port.notify = [](void *self, std::uint32_t slot) {
    port_of(self).notify(port_of(self).self, port_slot(context_of(self), slot));
  };
  if (port.checkpoint != nullptr) port.checkpoint = pass_checkpoint;
  return port;
}

detent_status join_pool(detent_context &c) {
  detent_worker_pool &pool = *c.config.worker_pool;
  const AccessSite site = site_of(c, 0);
  for (std::uint32_t index = 0; index < pool.member_count; ++index) {
    PoolMember &member = pool.members[index];
    c.pool_member = index;
    if (!compare_exchange_seq_cst(site, member.claimed, 0u, 1u)) continue;
    member.context = &c;
    member.first_op = fetch_add_seq_cst(site, pool.op_count, c.graph.desc->op_count);
    store_relaxed(site, member.priority, static_cast<std::uint32_t>(c.config.worker_pool_priority));
    return DETENT_OK;
  }
  return DETENT_BUSY;
}

void leave_pool(detent_context &c) {
  detent_worker_pool &pool = *c.config.worker_pool;
  PoolMember &member = pool.members[c.pool_member];
  const AccessSite site = site_of(c, 0);
  store_seq_cst(site, member.ready, 0u);
  for (std::uint32_t i = 0; i < pool.worker_count; ++i) {
    const auto is_inside = [&](std::uint32_t state) {
      return state == kPoolWorkerChoosing || state == serving(c.pool_member);
    };
    while (is_inside(load_seq_cst(site, pool.workers[i].state))) pool.port->pause(pool.port->self);
  }
  store_seq_cst(site, member.claimed, 0u);
}

std::uint32_t publish_ready(SchedulerGuard &guard) {
  const detent_context &c = guard.c;
  const std::uint32_t ready = workers_with_ops(c);
  PoolMember &member = c.config.worker_pool->members[c.pool_member];
  if (ready != c.loop.published) store_seq_cst(guard.site, member.ready, ready);
  guard.c.loop.published = ready;
  return ready;
}

void wake_pool_workers(SchedulerGuard &guard, std::uint32_t ready, std::uint32_t most) {
  const detent_worker_pool &pool = *guard.c.config.worker_pool;
  for (std::uint32_t left = ready; left != 0 && most != 0; left &= left - 1) {
    PoolWorker &worker = pool.workers[count_trailing_zeros(left)];
    if (load_seq_cst(guard.site, worker.state) != kPoolWorkerParked) continue;
    if (!compare_exchange_seq_cst<std::uint32_t>(guard.site, worker.state, kPoolWorkerParked, kPoolWorkerAwake))
      continue;
    pool.port->notify(pool.port->self, worker.site.slot);
    --most;
  }
}

bool stays_with(const detent_context &c, SlotId slot) {
  const detent_worker_pool &pool = *c.config.worker_pool;
  const AccessSite site = site_of(c, slot);
  for (std::uint32_t index = 0; index < pool.member_count; ++index) {
    const PoolMember &other = pool.members[index];
    if (index == c.pool_member || (load_relaxed(site, other.ready) & bit_of(site)) == 0) continue;
    if (priority_of(site, other) <= c.config.worker_pool_priority) return false;
  }
  return true;
}

void pool_worker_main(void *arg) {
  PoolWorker &me = *static_cast<PoolWorker *>(arg);
  detent_worker_pool &pool = *me.pool;
  const FloatEnvironment callers = set_float_environment();
  for (;;) {
    store_seq_cst<std::uint32_t>(me.site, me.state, kPoolWorkerChoosing);
    const std::uint32_t index = choose_member(pool, me);
    if (index != DETENT_NONE) {
      store_seq_cst(me.site, me.state, serving(index));
      me.last_member = index;
      serve_member(*pool.members[index].context, me.site.slot);
      continue;
    }
    if (load_seq_cst(me.site, pool.quit) != 0) break;
    sleep_until_work(pool, me);
  }
  restore_float_environment(callers);
}

}  // namespace detent
