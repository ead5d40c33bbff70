/* Seam: what the runtime needs of the world under it. One table per world: single (no threads), posix, SystemC
 * (sim/), explorer (verify/explore). One contract suite runs on all of them (tests/port_contract).
 *
 * The engine's threads are slots, numbered from 0: slot 0 is the thread that calls detent_run, slots 1 and up are
 * threads that the port starts in detent_init and joins in detent_deinit. Every function gets the port's `self`. */
#ifndef DETENT_RUNTIME_PORT_H_
#define DETENT_RUNTIME_PORT_H_

#include <stdbool.h>
#include <stdint.h>

#include <detent/compiler.h>
#include <detent/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of checkpoints: steps of the engine that a port can watch, delay or charge time for. A port receives those
 *  whose bit stands in its checkpoint_mask. The comment says what `index` is, where it is not the id of the op. */
typedef DETENT_ENUM(detent_checkpoint){
    /** Before an access to a word that slots share; index = (offset of the word from the context / 4) * 2, plus 1 if
     *  the access may write. */
    DETENT_CP_ATOMIC = 1u << 0,
    /** The scheduler role has been acquired; index = op_count. */
    DETENT_CP_LOCK = 1u << 1,
    /** An entry is put into or taken from the queue of ready ops or of completions. */
    DETENT_CP_QUEUE = 1u << 2,
    /** An entity is about to be dispatched. */
    DETENT_CP_DISPATCH = 1u << 3,
    /** The op begins: its begin has been logged. */
    DETENT_CP_OP_BEGIN = 1u << 4,
    /** The op has ended. */
    DETENT_CP_OP_END = 1u << 5,
    /** A log record has been written; index = its op, or DETENT_NONE. */
    DETENT_CP_LOG = 1u << 6,
    /** The scheduler role is about to be released; index = op_count. */
    DETENT_CP_UNLOCK = 1u << 7,
    /** The ATOMIC that comes next writes only where it finds this value; index = the value. */
    DETENT_CP_COMPARE = 1u << 9} detent_checkpoint;

/** A bit of checkpoint_mask that is not a checkpoint: the index of ATOMIC is multiplied by 16 and says in the low four
 *  bits how the word is accessed (runtime/base/atomic.h). */
#define DETENT_CP_ATOMIC_ORDERS (1u << 8)

/** The table of one port. Contexts keep it by pointer; it does not change from detent_init to detent_deinit.
 *
 *  Every function but checkpoint, claim and release is required, else detent_init returns INVALID_ARGUMENT.
 *
 *  A port serves one context at a time, unless its slots keep nothing (claim is null): threads and notifications belong
 *  to slot numbers, and two contexts would take each other's. Give each context a port of its own, or a worker pool to
 *  those that share threads (worker_pool.h): then the pool has the port, each caller waits on a slot of its own, which
 *  is not started, and the ops of all members count through where a checkpoint names one. */
typedef struct detent_port {
  /** The port's own; first argument of its functions. */
  void *self;
  /** DETENT_CP_* bits; 0 natively: the calls cost one predicted branch. */
  uint32_t checkpoint_mask;
  /** Pauses before a slot parks in wait. 0: it parks at once, and the closed loop hands a ready op to every free worker
   *  at once; above 0 only where the op is worth the hand-over. */
  uint32_t spin_limit;
  /** Active waiting, as OpenMP's OMP_WAIT_POLICY calls it: pauses, above spin_limit, before a slot of the closed loop
   *  parks that waits for an op. Workers are then woken at the begin of a run that gains by them, and the engine
   * measures in a few runs how long ops take, instead of believing cost hints. Only for contexts whose slots have a
   * processor each (`processors`), and of no worker pool. 0: passive waiting, spin_limit pauses and the hints as they
   * are. */
  uint32_t active_spin_limit;
  /** Processors on which slots run at the same time; 0: not known. */
  uint32_t processors;
  /** Slots that this port can serve; 1: no threads. detent_init returns WORKER_FAILED where it needs more. */
  uint32_t max_slots;
  /** What detent_default_config takes as worker_count; 0 = serial. */
  uint32_t default_workers;

  /** Monotonic time, picoseconds. From any slot and from threads inside detent_complete, at the same time. */
  uint64_t (*now_ps)(void *self);
  /** One short critical section for threads inside detent_complete, which calls now_ps and checkpoint in it. Not
   *  nested. Where an interrupt may call detent_complete, lock must keep it out. */
  void (*lock)(void *self);
  /** Ends the critical section; the same thread. */
  void (*unlock)(void *self);
  /** Park `slot` until notify(slot), or now_ps() >= deadline_ps (UINT64_MAX = never). A notify that came before is
   *  remembered (binary). May return spuriously; the caller loops on its predicate. Called by the slot itself. */
  void (*wait)(void *self, uint32_t slot, uint64_t deadline_ps);
  /** Wake `slot`. Callable from any thread. Everything written before is visible after the wait returns. */
  void (*notify)(void *self, uint32_t slot);
  /** Start slot >= 1 running entry(arg), which returns when the context is shut down. Called by detent_init.
   *
   *  @return  OK; anything else: detent_init joins the slots that did start and returns WORKER_FAILED */
  detent_status (*start)(void *self, uint32_t slot, void (*entry)(void *arg), void *arg);
  /** Wait until the slot's entry has returned. Called by detent_deinit, and by a detent_init that fails. */
  void (*join)(void *self, uint32_t slot);
  /** One turn of a spin loop. */
  void (*pause)(void *self);
  /** The engine has come to a step of checkpoint_mask. Null only when the mask is 0. `slot` is DETENT_NONE (UINT32_MAX)
   *  on a thread that is none of the engine's: inside detent_complete or detent_cancel. */
  void (*checkpoint)(void *self, detent_checkpoint kind, uint32_t slot, uint32_t index);
  /** Make the slots those of one context, on any thread. Null, with release: any number of contexts may use the port at
   *  once.
   *
   *  @return  OK; BUSY, or anything else, while another context has them: detent_init returns BUSY */
  detent_status (*claim)(void *self);
  /** The claim is over: every started slot has been joined. Called by detent_deinit, and by a detent_init that fails
   *  after its claim. */
  void (*release)(void *self);
} detent_port;

#ifdef __cplusplus
}
#endif
#endif
