/* Detent: the public C API of the runtime.
 *
 * The caller owns all memory. detent_init checks the Desc (every rule of runtime/include/detent/desc.h), binds it into
 * one arena and seals the arena; nothing is allocated afterwards. One run at a time per context; several contexts may
 * share one const Desc. All functions are callable from C11 and C++20.
 */
#ifndef DETENT_RUNTIME_DETENT_H_
#define DETENT_RUNTIME_DETENT_H_

#include <stddef.h>

#include <detent/backend.h>
#include <detent/desc.h>
#include <detent/enum.h>
#include <detent/log.h>
#include <detent/policy.h>
#include <detent/port.h>
#include <detent/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef DETENT_ENUM(detent_mode){
    DETENT_MODE_SERIAL = 0,      /**< id-respecting topological order on the caller's thread; the reference result */
    DETENT_MODE_LAYERED = 1,     /**< static layers with a barrier between them */
    DETENT_MODE_CLOSED_LOOP = 2, /**< ReadyQueue / CompleteQueue; the default */
    DETENT_MODE_STATIC = 3       /**< per-worker lists and progress counters, no queues */
} detent_mode;

typedef DETENT_ENUM(detent_scheduler){
    DETENT_SCHEDULER_ROLE = 0,  /**< whichever worker has just finished and finds the role free */
    DETENT_SCHEDULER_THREAD = 1 /**< the thread that called detent_run; every worker is a started slot */
} detent_scheduler;

typedef struct detent_config {
  const detent_port *port;        /**< required; outlives the context */
  const detent_backend *backends; /**< per class the first that serves it; outlive the context */
  uint32_t backend_count;
  const detent_policy *policy; /**< null: lowest id */
  detent_mode mode;
  detent_scheduler scheduler;      /**< closed loop only */
  uint32_t worker_count;           /**< 0 = serial on the caller. See detent_default_worker_count */
  const uint32_t *worker_classes;  /**< [worker_count] class of each worker; null: every worker serves every class */
  void *const *region_bases;       /**< [region_count]; null, or null entries: the context places that region */
  uint32_t log_records_per_worker; /**< ring capacity, rounded up to a power of two; 0 = no log */
  bool log_stop_when_full;         /**< else the oldest record is overwritten; both count drops */
  uint64_t op_deadline_ps;         /**< an op in flight for longer ends the run with TIMEOUT; 0 = none. In flight: from
                                        when it is given out until its kernel returns or its back end answers */
  uint64_t memory_limit_bytes;     /**< B50; 0 = none */
} detent_config;

typedef struct detent_context detent_context;

/** What one run did.
 *
 *  error.status: OK, every op ran once. CANCELLED, KERNEL_FAILED, STALLED: the run stopped and nothing is in flight.
 *  TIMEOUT: an op was late, error.op; ops may still be in flight, at most ops_in_flight of them, each of them late.
 *  Where several causes meet, the status is the one that was noticed first, unless ops are left in flight: then it is
 *  TIMEOUT, whatever came before. No new op starts after the first cause. */
typedef struct detent_result {
  detent_error error;
  uint32_t ops_run;
  uint32_t ops_in_flight; /**< 0 unless TIMEOUT: their bytes are still read and written, see detent_reset */
  uint64_t begin_ps;      /**< port time at the first dispatch */
  uint64_t end_ps;        /**< port time after the last completion */
} detent_result;

/** Config with every default filled in for `port`: closed loop, role, lowest id, as many workers as the port says
 *  (port->default_workers: on posix detent_default_worker_count, without threads 1). */
detent_config detent_default_config(const detent_port *port);

/** Environment TVMRT_NUM_WORKERS if it holds a number from 0 to DETENT_MAX_WORKERS, else 3. Hosts only: see ports/. */
uint32_t detent_default_worker_count(void);

