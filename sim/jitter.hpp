// Jitter: (seed, run, op) -> duration. Counter based, so that any run can be repeated alone.
#pragma once

#include <cstdint>

#include "sim/simulate.hpp"

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
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits) * (span + 1U)) >> 64U);
}

/// Duration of `op` in the run with this seed, in [time.best_ps, time.worst_ps]. kTriangular: the mean of two
/// uniform numbers, so symmetric with its mode in the middle.
constexpr std::uint64_t sample_ps(const OpTime& time, Jitter::Kind kind, std::uint64_t seed, std::uint32_t op) {
  const std::uint64_t span = time.worst_ps - time.best_ps;
  if (kind == Jitter::Kind::kWorst || span == 0) return time.worst_ps;
  const std::uint64_t bits = mix_bits(seed ^ mix_bits(0x9E3779B97F4A7C15U * (op + 1ULL)));
  const std::uint64_t first = scale_bits(bits, span);
  if (kind == Jitter::Kind::kUniform) return time.best_ps + first;
  const std::uint64_t second = scale_bits(mix_bits(bits + 0xA0761D6478BD642FU), span);
  const std::uint64_t half = (first ^ second) & bits & 1U;  // an odd sum is rounded either way
  return time.best_ps + first / 2 + second / 2 + (first & second & 1U) + half;
}

}  // namespace detent::sim
