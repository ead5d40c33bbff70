#include "bench/networks/difference.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace detent::bench {
namespace {

void add_row(Difference& difference, std::span<const float> values, std::span<const float> peer) {
  double largest = 0, distance = 0;
  for (std::size_t i = 0; i < peer.size(); ++i) {
    if (!std::isfinite(values[i]) || !std::isfinite(peer[i])) difference.within = false;
    largest = std::max(largest, std::abs(static_cast<double>(peer[i])));
    distance = std::max(distance, std::abs(static_cast<double>(values[i]) - static_cast<double>(peer[i])));
  }
  difference.absolute = std::max(difference.absolute, distance);
  if (distance == 0) return;
  difference.share = std::max(difference.share, distance / largest);
  if (!(distance <= kTolerance * largest)) difference.within = false;
}

}  // namespace

Difference difference_of(const std::vector<float>& values, const std::vector<float>& peer, std::size_t columns) {
  Difference difference;
  if (values.size() != peer.size() || values.empty()) {
    difference.within = false;
    return difference;
  }
  for (std::size_t begin = 0; begin < peer.size(); begin += columns) {
    const std::size_t count = std::min(columns, peer.size() - begin);
    add_row(difference, std::span(values).subspan(begin, count), std::span(peer).subspan(begin, count));
  }
  return difference;
}

double StepDifference::share() const {
  std::uint64_t differing = 0;
  for (std::size_t k = 1; k < counts.size(); ++k) differing += counts[k];
  return elements == 0 ? 0 : static_cast<double>(differing) / static_cast<double>(elements);
}

double StepDifference::deviation() const {
  double squares = 0;
  for (std::size_t k = 1; k < counts.size(); ++k) {
    squares += static_cast<double>(counts[k]) * static_cast<double>(k) * static_cast<double>(k);
  }
  return elements == 0 ? 0 : std::sqrt(squares / static_cast<double>(elements));
}

StepDifference step_difference_of(const std::vector<float>& values, const std::vector<float>& peer,
                                  const StepLaw& law) {
  const auto is_element = [](float value) { return value >= -128 && value <= 127 && value == std::floor(value); };
  StepDifference difference{.counts = {}, .elements = peer.size()};
  if (values.size() != peer.size() || values.empty() || !std::ranges::all_of(values, is_element) ||
      !std::ranges::all_of(peer, is_element)) {
    difference.within = false;
    return difference;
  }
  for (std::size_t i = 0; i < peer.size(); ++i) {
    const auto steps = static_cast<std::size_t>(std::abs(values[i] - peer[i]));
    if (difference.counts.size() <= steps) difference.counts.resize(steps + 1);
    ++difference.counts[steps];
  }
  difference.within = difference.largest() <= law.largest && difference.deviation() <= law.deviation;
  return difference;
}

}  // namespace detent::bench
