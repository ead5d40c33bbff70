/* Kernels: what computes an op. A kernel sees resolved addresses and its exec config, nothing else. */
#ifndef DETENT_RUNTIME_KERNEL_H_
#define DETENT_RUNTIME_KERNEL_H_

#include <detent/desc.h>
#include <detent/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A tensor with its address. `data` points at the tensor's first byte; blocks follow at tensor->stride_bytes. */
typedef struct detent_buffer {
  void *data;
  const detent_tensor *tensor;
} detent_buffer;

/** Everything a kernel may touch. Inputs and weights are read only. Lives in the context's arena. */
typedef struct detent_kernel_args {
  const detent_buffer *inputs;
  const detent_buffer *outputs;
  const detent_buffer *weights;
  const detent_buffer *scratch;
  uint32_t input_count;
  uint32_t output_count;
  uint32_t weight_count;
  uint32_t scratch_count;
  const void *config; /**< config_size bytes, 8-byte aligned */
  uint32_t config_size;
  uint32_t op; /**< op id */
} detent_kernel_args;

/** Compute. Returns 0, or a code of the kernel's own that ends the run with KERNEL_FAILED. Pure: the result depends
 *  on the bytes of inputs, weights and config only; every byte of the outputs is written. Re-entrant. */
typedef int32_t (*detent_kernel_fn)(const detent_kernel_args *args);

/** Bind-time check of counts, shapes and config. OK, or SHAPE. `data` pointers may be null. */
typedef detent_status (*detent_kernel_check_fn)(const detent_kernel_args *args);

typedef struct detent_kernel {
  const char *name;
  detent_kernel_fn run;
  detent_kernel_check_fn check; /**< may be null */
} detent_kernel;

#ifdef __cplusplus
}
#endif
#endif
