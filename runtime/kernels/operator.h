/* Operators: what calls, the check at bind and the kernel know of a descriptor in common (<detent/operator.h>). */
#ifndef DETENT_RUNTIME_OPS_OPERATOR_H_
#define DETENT_RUNTIME_OPS_OPERATOR_H_

#include <detent/kernel.h>
#include <detent/operator.h>

#include "runtime/base/compiler.h"

namespace detent::ops {

/** Bytes of an element of a type that operators compute; 0 for another. */
inline int64_t element_bytes(int32_t dtype) {
  if (dtype == DETENT_F64) return 8;
  if (dtype == DETENT_F32) return 4;
  return dtype == DETENT_F16 || dtype == DETENT_BF16 ? 2 : 0;
}

/** Elements between the lowest one in memory and element 0 of operand k (0: the output); 0 or more. */
int64_t first_element(const detent_operator &op, uint32_t k);

/** Elements from the lowest to the highest one in memory, both counted; 0 where there are none. */
int64_t extent(const detent_operator &op, uint32_t k);

/** Its parameters are numbers, limits in order. */
bool has_params(const detent_operator &op);

/** Everything that detent_operator_create checks of what the descriptor itself holds. */
detent_operator_status check_operator(const detent_operator &op);

/** May operands a and b, the second beginning `distance` elements behind the first (of elements 0), have an element in
 *  common? Exact, but true where the search is given up. `distance` is within 2^41. */
bool shares_elements(const detent_operator &op, uint32_t a, uint32_t b, int64_t distance);

/** Operand k of an op: its output, then its inputs, then its weights. */
inline const detent_buffer *operand(const detent_kernel_args &args, uint32_t k) {
  if (k == 0) return args.outputs;
  return k <= args.input_count ? args.inputs + (k - 1) : args.weights + (k - 1 - args.input_count);
}

}  // namespace detent::ops

#endif
