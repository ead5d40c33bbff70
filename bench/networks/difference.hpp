// How far two computations of one network lie apart: as a share, of floats; in quantisation steps, of int8 elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace detent::bench {

/// Most that a difference may be, as a share of the largest magnitude in its row. Sums in another order, through all
/// layers of yolov8n, were seen to make 1.3e-4.
inline constexpr double kTolerance = 1e-3;

struct Difference {
  double absolute = 0;  ///< largest |a - b|
  double share = 0;     ///< largest |a - b| / largest |b| of the row
  bool within = true;   ///< all numbers are finite, `share` is within the tolerance, and both have as many elements
};

/// Rows are what has one unit: a coordinate of all anchors, the probabilities of all classes.
/// @param columns  elements of a row, at least 1
[[nodiscard]] Difference difference_of(const std::vector<float>& values, const std::vector<float>& peer,
                                       std::size_t columns);

/// Of I8 elements: how many lie how many steps apart.
struct StepDifference {
  std::vector<std::uint64_t> counts{};  ///< [k]: elements that lie k steps apart
  std::uint64_t elements = 0;
  bool within = true;  ///< both have as many elements, all are whole numbers of I8, and the law is kept

  /// The greatest number of steps; 0 where nothing differs.
  [[nodiscard]] std::size_t largest() const { return counts.empty() ? 0 : counts.size() - 1; }
  /// Elements that differ, as a share of all.
  [[nodiscard]] double share() const;
  /// The root of the mean of the squares of all steps.
  [[nodiscard]] double deviation() const;
};

/// How far two int8 computations may lie apart.
struct StepLaw {
  double deviation = 0;     ///< most that the root mean square may be
  std::size_t largest = 0;  ///< most steps of one element
};

[[nodiscard]] StepDifference step_difference_of(const std::vector<float>& values, const std::vector<float>& peer,
                                                const StepLaw& law);

}  // namespace detent::bench
