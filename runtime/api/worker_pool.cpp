// The public calls of worker pools: make one, take one down.
#include "runtime/engine/worker_pool.h"

#include <detent/limits.h>

#include "runtime/bind/bind.h"

namespace detent {

namespace {

bool is_pool_config(const detent_worker_pool_config &config) {
  return config.port != nullptr && is_port_complete(*config.port) && config.worker_count >= 1 &&
         config.worker_count <= DETENT_MAX_POOL_WORKERS && config.member_count >= 1 &&
         config.member_count <= DETENT_MAX_POOL_MEMBERS;
}

detent_worker_pool *place_pool(Arena &arena, const detent_worker_pool_config &config) {
  detent_worker_pool *const pool = arena.take_array<detent_worker_pool>(1, DETENT_CACHE_LINE);
  PoolWorker *const workers = arena.take_array<PoolWorker>(config.worker_count, DETENT_CACHE_LINE);
  PoolMember *const members = arena.take_array<PoolMember>(config.member_count, DETENT_CACHE_LINE);
  if (pool == nullptr || !arena.ok()) return nullptr;
  memset(static_cast<void *>(pool), 0, sizeof *pool);
  memset(static_cast<void *>(workers), 0, sizeof *workers * config.worker_count);
  memset(static_cast<void *>(members), 0, sizeof *members * config.member_count);
  pool->port = config.port;
  pool->worker_count = config.worker_count;
  pool->member_count = config.member_count;
  pool->workers = workers;
  pool->members = members;
  for (std::uint32_t i = 0; i < config.worker_count; ++i) {
    workers[i].site = {config.port, pool, i + 1};
    workers[i].pool = pool;
    workers[i].last_member = config.member_count - 1;
  }
  return pool;
}

void stop_workers(detent_worker_pool &pool) {
  const AccessSite site{pool.port, &pool, DETENT_NONE};
  store_seq_cst(site, pool.quit, 1u);
  for (std::uint32_t i = 0; i < pool.worker_count; ++i) {
    if (!pool.workers[i].started) continue;
    pool.port->notify(pool.port->self, i + 1);
    pool.port->join(pool.port->self, i + 1);
  }
  if (pool.port->release != nullptr) pool.port->release(pool.port->self);
}

detent_status start_pool(detent_worker_pool &pool) {
  const detent_port &port = *pool.port;
  if (port.max_slots < 1 + pool.worker_count + pool.member_count) return DETENT_WORKER_FAILED;
  if (port.claim != nullptr && port.claim(port.self) != DETENT_OK) return DETENT_BUSY;
  for (std::uint32_t i = 0; i < pool.worker_count; ++i) {
    if (port.start(port.self, i + 1, pool_worker_main, &pool.workers[i]) != DETENT_OK) {
      stop_workers(pool);
      return DETENT_WORKER_FAILED;
    }
    pool.workers[i].started = true;
  }
  return DETENT_OK;
}

}  // namespace

}  // namespace detent

extern "C" {

size_t detent_worker_pool_bytes(const detent_worker_pool_config *config) {
  if (config == nullptr || !detent::is_pool_config(*config)) return 0;
  detent::Arena measure = detent::Arena::measuring();
  detent::place_pool(measure, *config);
  return measure.needed();
}

detent_status detent_worker_pool_init(void *memory, size_t memory_bytes, const detent_worker_pool_config *config,
                                      detent_worker_pool **pool) {
  if (pool != nullptr) *pool = nullptr;
  if (config == nullptr || pool == nullptr || !detent::is_pool_config(*config)) return DETENT_INVALID_ARGUMENT;
  detent::Arena measure = detent::Arena::measuring();
  detent::place_pool(measure, *config);
  detent::Arena arena(memory, memory_bytes, measure.max_align());
  detent_worker_pool *const placed = detent::place_pool(arena, *config);
  if (placed == nullptr) return DETENT_NO_SPACE;
  const detent_status status = detent::start_pool(*placed);
  if (status == DETENT_OK) *pool = placed;
  return status;
}

detent_status detent_worker_pool_deinit(detent_worker_pool *pool) {
  if (pool == nullptr) return DETENT_INVALID_ARGUMENT;
  const detent::AccessSite site{pool->port, pool, DETENT_NONE};
  for (uint32_t i = 0; i < pool->member_count; ++i) {
    if (detent::load_seq_cst(site, pool->members[i].claimed) != 0) return DETENT_BUSY;
  }
  detent::stop_workers(*pool);
  return DETENT_OK;
}
}
