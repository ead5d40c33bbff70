/* Seam: a policy says which ready entity runs next, as a unique rank per op, lowest first. */
#ifndef DETENT_RUNTIME_POLICY_H_
#define DETENT_RUNTIME_POLICY_H_

#include <stdbool.h>

#include <detent/desc.h>
#include <detent/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct detent_policy {
  void *self;
  const char *name;
  /** Fill rank[op_count] with a permutation of 0..op_count-1. Called at init and, when per_run is set, at the start
   *  of each run. `work` has 2*op_count words. A result that is no permutation is INVALID_ARGUMENT. No allocation. */
  detent_status (*rank)(void *self, const detent_desc *desc, uint32_t *rank, uint64_t *work);
  bool per_run;
  /** Ops start exactly in rank order: an op waits until every op of lower rank has started (replay of an order). */
  bool strict;
} detent_policy;

/** Lowest op id first. The default. */
detent_policy detent_policy_id(void);
/** Lowest detent_op.priority first, ties by id. */
detent_policy detent_policy_priority(void);
/** Longest path to the end first (cost: worst_ps, else flops, else 1), ties by id. */
detent_policy detent_policy_critical_path(void);

typedef struct detent_random_state {
  uint64_t seed; /**< a run ranks the ops by this and then advances it */
} detent_random_state;
/** A seeded shuffle per run. `state` belongs to the caller and outlives the context. */
detent_policy detent_policy_random(detent_random_state *state);

typedef struct detent_given_order {
  const uint32_t *ops; /**< a linear extension of the DAG, [count] */
  uint32_t count;
} detent_given_order;
/** Ops start in this order. `order` belongs to the caller and outlives the context. */
detent_policy detent_policy_given(const detent_given_order *order);

#ifdef __cplusplus
}
#endif
#endif
