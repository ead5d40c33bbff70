#include <esp_nn.h>

void esp_nn_add_elementwise_s8_ansi(const int8_t *a, const int8_t *b, int8_t *out, const int32_t low,
                                    const int32_t high, const int32_t size) {
  for (int i = 0; i < size; i++) {
    int32_t sum = a[i] + b[i];
    sum = ESP_NN_MAX(low, ESP_NN_MIN(sum, high));
    out[i] = (int8_t)sum;
  }
}
