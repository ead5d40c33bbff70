/* Seam: a policy says which ready entity runs next, as a unique rank per op, lowest first. */
#ifndef DETENT_RUNTIME_POLICY_H_
#define DETENT_RUNTIME_POLICY_H_

#include <stdbool.h>

#include <detent/desc.h>
#include <detent/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The table of one policy. detent_init and detent_set_policy copy it; what `self` points to outlives the context. */
typedef struct detent_policy {
  /** The policy's own; first argument of rank. */
  void *self;
  /** For people and reports; the engine does not read it. */
  const char *name;
  /** Fill rank[op_count] with a permutation of 0..op_count-1. Not null.
   *
   *  Called by detent_init and detent_set_policy and, when per_run is set, at the beginning of each run, on the
   *  thread of the caller; the Desc has passed its checks then. No allocation.
   *  @param work  2*op_count words for the policy's use, holding anything
   *  @return  OK; anything else is returned by the function that asked for ranks. Ranks that are not a permutation are
   *           INVALID_ARGUMENT there */
  detent_status (*rank)(void *self, const detent_desc *desc, uint32_t *rank, uint64_t *work);
  /** Ranks are taken anew for each run. */
  bool per_run;
  /** Ops start exactly in rank order: an op waits until every op of lower rank has started (replay of an order). */
  bool strict;
  /** In the closed loop an op takes its place when it becomes ready, behind those that are ready then; ops that one
   *  completion makes ready, by id. Ranks put the ops without predecessors first, and say what other modes do. Not
   *  together with strict (INVALID_ARGUMENT). */
  bool by_arrival;
} detent_policy;

/* The policies below answer OK from rank unless their comment says otherwise. Making one is free, from any thread. */

/** First ready, first started; in other modes than the closed loop the order in which ops become ready one after
 *  another. Refuses as detent_policy_critical_path. */
detent_policy detent_policy_fifo(void);

/** Lowest op id first. The default. */
detent_policy detent_policy_id(void);

/** Lowest detent_op.priority first, ties by id. */
detent_policy detent_policy_priority(void);

/** Longest path to the end first, ties by id. An op costs worst_ps of detent_desc.costs, else flops, else 1. On a Desc
 *  that was not checked its rank returns CYCLE, TABLE_RANGE or SUCCESSOR_RANGE. */
detent_policy detent_policy_critical_path(void);

/** What detent_policy_random draws from. */
typedef struct detent_random_state {
  /** Any value. Each ranking shuffles the ops by it and advances it: detent_init and detent_set_policy make one, and
   *  each run makes another. */
  uint64_t seed;
} detent_random_state;

/** A seeded shuffle per run. `state` belongs to the caller, outlives the context and is written by every ranking, so
 *  two contexts that run at the same time need one each. */
detent_policy detent_policy_random(detent_random_state *state);

/** What detent_policy_given follows. */
typedef struct detent_given_order {
  /** [count]: every op once, none before a predecessor. */
  const uint32_t *ops;
  /** Equals op_count. */
  uint32_t count;
} detent_given_order;

/** Ops start strictly in this order. `order` belongs to the caller and outlives the context; it is read at each
 *  ranking. Its rank returns INVALID_ARGUMENT for null, another count, an op twice, or an edge against the order. */
detent_policy detent_policy_given(const detent_given_order *order);

#ifdef __cplusplus
}
#endif
#endif
