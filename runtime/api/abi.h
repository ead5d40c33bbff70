/* Layouts that every compiler must agree on: the tables of a Desc and what the runtime hands back, in C11 and in C++20,
 * where pointers have 4 bytes and where they have 8, with short enumerations or without. The runtime checks them as it
 * is compiled, and so does each emitted network: the two may come from different compilers. Holds where 64-bit integers
 * are aligned to 8 bytes (every ABI of ARM and RISC-V, x86-64). */
#ifndef DETENT_RUNTIME_ABI_H_
#define DETENT_RUNTIME_ABI_H_

#include <stddef.h>

#include <detent/detent.h>
#include <detent/op_config.h>

#ifdef __cplusplus
#define DETENT_ABI_ASSERT(fact) static_assert(fact, #fact)
#else
#define DETENT_ABI_ASSERT(fact) _Static_assert(fact, #fact)
#endif
/** `type` has this many bytes where pointers have 8, and where they have 4. */
#define DETENT_ABI_SIZE(type, with_8, with_4) \
  DETENT_ABI_ASSERT(sizeof(type) == (sizeof(void *) == 8 ? (with_8) : (with_4)))
/** `field` begins right after a field `before` of 4 bytes. */
#define DETENT_ABI_NEXT(type, before, field) DETENT_ABI_ASSERT(offsetof(type, field) == offsetof(type, before) + 4)

/* Tables of the Desc. */
DETENT_ABI_SIZE(detent_region, 40, 24);
DETENT_ABI_SIZE(detent_tensor, 96, 96);
DETENT_ABI_SIZE(detent_slice, 8, 8);
DETENT_ABI_SIZE(detent_op, 96, 92);
DETENT_ABI_SIZE(detent_op_cost, 40, 40);
DETENT_ABI_SIZE(detent_class, 16, 8);
DETENT_ABI_SIZE(detent_static_schedule, 24, 12);
DETENT_ABI_SIZE(detent_desc, 216, 112);
DETENT_ABI_ASSERT(offsetof(detent_tensor, offset_bytes) == 16);
DETENT_ABI_ASSERT(offsetof(detent_tensor, dims) == 72);

/* Exec configs, the bytes behind detent_op.config_offset. */
DETENT_ABI_SIZE(detent_conv2d_config, 80, 80);
DETENT_ABI_SIZE(detent_pool_config, 56, 56);
DETENT_ABI_SIZE(detent_elementwise_config, 16, 16);
DETENT_ABI_SIZE(detent_softmax_config, 8, 8);
DETENT_ABI_SIZE(detent_decide_config, 8, 8);
DETENT_ABI_SIZE(detent_gemm_config, 32, 32);
DETENT_ABI_SIZE(detent_transpose_config, 56, 56);
DETENT_ABI_SIZE(detent_reorder_config, 24, 24);
DETENT_ABI_SIZE(detent_requantisation, 16, 16);
DETENT_ABI_SIZE(detent_conv2d_i8_config, 96, 96);
DETENT_ABI_SIZE(detent_gemm_i8_config, 48, 48);
DETENT_ABI_SIZE(detent_add_i8_config, 32, 32);
DETENT_ABI_SIZE(detent_quantize_config, 16, 16);
DETENT_ABI_SIZE(detent_global_avg_pool_i8_config, 32, 32);
DETENT_ABI_SIZE(detent_mix_config, 8, 8);

/* What kernels get, and what a run hands back. */
DETENT_ABI_SIZE(detent_buffer, 16, 8);
DETENT_ABI_SIZE(detent_kernel_args, 72, 48);
DETENT_ABI_SIZE(detent_log_record, 32, 32);
DETENT_ABI_SIZE(detent_op_record, 48, 48);
DETENT_ABI_NEXT(detent_op_record, state, attempts);
DETENT_ABI_SIZE(detent_error, 28, 28);
DETENT_ABI_SIZE(detent_worker_pool_config, 16, 12);
DETENT_ABI_NEXT(detent_error, status, op);
DETENT_ABI_NEXT(detent_config, mode, scheduler);
DETENT_ABI_NEXT(detent_config, scheduler, worker_count);

/* Enumerations that no table holds: arguments and answers of functions. */
DETENT_ABI_SIZE(detent_checkpoint, 4, 4);
DETENT_ABI_SIZE(detent_dispatch, 4, 4);
DETENT_ABI_SIZE(detent_op_state, 4, 4);
DETENT_ABI_SIZE(detent_event, 4, 4);
DETENT_ABI_SIZE(detent_status, 4, 4);
DETENT_ABI_SIZE(detent_activation, 4, 4);
DETENT_ABI_SIZE(detent_binary, 4, 4);
DETENT_ABI_SIZE(detent_decide_by, 4, 4);
DETENT_ABI_SIZE(detent_dtype, 4, 4);
DETENT_ABI_SIZE(detent_layout, 4, 4);

#endif
