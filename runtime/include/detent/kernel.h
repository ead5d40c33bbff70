/* Kernels: what computes an op. A kernel sees resolved addresses and its exec config, nothing else. */
#ifndef DETENT_RUNTIME_KERNEL_H_
#define DETENT_RUNTIME_KERNEL_H_

#include <detent/desc.h>
#include <detent/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A tensor with its address. */
typedef struct detent_buffer {
  /** The tensor's first byte; further blocks follow at tensor->stride_bytes. Aligned to tensor->align_bytes. */
  void *data;
  /** In the Desc's table: dims, dtype, layout, blocks. */
  const detent_tensor *tensor;
} detent_buffer;

/** Everything that a kernel may touch. Lies in the context's arena and does not change between detent_init and
 *  detent_deinit, so a back end may hand its address on; but the addresses of buffers change with detent_bind_regions,
 *  between runs: read them when the op is executed. */
typedef struct detent_kernel_args {
  /** [input_count], in the order of detent_op.inputs; a guard is not counted and stands behind them. Read only, but for
   * what a DETENT_OP_IN_PLACE op overwrites. */
  const detent_buffer *inputs;
  /** [output_count]: every byte of their blocks is to be written. What a fallible op says of its failure is not counted
   *  and stands behind them. */
  const detent_buffer *outputs;
  /** [weight_count]: read only. */
  const detent_buffer *weights;
  /** [scratch_count]: the op's own while it is executed; holds anything on entry. */
  const detent_buffer *scratch;
  uint32_t input_count;
  uint32_t output_count;
  uint32_t weight_count;
  uint32_t scratch_count;
  /** The config_size bytes that the Desc has for this op, aligned to 8; null when config_size is 0. */
  const void *config;
  uint32_t config_size;
  /** Id of the op. */
  uint32_t op;
  /** The engine's own: of a guarded or fallible op what computes it, else null. */
  int32_t (*guarded)(const struct detent_kernel_args *args);
} detent_kernel_args;

/** Compute the op.
 *
 *  Pure: what it writes depends on the bytes of inputs, weights and config alone, so that equal inputs give equal bytes
 *  on every schedule. Re-entrant: other slots execute the same function on other ops. It finds the engine's
 *  floating-point environment (detent_run) and leaves it so.
 *
 *  @return  0, or a code of the kernel's own, which ends the run with KERNEL_FAILED */
typedef int32_t (*detent_kernel_fn)(const detent_kernel_args *args);

/** Bind-time check of counts, shapes and config, so that detent_kernel_fn need not check anything. Looks at no data;
 *  `data` pointers may be null. Called by detent_init on its thread.
 *
 *  @return  OK, or SHAPE; detent_init fails with whatever else it returns, too */
typedef detent_status (*detent_kernel_check_fn)(const detent_kernel_args *args);

/** A kernel of a table (backend.h). */
typedef struct detent_kernel {
  /** As in detent_desc.kernels; not null. */
  const char *name;
  /** Not null. */
  detent_kernel_fn run;
  /** Null: every use is accepted. */
  detent_kernel_check_fn check;
} detent_kernel;

#ifdef __cplusplus
}
#endif
#endif
