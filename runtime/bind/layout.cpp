// Layout: what a context consists of and where it stands in the arena. Runs the same over a measuring arena.

#include "runtime/base/freestanding.h"
#include "runtime/bind/bind.h"
#include "runtime/check/check.h"
#include "runtime/engine/worker_pool.h"

namespace detent {

namespace {

bool has_dispatch(const detent_config &config) {
  for (std::uint32_t i = 0; i < config.backend_count; ++i) {
    if (config.backends[i].dispatch != nullptr) return true;
  }
  return false;
}

/// Does an op complete later? A class that no op has needs no queue, and leaves the shortest path to the scheduler.
bool has_async(const detent_desc &desc) {
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    const std::uint32_t core_class = desc.ops[op].core_class;
    if (core_class < desc.class_count && desc.classes[core_class].kind == DETENT_CLASS_ASYNC) return true;
  }
  return false;
}

std::uint32_t power_of_two_at_least(std::uint32_t value) {
  std::uint32_t power = 1;
  while (power < value) power *= 2;
  return power;
}

/// Numbers that the config fixes before anything is placed.
void set_counts(detent_context &c, const detent_desc &desc, const detent_config &config) {
  c.graph.desc = &desc;
  c.config = config;
  c.port = config.port;
  c.policy = config.policy != nullptr ? *config.policy : detent_policy_id();
  if (config.worker_pool != nullptr) c.config.worker_count = config.worker_pool->worker_count;
  c.mode = c.config.worker_count == 0 ? DETENT_MODE_SERIAL : config.mode;
  const bool threaded = c.mode == DETENT_MODE_CLOSED_LOOP && config.scheduler == DETENT_SCHEDULER_THREAD;
  c.worker_count = c.mode == DETENT_MODE_SERIAL ? 1 : c.config.worker_count;
  c.loop.is_shared = config.worker_pool != nullptr;
  c.first_worker = threaded || c.loop.is_shared ? 1 : 0;
  c.slot_count = c.worker_count + c.first_worker;
  const bool classed = config.worker_classes != nullptr && c.mode != DETENT_MODE_SERIAL;
  c.queue_count = classed ? desc.class_count : 1;
  c.async_queue = has_async(desc) ? c.queue_count : DETENT_NONE;
  if (c.async_queue != DETENT_NONE) ++c.queue_count;
}

void place_ready_sets(Arena &arena, detent_context &c) {
  const std::uint32_t count = c.graph.desc->op_count;
  const std::size_t words = ReadySet::word_count(count);
  c.loop.ready = arena.take_array<ReadySet>(c.queue_count, DETENT_CACHE_LINE);
  c.loop.entry_ready = arena.take_array<ReadySet>(c.queue_count);
  for (std::uint32_t i = 0; i < 2 * c.queue_count; ++i) {
    std::uint64_t *const memory = arena.take_array<std::uint64_t>(words, DETENT_CACHE_LINE);
    if (memory == nullptr || !arena.ok()) continue;
    (i < c.queue_count ? c.loop.ready[i] : c.loop.entry_ready[i - c.queue_count]).init(memory, count);
  }
}

void place_queues(Arena &arena, detent_context &c) {
  const std::uint32_t cells = CompleteQueue::cell_count(c.slot_count);
  std::uint32_t *const complete = arena.take_array<std::uint32_t>(cells, DETENT_CACHE_LINE);
  if (complete != nullptr) c.loop.complete.init(complete, cells);
  if (!has_dispatch(c.config)) return;
  c.op_states = arena.take_array<OpState>(c.graph.desc->op_count);
  if (c.async_queue == DETENT_NONE) return;
  std::uint32_t *const foreign = arena.take_array<std::uint32_t>(c.graph.desc->op_count, DETENT_CACHE_LINE);
  if (foreign != nullptr) c.loop.foreign.init(foreign, c.graph.desc->op_count);
}

void place_ops(Arena &arena, detent_context &c) {
  const std::uint32_t count = c.graph.desc->op_count;
  c.graph.nodes = arena.take_array<Node>(count, DETENT_CACHE_LINE);
  c.graph.entities = arena.take_array<detent_entity>(count, DETENT_CACHE_LINE);
  c.graph.buffers = arena.take_array<detent_buffer>(c.graph.desc->tensor_ref_count);
  c.graph.op_of_rank = arena.take_array<std::uint32_t>(count);
  c.graph.rank = arena.take_array<std::uint32_t>(count);
  c.graph.policy_work = arena.take_array<std::uint64_t>(std::size_t{2} * count);
  c.loop.mutex_held = arena.take_array<std::uint32_t>(c.graph.desc->mutex_count);
  if (c.config.op_states) c.op_progress = arena.take_array<OpProgress>(count, DETENT_CACHE_LINE);
}

void place_layers(Arena &arena, detent_context &c) {
  const std::uint32_t count = c.graph.desc->op_count;
  c.fixed.layers.order = arena.take_array<std::uint32_t>(count);
  c.fixed.layers.first = arena.take_array<std::uint32_t>((std::size_t{count}) * c.queue_count + 1);
  c.fixed.layers.layer_of = arena.take_array<std::uint32_t>(count);
  c.fixed.layers.last_of_mutex = arena.take_array<std::uint32_t>(c.graph.desc->mutex_count);
}

void place_lists(Arena &arena, detent_context &c) {
  const std::uint32_t count = c.graph.desc->op_count;
  const std::uint64_t waits = std::uint64_t{c.graph.desc->successor_count} + c.graph.desc->mutex_ref_count + count;
  c.fixed.lists.entries = arena.take_array<ListEntry>(count, DETENT_CACHE_LINE);
  c.fixed.lists.waits = arena.take_array<Wait>(waits);
  c.fixed.lists.first_wait = arena.take_array<std::uint32_t>(std::size_t{count} + 1);
  c.fixed.lists.place = arena.take_array<std::uint32_t>(count);
  c.fixed.lists.home = arena.take_array<std::uint32_t>(count);
  c.fixed.lists.last_of_mutex = arena.take_array<std::uint32_t>(c.graph.desc->mutex_count);
}

void place_mode(Arena &arena, detent_context &c) {
  if (c.mode != DETENT_MODE_CLOSED_LOOP) c.graph.serial_order = arena.take_array<std::uint32_t>(c.graph.desc->op_count);
  if (c.mode == DETENT_MODE_LAYERED) place_layers(arena, c);
  if (c.mode == DETENT_MODE_STATIC) place_lists(arena, c);
}

void place_logs(Arena &arena, detent_context &c) {
  if (DETENT_LOG_LEVEL == 0 || c.config.log_records_per_worker == 0) return;
  const std::uint32_t capacity = power_of_two_at_least(c.config.log_records_per_worker);
  c.log_count = c.worker_count + 2;
  c.loop.async_ring = c.first_worker == 1 ? 0 : c.worker_count;
  c.rejected_ring = c.worker_count + 1;
  c.logs = arena.take_array<detent_log>(c.log_count, DETENT_CACHE_LINE);
  for (std::uint32_t i = 0; i < c.log_count; ++i) {
    detent_log_record *const records = arena.take_array<detent_log_record>(capacity, DETENT_CACHE_LINE);
    if (c.logs == nullptr) continue;
    c.logs[i] = detent_log{};
    c.logs[i].records = records;
    c.logs[i].capacity = capacity;
    c.logs[i].stop_when_full = c.config.log_stop_when_full;
  }
}

void place_regions(Arena &arena, detent_context &c) {
  c.graph.region_bases = arena.take_array<void *>(c.graph.desc->region_count);
  c.graph.first_bases = arena.take_array<void *>(c.graph.desc->region_count);
  c.graph.wanted_bases = arena.take_array<void *>(c.graph.desc->region_count);
  for (std::uint32_t i = 0; i < c.graph.desc->region_count; ++i) {
    const detent_region &region = c.graph.desc->regions[i];
    const bool given = c.config.region_bases != nullptr && c.config.region_bases[i] != nullptr;
    void *base = given ? c.config.region_bases[i] : const_cast<void *>(region.data);  // weights are only read
    if (!given && region.kind != DETENT_REGION_WEIGHTS) {
      const std::size_t align = region.align_bytes > DETENT_CACHE_LINE ? region.align_bytes : DETENT_CACHE_LINE;
      base = arena.take(region.size_bytes, align);
    }
    if (c.graph.wanted_bases == nullptr) continue;
    c.graph.region_bases[i] = base;
    c.graph.first_bases[i] = base;
  }
}

}  // namespace

