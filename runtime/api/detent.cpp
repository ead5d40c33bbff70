// The public C API over a bound context: run, cancel, reset, complete, deinit, accessors.
#include <detent/detent.h>

#include "runtime/api/abi.h"
#include "runtime/base/float_environment.h"
#include "runtime/bind/bind.h"
#include "runtime/check/check.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/guard.h"
#include "runtime/engine/op_progress.h"
#include "runtime/engine/worker_pool.h"

namespace detent {

namespace {

AccessSite site_of_caller(const detent_context &c) { return site_of(c, 0); }
AccessSite site_of_stranger(const detent_context &c) { return site_of(c, DETENT_NONE); }

bool enter(detent_context &c) { return compare_exchange_seq_cst(site_of_caller(c), c.busy, 0u, 1u); }
void leave(detent_context &c) { store_seq_cst(site_of_caller(c), c.busy, 0u); }

void stop_workers(detent_context &c) {
  store_seq_cst(site_of_caller(c), c.quit, 1u);
  for (SlotId slot = 1; slot < c.slot_count; ++slot) {
    Worker &worker = c.workers[slot];
    if (!worker.started) continue;
    c.port->notify(c.port->self, slot);
    c.port->join(c.port->self, slot);
    worker.started = false;
  }
}

/// The port's slots and notifications are this context's from here on.
detent_status claim_port(const detent_port &port) { return port.claim == nullptr ? DETENT_OK : port.claim(port.self); }
void release_port(const detent_port &port) {
  if (port.release != nullptr) port.release(port.self);
}

detent_status start_workers(detent_context &c) {
  if (c.port->max_slots < c.slot_count) return DETENT_WORKER_FAILED;
  for (SlotId slot = 1; slot < c.slot_count; ++slot) {
    Worker &worker = c.workers[slot];
    const detent_status status = c.port->start(c.port->self, slot, worker_main, &worker);
    if (status != DETENT_OK) return DETENT_WORKER_FAILED;
    worker.started = true;
  }
  return DETENT_OK;
}

void give_threads_back(detent_context &c) {
  stop_workers(c);
  release_port(*c.port);
}

/// Threads of its own, from a port that serves no other context.
detent_status take_threads(detent_context &c) {
  if (claim_port(*c.port) != DETENT_OK) return DETENT_BUSY;
  if (start_workers(c) == DETENT_OK) return DETENT_OK;
  give_threads_back(c);
  return DETENT_WORKER_FAILED;
}

detent_error init(void *arena, std::size_t bytes, const detent_desc &desc, const detent_config &config,
                  detent_context **context) {
  const detent_status status = check_config(desc, config);
  if (status != DETENT_OK) return make_error(status);
  detent_error error = check_desc(desc, arena, bytes);
  if (error.status != DETENT_OK) return error;
  error = check_memory_limit(desc, config.memory_limit_bytes);
  if (error.status != DETENT_OK) return error;
  detent_context *bound = nullptr;
  error = bind(arena, bytes, desc, config, &bound);
  if (error.status != DETENT_OK) return error;
  error = make_error(bound->loop.is_shared ? join_pool(*bound) : take_threads(*bound));
  if (error.status == DETENT_OK) *context = bound;
  return error;
}

Outcome run_mode(detent_context &c) {
  switch (c.mode) {
    case DETENT_MODE_SERIAL:
      return run_serial(c);
    case DETENT_MODE_LAYERED:
      return run_layered(c);
    case DETENT_MODE_CLOSED_LOOP:
      return run_closed_loop(c);
    case DETENT_MODE_STATIC:
      return run_static_lists(c);
  }
  return {make_error(DETENT_INVALID_ARGUMENT), 0, 0};
}

/// What the environment said in vain, once.
void log_ignored_variables(detent_context &c, const Worker &me) {
  constexpr std::uint32_t kVariables[] = {DETENT_VARIABLE_NUM_WORKERS, DETENT_VARIABLE_OPENMP_THREADS};
  for (const std::uint32_t variable : kVariables) {
    if ((c.config.ignored_variables & variable) == 0) continue;
    log_event(c, me, {.event = DETENT_EVENT_VARIABLE_IGNORED, .value = static_cast<std::int32_t>(variable)});
  }
  c.config.ignored_variables = 0;
}

detent_error run_once(detent_context &c, detent_result &result) {
  Worker &me = c.workers[0];
  store_relaxed(me.site, c.cancelled, 0u);
  store_relaxed(me.site, c.run, c.run + 1);
  if (c.policy.per_run) {
    const detent_error error = take_ranks(c);
    if (error.status != DETENT_OK) return error;
  }
  log_event(c, me, {.event = DETENT_EVENT_RUN_BEGIN});
  if (c.config.ignored_variables != 0) log_ignored_variables(c, me);
  result.begin_ps = c.port->now_ps(c.port->self);
  if (c.config.op_deadline_ps != 0) c.run_begin_ps = result.begin_ps;
  if (c.op_progress != nullptr) begin_progress(c, me.site, result.begin_ps);
  if (c.loop.is_active) begin_measuring(c);
  const FloatEnvironment callers = set_float_environment();
  const Outcome outcome = run_mode(c);
  restore_float_environment(callers);
  result.end_ps = c.port->now_ps(c.port->self);
  if (result.end_ps < result.begin_ps) result.end_ps = result.begin_ps;  // F08
  if (c.op_progress != nullptr && outcome.error.status == DETENT_CANCELLED) cancel_rest(c, me.site, result.end_ps);
  result.ops_run = outcome.ops_run;
  result.ops_in_flight = outcome.ops_in_flight;
  c.failed = outcome.error.status != DETENT_OK;
  if (c.loop.is_active && !c.failed) end_measuring(c, result.end_ps - result.begin_ps);
  log_event(c, me, {.event = DETENT_EVENT_RUN_END, .value = static_cast<std::int32_t>(outcome.error.status)});
  return outcome.error;
}

/// Is some op of an earlier run still with its back end or kernel?
bool is_quarantined(detent_context &c) {
  if (load_seq_cst(site_of_caller(c), c.abandoned) != 0) return true;
  return c.mode == DETENT_MODE_CLOSED_LOOP ? closed_loop_in_flight(c) != 0 : workers_outside(c) != 0;
}

/// What a fallible op says of its failure is written by the one completion that counts, before anybody sees it
/// answered.
/// @return  the phase that is to become kOpAnswered
std::uint32_t settle_answer(detent_context &c, const AccessSite &site, OpId op, std::int32_t *code) {
  const std::uint16_t flags = c.graph.nodes[op].flags;
  if ((flags & kNodeSized) != 0) settle_extents(c.graph.entities[op].args, code);
  if ((flags & kNodeFallible) == 0) return kOpInFlight;
  if (!compare_exchange_seq_cst<std::uint32_t>(site, c.op_states[op].phase, kOpInFlight, kOpSettling)) {
    return kOpInFlight;
  }
  settle_failure(c.graph.entities[op].args, code);
  return kOpSettling;
}

/// Under the port's lock: may this completion enter? Sets *owner to the slot that waits for it.
bool accept_answer(detent_context &c, const AccessSite &site, OpId op, std::int32_t code, std::uint32_t *owner) {
  *owner = DETENT_NONE;
  if (op >= c.graph.desc->op_count || (c.graph.nodes[op].flags & kNodeDispatch) == 0) return false;
  OpState &state = c.op_states[op];
  const std::uint32_t phase = load_seq_cst(site, state.phase);
  bool is_shown = c.op_progress == nullptr;
  if (phase == kOpInFlight) {
    const std::uint32_t before = settle_answer(c, site, op, &code);
    state.code = code;
    state.answered_ps = measures_ends(c) ? c.port->now_ps(c.port->self) : 0;
    const std::uint32_t waits = state.owner;
    // Modes without a scheduler collect answers late: the op's end is logged here, before anybody can see the answer.
    const bool is_collected = is_collected_op(c, op);
    if (is_collected) log_to_ring(c, site, c.loop.async_ring, {.event = DETENT_EVENT_OP_END, .op = op, .value = code});
    if (is_collected && !is_shown) {
      end_unscheduled_op(c, site, op, code, state.answered_ps);
      is_shown = true;
    }
    if (compare_exchange_seq_cst<std::uint32_t>(site, state.phase, before, kOpAnswered)) {
      *owner = waits;
      if (waits == DETENT_NONE) c.loop.foreign.put(site, op);
      return true;
    }
  }
  if (!compare_exchange_seq_cst<std::uint32_t>(site, state.phase, kOpAbandoned, kOpIdle)) return false;
  if (!is_shown) show_end(c, site, op, code, c.port->now_ps(c.port->self));
  fetch_add_seq_cst(site, c.abandoned, UINT32_MAX);
  *owner = 0;
  return true;
}

detent_status complete(detent_context &c, OpId op, std::int32_t code) {
  const AccessSite site = site_of_stranger(c);
  fetch_add_seq_cst(site, c.foreign_inside, 1u);
  std::uint32_t owner = DETENT_NONE;
  c.port->lock(c.port->self);
  const bool accepted = accept_answer(c, site, op, code, &owner);
  if (!accepted)
    log_to_ring(c, site, c.rejected_ring, {.event = DETENT_EVENT_FOREIGN_COMPLETION, .op = op, .value = code});
  c.port->unlock(c.port->self);
  if (accepted && owner != DETENT_NONE) c.port->notify(c.port->self, owner);
  if (accepted && c.mode == DETENT_MODE_STATIC) wake_all(c, site);
  if (accepted && owner == DETENT_NONE) handle_answers(c);
  fetch_add_seq_cst(site, c.foreign_inside, UINT32_MAX);
  return accepted ? DETENT_OK : DETENT_FOREIGN_COMPLETION;
}

}  // namespace

}  // namespace detent

