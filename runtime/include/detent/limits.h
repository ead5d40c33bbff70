/* Fixed limits of the target runtime. Each one is checked at bind; none can be exceeded at run time. */
#ifndef DETENT_RUNTIME_LIMITS_H_
#define DETENT_RUNTIME_LIMITS_H_

#include <stdint.h>

/** "No index": in alias_of, live_begin, error.op and everywhere else an optional index stands. */
#define DETENT_NONE UINT32_MAX
/** Largest number of ops in one Desc: more is TABLE_RANGE. */
#define DETENT_MAX_OPS 4000000u
/** Largest number of tensors that one op may name in one role (inputs, outputs, weights, scratch): more is
 *  TOO_MANY_TENSORS. */
#define DETENT_MAX_OP_TENSORS 4096u
/** Conditions around an op: a branch in a branch, an iteration after an iteration. More is GUARD. */
#define DETENT_MAX_GUARD_DEPTH 64u
/** Guarded ops that write one tensor, of which a run executes one at most: more is PRODUCER. */
#define DETENT_MAX_ALTERNATIVES 128u
/** Largest tensor rank: more is SHAPE. */
#define DETENT_MAX_RANK 6u
/** Largest number of regions (workspace, input, output, weights) in one Desc: more is TABLE_RANGE. */
#define DETENT_MAX_REGIONS 65536u
/** Largest number of core classes in one Desc: more is TABLE_RANGE. */
#define DETENT_MAX_CLASSES 16u
/** Largest number of workers in one context: more is INVALID_ARGUMENT. */
#define DETENT_MAX_WORKERS 64u
/** Largest number of workers of a worker pool, and of contexts that are members of one at once. */
#define DETENT_MAX_POOL_WORKERS 32u
#define DETENT_MAX_POOL_MEMBERS 16u
/** Largest size of a region (else OUT_OF_REGION) and of a tensor's dims in their layout (else SHAPE), bytes: 1 TiB. */
#define DETENT_MAX_BYTES ((uint64_t)1 << 40)
/** Words written by different workers stand at least this far apart, bytes. */
#define DETENT_CACHE_LINE 128u

#endif
