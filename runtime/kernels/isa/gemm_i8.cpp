// "gemm_i8": row by row, a strip of columns at a time, the last columns one by one.
#include <detent/op_config.h>

#include "runtime/kernels/isa/integers.h"
#include "runtime/kernels/isa/run.h"
#include "runtime/kernels/rows.h"

DETENT_ISA_BEGIN
namespace {

constexpr int kStrip = 16;  // columns

struct Gemm {
  const int8_t *b;
  const int32_t *bias;
  uint64_t n, k;
  Requantiser result;
};

template <int kCount>
void run_strip(const Gemm &gemm, const int8_t *a, uint64_t column, int8_t *y) {
  uint32_t sums[kCount];
  for (int i = 0; i < kCount; ++i) sums[i] = static_cast<uint32_t>(gemm.bias[column + static_cast<uint64_t>(i)]);
  const int8_t *b = gemm.b + column;
  for (uint64_t k = 0; k < gemm.k; ++k, b += gemm.n) {
    const uint32_t factor = widened_i8(a[k]);
    for (int i = 0; i < kCount; ++i) sums[i] += widened_i8(b[i]) * factor;
  }
  gemm.result.apply<kCount>(sums, column, y + column);
}

}  // namespace

int32_t run_gemm_i8(const detent_kernel_args *args) {
  const auto &config = *static_cast<const detent_gemm_i8_config *>(args->config);
  const detent_gemm_config &c = config.gemm;
  const Gemm gemm = {bytes_of(args->weights[0]), words_of(args->weights[1]), static_cast<uint64_t>(c.n),
                     static_cast<uint64_t>(c.k), requantiser_of(*args, config.result)};
  const RowView<int8_t> a(args->inputs[0], gemm.k);
  const RowView<int8_t> y(args->outputs[0], gemm.n);
  const auto begin = static_cast<uint64_t>(c.row_begin);
  for (uint64_t row = begin; row < static_cast<uint64_t>(c.row_end); ++row) {
    uint64_t column = 0;
    for (; column + kStrip <= gemm.n; column += kStrip) {
      run_strip<kStrip>(gemm, a.row(row), column, y.row(row - begin));
    }
    for (; column < gemm.n; ++column) run_strip<1>(gemm, a.row(row), column, y.row(row - begin));
  }
  return 0;
}

DETENT_ISA_END
