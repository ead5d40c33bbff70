/* Detent: the public C API of the runtime. One context executes one network, described by const tables (desc.h), as
 * often as wanted, on the threads of one port (port.h). Callable from C11 and C++20.
 *
 * The caller owns all memory. It gives one arena, in which detent_init places the context, its queues and logs and the
 * regions of the network; nothing is allocated, then or later. What a context keeps by pointer stays where it is,
 * unchanged, until detent_deinit: the arena, the Desc with all its tables, the port, the array of back ends, and what
 * back ends and policy have in `self`. The detent_config itself and the detent_policy are copied.
 *
 * Life of a context:
 *
 *          detent_init                        detent_run
 *   none --------------> ready ------------------------------------> running
 *    ^                   |  ^ ^                                       | | |
 *    |   detent_deinit   |  | +------------ every op ran -------------+ | |
 *    +-------------------+  |                                           | |
 *    |                      | detent_reset                              | |
 *    |   detent_deinit      |             error, cancellation, deadline | |
 *    +------------------ failed <---------------------------------------+ |
 *                           ^                                             |
 *                           | the last late op is answered                |
 *                           +---------------------- late <----------------+
 *                                       a deadline, and an op still in flight
 *
 * In the state late, a kernel or back end still reads and writes the buffers of its op: nothing but its end leads out
 * of it. docs/ENGINE.md has the table of every call in every state, from every thread; a test walks it against this
 * library.
 *
 * Threads: run, reset, deinit, bind_regions and set_policy exclude each other: the second of two at once returns BUSY.
 * Any thread may call them, a different one each time, but not an interrupt. A kernel or back end that calls one of
 * them gets BUSY, too. Contexts are independent of each other, except that a port serves one at a time (port.h), or the
 * members of one pool (worker_pool.h).
 *
 * Example, complete; the test header_example compiles and executes it. It prints "0 0 1 2".
 *
 * @code
 *   #include <stdio.h>
 *   #include <detent/detent.h>
 *   #include <detent/op_config.h>
 *
 *   enum { N = 4, BYTES = N * sizeof(float) };
 *   static const detent_region regions[] = {
 *       {.kind = DETENT_REGION_INPUT, .size_bytes = BYTES, .align_bytes = 16},
 *       {.kind = DETENT_REGION_OUTPUT, .size_bytes = BYTES, .align_bytes = 16}};
 *   #define VECTOR .size_bytes = BYTES, .block_bytes = BYTES, .block_count = 1, .align_bytes = 16, .rank = 1, \
 *       .dims = {N}, .dtype = DETENT_F32, .alias_of = DETENT_NONE, .live_begin = DETENT_NONE, .live_end = DETENT_NONE
 *   static const detent_tensor tensors[] = {{.region = 0, VECTOR}, {.region = 1, VECTOR}};
 *   static const detent_elementwise_config relu = {.elements = N, .activation = DETENT_ACT_RELU};
 *   static const detent_op op = {
 *       .inputs = {0, 1}, .outputs = {1, 1}, .config_size = sizeof relu, .commute_group = DETENT_NONE};
 *   static const uint32_t refs[] = {0, 1};
 *   static const char *const kernel = "unary_f32";
 *   static const detent_class cpu = {.name = "cpu", .kind = DETENT_CLASS_WORKERS};
 *   static const detent_desc desc = {
 *       .regions = regions, .region_count = 2, .tensors = tensors, .tensor_count = 2, .ops = &op, .op_count = 1,
 *       .tensor_refs = refs, .tensor_ref_count = 2, .kernels = &kernel, .kernel_count = 1, .classes = &cpu,
 *       .class_count = 1, .config_bytes = (const uint8_t *)&relu, .config_byte_count = sizeof relu,
 *       .inputs = &refs[0], .input_count = 1, .outputs = &refs[1], .output_count = 1};
 *
 *   int main(void) {
 *     static uint8_t arena[8192];
 *     const detent_port port = detent_port_single();
 *     const detent_backend backend = detent_cpu_backend("cpu", detent_builtin_kernels());
 *     detent_config config = detent_default_config(&port);
 *     config.backends = &backend;
 *     config.backend_count = 1;
 *     detent_context *context;
 *     detent_result result;
 *     if (detent_init(arena, sizeof arena, &desc, &config, &context, NULL) != DETENT_OK) return 1;
 *     float *x = detent_tensor_data(context, 0);
 *     const float *y = detent_tensor_data(context, 1);
 *     for (int i = 0; i < N; ++i) x[i] = (float)(i - 1);
 *     if (detent_run(context, &result) != DETENT_OK) return 1;
 *     printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
 *     return detent_deinit(context) == DETENT_OK ? 0 : 1;
 *   }
 * @endcode
 */
