// "softmax_f32": exp(x - max) / sum, row by row. Sums run in 16 lanes (column modulo 16) and join in a fixed tree, so
// the bits depend on neither the vector width nor the row's place. Results below the least normal number are 0.
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

struct Larger {
  static DETENT_INLINE Vec join(Vec a, Vec b) { return larger(a, b); }
};
struct Sum {
  static DETENT_INLINE Vec join(Vec a, Vec b) { return a + b; }
};

// Lane i joins lane i + kWidth, for i below kWidth; then the same with half the width, down to 1.
template <typename Reduce, int kWidth>
DETENT_INLINE void join_upper_half(Lanes &lanes) {
  if constexpr (kWidth >= kLanes) {
    constexpr int kHalf = kWidth / kLanes;
    for (int v = 0; v < kHalf; ++v) lanes.part[v] = Reduce::join(lanes.part[v], lanes.part[v + kHalf]);
  } else {
    lanes.part[0] = Reduce::join(lanes.part[0], rotated<kWidth>(lanes.part[0]));
  }
  if constexpr (kWidth > 1) join_upper_half<Reduce, kWidth / 2>(lanes);
}

template <typename Reduce>
DETENT_INLINE float join_lanes(Lanes lanes) {
  join_upper_half<Reduce, kBlock / 2>(lanes);
  return first_lane(lanes.part[0]);
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
  return join_lanes<Larger>(largest);
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
  return join_lanes<Sum>(sum);
}

// Quotients below the least normal number are 0: what reads them would take its time (activate.h).
void divide_row(float *y, float divisor, int32_t columns) {
  const Vec least = splat(0x1p-126F * divisor);
  for (int32_t c = 0; c < columns; c += kBlock) {
    Lanes lanes = load_lanes(y + c, columns - c, 0.0F);
    for (int v = 0; v < kParts; ++v) {
      lanes.part[v] = select(lanes.part[v] < least, splat(0.0F), lanes.part[v]) / splat(divisor);
    }
    store_lanes(y + c, columns - c, lanes);
  }
}

}  // namespace

int32_t run_softmax_f32(const detent_kernel_args *args) {
  const auto &config = *static_cast<const detent_softmax_config *>(args->config);
  const RowView<> x(args->inputs[0], static_cast<uint64_t>(config.columns));
  const RowView<> y(args->outputs[0], static_cast<uint64_t>(config.columns));
  for (uint64_t row = 0; row < static_cast<uint64_t>(config.rows); ++row) {
    const float *from = x.row(row);
    float *to = y.row(row);
    const float maximum = row_maximum(from, config.columns);
    const float sum = exponentiate_row(from, maximum, to, config.columns);
    divide_row(to, sum, config.columns);
  }
  return 0;
}

DETENT_ISA_END
