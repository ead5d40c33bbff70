/* Kernels of filter.json: each is a detent_kernel_fn, as the firmware links it. */
#include <detent/kernel.h>

static uint64_t count(const detent_buffer *buffer) { return buffer->tensor->size_bytes / sizeof(float); }

/* out[i] = i */
int32_t ramp(const detent_kernel_args *args) {
  float *out = args->outputs[0].data;
  for (uint64_t i = 0; i < count(&args->outputs[0]); ++i) out[i] = (float)i;
  return 0;
}

/* out[i] = params[0] * in[i] + params[1] */
int32_t scale(const detent_kernel_args *args) {
  const float *in = args->inputs[0].data;
  const double *params = args->config;
  float *out = args->outputs[0].data;
  for (uint64_t i = 0; i < count(&args->outputs[0]); ++i) out[i] = (float)params[0] * in[i] + (float)params[1];
  return 0;
}

/* out[i] = left[i] + right[i] */
int32_t add(const detent_kernel_args *args) {
  const float *left = args->inputs[0].data, *right = args->inputs[1].data;
  float *out = args->outputs[0].data;
  for (uint64_t i = 0; i < count(&args->outputs[0]); ++i) out[i] = left[i] + right[i];
  return 0;
}
