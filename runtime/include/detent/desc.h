/* Desc: the const C tables of one lowered network; the contract between models/ and runtime/.
 *
 * Everything is plain data without pointers into mutable memory, so a Desc can be compiled into firmware as `const`.
 * Tables refer to each other by index. All sizes and offsets are bytes.
 *
 * A context keeps the Desc and all its tables by pointer and never writes them; several contexts may share one. Nothing
 * in it is trusted: detent_init, and detent_check without a context, check every rule that a comment below states, and
 * return the status that the comment names. A table with entries must not be null (INVALID_ARGUMENT), every index stays
 * inside its table (TABLE_RANGE where nothing else is said), and sizes are capped (limits.h). Names that are not called
 * required are for people, may be null, and are never read by the runtime. */
#ifndef DETENT_RUNTIME_DESC_H_
#define DETENT_RUNTIME_DESC_H_

#include <stdint.h>

#include <detent/compiler.h>
#include <detent/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a region holds. Another number is INVALID_ARGUMENT. */
typedef DETENT_ENUM(detent_region_kind){/** Activations and scratch; reused within a run. */
                                        DETENT_REGION_WORKSPACE = 0,
                                        /** Written by the application before a run, read-only during it. */
                                        DETENT_REGION_INPUT = 1,
                                        /** Written by ops, read by the application after a run. */
                                        DETENT_REGION_OUTPUT = 2,
                                        /** Const; .data must not be null (INVALID_ARGUMENT). */
                                        DETENT_REGION_WEIGHTS = 3} detent_region_kind;

/** One memory region. Regions never overlap each other (OVERLAP, looked at by detent_init, which knows the addresses).
 */
typedef struct detent_region {
  const char *name;
  detent_region_kind kind;
  /** Above 0 (EMPTY), at most DETENT_MAX_BYTES (OUT_OF_REGION). */
  uint64_t size_bytes;
  /** Power of two; alignment of the base address (ALIGNMENT). */
  uint32_t align_bytes;
  /** WEIGHTS: the bytes, aligned. Other kinds: null (INVALID_ARGUMENT); detent_config or the arena places them. */
  const void *data;
} detent_region;

/** Type of a tensor's elements. Numbers are IEEE 754 or two's complement in the processor's byte order; BOOL is one
 *  byte, BF16 the upper half of an F32. */
typedef DETENT_ENUM(detent_dtype){DETENT_U8 = 0,  DETENT_I8 = 1,  DETENT_I32 = 2, DETENT_F32 = 3, DETENT_BOOL = 4,
                                  DETENT_F16 = 5, DETENT_I64 = 6, DETENT_F64 = 7, DETENT_BF16 = 8} detent_dtype;

/** Order of a tensor's elements in memory. */
typedef DETENT_ENUM(detent_layout){/** Dense row-major over dims. */
                                   DETENT_LAYOUT_PLAIN = 0,
                                   /** Dims [1,C,H,W] stored as [ceil(C/16)][H][W][16]; padding channels hold 0. */
                                   DETENT_LAYOUT_C16 = 1} detent_layout;

/* Bits of detent_tensor.flags. */
enum {
  /** A bare byte range of an op graph: it needs no producer and may share bytes with any tensor. */
  DETENT_TENSOR_RANGE = 1u
};

/** A tensor: a set of bytes of one region, as `block_count` blocks of `block_bytes` bytes, `stride_bytes` apart, the
 *  first at `offset_bytes`. A dense tensor has one block.
 *
 *  Each byte that an op reads has one producer: an op that writes it, the application (INPUT regions,
 *  detent_desc.inputs) or the linker (WEIGHTS). Two ops that write the same byte of one tensor and its views, or an
 *  input of an op that nobody writes, are PRODUCER; an op in place, and one that says so
 *  (DETENT_OP_REPLACES), replaces a version and does not count as a second one, and guarded ops may write one tensor in
 *  different runs (detent_op). */