#ifndef DETENT_RUNTIME_DETENT_H_
#define DETENT_RUNTIME_DETENT_H_

#include <stddef.h>

#include <detent/backend.h>
#include <detent/compiler.h>
#include <detent/desc.h>
#include <detent/log.h>
#include <detent/policy.h>
#include <detent/port.h>
#include <detent/status.h>
#include <detent/worker_pool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How the ops of a run are distributed. Where edges order all ops that touch a byte and write it, all modes give the
 *  same bytes. */
typedef DETENT_ENUM(detent_mode){
    /** On the caller's thread, in topological order, best rank first: the reference result. */
    DETENT_MODE_SERIAL = 0,
    /** In static layers of independent ops, with a barrier after each. */
    DETENT_MODE_LAYERED = 1,
    /** Whoever is free takes the ready op of lowest rank. The default. */
    DETENT_MODE_CLOSED_LOOP = 2,
    /** Each worker follows a list of its own and waits only for ops of other workers; no queues. The lists are those of
     *  desc.schedules for this number of workers, else computed by detent_init. */
    DETENT_MODE_STATIC = 3} detent_mode;

/** Closed loop: who handles completions and gives out what became ready. Other modes ignore it. */
typedef DETENT_ENUM(detent_scheduler){
    /** Whichever worker has just finished and finds the scheduler role free. Slot 0 is a worker. */
    DETENT_SCHEDULER_ROLE = 0,
    /** The thread that called detent_run; it executes no ops of WORKERS classes, every worker is a started slot. */
    DETENT_SCHEDULER_THREAD = 1} detent_scheduler;

/** Variables of the environment, one bit each. */
typedef DETENT_ENUM(detent_variable){/** TVMRT_NUM_WORKERS */
                                     DETENT_VARIABLE_NUM_WORKERS = 1,
                                     /** OMP_NUM_THREADS */
                                     DETENT_VARIABLE_OPENMP_THREADS = 2} detent_variable;

/** How a context executes its Desc. Fill it with detent_default_config and change what differs. */
typedef struct detent_config {
  /** Required, complete (port.h), kept by pointer. */
  const detent_port *port;
  /** [backend_count], kept by pointer. For each op, those that serve its class are asked in this order, until one knows
   *  the kernel. */
  const detent_backend *backends;
  uint32_t backend_count;
  /** Copied; what its self points to is kept. Null: lowest id first. */
  const detent_policy *policy;
  detent_mode mode;
  detent_scheduler scheduler;
  /** Workers, from 0 to DETENT_MAX_WORKERS. 0: serial on the caller's thread, whatever the mode. Else the port needs as
   *  many slots, one more with DETENT_SCHEDULER_THREAD, and only one in serial mode. */
  uint32_t worker_count;
  /** [worker_count]: index of the one class whose ops each worker executes. Null: every worker executes ops of every
   *  class. Read by detent_init alone, and ignored in serial mode. */
  const uint32_t *worker_classes;
  /** [region_count]: where each region stands, aligned as the Desc says. Null, or a null entry: in the arena, and
   *  weights at their detent_region.data. The array is read by detent_init alone; the memory stays the caller's. */
  void *const *region_bases;
  /** Capacity of each log ring in records of 32 bytes, rounded up to a power of two; at most 2^30. 0: no log. */
  uint32_t log_records_per_worker;
  /** A full ring drops the new record; else the oldest is overwritten. Both are counted in detent_log.dropped. */
  bool log_stop_when_full;
  /** Keep what detent_context_op_state answers: 40 bytes of arena per op, and per op and run three readings of the
   *  clock and a dozen stores. False: nothing is kept and nothing is paid. */
  bool op_states;
  /** Bits of detent_variable, each a record of the first run that begins (VARIABLE_IGNORED). What
   *  detent_ignored_variables() says where the environment was asked; 0: nothing was ignored, or nobody asked. */
  uint32_t ignored_variables;
  /** An op in flight for longer ends the run with TIMEOUT; picoseconds of the port's clock. 0: no deadline. In flight:
   *  from when it is given out until its kernel returns or its back end answers. */
  uint64_t op_deadline_ps;
  /** The regions, weights included, together take at most this many bytes, else MEMORY_LIMIT. 0: no limit. */
  uint64_t memory_limit_bytes;
  /** Null: the context has threads of its own. Else they are those of this pool (worker_pool.h), which is kept by
   *  pointer: `port` is the pool's, mode and scheduler are the default ones, worker_count is ignored and the pool's is
   *  taken, also as the length of worker_classes. detent_run waits until the pool has executed the ops. */
  detent_worker_pool *worker_pool;
  /** Among the members of the pool; lower first. Ignored without a pool. */
  int32_t worker_pool_priority;
} detent_config;

