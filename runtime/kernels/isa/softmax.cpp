// "softmax_f32": exp(x - max) / sum, row by row. Sums run in 16 lanes (column modulo 16) and join in a fixed tree, so
// the bits depend on neither the vector width nor the row's place.
#include <detent/op_config.h>

#include "runtime/kernels/isa/activate.h"
#include "runtime/kernels/isa/c16.h"
#include "runtime/kernels/isa/partial.h"
#include "runtime/kernels/isa/run.h"
#include "runtime/kernels/rows.h"

DETENT_ISA_BEGIN
namespace {

// 16 lanes, kept as vectors.
struct Lanes {
  Vec part[kParts];
};

template <typename Join>
float join_lanes(const Lanes &lanes, Join join) {
  alignas(64) float value[kBlock];
  for (int v = 0; v < kParts; ++v) store(value + v * kLanes, lanes.part[v]);
  for (int width = kBlock / 2; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) value[i] = join(value[i], value[i + width]);
  }
  return value[0];
}

Lanes load_lanes(const float *x, int32_t left, float fill) {
  Lanes lanes;
  for (int v = 0; v < kParts; ++v) {
    const int32_t count = left - v * kLanes;
    lanes.part[v] = count >= kLanes ? load(x + v * kLanes)
                                    : load_partial(x + v * kLanes, static_cast<uint64_t>(count > 0 ? count : 0), fill);
  }
  return lanes;
}

void store_lanes(float *y, int32_t left, const Lanes &lanes) {
  for (int v = 0; v < kParts; ++v) {
    const int32_t count = left - v * kLanes;
    if (count >= kLanes) {
      store(y + v * kLanes, lanes.part[v]);
    } else if (count > 0) {
      store_partial(y + v * kLanes, static_cast<uint64_t>(count), lanes.part[v]);
    }
  }
}

float row_maximum(const float *x, int32_t columns) {
  Lanes largest = load_lanes(x, columns, x[0]);
  for (int32_t c = kBlock; c < columns; c += kBlock) {
    const Lanes next = load_lanes(x + c, columns - c, x[0]);
    for (int v = 0; v < kParts; ++v) largest.part[v] = larger(next.part[v], largest.part[v]);
  }
  return join_lanes(largest, [](float a, float b) { return a > b ? a : b; });
}

// Writes e^(x - maximum) and returns its sum.
float exponentiate_row(const float *x, float maximum, float *y, int32_t columns) {
  Lanes sum = {};
  for (int32_t c = 0; c < columns; c += kBlock) {
    Lanes lanes = load_lanes(x + c, columns - c, 0.0F);
    for (int v = 0; v < kParts; ++v) lanes.part[v] = exponential(lanes.part[v] - splat(maximum));
    store_lanes(y + c, columns - c, lanes);
    if (columns - c < kBlock) lanes = load_lanes(y + c, columns - c, 0.0F);
    for (int v = 0; v < kParts; ++v) sum.part[v] += lanes.part[v];
  }
  return join_lanes(sum, [](float a, float b) { return a + b; });
}

void divide_row(float *y, float divisor, int32_t columns) {
  for (int32_t c = 0; c < columns; c += kBlock) {
    Lanes lanes = load_lanes(y + c, columns - c, 0.0F);
    for (int v = 0; v < kParts; ++v) lanes.part[v] /= splat(divisor);
    store_lanes(y + c, columns - c, lanes);
  }
}

}  // namespace

int32_t run_softmax_f32(const detent_kernel_args *args) {
  const auto &config = *static_cast<const detent_softmax_config *>(args->config);
  const RowView<> x(args->inputs[0], static_cast<uint64_t>(config.columns));
  const RowView<> y(args->outputs[0], static_cast<uint64_t>(config.columns));
  for (uint64_t row = 0; row < static_cast<uint64_t>(config.rows); ++row) {
    const float maximum = row_maximum(x.row(row), config.columns);
    const float sum = exponentiate_row(x.row(row), maximum, y.row(row), config.columns);
    divide_row(y.row(row), sum, config.columns);
  }
  return 0;
}

DETENT_ISA_END
