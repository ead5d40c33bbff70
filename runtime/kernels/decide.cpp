// "decide_f32": one number of a tensor against a threshold, as the condition of an IF or a WHILE.

#include <detent/op_config.h>

#include "runtime/base/freestanding.h"
#include "runtime/base/guards.h"
#include "runtime/kernels/check.h"
#include "runtime/kernels/elementwise.h"
#include "runtime/kernels/kernels.h"

namespace detent::ops {

detent_status check_decide_f32(const detent_kernel_args *args) {
  if (!has_counts(*args, 1, 1, 0)) return DETENT_SHAPE;
  const auto *config = config_of<detent_decide_config>(*args);
  if (config == nullptr || config->threshold != config->threshold) return DETENT_SHAPE;
  if (config->by != DETENT_DECIDE_BY_MAX && config->by != DETENT_DECIDE_BY_MAX_ABS) return DETENT_SHAPE;
  return is_f32(*args->inputs[0].tensor) && is_condition(*args->outputs[0].tensor) ? DETENT_OK : DETENT_SHAPE;
}

int32_t run_decide_f32(const detent_kernel_args *args) {
  const auto &config = *static_cast<const detent_decide_config *>(args->config);
  const bool by_distance = config.by == DETENT_DECIDE_BY_MAX_ABS;
  uint8_t is_above = 0;
  for (BlockCursor x(args->inputs[0]); !x.done(); x.advance(x.left())) {
    const auto *elements = reinterpret_cast<const float *>(x.at());
    for (uint64_t i = 0; i < x.left() / sizeof(float); ++i) {
      const float value = by_distance && elements[i] < 0 ? -elements[i] : elements[i];
      is_above |= value > config.threshold ? 1 : 0;
    }
  }
  *static_cast<uint8_t *>(args->outputs[0].data) = is_above;
  return 0;
}

}  // namespace detent::ops
