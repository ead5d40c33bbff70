/* Worker pool: threads of one port that several contexts share, so that several networks run at once on the same
 * cores. A context whose config names a pool is its *member*; it starts no threads of its own.
 *
 * Who gets a worker. A worker that becomes free looks at the members and takes the best ready op of the member with the
 * lowest priority number that has an op for it; an op that has begun is not interrupted. Of members with the same
 * number each worker serves one op each in turn. So a member waits for one with a higher number only while ops of that
 * one are executed that had begun, or that a worker was choosing, when the member's own op became ready; among k
 * members of one number, a worker that always finds ops in all of them executes one of each in any k; and a member may
 * wait as long as one of a lower number keeps all its workers busy.
 *
 * Within a member everything is as without a pool (closed loop, scheduler role): its policy, its status, its deadline,
 * its log, cancellation. A member that fails takes nothing from the others, except that an op which does not end keeps
 * its worker.
 *
 * Slots of the port: 1 to worker_count are the pool's threads. Slot worker_count + 1 + i is the caller of member i: the
 * thread inside detent_run, which waits there and executes no op of a WORKERS class. */
#ifndef DETENT_RUNTIME_WORKER_POOL_H_
#define DETENT_RUNTIME_WORKER_POOL_H_

#include <stddef.h>
#include <stdint.h>

#include <detent/compiler.h>
#include <detent/port.h>
#include <detent/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a pool is made. */
typedef struct detent_worker_pool_config {
  /** Required, complete (port.h), kept by pointer; claimed until detent_worker_pool_deinit. It needs
   *  1 + worker_count + member_count slots. */
  const detent_port *port;
  /** 1 to DETENT_MAX_POOL_WORKERS. */
  uint32_t worker_count;
  /** Contexts that can be members at once: 1 to DETENT_MAX_POOL_MEMBERS. */
  uint32_t member_count;
} detent_worker_pool_config;

/** Opaque; it lies in the caller's memory. */
typedef struct detent_worker_pool detent_worker_pool;

/** Bytes of memory, of any alignment, that detent_worker_pool_init needs. 0: a null argument, or a config that it
 *  refuses. */
size_t detent_worker_pool_bytes(const detent_worker_pool_config *config);

/** Make a pool and start its workers. The config is copied.
 *
 *  @param memory  kept until detent_worker_pool_deinit
 *  @param pool    not null; the pool on OK, else null
 *  @return  OK; INVALID_ARGUMENT: a null argument, an incomplete port, or a count outside its range; NO_SPACE: `memory`
 *           is null or too small; BUSY: the port serves another context or pool; WORKER_FAILED: the port has too few
 *           slots, or a worker could not be started */
DETENT_NODISCARD detent_status detent_worker_pool_init(void *memory, size_t memory_bytes,
                                                       const detent_worker_pool_config *config,
                                                       detent_worker_pool **pool);

/** Stop and join the workers. Ordered by the caller after the last detent_init or detent_deinit of a member.
 *
 *  @return  OK; INVALID_ARGUMENT: null; BUSY: a context is still a member */
DETENT_NODISCARD detent_status detent_worker_pool_deinit(detent_worker_pool *pool);

#ifdef __cplusplus
}
#endif
#endif