/** Opaque; it lies in the arena. Valid from a detent_init that returned OK to the detent_deinit that did. */
typedef struct detent_context detent_context;

/** What one run did. Plain data of the caller.
 *
 *  error.status OK: every op ran once. CANCELLED, KERNEL_FAILED, STALLED: the run stopped and nothing is in flight.
 *  TIMEOUT: an op was late, error.op; ops may still be in flight, at most ops_in_flight of them, each of them late.
 *  Where several causes meet, the status is the one that was noticed first, unless ops are left in flight: then it is
 *  TIMEOUT, whatever came before. No new op starts after the first cause. */
typedef struct detent_result {
  /** As returned, with the op concerned and, for KERNEL_FAILED, the kernel's code. */
  detent_error error;
  /** Ops that ended with code 0. Layered and static mode, with ops left in flight: only those of slot 0. */
  uint32_t ops_run;
  /** 0 unless TIMEOUT. Above 0 the context is late: those ops still read and write their buffers. */
  uint32_t ops_in_flight;
  /** Port time before the first op was given out; 0 where no run began (BUSY, BAD_STATE, an error of the policy). */
  uint64_t begin_ps;
  /** Port time after the last completion; never before begin_ps. */
  uint64_t end_ps;
} detent_result;

/** Where an op stands in its run. Within a run the number never decreases, and the last three are final. */
typedef DETENT_ENUM(detent_op_state){
    /** Not all of its predecessors have ended with code 0, or the run had stopped before the last one did. Also all
     *  ops before the first run. */
    DETENT_OP_WAITING = 0,
    /** All predecessors have ended with code 0. It waits for a worker, for a mutex, or for its turn. */
    DETENT_OP_READY = 1,
    /** In flight: given out to a worker or a back end, and not ended. After a run that returned TIMEOUT: late. */
    DETENT_OP_RUNNING = 2,
    /** It has ended with code 0, in time or late. Who reads this sees all that the op has written, until an op after it
     *  writes there. */
    DETENT_OP_DONE = 3,
    /** It has ended with another code. */
    DETENT_OP_FAILED = 4,
    /** It will not be executed in this run: the run has returned CANCELLED before the op was given out, or TIMEOUT when
     *  the op had been given to slot 0 and not begun. After any other failure, ops that were not given out stay waiting
     *  or ready. */
    DETENT_OP_CANCELLED = 5} detent_op_state;

