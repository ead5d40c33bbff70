// "binary_f32" and "unary_f32": one pass over the blocks of all operands.
#include "runtime/kernels/elementwise.h"

#include <detent/op_config.h>

#include "runtime/kernels/isa/activate.h"
#include "runtime/kernels/isa/c16.h"
#include "runtime/kernels/isa/partial.h"
#include "runtime/kernels/isa/run.h"

DETENT_ISA_BEGIN
namespace {

struct Add {
  static DETENT_INLINE Vec apply(Vec a, Vec b) { return a + b; }
};
struct Subtract {
  static DETENT_INLINE Vec apply(Vec a, Vec b) { return a - b; }
};
struct Multiply {
  static DETENT_INLINE Vec apply(Vec a, Vec b) { return a * b; }
};
struct First {
  static DETENT_INLINE Vec apply(Vec a, Vec /*b*/) { return a; }
};

// kStep 1: b moves with a; 0: b is one element.
template <typename Operation, int32_t kActivation, int kStep>
void run_span(const float *a, const float *b, float *y, uint64_t count) {
  uint64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Vec right = kStep == 1 ? load(b + i) : splat(*b);
    store(y + i, activate<kActivation>(Operation::apply(load(a + i), right)));
  }
  if (i == count) return;
  const Vec right = kStep == 1 ? load_partial(b + i, count - i, 0.0F) : splat(*b);
  const Vec left = load_partial(a + i, count - i, 0.0F);
  store_partial(y + i, count - i, activate<kActivation>(Operation::apply(left, right)));
}

uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

template <typename Operation, int32_t kActivation, int kStep>
void run_blocks(const detent_buffer &a_buffer, const detent_buffer &b_buffer, const detent_buffer &y_buffer) {
  BlockCursor a(a_buffer);
  BlockCursor b(b_buffer);
  BlockCursor y(y_buffer);
  while (!y.done()) {
    uint64_t bytes = least(a.left(), y.left());
    if (kStep == 1) bytes = least(bytes, b.left());
    run_span<Operation, kActivation, kStep>(reinterpret_cast<const float *>(a.at()),
                                            reinterpret_cast<const float *>(b.at()), reinterpret_cast<float *>(y.at()),
                                            bytes / 4);
    a.advance(bytes);
    if (kStep == 1) b.advance(bytes);
    y.advance(bytes);
  }
}

template <typename Operation, int kStep>
int32_t run_operation(const detent_kernel_args &args, const detent_buffer &b) {
  const auto &config = *static_cast<const detent_elementwise_config *>(args.config);
  with_activation(config.activation, [&](auto tag) {
    run_blocks<Operation, decltype(tag)::kActivation, kStep>(args.inputs[0], b, args.outputs[0]);
  });
  clear_padding<float>(args.outputs[0]);  // whatever the operation makes of its zeros
  return 0;
}

template <int kStep>
int32_t run_binary(const detent_kernel_args &args, const detent_buffer &b) {
  const auto &config = *static_cast<const detent_elementwise_config *>(args.config);
  if (config.op == DETENT_BINARY_ADD) return run_operation<Add, kStep>(args, b);
  if (config.op == DETENT_BINARY_SUB) return run_operation<Subtract, kStep>(args, b);
  return run_operation<Multiply, kStep>(args, b);
}

}  // namespace

int32_t run_unary_f32(const detent_kernel_args *args) { return run_operation<First, 0>(*args, args->inputs[0]); }

int32_t run_binary_f32(const detent_kernel_args *args) {
  const detent_buffer &b = args->input_count == 2 ? args->inputs[1] : args->weights[0];
  const bool scalar = b.tensor->size_bytes == 4 && args->inputs[0].tensor->size_bytes != 4;
  return scalar ? run_binary<0>(*args, b) : run_binary<1>(*args, b);
}

DETENT_ISA_END
