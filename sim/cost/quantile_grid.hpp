// Quantile functions as tables: 64 random bits -> a number of a distribution, without a call of exp or log per draw.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/types/wide.hpp"

namespace detent::sim {

/// Where a number of 64 random bits stands on a grid that is finer the nearer the bits are to their end: each halving
/// of the rest (octave) has 64 cells, so tails are as well resolved as the middle.
struct TailCell {
  static constexpr std::uint32_t kBits = 6;
  static constexpr std::uint32_t kCells = 64U << kBits;  ///< and kCells + 1 grid points

  std::uint32_t index = 0;     ///< cell between grid points index and index + 1
  std::uint64_t fraction = 0;  ///< how far into it, of 2^64

  /// @param rest  probability left above, of 2^64: ~bits
  static constexpr TailCell of(std::uint64_t rest) {
    if (rest == 0) return {0, 0};
    const auto octave = static_cast<std::uint32_t>(std::countl_zero(rest));
    const std::uint64_t mantissa = (rest << octave) << 1U;  // without its leading one
    return {((63U - octave) << kBits) + static_cast<std::uint32_t>(mantissa >> (64U - kBits)), mantissa << kBits};
  }
  /// Probability left above at grid point `index`; 0 at the first one, 1 at the last.
  static double rest_at(std::uint32_t index);
};

/// A distribution on [0, 1]: the position of a draw within its range, of 2^64.
class QuantileGrid {
 public:
  /// @param position_at  rest -> position, falling from 1 at rest 0 to 0 at rest 1
  explicit QuantileGrid(const std::function<double(double rest)>& position_at);

  [[nodiscard]] std::uint64_t position(std::uint64_t bits) const {
    const TailCell cell = TailCell::of(~bits);
    const std::uint64_t above = positions_[cell.index];
    const std::uint64_t below = positions_[cell.index + 1];
    return above - static_cast<std::uint64_t>((static_cast<Wide>(above - below) * cell.fraction) >> 64U);
  }

 private:
  std::vector<std::uint64_t> positions_;  // at grid points, falling
};

/// Truncated Pareto: (y - 1) / (R - 1) for a Pareto number y >= 1 of tail index alpha, cut at R = 100. With
/// alpha 1.5 half of the draws stay below 0.6 % of the range, and 2 in 1000 pass its middle.
QuantileGrid pareto_grid(double alpha);
/// Truncated lognormal: e^(sigma z) for a normal z within [-4, 4], moved and scaled to [0, 1].
QuantileGrid lognormal_grid(double sigma);
/// Symmetric triangle with its mode in the middle.
QuantileGrid triangular_grid();

/// The normal distribution in both directions, for the Gaussian copula.
class NormalTable {
 public:
  /// Built once, 65 KiB; never changes.
  static const NormalTable& instance();
  /// Number below which a share bits / 2^64 of all normal numbers lies.
  [[nodiscard]] double quantile(std::uint64_t bits) const {
    const bool upper = bits >> 63U != 0;
    const TailCell cell = TailCell::of(upper ? ~bits : bits);
    const double fraction = static_cast<double>(cell.fraction >> 11U) * 0x1p-53;
    const double z = quantiles_[cell.index] + (quantiles_[cell.index + 1] - quantiles_[cell.index]) * fraction;
    return upper ? z : -z;
  }
  /// Share of normal numbers below z, of 2^64.
  [[nodiscard]] std::uint64_t share_below(double z) const;

 private:
  NormalTable();
  [[nodiscard]] double inverse_tail(double rest) const;

  static constexpr int kSteps = 2560;  // of 1/256, up to z = 10: less is left above than 2^-64
  std::array<double, kSteps + 1> tails_{};
  std::array<double, TailCell::kCells + 1> quantiles_{};  // by rest, falling to 0 at rest 1/2
};

}  // namespace detent::sim
