/* Checks: facts about one tensor that the bind-time checks of the kernels are made of. Nothing here trusts a size:
 * products are computed with overflow detection, and null tables read as "no". */
#ifndef DETENT_RUNTIME_OPS_CHECK_H_
#define DETENT_RUNTIME_OPS_CHECK_H_

#include <stdint.h>

#include <detent/kernel.h>
#include <detent/op_config.h>

namespace detent::ops {

/** Sizes, strides and dilations of a config are at most this, so that their sums and products of two fit 64 bits. */
inline constexpr int64_t kMaxExtent = int64_t{1} << 30;
inline bool is_size(int64_t value) { return value > 0 && value <= kMaxExtent; }

/** Bytes of all blocks together; 0 when blocks and extent do not fit each other, or it exceeds DETENT_MAX_BYTES. */
uint64_t bytes_of_blocks(const detent_tensor &tensor);

/** Product of the dims, or 0 when a dim is not positive, the rank is out of range, or it exceeds DETENT_MAX_BYTES. */
uint64_t logical_elements(const detent_tensor &tensor);

/** Elements as stored: of a C16 tensor with its padding channels, else logical_elements. 0 when impossible. */
uint64_t stored_elements(const detent_tensor &tensor);

/** dtype as wanted, F32, I32 or I8, and the blocks hold exactly the stored elements, do not overlap and make up the
 *  extent. A C16 tensor's blocks hold whole vectors of 16 channels. */
bool is_of(const detent_tensor &tensor, detent_dtype dtype);
inline bool is_f32(const detent_tensor &tensor) { return is_of(tensor, DETENT_F32); }

/** is_of, C16, dims [1,channels,h,w], and either dense or one block per 16 channels. */
bool is_c16(const detent_tensor &tensor, int64_t channels, int64_t h, int64_t w, detent_dtype dtype = DETENT_F32);

/** is_of, PLAIN, one block of exactly `elements`. */
bool is_dense(const detent_tensor &tensor, uint64_t elements, detent_dtype dtype = DETENT_F32);

/** is_of, PLAIN, `rows` * `columns` elements in blocks of whole rows of `columns`. */
bool is_rows(const detent_tensor &tensor, uint64_t rows, uint64_t columns, detent_dtype dtype = DETENT_F32);

/** is_rows, dense or with one row to a block, so that rows are equally far apart. */
bool is_matrix(const detent_tensor &tensor, uint64_t rows, uint64_t columns, detent_dtype dtype = DETENT_F32);

/** The config as its struct, or null when it is absent or has another size. */
template <typename Config>
const Config *config_of(const detent_kernel_args &args) {
  return args.config != nullptr && args.config_size == sizeof(Config) ? static_cast<const Config *>(args.config)
                                                                      : nullptr;
}

/** How many inputs, outputs and weights an op has; scratch is never asked for. */
bool has_counts(const detent_kernel_args &args, uint32_t inputs, uint32_t outputs, uint32_t weights);

/** Is a detent_activation. */
bool is_activation(int32_t activation);

/** -128 <= low <= high <= 127. */
bool is_range_of_i8(int32_t low, int32_t high);

/** The fields are in their ranges, and the op has its weights: two I32 of `channels` each behind the first one, and the
 *  table where there is one. */
bool requantises(const detent_requantisation &result, const detent_kernel_args &args, uint64_t channels);

}  // namespace detent::ops

#endif
