#pragma once
#include <stdint.h>
#define ESP_NN_MIN(a, b) ((a) < (b) ? (a) : (b))
#define ESP_NN_MAX(a, b) ((a) > (b) ? (a) : (b))
typedef struct data_dims {
  int32_t width;
  int32_t height;
  int32_t channels;
  int32_t extra;
} data_dims_t;
