/* Desc: the const C tables of one lowered network; the contract between models/ and runtime/.
 *
 * Everything is plain data without pointers into mutable memory, so a Desc can be compiled into firmware as `const`.
 * Tables refer to each other by index. All sizes and offsets are bytes. Nothing here is trusted: detent_init checks
 * every rule that a comment below states (catalogue numbers in runtime/include/detent/status.h).
 */
#ifndef DETENT_RUNTIME_DESC_H_
#define DETENT_RUNTIME_DESC_H_

#include <stdint.h>

#include <detent/enum.h>
#include <detent/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef DETENT_ENUM(detent_region_kind){
    DETENT_REGION_WORKSPACE = 0, /**< activations and scratch; reused within a run */
    DETENT_REGION_INPUT = 1,     /**< written by the application before a run, read-only during it */
    DETENT_REGION_OUTPUT = 2,    /**< written by ops, read by the application after a run */
    DETENT_REGION_WEIGHTS = 3    /**< const; .data must not be null */
} detent_region_kind;

/** One memory region. Regions never overlap each other. */
typedef struct detent_region {
  const char *name;
  detent_region_kind kind;
  uint64_t size_bytes;  /**< > 0, <= DETENT_MAX_BYTES */
  uint32_t align_bytes; /**< power of two; alignment of the base address */
  const void *data;     /**< WEIGHTS: the bytes. Other kinds: null; the context places them */
} detent_region;

typedef DETENT_ENUM(detent_dtype){DETENT_U8 = 0,   DETENT_I8 = 1,  DETENT_I32 = 2, DETENT_F32 = 3,
                                  DETENT_BOOL = 4, DETENT_F16 = 5, DETENT_I64 = 6, DETENT_F64 = 7} detent_dtype;

typedef DETENT_ENUM(detent_layout){
    DETENT_LAYOUT_PLAIN = 0, /**< dense row-major over dims */
    DETENT_LAYOUT_C16 = 1    /**< dims [1,C,H,W] stored as [ceil(C/16)][H][W][16]; padding channels hold 0 */
} detent_layout;

enum {
  DETENT_TENSOR_RANGE = 1u /**< a bare byte range of an op graph: no producer or lifetime rule applies to it */
};

/** A tensor: a set of bytes of one region, as `block_count` blocks of `block_bytes` bytes, `stride_bytes` apart,
 *  the first at `offset_bytes`. A dense tensor has one block. */
typedef struct detent_tensor {
  const char *name;
  uint32_t region;
  uint32_t flags;        /**< DETENT_TENSOR_* */
  uint64_t offset_bytes; /**< of the first byte, within the region */
  uint64_t size_bytes;   /**< extent: from the first byte to one past the last; > 0.
                              Equals (block_count-1)*stride_bytes + block_bytes */
  uint64_t block_bytes;  /**< > 0 */
  uint64_t stride_bytes; /**< >= block_bytes when block_count > 1, else 0 */
  uint32_t block_count;  /**< >= 1 */
  uint32_t align_bytes;  /**< power of two; (region base + offset) must satisfy it */
  uint32_t alias_of;     /**< DETENT_NONE, or the tensor this one is a view of: inside its extent, same dtype */
  uint32_t live_begin;   /**< ids of the first and the last op, in the serial order, at which the bytes hold this */
  uint32_t live_end;     /**<   tensor; both DETENT_NONE where no lifetime is claimed. Views carry none of their own.
                              The serial order is topological, lowest id first: ascending ids where edges ascend */
  uint8_t dtype;         /**< detent_dtype */
  uint8_t layout;        /**< detent_layout */
  uint8_t rank;          /**< <= DETENT_MAX_RANK; 0 for ranges */
  int32_t dims[DETENT_MAX_RANK]; /**< > 0 each, for the first `rank` */
} detent_tensor;

/** A slice [first, first+count) of one of the index tables of the Desc. */
typedef struct detent_slice {
  uint32_t first;
  uint32_t count;
} detent_slice;

enum {
  DETENT_OP_DELAY = 1u,   /**< a pseudo-op for a transfer delay or a release time; computes nothing */
  DETENT_OP_IN_PLACE = 2u /**< outputs may share bytes with this op's own inputs */
};

