/* Seam: what the runtime needs of the world under it. One table per world: single (no threads), posix, SystemC
 * (sim/), explorer (verify/explore). One contract suite runs on all of them (tests/port_contract). */
#ifndef DETENT_RUNTIME_PORT_H_
#define DETENT_RUNTIME_PORT_H_

#include <stdbool.h>
#include <stdint.h>

#include <detent/enum.h>
#include <detent/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of checkpoints; a port receives those whose bit stands in its checkpoint_mask. */
typedef DETENT_ENUM(detent_checkpoint){
    DETENT_CP_ATOMIC = 1u << 0,   /**< before an access to a shared word (runtime/base/atomic.h) */
    DETENT_CP_LOCK = 1u << 1,     /**< the scheduler role has been acquired */
    DETENT_CP_QUEUE = 1u << 2,    /**< an entry is put into or taken from the Ready- or CompleteQueue */
    DETENT_CP_DISPATCH = 1u << 3, /**< an entity is about to be dispatched; index = op */
    DETENT_CP_OP_BEGIN = 1u << 4, /**< index = op */
    DETENT_CP_OP_END = 1u << 5,   /**< index = op */
    DETENT_CP_LOG = 1u << 6,      /**< a log record has been written */
    DETENT_CP_UNLOCK = 1u << 7,   /**< the scheduler role is about to be released */
    DETENT_CP_COMPARE = 1u << 9 /**< the ATOMIC that comes next writes only where it finds this value; index = value */
} detent_checkpoint;

/** A bit of checkpoint_mask that is no checkpoint: the index of ATOMIC also says how the word is accessed. */
#define DETENT_CP_ATOMIC_ORDERS (1u << 8)

/** Slots: 0 is the thread that calls detent_run; 1.. are the threads that the port starts.
 *
 *  A port serves one context at a time, unless its slots keep nothing (claim is null): threads and notifications belong
 *  to slot numbers, and two contexts would take each other's. detent_init claims the port, detent_deinit releases it; a
 *  second context on a claimed port is refused with BUSY. Give each context a port of its own. */
typedef struct detent_port {
  void *self;
  uint32_t checkpoint_mask; /**< DETENT_CP_* bits; 0 natively: the calls cost one predicted branch */
  uint32_t spin_limit;      /**< pauses before a slot parks in wait; 0 = park at once */
  uint32_t max_slots;       /**< slots this port can serve; 1 = no threads */
  uint32_t default_workers; /**< what detent_default_config takes as worker_count; 0 = serial */

  /** Monotonic time, picoseconds. */
  uint64_t (*now_ps)(void *self);
  /** One short critical section for callers outside the engine's slots (asynchronous completions). Not nested. */
  void (*lock)(void *self);
  void (*unlock)(void *self);
  /** Park `slot` until notify(slot), or now_ps() >= deadline_ps (UINT64_MAX = never). A notify that came before is
   *  remembered (binary). May return spuriously; the caller loops on its predicate. */
  void (*wait)(void *self, uint32_t slot, uint64_t deadline_ps);
  /** Wake `slot`. Callable from any thread. Everything written before is visible after the wait returns. */
  void (*notify)(void *self, uint32_t slot);
  /** Start slot >= 1 running entry(arg). WORKER_FAILED if it cannot. */
  detent_status (*start)(void *self, uint32_t slot, void (*entry)(void *arg), void *arg);
  /** Wait until the slot's entry has returned. */
  void (*join)(void *self, uint32_t slot);
  /** One turn of a spin loop. */
  void (*pause)(void *self);
  /** See checkpoint_mask. Null when the mask is 0. `slot` is DETENT_NONE (UINT32_MAX) on a thread that is none of the
   *  engine's: inside detent_complete, or detent_cancel. `index` of ATOMIC: see runtime/base/atomic.h. */
  void (*checkpoint)(void *self, detent_checkpoint kind, uint32_t slot, uint32_t index);
  /** Make the slots those of one context, on any thread: BUSY while another one has them. Both null: any number of
   *  contexts may use the port at once. */
  detent_status (*claim)(void *self);
  /** The claim is over: every started slot has been joined. */
  void (*release)(void *self);
} detent_port;

#ifdef __cplusplus
}
#endif
#endif
