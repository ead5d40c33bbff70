#include "arm_nnfunctions.h"
#include "arm_nnsupportfunctions.h"

/* One column of the input at a time goes into the context's buffer. */
arm_cmsis_nn_status arm_convolve_s8(const cmsis_nn_context *ctx, const cmsis_nn_conv_params *conv_params,
                                    const cmsis_nn_per_channel_quant_params *quant_params,
                                    const cmsis_nn_dims *input_dims, const int8_t *input_data,
                                    const cmsis_nn_dims *filter_dims, const int8_t *filter_data,
                                    const cmsis_nn_dims *bias_dims, const int32_t *bias_data,
                                    const cmsis_nn_dims *output_dims, int8_t *output_data) {
  (void)bias_dims;
  const int32_t taps = filter_dims->w * input_dims->c;
  int16_t *buffer = (int16_t *)ctx->buf;
#if defined(ARM_MATH_MVEI)
  arm_nn_convolve_mve(buffer);
#else
  for (int32_t x = 0; x < output_dims->w; x++) {
    for (int32_t k = 0; k < filter_dims->w; k++) {
      const int32_t at = x * conv_params->stride.w - conv_params->padding.w + k;
      for (int32_t c = 0; c < input_dims->c; c++) {
        if (at >= 0 && at < input_dims->w) {
          buffer[k * input_dims->c + c] = (int16_t)(input_data[at * input_dims->c + c] + conv_params->input_offset);
        } else {
          buffer[k * input_dims->c + c] = 0;
        }
      }
    }
    for (int32_t o = 0; o < output_dims->c; o++) {
      int32_t sum = bias_data[o];
      for (int32_t t = 0; t < taps; t++) {
        sum += buffer[t] * filter_data[o * taps + t];
      }
      sum = arm_nn_requantize(sum, quant_params->multiplier[o], quant_params->shift[o]) + conv_params->output_offset;
      sum = MAX(sum, conv_params->activation.min);
      sum = MIN(sum, conv_params->activation.max);
      output_data[x * output_dims->c + o] = (int8_t)sum;
    }
  }
#endif
  return ARM_CMSIS_NN_SUCCESS;
}
