#include "sim/cost/dram.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace detent::sim {
namespace {

constexpr std::uint32_t kMaxNodes = kMaxStreams / 2 + 1;

/// L_n(x) and L_(n-1)(x) of Laguerre.
std::pair<double, double> laguerre(std::uint32_t n, double x) {
  double previous = 0;
  double value = 1;
  for (std::uint32_t k = 0; k < n; ++k) {
    const double next = ((2.0 * k + 1 - x) * value - k * previous) / (k + 1.0);
    previous = std::exchange(value, next);
  }
  return {value, previous};
}

/// The root of L_n between two places where it has different signs.
double root_between(std::uint32_t n, double low, double high) {
  const bool low_is_positive = laguerre(n, low).first > 0;
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    ((laguerre(n, middle).first > 0) == low_is_positive ? low : high) = middle;
  }
  return (low + high) / 2;
}

double power(double base, std::uint32_t exponent) {
  double result = 1;
  for (; exponent > 0; exponent >>= 1U, base *= base) {
    if ((exponent & 1U) != 0) result *= base;
  }
  return result;
}

}  // namespace

/// Nodes and weights of the sum of n terms; roots of L_n interlace those of L_(n-1), so each is found from the last.
void DramQueue::add_rule() {
  const auto n = static_cast<std::uint32_t>(rules_.size() + 1);
  std::vector<Node> rule;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double low = i == 0 ? 0 : rules_.back()[i - 1].at;
    const double high = i + 1 < n ? rules_.back()[i].at : 4.0 * n + 3;  // above every root of L_n
    const double at = root_between(n, low, high);
    const double beyond = laguerre(n + 1, at).first * (n + 1.0);
    rule.push_back({at, at / (beyond * beyond)});
  }
  rules_.push_back(std::move(rule));
}

/// Exact for polynomials of `degree`.
const std::vector<DramQueue::Node>& DramQueue::rule_for(std::uint32_t degree) {
  const std::uint32_t n = std::min(degree / 2 + 1, kMaxNodes);
  while (rules_.size() < n) add_rule();
  return rules_[n - 1];
}

void DramQueue::solve(std::span<const DramClient> clients, std::span<double> speeds) {
  std::uint32_t degree = 0;
  for (const DramClient& client : clients) degree = std::min(degree + client.streams, kMaxStreams);
  const std::vector<Node>& nodes = rule_for(degree);
  terms_.clear();
  double all = 0;
  for (const Node& node : nodes) {
    double term = node.weight;
    for (const DramClient& client : clients) {
      term *= power(1 - client.share + client.share * node.at, client.streams);
    }
    terms_.push_back(term);
    all += term;
  }
  for (std::size_t i = 0; i < clients.size(); ++i) {
    const double share = clients[i].share;
    double without = 0;
    for (std::size_t k = 0; k < nodes.size(); ++k) without += terms_[k] / (1 - share + share * nodes[k].at);
    speeds[i] = std::clamp(without / all / own_speed(share, clients[i].streams), 1e-9, 1.0);
  }
}

double own_speed(double share, std::uint32_t streams) {
  // G(n) of equal streams is (1 - share)^n + n share G(n - 1).
  double before = 1;
  double total = 1;
  double none = 1;
  for (std::uint32_t n = 1; n <= std::min(streams, kMaxStreams); ++n) {
    none *= 1 - share;
    before = std::exchange(total, none + n * share * total);
  }
  return before / total;
}

double share_of_stream(double busy, std::uint32_t streams) {
  if (streams <= 1) return std::clamp(busy, 0.0, 1.0);
  if (busy >= 1) return 1;
  double low = 0;
  double high = 1;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (streams * middle * own_speed(middle, streams) < busy ? low : high) = middle;
  }
  return high;
}

StreamShares::StreamShares(std::uint32_t streams) : streams_(streams) {
  for (std::uint32_t i = 0; i <= kSteps; ++i) {
    shares_.push_back(share_of_stream(static_cast<double>(i) / kSteps, streams));
  }
}

double StreamShares::at(double busy) const {
  if (streams_ <= 1 || busy <= 0 || busy >= 1) return std::clamp(busy, 0.0, 1.0);
  const auto missing = [&](double share) { return streams_ * share * own_speed(share, streams_) - busy; };
  const auto below = std::min(static_cast<std::uint32_t>(busy * kSteps), kSteps - 1);
  double low = shares_[below];
  double high = shares_[below + 1];
  double at_low = missing(low);
  double at_high = missing(high);
  if (at_low >= 0) return low;
  for (int step = 0; step < 100 && high - low > 1e-10 && at_high > 0; ++step) {
    // A guess on the side of the nearer end is moved on by a tenth of the way, so that the bracket closes from both.
    const double guess = low + (high - low) * std::clamp(at_low / (at_low - at_high), 0.1, 0.9);
    const double found = missing(guess);
    (found < 0 ? low : high) = guess;
    (found < 0 ? at_low : at_high) = found;
  }
  return high;
}

}  // namespace detent::sim