/** Arena bytes that detent_init needs. 0 when the tables are too broken to tell. */
size_t detent_arena_bytes(const detent_desc *desc, const detent_config *config);

/** Check, bind, claim the port, start workers. On failure *context is null, started workers have been joined, *error
 *  (may be null) says what and where; BUSY: another context has the port. `arena` may have any alignment. */
DETENT_NODISCARD detent_status detent_init(void *arena, size_t arena_bytes, const detent_desc *desc,
                                           const detent_config *config, detent_context **context, detent_error *error);

/** Only the checks of detent_init, with nothing resolved and no memory kept: `work` has
 *  detent_check_bytes(desc) bytes. For host tools. */
DETENT_NODISCARD detent_status detent_check(const detent_desc *desc, void *work, size_t work_bytes,
                                            detent_error *error);
size_t detent_check_bytes(const detent_desc *desc);

/** Execute all ops once. BUSY while another run is active; BAD_STATE after a failed run until detent_reset. Kernels are
 *  executed in one floating-point environment, whatever the caller's is: round to nearest, subnormals kept, no traps
 *  (runtime/base/float_environment.h); the caller's is back when this returns. */
DETENT_NODISCARD detent_status detent_run(detent_context *context, detent_result *result);

/** Stop dispatching; the active run drains its in-flight ops and returns CANCELLED, or TIMEOUT where an op in flight is
 *  late, or OK where it came after the last op had been given out. Any thread. */
void detent_cancel(detent_context *context);

/** Make a context that failed, timed out or was cancelled ready to run. BUSY while a late op is still in flight: until
 *  then its buffers belong to it. */
DETENT_NODISCARD detent_status detent_reset(detent_context *context);

/** Stop and join the workers. The arena is the caller's again. BUSY while running. */
DETENT_NODISCARD detent_status detent_deinit(detent_context *context);

/** A back end reports that a PENDING op has finished; code 0 = success. Any thread or interrupt context that the
 *  port's lock allows. FOREIGN_COMPLETION (recorded in the log) if the op is not in flight. */
detent_status detent_complete(detent_context *context, uint32_t op, int32_t code);

/** Base address of a region, for filling inputs and reading outputs between runs. */
void *detent_region_base(const detent_context *context, uint32_t region);
/** Address of a tensor's first byte. */
void *detent_tensor_data(const detent_context *context, uint32_t tensor);
/** The bound entity of an op. */
const detent_entity *detent_context_entity(const detent_context *context, uint32_t op);
/** The log ring of a slot, null when logging is off or there is none. Slots 0..worker_count; where no slot has the
 *  number worker_count (no scheduler thread), that ring holds the async ops. Ring worker_count + 1 holds rejected
 *  completions. Stable between runs, except that of a slot whose late op ended the run with TIMEOUT. */
const detent_log *detent_context_log(const detent_context *context, uint32_t slot);
/** Forget all log records. Between runs. */
void detent_clear_log(detent_context *context);
/** Replace the given order or the seed's owner between runs: ranks are taken anew from `policy`. */
DETENT_NODISCARD detent_status detent_set_policy(detent_context *context, const detent_policy *policy);

/** No threads and nothing of an operating system: slot 0 alone. Time is what `now_ps(self)` says, picoseconds that
 *  never decrease. Null: there is no clock; all times are 0, and a config with op_deadline_ps is INVALID_ARGUMENT. */
detent_port detent_port_single_clocked(uint64_t (*now_ps)(void *self), void *self);

/** detent_port_single_clocked with CLOCK_MONOTONIC. POSIX hosts only. */
detent_port detent_port_single(void);

/** POSIX threads, POSIX hosts only. `state` is caller memory of detent_port_posix_bytes() bytes, 128-byte aligned. */
size_t detent_port_posix_bytes(void);
DETENT_NODISCARD detent_status detent_port_posix(void *state, size_t state_bytes, detent_port *port);

#ifdef __cplusplus
}
#endif
#endif