/** An op in its last run, or in the one that is on. Plain data of the caller. */
typedef struct detent_op_record {
  detent_op_state state;
  /** How often it has been given out, in this run and in those before it, since it last ended with code 0; the counter
   *  stops at 31. The engine itself gives it out once in a run: above 1 after detent_reset and another detent_run. */
  uint32_t attempts;
  /** Slot that executes it, or that has called its back end's dispatch. DETENT_NONE: not given out, or started by a
   *  thread inside detent_complete. */
  uint32_t worker;
  /** Number of the run, as in the log, from 1; 0 before the first. */
  uint32_t run;
  /** DONE: 0; FAILED: the code of the kernel or of detent_complete. Else 0. */
  int32_t code;
  /** Port time at which the last predecessor's end was counted, or the run began. UINT64_MAX: it has not been ready. */
  uint64_t ready_ps;
  /** Port time at which it was given out; never before ready_ps. UINT64_MAX: it has not been given out. */
  uint64_t begin_ps;
  /** Port time at which its kernel had returned, its back end had answered, or it was cancelled; never before the other
   *  two. UINT64_MAX: it has not ended. */
  uint64_t end_ps;
} detent_op_record;

/* ---- Before there is a context: functions of their arguments alone. Any thread, any number at once. */

/** A config for `port`, which may be null, with every default filled in: closed loop, scheduler role, lowest id, as
 *  many workers as port->default_workers; no back end, no log, no deadline, no limit. Keeps `port` by pointer. */
detent_config detent_default_config(const detent_port *port);

/** The environment variable TVMRT_NUM_WORKERS if it holds 0 (serial) to DETENT_MAX_WORKERS; else OMP_NUM_THREADS, of
 *  a list the first number, if that is 1 to DETENT_MAX_WORKERS; else the cores that this process may run on (its
 *  affinity), at most 3 and at least 1. POSIX hosts only; not while another thread changes the environment. */
uint32_t detent_default_worker_count(void);

/** As above where one of the two variables holds such a number, else `otherwise`. POSIX hosts only, as above. */
uint32_t detent_worker_count_or(uint32_t otherwise);

/** Bits of the detent_variable that are set and not empty, but hold no number as above; the others had their say. POSIX
 *  hosts only, as above. */
uint32_t detent_ignored_variables(void);

/** Bytes of arena, of any alignment, that detent_init needs for checking and for the context.
 *
 *  @return  0 where it cannot be told: a null argument, a config that detent_init refuses with INVALID_ARGUMENT, counts
 *           above the limits (limits.h), a region whose size or alignment is impossible, a null table of regions or
 *           classes, or a sum that the address space does not hold
 *  @note    reads the counts, regions and classes of the Desc only: more than 0 does not mean that detent_init
 *           accepts it */
size_t detent_arena_bytes(const detent_desc *desc, const detent_config *config);

/** The checks that detent_init makes of a Desc, without config, kernels or memory limit. For tools of the host and for
 *  start-up tests. Keeps nothing.
 *
 *  @param work   detent_check_bytes(desc) bytes of any alignment; free again when this returns
 *  @param error  may be null; else what is wrong and where, as far as it applies
 *  @return       OK; INVALID_ARGUMENT: `desc` or a table with entries is null, or a kind is unknown;
 *                NO_SPACE: `work` is null or too small; else the first broken rule of desc.h, with the status
 *                that its comment names */
DETENT_NODISCARD detent_status detent_check(const detent_desc *desc, void *work, size_t work_bytes,
                                            detent_error *error);

/** Bytes of work memory for detent_check, from the counts alone. 0 if `desc` is null or a count is impossible: then
 *  detent_check says which, without memory. */
size_t detent_check_bytes(const detent_desc *desc);

/* ---- The life of a context. */