typedef struct detent_tensor {
  const char *name;
  /** Index into regions. */
  uint32_t region;
  /** DETENT_TENSOR_* */
  uint32_t flags;
  /** Of the first byte, within the region. offset + size must not wrap (OFFSET_WRAP) nor leave it (OUT_OF_REGION). */
  uint64_t offset_bytes;
  /** Extent: from the first byte to one past the last, above 0 (EMPTY). Equals
   *  (block_count - 1) * stride_bytes + block_bytes (SHAPE). */
  uint64_t size_bytes;
  /** Bytes of one block, above 0 (EMPTY). */
  uint64_t block_bytes;
  /** From block to block: at least block_bytes when block_count > 1, else 0 (SHAPE). */
  uint64_t stride_bytes;
  /** At least 1 (EMPTY). */
  uint32_t block_count;
  /** Power of two, at most the region's; divides the offset (ALIGNMENT, of a view ALIAS_TYPE). */
  uint32_t align_bytes;
  /** DETENT_NONE, or the tensor this one is a view of: inside its extent, in its region, without a cycle (ALIAS), of
   *  the same dtype (ALIAS_TYPE). */
  uint32_t alias_of;
  /** Ids of the first and the last op, in the serial order (topological, lowest id first), at which the bytes hold
   *  this tensor; both DETENT_NONE where no lifetime is claimed. Views carry none; other ids, one of the two alone, or
   *  an op outside of it that uses the tensor or a view of it are LIFETIME. Inputs live before the first op, too, and
   *  outputs after the last. Tensors that live at the same time share no byte (OVERLAP), but where an op in place
   *  turns one into the other, and none lives in a WEIGHTS region (WEIGHT_WRITTEN). */
  uint32_t live_begin;
  /** As live_begin, and not before it in the serial order (LIFETIME). */
  uint32_t live_end;
  /** detent_dtype; another number is SHAPE. */
  uint8_t dtype;
  /** detent_layout; another number is SHAPE. */
  uint8_t layout;
  /** At most DETENT_MAX_RANK, C16: 4 (SHAPE). 0: a single element, or a range without a shape. */
  uint8_t rank;
  /** Above 0 each, for the first `rank`; in dtype and layout they fill the blocks exactly (SHAPE). */
  int32_t dims[DETENT_MAX_RANK];
} detent_tensor;

/** A slice [first, first + count) of one of the index tables of the Desc. */
typedef struct detent_slice {
  uint32_t first;
  uint32_t count;
} detent_slice;

/* Bits of detent_op.flags. */
enum {
  /** A pseudo-op for a transfer delay or a release time: computes nothing and names no tensors (SHAPE). */
  DETENT_OP_DELAY = 1u,
  /** Outputs may share bytes with this op's own inputs; otherwise that is IN_PLACE. */
  DETENT_OP_IN_PLACE = 2u,
  /** Control flow: the last of the inputs is the op's guard, which the kernel is not given. The op is executed in the
   *  runs in which the guard is 1; in others it ends at once, with code 0, and touches nothing. See detent_op. */
  DETENT_OP_GUARDED = 4u,
  /** With DETENT_OP_GUARDED, else GUARD: it is executed where the guard is 0. */
  DETENT_OP_IF_FALSE = 8u,
  /** Its failure does not end the run: the last of the outputs, which the kernel is not given, becomes 1 where the
   *  kernel or back end gives another code than 0, else 0, and the op counts as ended with code 0. See detent_op. */
  DETENT_OP_FALLIBLE = 16u,
  /** Its outputs take the place of what another op has written into the same tensors, which it does not read: no second
   *  production of them (PRODUCER). That it comes after the other one, and before those that read, is for edges to say
   *  and for checkers to prove. */
  DETENT_OP_REPLACES = 32u,
  /** Size known at run time: the last of the outputs that the kernel is given, the extents, says how large the first
   * one is in this run. Its dims are the bound, for which memory is planned. See detent_op. */
  DETENT_OP_SIZED = 64u
};

/** What a guard holds whose op was itself not executed: ops that it guards are not executed either. */
enum { DETENT_UNDECIDED = 2u };

