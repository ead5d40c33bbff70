// Tables of quantile functions.
#include "sim/cost/quantile_grid.hpp"

#include <algorithm>
#include <cmath>

#include "sim/cost/portable_math.hpp"

namespace detent::sim {
namespace {

constexpr double kParetoRatio = 100;
constexpr double kLognormalCut = 4;
constexpr double kNormalStep = 1.0 / 256;
constexpr double kRootTwoPi = 2.5066282746310002;

std::uint64_t to_fraction(double position) {
  if (!(position > 0)) return 0;
  const double scaled = std::ldexp(position, 64);
  return scaled < 0x1p64 ? static_cast<std::uint64_t>(scaled) : UINT64_MAX;
}

double normal_density(double z) { return portable_exp(-0.5 * z * z) / kRootTwoPi; }

}  // namespace

double TailCell::rest_at(std::uint32_t index) {
  if (index == 0) return 0;  // the first cell, of the last octave, reaches down to it
  const double mantissa = 1.0 + static_cast<double>(index & ((1U << kBits) - 1U)) / (1U << kBits);
  return std::ldexp(mantissa, static_cast<int>(index >> kBits) - 64);
}

QuantileGrid::QuantileGrid(const std::function<double(double rest)>& position_at) {
  positions_.reserve(TailCell::kCells + 1);
  for (std::uint32_t i = 0; i <= TailCell::kCells; ++i) {
    const std::uint64_t position = to_fraction(position_at(TailCell::rest_at(i)));
    positions_.push_back(i == 0 ? position : std::min(position, positions_.back()));  // last bits may not rise
  }
}

QuantileGrid pareto_grid(double alpha) {
  // Probability left above y: (y^-alpha - R^-alpha) / (1 - R^-alpha).
  const double last = portable_exp(-alpha * portable_log(kParetoRatio));
  return QuantileGrid([alpha, last](double rest) {
    const double power = rest + (1 - rest) * last;
    return (portable_exp(-portable_log(power) / alpha) - 1) / (kParetoRatio - 1);
  });
}

QuantileGrid lognormal_grid(double sigma) {
  const NormalTable& normal = NormalTable::instance();
  const double below = std::ldexp(static_cast<double>(normal.share_below(-kLognormalCut)), -64);
  const double low = portable_exp(-sigma * kLognormalCut);
  const double high = portable_exp(sigma * kLognormalCut);
  return QuantileGrid([&normal, below, low, high, sigma](double rest) {
    const double left = below + rest * (1 - 2 * below);  // of the whole normal distribution, above z
    const double z = left < 0.5 ? normal.quantile(~to_fraction(left)) : -normal.quantile(~to_fraction(1 - left));
    return (portable_exp(sigma * z) - low) / (high - low);
  });
}

QuantileGrid triangular_grid() {
  return QuantileGrid([](double rest) { return rest <= 0.5 ? 1 - std::sqrt(rest / 2) : std::sqrt((1 - rest) / 2); });
}

const NormalTable& NormalTable::instance() {
  static const NormalTable table;
  return table;
}

NormalTable::NormalTable() {
  // Simpson's rule from the far end, where nothing is lost by adding small to large.
  double tail = 0;
  for (int step = kSteps; step >= 0; --step) {
    const double z = step * kNormalStep;
    tail += (normal_density(z) + 4 * normal_density(z + kNormalStep / 2) + normal_density(z + kNormalStep)) *
            (kNormalStep / 6);
    tails_[static_cast<std::size_t>(step)] = tail;
  }
  for (double& value : tails_) value *= 0.5 / tail;
  for (std::uint32_t i = 0; i <= TailCell::kCells; ++i) quantiles_[i] = inverse_tail(TailCell::rest_at(i));
}

/// z >= 0 with `rest` left above it; interpolated as share_below does.
double NormalTable::inverse_tail(double rest) const {
  if (rest >= 0.5) return 0;
  const auto below = std::upper_bound(tails_.begin(), tails_.end(), rest, [](double a, double b) { return a > b; });
  if (below == tails_.end()) return kSteps * kNormalStep;
  const double above = *(below - 1);
  const auto step = static_cast<double>(below - tails_.begin() - 1);
  return (step + (above - rest) / (above - *below)) * kNormalStep;
}

std::uint64_t NormalTable::share_below(double z) const {
  const double steps = std::min(std::abs(z) / kNormalStep, static_cast<double>(kSteps) - 0x1p-20);
  const auto step = static_cast<std::size_t>(steps);
  const double tail = tails_[step] + (tails_[step + 1] - tails_[step]) * (steps - static_cast<double>(step));
  const std::uint64_t rest = to_fraction(tail);
  return z < 0 ? rest : ~rest;
}

}  // namespace detent::sim