/** Check the Desc and the config, bind every op to its kernel and addresses, claim the port, start the workers.
 *
 *  Leads from none to ready. On failure everything is undone: *context is null, started workers have been joined, the
 *  port is free, and nothing of the arguments is kept.
 *
 *  @param arena    detent_arena_bytes(desc, config) bytes of any alignment; belongs to the context until detent_deinit
 *  @param context  where the context goes; not null
 *  @param error    may be null; else the status again, with the op, tensor or region concerned
 *  @return  what detent_check returns, and
 *           INVALID_ARGUMENT   a null argument, an incomplete port or back end, a number outside its range, a
 *                              deadline on a port without a clock, or ranks that are not a permutation
 *           NO_SPACE           the arena is null or too small
 *           UNSUPPORTED        the Desc has an execution plan that is more than one step with all ops
 *           MEMORY_LIMIT       the regions together are larger than config.memory_limit_bytes
 *           ALIGNMENT, OFFSET_WRAP, OVERLAP   a region's base is misaligned, wraps, or overlaps another region
 *           UNKNOWN_KERNEL     no back end of the op's class knows its kernel, or no worker serves the class
 *           SHAPE              the kernel refuses its operands or config
 *           STALLED            a strict policy contradicts the edges; found here in all modes but the closed loop
 *           BUSY               another context has the port
 *           WORKER_FAILED      the port has too few slots, or a worker did not start
 *           or any other status that a back end's resolve or the policy's rank returned
 *  @note  any thread; not an interrupt. Clears no region: what is read before it is written is the caller's to fill */
DETENT_NODISCARD detent_status detent_init(void *arena, size_t arena_bytes, const detent_desc *desc,
                                           const detent_config *config, detent_context **context, detent_error *error);

/** Execute all ops once, on this thread (slot 0) and the workers. Returns when every op ran, or when it has stopped.
 *
 *  Kernels are executed in one floating-point environment, whatever the caller's is: round to nearest, subnormals kept,
 *  no traps; the caller's is back when this returns.
 *
 *  @param result  not null; filled in every case but INVALID_ARGUMENT
 *  @return  OK                 the context is ready again
 *           INVALID_ARGUMENT   a null argument
 *           BUSY               a run, reset, deinit or set_policy is inside: this call did nothing
 *           BAD_STATE          the context is failed or late: detent_reset first
 *           CANCELLED          detent_cancel came before the last op was given out; now failed
 *           KERNEL_FAILED      result->error.op ended with result->error.code, not 0; now failed
 *           STALLED            no op is in flight, none may start, and not all have run: a strict order contradicts the
 *                              edges, in the closed loop; now failed
 *           TIMEOUT            an op was in flight for longer than config.op_deadline_ps; now late, or failed if
 *                              nothing is in flight any more. An op that hangs on slot 0 itself is noticed when
 *                              it returns
 *           or what detent_set_policy returns, from a policy that ranks per run: then nothing ran, and the context
 *           is still ready
 *  @note  outputs and workspace of a run that did not return OK hold anything */
DETENT_NODISCARD detent_status detent_run(detent_context *context, detent_result *result);

/** Ask the active run to stop: no op is given out after its next look, ops in flight are waited for, and detent_run
 *  returns CANCELLED, or TIMEOUT where an op in flight is late, or OK where the last op had been given out before.
 *
 *  Every state; without a run it does nothing, also to the next run. Null is ignored. Any thread, kernels and
 *  interrupts included: it only sets a word. It wakes nobody, so an op that never ends still needs a deadline. */
void detent_cancel(detent_context *context);

/** Make a failed context ready to run again. In the state ready it changes nothing. Regions keep their bytes.
 *
 *  @return  OK; INVALID_ARGUMENT: null; BUSY: a run, deinit, set_policy or another reset is inside, or the context is
 *           late: until its ops have answered, their buffers belong to them
 *  @note    any thread; not an interrupt */
DETENT_NODISCARD detent_status detent_reset(detent_context *context);

/** Stop and join the workers, release the port. After OK there is no context any more, and arena, Desc, port and back
 *  ends are the caller's again; `context` must not be used.
 *
 *  @return  OK, from ready or failed; INVALID_ARGUMENT: null; BUSY: as detent_reset, and everything is as before
 *  @note    any thread; not an interrupt. Waits for threads that are still inside detent_complete */
DETENT_NODISCARD detent_status detent_deinit(detent_context *context);