/** An op, with the parts of a schedulable entity apart: kernel, inputs, outputs, weights, exec config, entry count. */
typedef struct detent_op {
  const char *name;
  uint32_t id;            /**< equals the op's index */
  uint32_t kernel;        /**< index into kernels */
  uint32_t core_class;    /**< index into classes */
  uint32_t flags;         /**< DETENT_OP_* */
  detent_slice inputs;    /**< into tensor_refs: read */
  detent_slice outputs;   /**< into tensor_refs: written */
  detent_slice weights;   /**< into tensor_refs: read, in WEIGHTS regions only */
  detent_slice scratch;   /**< into tensor_refs: written and read back by this op alone */
  uint32_t config_offset; /**< into config_bytes, a multiple of 8 */
  uint32_t config_size;
  uint32_t entry_count;    /**< indegree: number of predecessors */
  detent_slice successors; /**< into successors; ascending, no duplicates */
  detent_slice mutexes;    /**< into mutex_refs: ops that share one never run at the same time */
  uint32_t commute_group;  /**< DETENT_NONE, or: the order among ops of one group does not change the result */
  int32_t priority;        /**< for the policy "priority": lower runs first, ties by id */
} detent_op;

/** Time and work of one op. Host side only: the runtime uses it for critical-path ranks and wake-up hints. */
typedef struct detent_op_cost {
  uint64_t best_ps; /**< execution time range; both UINT64_MAX: unknown, take a roofline of the work below */
  uint64_t worst_ps;
  uint64_t flops;
  uint64_t read_bytes; /**< including weights */
  uint64_t write_bytes;
} detent_op_cost;

typedef DETENT_ENUM(detent_class_kind){
    DETENT_CLASS_WORKERS = 0, /**< executed by workers of this class */
    DETENT_CLASS_ASYNC = 1    /**< submitted by the scheduler as soon as ready, completed later; unbounded */
} detent_class_kind;

/** A class of cores. Class 0 is the CPU. Class names select back ends and the cores of a platform. */
typedef struct detent_class {
  const char *name;
  detent_class_kind kind;
} detent_class;

typedef DETENT_ENUM(detent_step_kind){DETENT_STEP_EXEC = 0, DETENT_STEP_IF = 1, DETENT_STEP_WHILE = 2,
                                      DETENT_STEP_GOTO = 3} detent_step_kind;

/** A step of an execution plan (control flow over subsets of ops). */
typedef struct detent_step {
  detent_step_kind kind;
  detent_slice ops;        /**< EXEC: range of op ids */
  uint32_t condition;      /**< IF, WHILE: tensor, dtype BOOL, one element */
  uint32_t then_step;      /**< IF: then; WHILE: body; GOTO: target */
  uint32_t else_step;      /**< IF: else; WHILE: exit */
  uint32_t max_iterations; /**< WHILE: > 0 */
} detent_step;

/** The lists of one static schedule: worker w runs list_ops[lists[w]] in order. */
typedef struct detent_static_schedule {
  uint32_t worker_count;
  const detent_slice *lists; /**< [worker_count], into list_ops */
  const uint32_t *list_ops;  /**< every op exactly once over all lists */
} detent_static_schedule;

typedef struct detent_desc {
  const char *name;
  const detent_region *regions;
  uint32_t region_count;
  const detent_tensor *tensors;
  uint32_t tensor_count;
  const detent_op *ops;
  uint32_t op_count;
  const uint32_t *tensor_refs;
  uint32_t tensor_ref_count;
  const uint32_t *successors;
  uint32_t successor_count;
  const uint32_t *mutex_refs;
  uint32_t mutex_ref_count;
  uint32_t mutex_count; /**< mutex ids are below this */
  const char *const *mutex_names;
  const char *const *kernels; /**< kernel names; the back end resolves them */
  uint32_t kernel_count;
  const detent_class *classes;
  uint32_t class_count;
  const uint8_t *config_bytes; /**< 8-byte aligned */
  uint32_t config_byte_count;
  const uint32_t *inputs; /**< model inputs, tensors */
  uint32_t input_count;
  const uint32_t *outputs; /**< model outputs, tensors; may be empty for op graphs */
  uint32_t output_count;
  const detent_op_cost *costs; /**< [op_count] or null */
  const detent_step *steps;    /**< null: all ops, no control flow */
  uint32_t step_count;
  const detent_static_schedule *schedules; /**< null: static lists are computed at bind */
  uint32_t schedule_count;
} detent_desc;

#ifdef __cplusplus
}
#endif
#endif