/** An op, with the parts of a schedulable entity apart: kernel, inputs, outputs, weights, exec config, entry count.
 *  At most DETENT_MAX_OP_TENSORS tensors a role.
 *
 *  Guarded ops (DETENT_OP_GUARDED) are how IF and WHILE are executed: ops of two branches are guarded by one condition,
 *  those of an iteration by the condition before it, up to a number of iterations that is fixed. Every op is scheduled
 *  in every run, so orders and bounds hold for all of them. Broken rules of guards are GUARD:
 *   - a guard is a BOOL of one element, neither a view nor a range; an op that finds another value than 0, 1 or
 *     DETENT_UNDECIDED fails with code DETENT_GUARD;
 *   - an op writes it as its only output (a fallible op: as its last), and no other op does, or the application does;
 *   - a guarded op whose only output is a BOOL of one element, or which is fallible, decides: it writes
 * DETENT_UNDECIDED there when it is not executed. Its tensor claims to live from the first to the last op of the serial
 * order, and in its region no op uses a range or a tensor that claims no lifetime;
 *   - conditions are nested at most DETENT_MAX_GUARD_DEPTH deep.
 *  A fallible op (DETENT_OP_FALLIBLE) and the ops that its failure guards are how a step falls back on another
 *  implementation. Broken rules are GUARD here too:
 *   - its last output may be a guard;
 *   - it does not work in place, so what it reads is whole after a failure, and writes no ranges;
 *   - each op that reads bytes of its other outputs is guarded by the last one with DETENT_OP_IF_FALSE, or by what an
 * op decides that is, and such bytes are in no output of the network; but where another op replaces the tensor
 * (DETENT_OP_REPLACES) that is guarded by the last output itself, so that it is executed whenever this one has failed,
 * others than that op may read it;
 *   - nothing reads ranges of their region, and at most DETENT_MAX_ALTERNATIVES fallible ops write one tensor or views
 * of it. An op that is late (TIMEOUT) or whose guard holds a value that none may have ends the run all the same.
 *  An op whose first output has a size that is known at run time (DETENT_OP_SIZED) writes all of it, within its dims,
 * and beside it the extents that are meant, one for each dimension. Where they are too small it writes the extents that
 *  it needs, and nothing behind its outputs. Broken rules are SHAPE:
 *   - it has two outputs at least that its kernel is given; the first has a rank above 0;
 *   - the extents are an I64 in PLAIN layout and one block, of one dimension: the rank of the first output; neither a
 * range nor a view.
 *  After the kernel the engine looks at them: an extent above its bound fails the op with code
 *  DETENT_INSUFFICIENT_SIZE, one below 0 with code DETENT_SHAPE, as if its kernel had; what is read behind the op is
 *  then never more than was planned. detent_tensor_extents tells them.
 *  Guarded ops may write one tensor, the same by index, where no run executes two of them: at most
 *  DETENT_MAX_ALTERNATIVES of them (PRODUCER). */
typedef struct detent_op {
  const char *name;
  /** Equals the op's index (OP_ID). */
  uint32_t id;
  /** Index into kernels (UNKNOWN_KERNEL). */
  uint32_t kernel;
  /** Index into classes (UNKNOWN_KERNEL). */
  uint32_t core_class;
  /** DETENT_OP_*; other bits are INVALID_ARGUMENT. */
  uint32_t flags;
  /** Into tensor_refs: read. */
  detent_slice inputs;
  /** Into tensor_refs: written; in no INPUT region (PRODUCER) and no WEIGHTS region (WEIGHT_WRITTEN). */
  detent_slice outputs;
  /** Into tensor_refs: read, in WEIGHTS regions only (WEIGHT_WRITTEN). */
  detent_slice weights;
  /** Into tensor_refs: written and read back by this op alone; in regions as outputs, and sharing no byte with another
   *  tensor of the op (OVERLAP). */
  detent_slice scratch;
  /** Into config_bytes, a multiple of 8. */
  uint32_t config_offset;
  /** Bytes of config; 0: none. */
  uint32_t config_size;
  /** Indegree: number of ops that have this one as a successor (INDEGREE). Some op has none (NO_ENTRY). */
  uint32_t entry_count;
  /** Into successors: ids in strictly ascending order (DUPLICATE_EDGE), of ops (SUCCESSOR_RANGE), not of this one
   *  (SELF_EDGE). All edges together have no CYCLE. */
  detent_slice successors;
  /** Into mutex_refs: ops that share one never run at the same time. */
  detent_slice mutexes;
  /** DETENT_NONE, or a number: the order among ops of one group does not change the result. A promise to checkers; the
   *  runtime does not read it. */
  uint32_t commute_group;
  /** For detent_policy_priority: lower runs first, ties by id. */
  int32_t priority;
  /** Affinity: bit i: worker i, counted from 0, may execute it; 0: every worker that serves its class. Bits of workers
   *  that the configuration has not, or of another class, count for nothing; where none is left, and for an op of an
   *  ASYNC class, detent_init returns UNKNOWN_KERNEL. Without workers the calling thread executes it all the same;
   *  layered mode has no place for such an op (UNSUPPORTED). */
  uint32_t workers;
} detent_op;

