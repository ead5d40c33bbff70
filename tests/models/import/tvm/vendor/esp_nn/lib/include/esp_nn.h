#pragma once
#include "esp_nn_defs.h"
#if defined(CONFIG_NN_OPTIMIZED)
#if defined(CONFIG_IDF_TARGET_ESP32S3)
#include "esp_nn_esp32s3.h"
#endif
#else
#include "esp_nn_ansi_c.h"
#endif
