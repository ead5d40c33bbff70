// "gemm_i8": rows by columns. Many rows are as a convolution's pixels, and columns as its output channels: 16 of the k
// products after the other, b as factors (products_i8.h) for all rows of a tile. Few rows are not worth factors of b:
// they meet it as it is stored, many columns at once.
#include <detent/op_config.h>

#include "runtime/kernels/isa/int8/integers.h"
#include "runtime/kernels/isa/int8/products_i8.h"
#include "runtime/kernels/isa/run.h"
#include "runtime/kernels/rows.h"

DETENT_ISA_BEGIN
namespace {

struct Gemm {
  RowView<int8_t> a, y;
  const int8_t *b;
  const int32_t *bias;
  uint64_t row_begin;  // of the whole output; y starts there
  uint64_t n, k;
  uint64_t b_row;  // from a row of b to the next: n, or more where b is columns of a wider matrix
  Requantiser result;
};

constexpr int kRows = (kStripBlocks * sizeof(Factor) > 2 ? 2 : 4) * kTilePixels;  // that share the conversion of b
constexpr int kSteps = 4;  // of 16 products each, added to sums in registers
static_assert(kSteps * kBlock <= kExactProducts);

// Rows of the whole output by columns of which `count` exist, in blocks of 16; what lies past the last one, or past the
// last product, is 0.
struct Tile {
  uint64_t row, column;
  size_t rows, count;
  size_t blocks;
  const int8_t *a_rows[kRows];
  alignas(64) uint32_t sums[kStripBlocks][kRows][kBlock];
  alignas(64) Factor a[kSteps][kRows][kBlock];
  alignas(64) Factor b[kStripBlocks][kSteps][kWeights];
  alignas(64) uint32_t start[kStripBlocks][kBlock];