/** Time and work of one op on the core it is meant for. The runtime uses it for critical-path ranks and as a hint of
 *  whether another worker is worth waking; a wrong value costs time, never a result. */
typedef struct detent_op_cost {
  /** Execution time, lower end; picoseconds. Not read by the runtime. */
  uint64_t best_ps;
  /** Upper end; picoseconds. Both UINT64_MAX: unknown, take a roofline of the work below. */
  uint64_t worst_ps;
  /** Floating-point operations. */
  uint64_t flops;
  /** Bytes read, weights included. */
  uint64_t read_bytes;
  uint64_t write_bytes;
} detent_op_cost;

/** Who dispatches the ops of a class. Another number is INVALID_ARGUMENT. */
typedef DETENT_ENUM(detent_class_kind){
    /** Executed by workers of this class. */
    DETENT_CLASS_WORKERS = 0,
    /** Submitted as soon as they are ready, without a worker, and completed later; any number at once. */
    DETENT_CLASS_ASYNC = 1} detent_class_kind;

/** A class of cores. Class 0 is the CPU. Class names select back ends and the cores of a platform. */
typedef struct detent_class {
  /** Required (INVALID_ARGUMENT). */
  const char *name;
  detent_class_kind kind;
} detent_class;

/** The lists of one static schedule: worker w runs list_ops[lists[w]] in order. Lists and edges together have no CYCLE.
 */
typedef struct detent_static_schedule {
  /** From 1 to DETENT_MAX_WORKERS. */
  uint32_t worker_count;
  /** [worker_count], into list_ops. Not null (INVALID_ARGUMENT). */
  const detent_slice *lists;
  /** [op_count]: every op exactly once over all lists. Not null (INVALID_ARGUMENT). */
  const uint32_t *list_ops;
} detent_static_schedule;

/** The tables of one network. Pointers to tables without entries are not followed. */
typedef struct detent_desc {
  const char *name;
  const detent_region *regions;
  uint32_t region_count;
  const detent_tensor *tensors;
  uint32_t tensor_count;
  /** At least one op (NO_ENTRY). */
  const detent_op *ops;
  uint32_t op_count;
  /** Tensor indices that ops' slices name. */
  const uint32_t *tensor_refs;
  uint32_t tensor_ref_count;
  /** Op ids: each op's slice is the list of its successors. */
  const uint32_t *successors;
  uint32_t successor_count;
  /** Mutex ids that ops' slices name. */
  const uint32_t *mutex_refs;
  uint32_t mutex_ref_count;
  /** Mutex ids are below this. */
  uint32_t mutex_count;
  /** [mutex_count] or null. */
  const char *const *mutex_names;
  /** Kernel names, required (INVALID_ARGUMENT); the back end resolves them. */
  const char *const *kernels;
  uint32_t kernel_count;
  const detent_class *classes;
  uint32_t class_count;
  /** Exec configs of all ops; the address is a multiple of 8 (ALIGNMENT). */
  const uint8_t *config_bytes;
  uint32_t config_byte_count;
  /** Model inputs, tensors: the application fills them before a run, wherever they lie. */
  const uint32_t *inputs;
  uint32_t input_count;
  /** Model outputs, tensors that ops write (OUTPUT_UNWRITTEN); may be empty for op graphs. */
  const uint32_t *outputs;
  uint32_t output_count;
  /** [op_count] or null: no costs are known. */
  const detent_op_cost *costs;
  /** For static mode, the first with the config's number of workers. None: its lists are computed by detent_init. */
  const detent_static_schedule *schedules;
  uint32_t schedule_count;
} detent_desc;

#ifdef __cplusplus
}
#endif
#endif