detent_context *place_context(Arena &arena, const detent_desc &desc, const detent_config &config) {
  detent_context *const context = arena.take_array<detent_context>(1, DETENT_CACHE_LINE);
  detent_context c{};
  set_counts(c, desc, config);
  c.workers = arena.take_array<Worker>(c.slot_count, DETENT_CACHE_LINE);
  place_ready_sets(arena, c);
  place_queues(arena, c);
  place_ops(arena, c);
  place_mode(arena, c);
  place_logs(arena, c);
  place_regions(arena, c);
  if (context == nullptr || !arena.ok()) return nullptr;
  memcpy(static_cast<void *>(context), &c, sizeof c);
  return context;
}

std::size_t arena_bytes(const detent_desc &desc, const detent_config &config) {
  const std::size_t check_bytes = check_work_bytes(desc);
  const bool no_regions = desc.regions == nullptr && desc.region_count > 0;
  const bool no_ops = desc.ops == nullptr && desc.op_count > 0;
  const bool no_tables = no_ops || no_regions || desc.region_count > DETENT_MAX_REGIONS || desc.classes == nullptr ||
                         desc.class_count > DETENT_MAX_CLASSES;
  if (check_bytes == 0 || no_tables) return 0;
  for (std::uint32_t i = 0; i < desc.region_count; ++i) {
    const detent_region &region = desc.regions[i];
    const bool sane = region.align_bytes != 0 && (region.align_bytes & (region.align_bytes - 1)) == 0;
    if (!sane || region.size_bytes > DETENT_MAX_BYTES) return 0;
  }
  Arena measure = Arena::measuring();
  place_context(measure, desc, config);
  const std::size_t bytes = measure.needed();
  return bytes == 0 || bytes > check_bytes ? bytes : check_bytes;
}

}  // namespace detent