/** A back end reports that an op which it answered with DETENT_DISPATCH_PENDING has finished.
 *
 *  Exactly once per such op, from the beginning of its dispatch on: also from inside dispatch, also after the run has
 *  ended with TIMEOUT. Takes the port's lock. In the closed loop, the answer to an op of an ASYNC class may make this
 *  thread the scheduler for a moment: it gives out ops and calls dispatch, or the kernel, of further ASYNC ops.
 *
 *  @param op    id of the op
 *  @param code  0: success; else the run ends with KERNEL_FAILED and this code
 *  @return  OK; INVALID_ARGUMENT: null; FOREIGN_COMPLETION: the op is not in flight with a back end, or `op` is not an
 *           id; this is recorded in the ring of rejected completions and changes nothing else
 *  @note    any thread, back ends and kernels included; interrupts if the port's lock and notify may be called there */
detent_status detent_complete(detent_context *context, uint32_t op, int32_t code);

/** Memory of the caller that takes the place of a region. */
typedef struct detent_binding {
  /** Index of an INPUT or OUTPUT region (INVALID_ARGUMENT; outside the table TABLE_RANGE), once in one call
   *  (INVALID_ARGUMENT). */
  uint32_t region;
  /** Aligned as the region is (ALIGNMENT); it shares no byte with the arena, with another region where that stands
   *  after the call, or with another binding (OVERLAP). An INPUT region is only read. Null: where detent_init placed
   *  the region. */
  void *data;
  /** Bytes at `data`: at least the region's (of an OUTPUT region INSUFFICIENT_SIZE, else OUT_OF_REGION), not beyond the
   * address space (OFFSET_WRAP). Of null data: ignored. */
  uint64_t size_bytes;
} detent_binding;

/** Let the runs from now on read INPUT regions from, and write OUTPUT regions to, memory of the caller: no byte is
 *  copied, nor is one of the regions' former memory. Regions that are not named stay where they are.
 *
 *  A region moves as a whole and shares no byte with another one before or after: what edges, aliases and lifetimes of
 *  the Desc promise holds for any placement that is accepted. The memory is the context's until it is bound elsewhere
 * or the context is gone: detent_run uses it, the caller fills and reads it between runs, and nobody else writes it
 *  during one.
 *
 *  @param bindings  [binding_count]; all of them take effect, or none
 *  @param error     may be null; else the status again, with the region concerned
 *  @return  OK; INVALID_ARGUMENT: `context` is null, or `bindings` with a count; BUSY: a run, reset, deinit or
 * set_policy is inside, or the context is late: its ops still use the former memory; else what detent_binding says of
 * the first binding that does not fit
 *  @note    ready or failed; any thread, not an interrupt. Sets the address of every operand of the Desc
 *           (tensor_ref_count) and compares each binding with every region; nothing else is looked up again */
DETENT_NODISCARD detent_status detent_bind_regions(detent_context *context, const detent_binding *bindings,
                                                   uint32_t binding_count, detent_error *error);

/** Take ranks anew from another policy, which is copied as detent_config.policy is. Null: lowest id first.
 *
 *  @return  OK; BUSY: a run, reset, deinit or another set_policy is inside; otherwise the former policy stands:
 *           INVALID_ARGUMENT: `context` or policy->rank is null, or its ranks are not a permutation; STALLED: a strict
 *           order contradicts the edges, in all modes but the closed loop; or what its rank returned
 *  @note    ready, failed or late; does not change the state, unless the former policy now fails, too: then failed */
DETENT_NODISCARD detent_status detent_set_policy(detent_context *context, const detent_policy *policy);

/* ---- Looking at a context: every state, any thread. Null for a null context or an index outside its table. The
 * answers are the same from detent_init to detent_deinit, but for the addresses of what detent_bind_regions moves: ask
 * for those anew after it, and not during it. */

/** Base address of a region, for filling inputs and reading outputs between runs. Weights are const: do not write. */
void *detent_region_base(const detent_context *context, uint32_t region);

/** Address of a tensor's first byte; the tensor's blocks follow as the Desc says. */
void *detent_tensor_data(const detent_context *context, uint32_t tensor);

