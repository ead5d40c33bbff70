// "quantize_f32_i8", "dequantize_i8_f32" and "add_i8": one pass over the blocks of all operands.
#include <detent/op_config.h>

#include "runtime/kernels/elementwise.h"
#include "runtime/kernels/isa/c16.h"
#include "runtime/kernels/isa/functions.h"
#include "runtime/kernels/isa/int8/integers.h"
#include "runtime/kernels/isa/run.h"

DETENT_ISA_BEGIN
namespace {

uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

DETENT_INLINE int8_t quantised(float x, float factor) {
  constexpr float kMagic = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer in the low bits, ties to even
  const float product = x * factor;
  const float above = product > -128.0F ? product : -128.0F;
  const float within = above < 127.0F ? above : 127.0F;
  const float number = product == product ? within : 0.0F;
  return static_cast<int8_t>(bits_as<int32_t>(number + kMagic) - bits_as<int32_t>(kMagic));
}

void quantise_span(const float *x, int8_t *y, uint64_t count, float factor) {
  for (uint64_t i = 0; i < count; ++i) y[i] = quantised(x[i], factor);
}

void dequantise_span(const int8_t *x, float *y, uint64_t count, float factor) {
  for (uint64_t i = 0; i < count; ++i) y[i] = static_cast<float>(x[i]) * factor;
}

constexpr uint64_t kStrip = 64;  // elements that are added by way of copies: bytes may alias anything

#if defined(DETENT_OPS_BYTE_TABLE)
void add_strip(const int8_t *a, const int8_t *b, int8_t *y, const detent_add_i8_config &config) {
  const Words a_multiplier = Words{} + static_cast<uint32_t>(config.a_multiplier);
  const Words b_multiplier = Words{} + static_cast<uint32_t>(config.b_multiplier);
  const VecBits shift = VecBits{} + config.shift;
  const VecBits below_half = VecBits{} + ((1 << (config.shift - 1)) - 1);
  const VecBits low = VecBits{} + config.low, high = VecBits{} + config.high;
  DETENT_UNROLL(4)
  for (uint64_t i = 0; i < kStrip; i += kBlock) {
    const Words products = signed_words(a + i) * a_multiplier + signed_words(b + i) * b_multiplier;
    const auto sum = reinterpret_cast<VecBits>(products);
    const VecBits rounded = (sum + below_half + (sum >> shift & 1)) >> shift;
    const VecBits above = rounded < low ? low : rounded;
    store_low_bytes(reinterpret_cast<Words>(above > high ? high : above), y + i);
  }
}
#else
void add_strip(const int8_t *a, const int8_t *b, int8_t *y, const detent_add_i8_config &config) {
  const detent_add_i8_config c = config;
  const int32_t below_half = (1 << (c.shift - 1)) - 1;
  for (uint64_t i = 0; i < kStrip; ++i) {
    const int32_t sum = a[i] * c.a_multiplier + b[i] * c.b_multiplier;
    const int32_t is_odd = sum >> c.shift & 1;
    const int32_t rounded = (sum + below_half + is_odd) >> c.shift;
    const int32_t above = rounded < c.low ? c.low : rounded;
    y[i] = static_cast<int8_t>(above > c.high ? c.high : above);
  }
}
#endif

void add_span(const int8_t *a, const int8_t *b, int8_t *y, uint64_t count, const detent_add_i8_config &config) {
  int8_t left[kStrip] = {};
  int8_t right[kStrip] = {};
  int8_t sums[kStrip];
  uint64_t begin = 0;
#if defined(DETENT_OPS_BYTE_TABLE)
  for (; begin + kStrip <= count; begin += kStrip) add_strip(a + begin, b + begin, y + begin, config);
#endif
  for (uint64_t i = begin; i < count; i += kStrip) {
    const auto bytes = static_cast<size_t>(least(kStrip, count - i));
    memcpy(left, a + i, bytes);
    memcpy(right, b + i, bytes);
    add_strip(left, right, sums, config);
    memcpy(y + i, sums, bytes);
  }
}

}  // namespace

int32_t run_quantize_f32_i8(const detent_kernel_args *args) {
  const auto &config = *static_cast<const detent_quantize_config *>(args->config);
  BlockCursor x(args->inputs[0]);
  BlockCursor y(args->outputs[0]);
  while (!y.done()) {
    const uint64_t count = least(x.left() / sizeof(float), y.left());
    quantise_span(reinterpret_cast<const float *>(x.at()), reinterpret_cast<int8_t *>(y.at()), count, config.factor);
    x.advance(count * sizeof(float));
    y.advance(count);
  }
  clear_padding<int8_t>(args->outputs[0]);
  return 0;
}

int32_t run_dequantize_i8_f32(const detent_kernel_args *args) {
  const auto &config = *static_cast<const detent_quantize_config *>(args->config);
  BlockCursor x(args->inputs[0]);
  BlockCursor y(args->outputs[0]);
  while (!y.done()) {
    const uint64_t count = least(x.left(), y.left() / sizeof(float));
    dequantise_span(reinterpret_cast<const int8_t *>(x.at()), reinterpret_cast<float *>(y.at()), count, config.factor);
    x.advance(count);
    y.advance(count * sizeof(float));
  }
  clear_padding<float>(args->outputs[0]);
  return 0;
}

int32_t run_add_i8(const detent_kernel_args *args) {
  const auto &config = *static_cast<const detent_add_i8_config *>(args->config);
  BlockCursor a(args->inputs[0]);
  BlockCursor b(args->inputs[1]);
  BlockCursor y(args->outputs[0]);
  while (!y.done()) {
    const uint64_t count = least(least(a.left(), b.left()), y.left());
    add_span(reinterpret_cast<const int8_t *>(a.at()), reinterpret_cast<const int8_t *>(b.at()),
             reinterpret_cast<int8_t *>(y.at()), count, config);
    a.advance(count);
    b.advance(count);
    y.advance(count);
  }
  clear_padding<int8_t>(args->outputs[0]);
  return 0;
}

DETENT_ISA_END
