// "gemm_i8": a few rows by 16 columns at a time, 16 of the k products after the other, as of a convolution's pixels and
// channels. What lies past the last column or product is 0.
#include <detent/op_config.h>

#include "runtime/kernels/isa/int8/integers.h"
#include "runtime/kernels/isa/int8/products_i8.h"
#include "runtime/kernels/isa/run.h"
#include "runtime/kernels/rows.h"

DETENT_ISA_BEGIN
namespace {

constexpr int kRows = 4 * kTilePixels;  // that share the conversion of b
constexpr int kSteps = 4;               // of 16 products each, added to sums in registers
static_assert(kSteps * kBlock <= kExactProducts);

struct Gemm {
  RowView<int8_t> a, y;
  const int8_t *b;
  const int32_t *bias;
  uint64_t row_begin;  // of the whole output; y starts there
  uint64_t n, k;
  Requantiser result;
};

// Rows of the whole output by columns of which `count` exist.
struct Tile {
  uint64_t row, column;
  size_t rows, count;
  const int8_t *a_rows[kRows];
  alignas(64) uint32_t sums[kRows][kBlock];
  alignas(64) Factor a[kSteps][kRows][kBlock];
  alignas(64) Factor b[kSteps][kWeights];
};

size_t at_most(size_t most, uint64_t count) { return count < most ? static_cast<size_t>(count) : most; }

// Most blocks are whole: their copy is no call.
template <typename Element>
DETENT_INLINE void copy_block(Element *to, const Element *from, size_t count) {
  if (count == kBlock) {
    memcpy(to, from, kBlock * sizeof *to);
  } else {
    memcpy(to, from, count * sizeof *to);
  }
}

// Products [k, k + count) as a step of the tile.
void gather(const Gemm &gemm, uint64_t k, size_t count, int32_t step, Tile &tile) {
  const int8_t *b = gemm.b + k * gemm.n + tile.column;
  int8_t elements[kWeights];
  if (count == kBlock && tile.count == kBlock) {
    prepare_weights(b, static_cast<ptrdiff_t>(gemm.n), tile.b[step]);
    for (size_t row = 0; row < tile.rows; ++row) widen(tile.a_rows[row] + k, tile.a[step][row]);
    return;
  }
  memset(elements, 0, sizeof elements);
  for (size_t i = 0; i < count; ++i, b += gemm.n) memcpy(elements + i * kBlock, b, tile.count);
  prepare_weights(elements, kBlock, tile.b[step]);
  memset(elements, 0, kBlock);
  for (size_t row = 0; row < tile.rows; ++row) {
    memcpy(elements, tile.a_rows[row] + k, count);
    widen(elements, tile.a[step][row]);
  }
}

void run_tile(const Gemm &gemm, Tile &tile) {
  int32_t bias[kBlock] = {};
  int32_t multipliers[kBlock] = {};
  copy_block(bias, gemm.bias + tile.column, tile.count);
  copy_block(multipliers, gemm.result.multipliers + tile.column, tile.count);
  for (size_t row = 0; row < tile.rows; ++row) {
    tile.a_rows[row] = gemm.a.row(tile.row + row);
    memcpy(tile.sums[row], bias, sizeof bias);
  }
  for (uint64_t k = 0; k < gemm.k;) {
    int32_t steps = 0;
    for (; k < gemm.k && steps < kSteps; k += kBlock, ++steps) {
      gather(gemm, k, at_most(kBlock, gemm.k - k), steps, tile);
    }
    sum_pixels({tile.a[0][0], kRows * kBlock, tile.b[0], steps}, static_cast<int32_t>(tile.rows), tile.sums[0]);
  }
  int8_t elements[kRows * kBlock];
  gemm.result.apply(multipliers, static_cast<ptrdiff_t>(tile.rows), tile.sums[0], elements);
  for (size_t row = 0; row < tile.rows; ++row) {
    copy_block(gemm.y.row(tile.row + row - gemm.row_begin) + tile.column, elements + row * kBlock, tile.count);
  }
}

}  // namespace

int32_t run_gemm_i8(const detent_kernel_args *args) {
  const auto &config = *static_cast<const detent_gemm_i8_config *>(args->config);
  const detent_gemm_config &c = config.gemm;
  const auto n = static_cast<uint64_t>(c.n);
  const auto k = static_cast<uint64_t>(c.k);
  const Gemm gemm = {.a = {args->inputs[0], k},
                     .y = {args->outputs[0], n},
                     .b = bytes_of(args->weights[0]),
                     .bias = words_of(args->weights[1]),
                     .row_begin = static_cast<uint64_t>(c.row_begin),
                     .n = n,
                     .k = k,
                     .result = requantiser_of(*args, config.result)};
  const auto row_end = static_cast<uint64_t>(c.row_end);
  Tile tile;
  for (tile.column = 0; tile.column < n; tile.column += kBlock) {
    tile.count = at_most(kBlock, n - tile.column);
    for (tile.row = gemm.row_begin; tile.row < row_end; tile.row += kRows) {
      tile.rows = at_most(kRows, row_end - tile.row);
      run_tile(gemm, tile);
    }
  }
  return 0;
}

DETENT_ISA_END
