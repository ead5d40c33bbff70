// Bind: fills a placed context. Resolves kernels, addresses and classes; nothing is looked up again after this.
#include "runtime/bind/bind.h"

#include "runtime/base/freestanding.h"
#include "runtime/base/guards.h"
#include "runtime/check/check.h"
#include "runtime/engine/guard.h"
#include "runtime/engine/worker_pool.h"

namespace detent {

/// In layout.cpp.
detent_context *place_context(Arena &arena, const detent_desc &desc, const detent_config &config);

namespace {

detent_error check_region_base(const detent_context &c, std::uint32_t index) {
  const std::uintptr_t base = reinterpret_cast<std::uintptr_t>(c.graph.region_bases[index]);
  const detent_region &region = c.graph.desc->regions[index];
  if (base == 0) return make_error(DETENT_OUT_OF_REGION, {.region = index});
  if (base % region.align_bytes != 0) return make_error(DETENT_ALIGNMENT, {.region = index});
  if (region.size_bytes > UINTPTR_MAX - base) return make_error(DETENT_OFFSET_WRAP, {.region = index});
  for (std::uint32_t other = 0; other < index; ++other) {
    const std::uintptr_t other_base = reinterpret_cast<std::uintptr_t>(c.graph.region_bases[other]);
    const bool apart =
        base + region.size_bytes <= other_base || other_base + c.graph.desc->regions[other].size_bytes <= base;
    if (!apart) return make_error(DETENT_OVERLAP, {.region = index});
  }
  return make_error(DETENT_OK);
}

void fill_args(const detent_context &c, const detent_op &op, detent_kernel_args &args) {
  args.inputs = c.graph.buffers + op.inputs.first;
  args.outputs = c.graph.buffers + op.outputs.first;
  args.weights = c.graph.buffers + op.weights.first;
  args.scratch = c.graph.buffers + op.scratch.first;
  args.input_count = op.inputs.count - (is_guarded(op) ? 1 : 0);
  args.output_count = op.outputs.count - (is_fallible(op) ? 1 : 0);
  args.weight_count = op.weights.count;
  args.scratch_count = op.scratch.count;
  args.config = op.config_size != 0 ? c.graph.desc->config_bytes + op.config_offset : nullptr;
  args.config_size = op.config_size;
  args.op = op.id;
}

bool serves(const detent_backend &backend, const char *class_name) {
  return strcmp(backend.class_name, "*") == 0 || strcmp(backend.class_name, class_name) == 0;
}

/// The first back end of the op's class that knows the kernel.
detent_error resolve(detent_context &c, std::uint32_t id) {
  const detent_op &op = c.graph.desc->ops[id];
  const char *const class_name = c.graph.desc->classes[op.core_class].name;
  for (std::uint32_t i = 0; i < c.config.backend_count; ++i) {
    const detent_backend &backend = c.config.backends[i];
    if (!serves(backend, class_name)) continue;
    detent_entity &entity = c.graph.entities[id];
    entity = detent_entity{};
    fill_args(c, op, entity.args);
    const detent_status status = backend.resolve(backend.self, c.graph.desc->kernels[op.kernel], &entity);
    c.graph.nodes[id].backend = i;
    if (status == DETENT_OK && (entity.run != nullptr || backend.dispatch != nullptr)) {
      if (entity.run != nullptr) {
        put_control_flow_before(*c.graph.desc, op, backend.dispatch == nullptr, entity);
      }
      return make_error(DETENT_OK);
    }
    if (status != DETENT_OK && status != DETENT_UNKNOWN_KERNEL) return make_error(status, {.op = id});
  }
  return make_error(DETENT_UNKNOWN_KERNEL, {.op = id});
}

/// Hint of how long an op takes here: what the Desc says, else its work at 10 operations or bytes per nanosecond.
std::uint32_t cost_hint_ns(const detent_desc &desc, OpId op) {
  if (desc.costs == nullptr) return kUnknownCostNs;
  const detent_op_cost &cost = desc.costs[op];
  std::uint64_t ns = cost.worst_ps / 1000;
  if (cost.worst_ps == UINT64_MAX) ns = cost.flops / 10 + cost.read_bytes / 10 + cost.write_bytes / 10;
  return static_cast<std::uint32_t>(ns < kMostCostNs ? ns : kMostCostNs) + 1;
}

std::uint16_t queue_of(const detent_context &c, const detent_op &op) {
  if (c.graph.desc->classes[op.core_class].kind == DETENT_CLASS_ASYNC) return static_cast<std::uint16_t>(c.async_queue);
  const bool classed = c.config.worker_classes != nullptr && c.mode != DETENT_MODE_SERIAL;
  return static_cast<std::uint16_t>(classed ? op.core_class : 0);
}

void fill_node(detent_context &c, std::uint32_t id) {
  const detent_op &op = c.graph.desc->ops[id];
  Node &node = c.graph.nodes[id];
  node.indegree = op.entry_count;
  node.entry_count = op.entry_count;
  node.first_successor = op.successors.first;
  node.successor_count = op.successors.count;
  node.rank = 0;
  node.cost_ns = cost_hint_ns(*c.graph.desc, id);
  node.queue = queue_of(c, op);
  std::uint16_t flags = 0;
  if (c.config.backends[node.backend].dispatch != nullptr) flags |= kNodeDispatch;
  if (op.mutexes.count != 0) flags |= kNodeMutex;
  if (node.queue == c.async_queue) flags |= kNodeAsync;
  if (is_guarded(op)) flags |= kNodeGuarded;
  if (is_fallible(op)) flags |= kNodeFallible;
  if (is_sized(op)) flags |= kNodeSized;
  if (op.workers != 0 && c.mode != DETENT_MODE_SERIAL) flags |= kNodePinned;
  node.flags = flags;
}

/// Is there a worker for this op?
bool is_served(const detent_context &c, OpId op) {
  const Node &node = c.graph.nodes[op];
  const bool is_pinned = (node.flags & kNodePinned) != 0;
  if (node.queue == c.async_queue) return !is_pinned;
  const bool classed = c.config.worker_classes != nullptr && c.mode != DETENT_MODE_SERIAL;
  for (std::uint32_t i = 0; i < c.worker_count; ++i) {
    const bool in_class = !classed || c.config.worker_classes[i] == node.queue;
    if (in_class && (!is_pinned || names_worker(c.graph.desc->ops[op], i))) return true;
  }
  return false;
}

detent_error fill_ops(detent_context &c) {
  c.loop.may_hand = c.worker_count > 1 && c.loop.hand_always;
  for (std::uint32_t id = 0; id < c.graph.desc->op_count; ++id) {
    const detent_error error = resolve(c, id);
    if (error.status != DETENT_OK) return error;
    fill_node(c, id);
    c.loop.may_hand = c.loop.may_hand || (c.worker_count > 1 && c.graph.nodes[id].cost_ns >= kHandOverNs);
    if (!is_served(c, id)) return make_error(DETENT_UNKNOWN_KERNEL, {.op = id});
    const bool is_pinned = (c.graph.nodes[id].flags & kNodePinned) != 0;
    if (is_pinned && c.mode == DETENT_MODE_LAYERED) return make_error(DETENT_UNSUPPORTED, {.op = id});
    if (c.op_states != nullptr) c.op_states[id] = OpState{};
    if (c.op_progress != nullptr) c.op_progress[id] = OpProgress{};
  }
  for (std::uint32_t mutex = 0; mutex < c.graph.desc->mutex_count; ++mutex) c.loop.mutex_held[mutex] = 0;
  return make_error(DETENT_OK);
}

void fill_workers(detent_context &c) {
  const bool listens = c.log_count != 0 || c.op_progress != nullptr || c.port->checkpoint_mask != 0;
  const bool bare = !listens && c.op_states == nullptr;
  for (SlotId slot = 0; slot < c.slot_count; ++slot) {
    Worker &worker = c.workers[slot];
    memset(static_cast<void *>(&worker), 0, sizeof worker);
    worker.site = site_of(c, slot);
    worker.context = &c;
    worker.log = c.log_count != 0 ? &c.logs[slot] : nullptr;
    worker.bare = bare;
    worker.inbox = DETENT_NONE;
    worker.busy.op = DETENT_NONE;
    const bool classed = c.config.worker_classes != nullptr && c.mode != DETENT_MODE_SERIAL;
    if (classed && slot >= c.first_worker) worker.core_class = c.config.worker_classes[slot - c.first_worker];
  }
}

void fill_schedule(detent_context &c) {
  Schedule &schedule = c.loop.schedule;
  schedule.idle = c.worker_count == 64 ? UINT64_MAX : (std::uint64_t{1} << c.worker_count) - 1;
  if (c.loop.is_shared) schedule.idle = 0;
  schedule.oldest_async = DETENT_NONE;
  schedule.newest_async = DETENT_NONE;
  schedule.error = make_error(DETENT_OK);
  c.loop.hand_always = c.port->spin_limit == 0;
  c.loop.may_run_inline = c.op_states == nullptr && c.op_progress == nullptr && c.port->checkpoint_mask == 0 &&
                          c.config.op_deadline_ps == 0 && c.first_worker == 0;
}

detent_error fill(detent_context &c) {
  for (std::uint32_t i = 0; i < c.graph.desc->region_count; ++i) {
    const detent_error error = check_region_base(c, i);
    if (error.status != DETENT_OK) return error;
  }
  fill_buffers(c);
  fill_schedule(c);
  const detent_error error = fill_ops(c);
  if (error.status != DETENT_OK) return error;
  fill_workers(c);
  const detent_error ranked = take_ranks(c);
  if (ranked.status == DETENT_OK) start_active_waiting(c);
  return ranked;
}

}  // namespace

void fill_buffers(detent_context &c) {
  for (std::uint32_t i = 0; i < c.graph.desc->tensor_ref_count; ++i) {
    const detent_tensor &tensor = c.graph.desc->tensors[c.graph.desc->tensor_refs[i]];
    c.graph.buffers[i] = {static_cast<std::uint8_t *>(c.graph.region_bases[tensor.region]) + tensor.offset_bytes,
                          &tensor};
  }
}

bool is_port_complete(const detent_port &port) {
  const bool calls = port.now_ps != nullptr && port.lock != nullptr && port.unlock != nullptr && port.wait != nullptr &&
                     port.notify != nullptr && port.start != nullptr && port.join != nullptr && port.pause != nullptr;
  return calls && (port.checkpoint_mask == 0 || port.checkpoint != nullptr);
}

std::uint64_t no_clock(void *) { return 0; }

namespace {

/// A member of a pool runs the closed loop with the role going round, on the pool's port.
bool fits_pool(const detent_config &config) {
  return config.worker_pool == nullptr ||
         (config.port == config.worker_pool->port && config.mode == DETENT_MODE_CLOSED_LOOP &&
          config.scheduler == DETENT_SCHEDULER_ROLE);
}

}  // namespace

detent_status check_config(const detent_desc &desc, const detent_config &config) {
  if (config.port == nullptr || !is_port_complete(*config.port)) return DETENT_INVALID_ARGUMENT;
  if (config.op_deadline_ps != 0 && config.port->now_ps == no_clock) return DETENT_INVALID_ARGUMENT;
  if (config.worker_count > DETENT_MAX_WORKERS || config.log_records_per_worker > (1u << 30)) {
    return DETENT_INVALID_ARGUMENT;
  }
  constexpr std::uint32_t kVariables = DETENT_VARIABLE_NUM_WORKERS | DETENT_VARIABLE_OPENMP_THREADS;
  if ((config.ignored_variables & ~kVariables) != 0) return DETENT_INVALID_ARGUMENT;
  const bool known = static_cast<unsigned>(config.mode) <= DETENT_MODE_STATIC &&
                     static_cast<unsigned>(config.scheduler) <= DETENT_SCHEDULER_THREAD;
  if (!known || (config.backend_count != 0 && config.backends == nullptr)) return DETENT_INVALID_ARGUMENT;
  for (std::uint32_t i = 0; i < config.backend_count; ++i) {
    if (config.backends[i].resolve == nullptr || config.backends[i].class_name == nullptr) {
      return DETENT_INVALID_ARGUMENT;
    }
  }
  if (config.policy != nullptr && config.policy->rank == nullptr) return DETENT_INVALID_ARGUMENT;
  if (!fits_pool(config)) return DETENT_INVALID_ARGUMENT;
  const std::uint32_t workers = config.worker_pool != nullptr ? config.worker_pool->worker_count : config.worker_count;
  for (std::uint32_t i = 0; config.worker_classes != nullptr && i < workers; ++i) {
    if (config.worker_classes[i] >= desc.class_count) return DETENT_INVALID_ARGUMENT;
  }
  return DETENT_OK;
}

detent_error bind(void *memory, std::size_t bytes, const detent_desc &desc, const detent_config &config,
                  detent_context **context) {
  *context = nullptr;
  Arena measure = Arena::measuring();
  place_context(measure, desc, config);
  Arena arena(memory, bytes, measure.max_align());
  detent_context *const placed = place_context(arena, desc, config);
  if (placed == nullptr) return make_error(DETENT_NO_SPACE);
  arena.seal();
  placed->graph.arena_begin = reinterpret_cast<std::uintptr_t>(memory);
  placed->graph.arena_end = placed->graph.arena_begin + bytes;
  if (placed->loop.is_shared) {
    placed->member_port = member_port(*placed);
    placed->port = &placed->member_port;
  }
  const detent_error error = fill(*placed);
  if (error.status == DETENT_OK) *context = placed;
  return error;
}

}  // namespace detent