/** How large a tensor is: its dims, or, of the first output of an op with DETENT_OP_SIZED, the extents that this wrote
 *  in the last run that executed it, or before such a run anything. Between runs.
 *
 *  @param extents  [DETENT_MAX_RANK], the first `rank` of them filled, but with INVALID_ARGUMENT and UNSUPPORTED
 *  @param rank     filled so, too
 *  @return  OK; INSUFFICIENT_SIZE: one is above its bound, so the op has failed with that code, and this is what it
 *           needs; SHAPE: one is below 0; UNSUPPORTED: the extents are no output of the network, so their bytes may be
 *           others' by now, or ops write them to several tensors; INVALID_ARGUMENT: null, or no tensor of the Desc
 *  @note    looks at every op of the Desc */
DETENT_NODISCARD detent_status detent_tensor_extents(const detent_context *context, uint32_t tensor, int64_t *extents,
                                                     uint32_t *rank);

/** The bound entity of an op, in the arena. */
const detent_entity *detent_context_entity(const detent_context *context, uint32_t op);

/** Where op `op` stands, now: while a run is on, after it, and until the next one begins.
 *
 *  Any thread, kernels, back ends and interrupts included: it takes no lock, and the engine never waits for it. What it
 *  answers is one moment of one run; answers about two ops may be of two moments. One thread never sees an op go back:
 *  from one call to the next the run, and within a run the state, stay or grow. It reads again only when a run began
 *  during the call, and confuses two runs only if 2^24 of them begin during it.
 *
 *  @param record  not null; filled with OK only
 *  @return  OK; INVALID_ARGUMENT: a null argument, or `op` is not an id; UNSUPPORTED: config.op_states was false
 *  @see     docs/ENGINE.md, "Where an op stands", for who writes what in which mode */
DETENT_NODISCARD detent_status detent_context_op_state(const detent_context *context, uint32_t op,
                                                       detent_op_record *record);

/** The log ring of a slot; also null when logging is off.
 *
 *  Slots are 0 to worker_count; where no slot has the number worker_count (no scheduler thread), that ring holds the
 *  ASYNC ops. Ring worker_count + 1 holds rejected completions. Serial mode counts as one worker.
 *
 *  @note  the records are stable in ready and failed. While running, and in the slot of a late op, they are being
 *         written; the ring of rejected completions is written by detent_complete */
const detent_log *detent_context_log(const detent_context *context, uint32_t slot);

/** Forget all log records; the rings' clocks go on. Ready or failed only, ordered by the caller after detent_run and
 *  before the next: no status tells otherwise, the rings would be written by two threads. Null is ignored. */
void detent_clear_log(detent_context *context);

/* ---- Ports. The caller keeps the detent_port that a context is given by pointer. */

/** No threads and nothing of an operating system: slot 0 alone, and any number of contexts.
 *
 *  @param now_ps  the clock: picoseconds that never decrease. Null: there is none; all times are 0, and a config with
 *                 op_deadline_ps is INVALID_ARGUMENT
 *  @param self    handed to now_ps
 *  @note  waiting for a back end that answers later is a busy loop: the answer comes from an interrupt */
detent_port detent_port_single_clocked(uint64_t (*now_ps)(void *self), void *self);

/** detent_port_single_clocked with CLOCK_MONOTONIC. POSIX hosts only. */
detent_port detent_port_single(void);

/** Bytes of state that detent_port_posix needs. POSIX hosts only. */
size_t detent_port_posix_bytes(void);

/** POSIX threads: DETENT_MAX_WORKERS + 1 slots, one context at a time, a clock that begins near 0. POSIX hosts only.
 *
 *  @param state  detent_port_posix_bytes() bytes, aligned to DETENT_CACHE_LINE; the port's until its last context is
 *         gone
 *  @param port   filled on OK
 *  @return  OK; INVALID_ARGUMENT: a null argument; ALIGNMENT; NO_SPACE: `state` is too small; WORKER_FAILED: the system
 *           has no mutex or condition left
 *  @note    measures the processor's pause for less than a millisecond. Default workers: detent_default_worker_count()
 */
DETENT_NODISCARD detent_status detent_port_posix(void *state, size_t state_bytes, detent_port *port);

#ifdef __cplusplus
}
#endif
#endif
