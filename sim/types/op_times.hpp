// What ops take and ask of the chip, and how their times vary from run to run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::sim {

/// Distribution of op times within [best, worst] (of a known range) or around the roofline time. Which op gets which
/// distribution: the first of `rules` that matches it, else kind, spread and shape of this struct itself.
struct Jitter {
  enum class Kind : std::uint8_t {
    kWorst,       ///< always the worst time
    kUniform,     ///< every time of the range is equally likely
    kTriangular,  ///< symmetric, its mode in the middle
    kEmpirical,   ///< the measured quantiles of a CostTable, interpolated
    kPareto,      ///< truncated; shape = tail index alpha: the smaller, the heavier the tail (sim/cost/jitter.hpp)
    kLognormal    ///< truncated; shape = sigma of the logarithm: the larger, the heavier the tail
  } kind = Kind::kUniform;
  double spread = 0.1;  ///< roofline ops: best = time, worst = time * (1 + spread)
  double shape = 0;     ///< kPareto, kLognormal: (0, 20]

  struct Rule {
    std::string pattern;  ///< core class, kernel or op name; '*' stands for any characters
    Kind kind = Kind::kUniform;
    double spread = 0.1;
    double shape = 0;
  };
  std::vector<Rule> rules{};
  /// [0, 1]: how much the draws of one core in one run have in common (Gaussian copula). Every op keeps its own
  /// distribution; 0: draws are independent, and those of before this field existed.
  double core_correlation = 0;
};

/// Execution time range of one op on one platform, overheads not included.
struct OpTime {
  std::uint64_t best_ps = 0;
  std::uint64_t worst_ps = 0;
};

/// Where an op's time comes from, the firmest ground first.
enum class TimeSource : std::uint8_t {
  kGiven,        ///< by the model
  kMeasured,     ///< by a CostTable
  kArray,        ///< the layer mapped onto the NPU's array
  kRoofline,     ///< work and bytes over rates of which the platform says where they come from
  kGuessedRate,  ///< the same, but the share of the peak that the kernel reaches is a guess or has no source
  kNone          ///< neither a time nor work: 0 ps
};

/// What one op asks of the chip.
struct OpWork {
  OpTime time{};  ///< alone on the chip
  TimeSource source = TimeSource::kNone;
  std::uint64_t compute_ps = 0;   ///< part of time.best_ps that remains if memory is infinitely fast
  std::uint64_t dram_bytes = 0;   ///< moved through the shared DRAM after the front; 0: no other client delays it
  std::uint64_t front_ps = 0;     ///< NPU: command and first fill of the buffers, part of the time; no array needed
  std::uint64_t front_bytes = 0;  ///< moved meanwhile
};

}  // namespace detent::sim
