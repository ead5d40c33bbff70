// Jitter: (seed of the run, op, core) -> duration. Counter based, so that any run can be repeated alone.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "sim/cost/cost_table.hpp"
#include "sim/cost/quantile_grid.hpp"
#include "sim/types/op_times.hpp"
#include "sim/types/wide.hpp"

namespace detent::sim {

/// SplitMix64's output function: a bijection that spreads every input bit over the word.
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

/// Seed of run `run` of a campaign. Run 0 has the campaign's own seed, so a campaign of one run with the seed of
/// run r repeats run r.
constexpr std::uint64_t run_seed(std::uint64_t seed, std::uint64_t run) {
  return run == 0 ? seed : mix_bits(mix_bits(seed + 0x9E3779B97F4A7C15U) + run * 0xD1342543DE82EF95U);
}

/// A number in [0, span] from 64 random bits: the high word of their product with span + 1.
constexpr std::uint64_t scale_bits(std::uint64_t bits, std::uint64_t span) {
  if (span == UINT64_MAX) return bits;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits) * (span + 1U)) >> 64U);
}

/// The mean of two uniform numbers of [0, span], both from `bits`: symmetric with its mode in the middle.
constexpr std::uint64_t triangle_bits(std::uint64_t bits, std::uint64_t span) {
  const std::uint64_t first = scale_bits(bits, span);
  const std::uint64_t second = scale_bits(mix_bits(bits + 0xA0761D6478BD642FU), span);
  const std::uint64_t half = (first ^ second) & bits & 1U;  // an odd sum is rounded either way
  return first / 2 + second / 2 + (first & second & 1U) + half;
}

/// Duration of `op` in the run with this seed, in [time.best_ps, time.worst_ps], when every op has the same kind of
/// distribution and draws are independent. kWorst, kUniform and kTriangular only.
constexpr std::uint64_t sample_ps(const OpTime& time, Jitter::Kind kind, std::uint64_t seed, OpId op) {
  const std::uint64_t span = time.worst_ps - time.best_ps;
  if (kind == Jitter::Kind::kWorst || span == 0) return time.worst_ps;
  const std::uint64_t bits = mix_bits(seed ^ mix_bits(0x9E3779B97F4A7C15U * (op + 1ULL)));
  return time.best_ps + (kind == Jitter::Kind::kUniform ? scale_bits(bits, span) : triangle_bits(bits, span));
}

/// Spread of `op` under its rule. @throws std::invalid_argument  not from 0 to 1000
double jitter_spread(const Jitter& jitter, const detent_desc& desc, OpId op);

/// Draws the durations of ops. Values between folders of sim only; immutable, so several runs may share one.
///
/// With core_correlation rho > 0, the draw of an op is that of Phi(sqrt(rho) z_core + sqrt(1 - rho) z_op), where z_core
/// is one standard normal number per (seed, core), z_op one per (seed, op) and Phi the normal distribution function (a
/// Gaussian copula): the op's own distribution stays what it was, while the normal scores of two ops on one core
/// correlate by rho. ASYNC ops have no core, so theirs stay independent.
class JitterSampler {
 public:
  /// @param times  [op_count], best <= worst: every duration lies within
  /// @param costs  the quantiles of kEmpirical; their positions in [min, max] are taken, so that a scaled range keeps
  ///               its shape. May be null when no op with a range is kEmpirical
  /// @throws std::invalid_argument  a parameter that cannot be; kEmpirical without a measurement of an op, named
  JitterSampler(const detent_desc& desc, const std::vector<OpTime>& times, const Jitter& jitter,
                const CostTable* costs = nullptr);

  /// Duration of `op` on `core` (any number that names the core; without correlation it does not matter).
  [[nodiscard]] std::uint64_t sample_ps(OpId op, std::uint32_t core, std::uint64_t seed) const {
    const Draw& draw = draws_[op];
    if (draw.shape == Shape::kConstant) return draw.best_ps + draw.span_ps;
    std::uint64_t bits = mix_bits(seed ^ mix_bits(0x9E3779B97F4A7C15U * (op + 1ULL)));
    if (draw.follows_core) bits = follow_core(bits, core, seed);
    if (draw.shape == Shape::kUniform) return draw.best_ps + scale_bits(bits, draw.span_ps);
    return draw.best_ps + shaped(draw, bits);
  }

  /// What `op` may take: sample_ps lies within, and no time within has a smaller range.
  [[nodiscard]] OpTime range(OpId op) const {
    const Draw& draw = draws_[op];
    const std::uint64_t worst_ps = draw.best_ps + draw.span_ps;
    return {draw.shape == Shape::kConstant ? worst_ps : draw.best_ps, worst_ps};
  }

 private:
  enum class Shape : std::uint8_t { kConstant, kUniform, kTriangle, kGrid, kPoints };
  struct Draw {
    std::uint64_t best_ps = 0;
    std::uint64_t span_ps = 0;
    Shape shape = Shape::kConstant;
    bool follows_core = false;
    std::uint32_t table = 0;  ///< kGrid: of grids_; kPoints: first of points_
    std::uint32_t count = 0;  ///< kPoints: points, at least 2
  };
  class Builder;

  [[nodiscard]] std::uint64_t follow_core(std::uint64_t bits, std::uint32_t core, std::uint64_t seed) const;
  [[nodiscard]] std::uint64_t shaped(const Draw& draw, std::uint64_t bits) const;

  std::vector<Draw> draws_;
  std::vector<QuantileGrid> grids_;
  std::vector<std::uint64_t> points_;  // offsets from best at evenly spaced ranks, ascending per op
  double of_core_ = 0;                 // sqrt(rho)
  double of_op_ = 1;                   // sqrt(1 - rho)
};

}  // namespace detent::sim
