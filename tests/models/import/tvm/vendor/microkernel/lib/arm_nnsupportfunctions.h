#pragma once
#include "arm_math.h"
#include <string.h>
__STATIC_FORCEINLINE int32_t arm_nn_read_q15x2(const int16_t *in) {
  return (int32_t)((uint32_t)(uint16_t)in[0] | ((uint32_t)(uint16_t)in[1] << 16));
}
