// "gemm_f32": y = act(a * b + bias) on row-major matrices, in register tiles of a few rows by a few vectors of columns.
// Each element starts from its bias and adds its k products in order, in whatever tile it lies.
#include <detent/op_config.h>

#include "runtime/kernels/isa/activate.h"
#include "runtime/kernels/isa/c16.h"
#include "runtime/kernels/isa/partial.h"
#include "runtime/kernels/isa/run.h"
#include "runtime/kernels/rows.h"

DETENT_ISA_BEGIN
namespace {

constexpr int kWideVecs = kLanes == 16 ? 4 : 2;
constexpr int kMaxRows = kLanes == 4 ? 2 : 4;
// From these on, one row is multiplied in one pass over b: it comes from far away, and columns of it do so slowly.
constexpr uint64_t kStreamedColumns = 128;
constexpr uint64_t kStreamedProducts = 256;

struct Gemm {
  const float *b;
  const float *bias;  // null: none
  uint64_t n, k;
  uint64_t b_row;  // from a row of b to the next: n, or more where b is columns of a wider matrix
};

// Rows of a and y that a tile covers.
struct TileRows {
  const float *a[kMaxRows];
  float *y[kMaxRows];
};

template <int kRows, int kVecs, int32_t kActivation>
void run_gemm_tile(const Gemm &gemm, const TileRows &rows, uint64_t column) {
  Vec sum[kRows][kVecs];
  DETENT_UNROLL(8)
  for (int r = 0; r < kRows; ++r) {
    DETENT_UNROLL(8)
    for (int v = 0; v < kVecs; ++v) {
      sum[r][v] = gemm.bias != nullptr ? load(gemm.bias + column + static_cast<uint64_t>(v * kLanes)) : splat(0.0F);
    }
  }
  const float *b = gemm.b + column;
  for (uint64_t k = 0; k < gemm.k; ++k, b += gemm.b_row) {
    Vec right[kVecs];
    DETENT_UNROLL(8)
    for (int v = 0; v < kVecs; ++v) right[v] = load(b + v * kLanes);
    DETENT_UNROLL(8)
    for (int r = 0; r < kRows; ++r) {
      const Vec left = splat(rows.a[r][k]);
      DETENT_UNROLL(8)
      for (int v = 0; v < kVecs; ++v) sum[r][v] = fma(left, right[v], sum[r][v]);
    }
  }
  DETENT_UNROLL(8)
  for (int r = 0; r < kRows; ++r) {
    DETENT_UNROLL(8)
    for (int v = 0; v < kVecs; ++v) store(rows.y[r] + column + v * kLanes, activate<kActivation>(sum[r][v]));
  }
}

// A matrix of fewer columns than a vector holds: each on its own.
template <int kRows, int32_t kActivation>
void run_narrow(const Gemm &gemm, const TileRows &rows) {
  for (int r = 0; r < kRows; ++r) {
    alignas(64) float sums[kLanes] = {};
    for (uint64_t j = 0; j < gemm.n; ++j) {
      float sum = gemm.bias != nullptr ? gemm.bias[j] : 0.0F;
      for (uint64_t k = 0; k < gemm.k; ++k) sum = fma1(rows.a[r][k], gemm.b[k * gemm.b_row + j], sum);
      sums[j] = sum;
    }
    store_partial(rows.y[r], gemm.n, activate<kActivation>(load(sums)));
  }
}

// kSteps products for all whole vectors of columns, added to what y holds.
template <int kSteps>
void add_products(const Gemm &gemm, const float *a, uint64_t k, float *y, uint64_t columns) {
  Vec left[kSteps];
  DETENT_UNROLL(8)
  for (int i = 0; i < kSteps; ++i) left[i] = splat(a[k + static_cast<uint64_t>(i)]);
  const float *b = gemm.b + k * gemm.b_row;
  for (uint64_t column = 0; column < columns; column += kLanes) {
    Vec sum = load(y + column);
    DETENT_UNROLL(8)
    for (int i = 0; i < kSteps; ++i) sum = fma(left[i], load(b + static_cast<uint64_t>(i) * gemm.b_row + column), sum);
    store(y + column, sum);
  }
}

// One row, with its sums in y.
template <int32_t kActivation>
void stream_row(const Gemm &gemm, const TileRows &rows) {
  constexpr uint64_t kSteps = 4;
  const uint64_t columns = gemm.n / kLanes * kLanes;
  const float *a = rows.a[0];
  float *y = rows.y[0];
  for (uint64_t column = 0; column < columns; column += kLanes) {
    store(y + column, gemm.bias != nullptr ? load(gemm.bias + column) : splat(0.0F));
  }
  uint64_t k = 0;
  for (; k + kSteps <= gemm.k; k += kSteps) add_products<kSteps>(gemm, a, k, y, columns);
  for (; k < gemm.k; ++k) add_products<1>(gemm, a, k, y, columns);
  for (uint64_t column = 0; column < columns; column += kLanes) {
    store(y + column, activate<kActivation>(load(y + column)));
  }
  if (columns < gemm.n) run_gemm_tile<1, 1, kActivation>(gemm, rows, gemm.n - kLanes);
}

template <int kRows, int32_t kActivation>
void run_tiles(const Gemm &gemm, const TileRows &rows) {
  uint64_t column = 0;
  for (; column + kWideVecs * kLanes <= gemm.n; column += kWideVecs * kLanes) {
    run_gemm_tile<kRows, kWideVecs, kActivation>(gemm, rows, column);
  }
  for (; column + kLanes <= gemm.n; column += kLanes) run_gemm_tile<kRows, 1, kActivation>(gemm, rows, column);
  if (column < gemm.n) run_gemm_tile<kRows, 1, kActivation>(gemm, rows, gemm.n - kLanes);  // some columns once more
}

template <int kRows, int32_t kActivation>
void run_row_tile(const Gemm &gemm, const RowView<> &a, const RowView<> &y, uint64_t row, uint64_t row_begin) {
  TileRows rows = {};
  for (int r = 0; r < kRows; ++r) {
    rows.a[r] = a.row(row + static_cast<uint64_t>(r));
    rows.y[r] = y.row(row - row_begin + static_cast<uint64_t>(r));
  }
  if (gemm.n < kLanes) return run_narrow<kRows, kActivation>(gemm, rows);
  if constexpr (kRows == 1) {
    if (gemm.n >= kStreamedColumns && gemm.k >= kStreamedProducts) return stream_row<kActivation>(gemm, rows);
  }
  run_tiles<kRows, kActivation>(gemm, rows);
}

struct RowPlace {
  uint64_t row, begin, end;  // y starts at `begin`
};

// At most kRows rows, as one tile.
template <int kRows, int32_t kActivation>
void run_last_rows(const Gemm &gemm, const RowView<> &a, const RowView<> &y, const RowPlace &place) {
  if (place.end - place.row == kRows) return run_row_tile<kRows, kActivation>(gemm, a, y, place.row, place.begin);
  if constexpr (kRows > 1) run_last_rows<kRows - 1, kActivation>(gemm, a, y, place);
}

template <int32_t kActivation>
void run_rows(const detent_kernel_args &args, const detent_gemm_config &config) {
  const bool b_is_weight = args.weight_count > 0;
  const auto n = static_cast<uint64_t>(config.n);
  const auto k = static_cast<uint64_t>(config.k);
  const detent_buffer &b = b_is_weight ? args.weights[0] : args.inputs[1];
  const Gemm gemm = {floats(b), config.has_bias != 0 ? floats(args.weights[1]) : nullptr, n, k,
                     elements_between_rows(b, n)};
  const RowView<> a(args.inputs[0], gemm.k);
  const RowView<> y(args.outputs[0], gemm.n);
  const auto begin = static_cast<uint64_t>(config.row_begin);
  const auto end = static_cast<uint64_t>(config.row_end);
  uint64_t row = begin;
  for (; row + kMaxRows <= end; row += kMaxRows) run_row_tile<kMaxRows, kActivation>(gemm, a, y, row, begin);
  run_last_rows<kMaxRows - 1, kActivation>(gemm, a, y, {row, begin, end});
}

}  // namespace

int32_t run_gemm_f32(const detent_kernel_args *args) {
  const auto &config = *static_cast<const detent_gemm_config *>(args->config);
  with_activation(config.activation, [&](auto tag) { run_rows<decltype(tag)::kActivation>(*args, config); });
  return 0;
}

DETENT_ISA_END