extern "C" {

detent_config detent_default_config(const detent_port *port) {
  detent_config config{};
  config.port = port;
  config.mode = DETENT_MODE_CLOSED_LOOP;
  config.scheduler = DETENT_SCHEDULER_ROLE;
  config.worker_count = port != nullptr ? port->default_workers : 0;
  return config;
}

size_t detent_arena_bytes(const detent_desc *desc, const detent_config *config) {
  if (desc == nullptr || config == nullptr || config->port == nullptr) return 0;
  if (detent::check_config(*desc, *config) != DETENT_OK) return 0;
  return detent::arena_bytes(*desc, *config);
}

detent_status detent_init(void *arena, size_t arena_bytes, const detent_desc *desc, const detent_config *config,
                          detent_context **context, detent_error *error) {
  detent_error found = detent::make_error(DETENT_INVALID_ARGUMENT);
  if (context != nullptr) *context = nullptr;
  if (desc != nullptr && config != nullptr && context != nullptr) {
    found = detent::init(arena, arena_bytes, *desc, *config, context);
  }
  if (error != nullptr) *error = found;
  return found.status;
}

detent_status detent_run(detent_context *context, detent_result *result) {
  if (context == nullptr || result == nullptr) return DETENT_INVALID_ARGUMENT;
  *result = detent_result{};
  result->error = detent::make_error(DETENT_BUSY);
  if (!detent::enter(*context)) return DETENT_BUSY;
  result->error = context->failed ? detent::make_error(DETENT_BAD_STATE) : detent::run_once(*context, *result);
  detent::leave(*context);
  return result->error.status;
}

void detent_cancel(detent_context *context) {
  if (context != nullptr) detent::store_seq_cst(detent::site_of_stranger(*context), context->cancelled, 1u);
}

detent_status detent_reset(detent_context *context) {
  if (context == nullptr) return DETENT_INVALID_ARGUMENT;
  if (!detent::enter(*context)) return DETENT_BUSY;
  detent_status status = DETENT_OK;
  if (detent::is_quarantined(*context)) {
    status = DETENT_BUSY;
  } else {
    detent::rearm(*context);
    context->failed = false;
  }
  detent::leave(*context);
  return status;
}

detent_status detent_deinit(detent_context *context) {
  if (context == nullptr) return DETENT_INVALID_ARGUMENT;
  if (!detent::enter(*context)) return DETENT_BUSY;
  if (detent::is_quarantined(*context)) {
    detent::leave(*context);
    return DETENT_BUSY;
  }
  const detent::AccessSite site = detent::site_of_caller(*context);
  while (detent::load_seq_cst(site, context->foreign_inside) != 0) context->port->pause(context->port->self);
  if (context->loop.is_shared) {
    detent::leave_pool(*context);
  } else {
    detent::give_threads_back(*context);
  }
  return DETENT_OK;
}

detent_status detent_complete(detent_context *context, uint32_t op, int32_t code) {
  return context == nullptr ? DETENT_INVALID_ARGUMENT : detent::complete(*context, op, code);
}

void *detent_region_base(const detent_context *context, uint32_t region) {
  if (context == nullptr || region >= context->graph.desc->region_count) return nullptr;
  return context->graph.region_bases[region];
}

void *detent_tensor_data(const detent_context *context, uint32_t tensor) {
  if (context == nullptr || tensor >= context->graph.desc->tensor_count) return nullptr;
  const detent_tensor &t = context->graph.desc->tensors[tensor];
  return static_cast<uint8_t *>(context->graph.region_bases[t.region]) + t.offset_bytes;
}

const detent_entity *detent_context_entity(const detent_context *context, uint32_t op) {
  return context == nullptr || op >= context->graph.desc->op_count ? nullptr : &context->graph.entities[op];
}

detent_status detent_context_op_state(const detent_context *context, uint32_t op, detent_op_record *record) {
  if (context == nullptr || record == nullptr || op >= context->graph.desc->op_count) return DETENT_INVALID_ARGUMENT;
  if (context->op_progress == nullptr) return DETENT_UNSUPPORTED;
  *record = detent::read_progress(*context, detent::site_of_stranger(*context), op);
  return DETENT_OK;
}

const detent_log *detent_context_log(const detent_context *context, uint32_t slot) {
  return context == nullptr || slot >= context->log_count ? nullptr : &context->logs[slot];
}

void detent_clear_log(detent_context *context) {
  if (context == nullptr) return;
  for (uint32_t i = 0; i < context->log_count; ++i) detent::log_clear(context->logs[i]);
}

detent_status detent_bind_regions(detent_context *context, const detent_binding *bindings, uint32_t binding_count,
                                  detent_error *error) {
  detent_error found = detent::make_error(DETENT_INVALID_ARGUMENT);
  if (context != nullptr && (bindings != nullptr || binding_count == 0)) {
    found = detent::make_error(DETENT_BUSY);
    if (detent::enter(*context)) {
      if (!detent::is_quarantined(*context)) found = detent::bind_regions(*context, bindings, binding_count);
      detent::leave(*context);
    }
  }
  if (error != nullptr) *error = found;
  return found.status;
}

detent_status detent_set_policy(detent_context *context, const detent_policy *policy) {
  if (context == nullptr || (policy != nullptr && policy->rank == nullptr)) return DETENT_INVALID_ARGUMENT;
  if (!detent::enter(*context)) return DETENT_BUSY;
  const detent_policy before = context->policy;
  context->policy = policy != nullptr ? *policy : detent_policy_id();
  const detent_status status = detent::take_ranks(*context).status;
  if (status != DETENT_OK) {  // the former policy is known to fit
    context->policy = before;
    if (detent::take_ranks(*context).status != DETENT_OK) context->failed = true;
  }
  detent::leave(*context);
  return status;
}
}
