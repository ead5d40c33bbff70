#include <esp_nn.h>

static int16_t own[64];
static int16_t *scratch = own;

void esp_nn_set_depthwise_conv_scratch_buf_ansi(const void *buf) { scratch = (int16_t *)buf; }

void esp_nn_depthwise_conv_s8_ansi(const data_dims_t *dims, const int8_t *in, int8_t *out) {
  for (int i = 0; i < dims->width * dims->channels; i++) scratch[i] = (int16_t)(in[i] * 3);
  for (int i = 0; i < dims->width * dims->channels; i++) out[i] = (int8_t)(scratch[i] >> 1);
}