  [[nodiscard]] size_t columns_of(size_t block) const {
    const size_t left = count - block * kBlock;
    return left < kBlock ? left : kBlock;
  }
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

// sums[rows][16] begin with the bias of `count` columns.
void start_block(const Gemm &gemm, size_t rows, uint64_t column, size_t count, uint32_t (*sums)[kBlock]) {
  int32_t bias[kBlock] = {};
  copy_block(bias, gemm.bias + column, count);
  for (size_t i = 0; i < rows; ++i) memcpy(sums[i], bias, sizeof bias);
}

// sums[rows][16] become elements of y.
void store_block(const Gemm &gemm, uint64_t row, size_t rows, uint64_t column, size_t count, uint32_t (*sums)[kBlock]) {
  int32_t multipliers[kBlock] = {};
  copy_block(multipliers, gemm.result.multipliers + column, count);
  int8_t elements[kRows * kBlock];
  gemm.result.apply(multipliers, static_cast<ptrdiff_t>(rows), sums[0], elements);
  for (size_t i = 0; i < rows; ++i) {
    copy_block(gemm.y.row(row + i - gemm.row_begin) + column, elements + i * kBlock, count);
  }
}

// Products [k, k + count) of b as a step of the tile.
void gather_b(const Gemm &gemm, uint64_t k, size_t count, int32_t step, Tile &tile) {
  const int8_t *b = gemm.b + k * gemm.b_row + tile.column;
  for (size_t block = 0; block < tile.blocks; ++block, b += kBlock) {
    const size_t columns = tile.columns_of(block);
    if (count == kBlock && columns == kBlock) {
      prepare_weights(b, static_cast<ptrdiff_t>(gemm.b_row), tile.b[block][step], tile.start[block]);
      continue;
    }
    int8_t elements[kWeights] = {};
    for (size_t i = 0; i < count; ++i) memcpy(elements + i * kBlock, b + i * gemm.b_row, columns);
    prepare_weights(elements, kBlock, tile.b[block][step], tile.start[block]);
  }
}

void gather_a(uint64_t k, size_t count, int32_t step, Tile &tile) {
  if (count == kBlock) {
    for (size_t row = 0; row < tile.rows; ++row) widen(tile.a_rows[row] + k, tile.a[step][row]);
    return;
  }
  int8_t elements[kBlock] = {};
  for (size_t row = 0; row < tile.rows; ++row) {
    memcpy(elements, tile.a_rows[row] + k, count);
    widen(elements, tile.a[step][row]);
  }
}

void run_tile(const Gemm &gemm, Tile &tile) {
  constexpr int32_t kStep = kRows * kBlock;
  constexpr int32_t kAt[kSteps] = {0, kStep, 2 * kStep, 3 * kStep};
  for (size_t row = 0; row < tile.rows; ++row) tile.a_rows[row] = gemm.a.row(tile.row + row);
  for (size_t block = 0; block < tile.blocks; ++block) {
    start_block(gemm, tile.rows, tile.column + block * kBlock, tile.columns_of(block), tile.sums[block]);
  }
  for (uint64_t k = 0; k < gemm.k;) {
    int32_t steps = 0;
    memset(tile.start, 0, sizeof tile.start);
    for (; k < gemm.k && steps < kSteps; k += kBlock, ++steps) {
      gather_b(gemm, k, at_most(kBlock, gemm.k - k), steps, tile);
      gather_a(k, at_most(kBlock, gemm.k - k), steps, tile);
    }
    const Products products = {.x = tile.a[0][0],
                               .x_pixel = kBlock,
                               .at = kAt,
                               .weights = tile.b[0][0],
                               .weights_block = kSteps * kWeights,
                               .start = tile.start[0],
                               .sums_block = kRows * kBlock,
                               .count = steps,
                               .later = nullptr,
                               .later_block = 0};
    sum_pixels(kStrips.taps[tile.blocks - 1], products, static_cast<int32_t>(tile.rows), tile.sums[0][0]);
  }
  for (size_t block = 0; block < tile.blocks; ++block) {
    store_block(gemm, tile.row, tile.rows, tile.column + block * kBlock, tile.columns_of(block), tile.sums[block]);
  }
}

#if defined(DETENT_OPS_PAIRS)
constexpr int kVectorColumns = 4 * kLanes;
constexpr int kWideRows = kLanes == 16 ? 4 : 1;     // at once
constexpr int kWideVectors = kLanes == 16 ? 4 : 1;  // by one row
constexpr uint64_t kFewRows = kLanes == 16 ? 8 : 2;

// Four elements of a row of a, in each word, and what they are multiplied by: of VNNI elements plus 128, whose sums
// start from -128 times the elements of a.
#if defined(DETENT_OPS_QUADS)
struct RowQuad {
  Words elements;
};
using ColumnQuad = RowQuad;
DETENT_INLINE RowQuad row_quad(Words elements) { return {elements}; }
DETENT_INLINE ColumnQuad column_quad(Words elements) { return {elements ^ 0x80808080}; }
DETENT_INLINE Words add_products_of(Words sums, RowQuad a, ColumnQuad b) {
  return add_quad_products(sums, b.elements, a.elements);
}
DETENT_INLINE Words start_of_row(const int8_t *a, uint64_t k) {
  uint32_t sum = 0;
  for (uint64_t i = 0; i < k; ++i) sum += widened_i8(a[i]);
  return Words{} - 128 * sum;
}
#else
struct RowQuad {
  Words even, odd;
};
using ColumnQuad = RowQuad;
DETENT_INLINE RowQuad row_quad(Words elements) { return {even_bytes(elements), odd_bytes(elements)}; }
DETENT_INLINE ColumnQuad column_quad(Words elements) { return row_quad(elements); }
DETENT_INLINE Words add_products_of(Words sums, RowQuad a, ColumnQuad b) {
  return sums + pair_products(a.even, b.even) + pair_products(a.odd, b.odd);
}
DETENT_INLINE Words start_of_row(const int8_t * /*a*/, uint64_t /*k*/) { return Words{}; }
#endif

// sums[column block][kCount][16] += a * b, of kCount rows by kVectors times as many columns as a vector has bytes.
template <int kCount, int kVectors>
void sum_wide(const Gemm &gemm, const int8_t *const *a, uint64_t column, uint32_t (*sums)[kCount][kBlock]) {
  Words sum[kCount][kVectors][4];
  for (int r = 0; r < kCount; ++r) {
    const Words start = start_of_row(a[r], gemm.k);
    for (int v = 0; v < kVectors; ++v) {
      for (int i = 0; i < 4; ++i) sum[r][v][i] = start;
    }
  }
  const auto add = [&](const Words *b, int v, const int8_t *const *at, uint64_t k) {
    Words quads[4];
    interleave_rows(b, quads);
    ColumnQuad columns[4];
    DETENT_UNROLL(4)
    for (int i = 0; i < 4; ++i) columns[i] = column_quad(quads[i]);
    DETENT_UNROLL(4)
    for (int r = 0; r < kCount; ++r) {
      const RowQuad row = row_quad(splat_word(at[r] + k));
      DETENT_UNROLL(4)
      for (int i = 0; i < 4; ++i) sum[r][v][i] = add_products_of(sum[r][v][i], row, columns[i]);
    }
  };
  const int8_t *b = gemm.b + column;
  const uint64_t b_row = gemm.b_row;
  uint64_t k = 0;
  for (; k + 4 <= gemm.k; k += 4, b += 4 * b_row) {
    DETENT_UNROLL(4)
    for (int v = 0; v < kVectors; ++v) {
      const int8_t *at = b + v * kVectorColumns;
      const Words rows[4] = {load_words(at), load_words(at + b_row), load_words(at + 2 * b_row),
                             load_words(at + 3 * b_row)};
      add(rows, v, a, k);
    }
  }
  if (k < gemm.k) {
    int8_t last[kCount][4] = {};
    const int8_t *last_rows[kCount];
    for (int r = 0; r < kCount; ++r) {
      last_rows[r] = last[r];
      for (uint64_t i = 0; k + i < gemm.k; ++i) last[r][i] = a[r][k + i];
    }
    DETENT_UNROLL(4)
    for (int v = 0; v < kVectors; ++v) {
      Words rows[4] = {};
      for (uint64_t i = 0; k + i < gemm.k; ++i) rows[i] = load_words(b + i * b_row + v * kVectorColumns);
      add(rows, v, last_rows, 0);
    }
  }
  for (int r = 0; r < kCount; ++r) {
    for (int v = 0; v < kVectors; ++v, sums += kVectorColumns / kBlock) {
      for (int i = 0; i < 4; ++i) {
        uint32_t words[kLanes];
        store_words(words, sum[r][v][i]);
        for (int lane = 0; lane < kLanes; ++lane) sums[lane / 4][r][4 * i + lane % 4] += words[lane];
      }
    }
    sums -= kVectors * kVectorColumns / kBlock;
  }
}
#else
constexpr int kVectorColumns = 4 * kBlock;
constexpr int kWideRows = 1;
constexpr int kWideVectors = 1;
constexpr uint64_t kFewRows = 1;

template <int kCount, int kVectors>
void sum_wide(const Gemm &gemm, const int8_t *const *a, uint64_t column, uint32_t (*sums)[kCount][kBlock]) {
  static_assert(kCount == 1 && kVectors == 1);
  uint32_t sum[kVectorColumns] = {};
  const int8_t *b = gemm.b + column;
  for (uint64_t k = 0; k < gemm.k; ++k, b += gemm.b_row) {
    const int32_t factor = a[0][k];
    for (int i = 0; i < kVectorColumns; ++i) sum[i] += static_cast<uint32_t>(factor * b[i]);
  }
  for (int i = 0; i < kVectorColumns; ++i) sums[i / kBlock][0][i % kBlock] += sum[i];
}
#endif

// Rows from `row` on by the columns from `column` on.
template <int kCount, int kVectors>
void run_wide(const Gemm &gemm, uint64_t row, uint64_t column) {
  constexpr size_t kBlocks = kVectors * kVectorColumns / kBlock;
  alignas(64) uint32_t sums[kBlocks][kCount][kBlock];
  const int8_t *a[kCount];
  for (size_t r = 0; r < kCount; ++r) a[r] = gemm.a.row(row + r);
  for (size_t i = 0; i < kBlocks; ++i) start_block(gemm, kCount, column + i * kBlock, kBlock, sums[i]);
  sum_wide<kCount, kVectors>(gemm, a, column, sums);
  for (size_t i = 0; i < kBlocks; ++i) store_block(gemm, row, kCount, column + i * kBlock, kBlock, sums[i]);
}

// Rows by all columns but the last ones that fill no vector. @return  those columns
template <int kCount, int kVectors>
uint64_t run_wide_rows(const Gemm &gemm, uint64_t row) {
  uint64_t column = 0;
  for (; column + kVectors * kVectorColumns <= gemm.n; column += kVectors * kVectorColumns) {
    run_wide<kCount, kVectors>(gemm, row, column);
  }
  if constexpr (kVectors > 1) {
    for (; column + kVectorColumns <= gemm.n; column += kVectorColumns) run_wide<kCount, 1>(gemm, row, column);
  }
  return column;
}

uint64_t run_few_rows(const Gemm &gemm, uint64_t row_end) {
  uint64_t column = 0;
  uint64_t row = gemm.row_begin;
  if constexpr (kWideRows > 1) {
    for (; row + kWideRows <= row_end; row += kWideRows) column = run_wide_rows<kWideRows, 1>(gemm, row);
  }
  for (; row < row_end; ++row) column = run_wide_rows<1, kWideVectors>(gemm, row);
  return column;
}

void run_tiles(const Gemm &gemm, uint64_t row_end, uint64_t column) {
  Tile tile;
  for (tile.column = column; tile.column < gemm.n; tile.column += kStripBlocks * kBlock) {
    tile.count = at_most(kStripBlocks * kBlock, gemm.n - tile.column);
    tile.blocks = (tile.count - 1) / kBlock + 1;
    for (tile.row = gemm.row_begin; tile.row < row_end; tile.row += kRows) {
      tile.rows = at_most(kRows, row_end - tile.row);
      run_tile(gemm, tile);
    }
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
                     .b_row = elements_between_rows<int8_t>(args->weights[0], n),
                     .result = requantiser_of(*args, config.result)};
  const auto row_end = static_cast<uint64_t>(c.row_end);
  const bool is_few = row_end - gemm.row_begin <= kFewRows;
  run_tiles(gemm, row_end, is_few ? run_few_rows(gemm, row_end) : 0);
  return 0;
}

DETENT_ISA_END
