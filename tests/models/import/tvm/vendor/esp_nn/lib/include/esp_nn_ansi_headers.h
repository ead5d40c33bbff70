#pragma once
#include "esp_nn_defs.h"
void esp_nn_add_elementwise_s8_ansi(const int8_t *a, const int8_t *b, int8_t *out, const int32_t low,
                                    const int32_t high, const int32_t size);
void esp_nn_set_depthwise_conv_scratch_buf_ansi(const void *buf);
void esp_nn_depthwise_conv_s8_ansi(const data_dims_t *dims, const int8_t *in, int8_t *out);
