#include "sim/dram.hpp"

#include <algorithm>
#include <array>

namespace detent::sim {
namespace {

constexpr std::uint32_t kMaxStreams = 160;  // 64 cores and the DMA of every NPU; 160! fits a double

constexpr std::array<double, kMaxStreams + 1> factorials() {
  std::array<double, kMaxStreams + 1> values{};
  values[0] = 1;
  for (std::uint32_t k = 1; k <= kMaxStreams; ++k) values[k] = values[k - 1] * k;
  return values;
}
constexpr auto kFactorial = factorials();

/// Two streams of a client at a time are as good as it gets beyond what the factorials hold.
std::uint32_t bounded(std::uint32_t streams, std::size_t in_use) {
  const auto left = static_cast<std::uint32_t>(in_use < kMaxStreams ? kMaxStreams - in_use : 0);
  return std::min(streams, left);
}

}  // namespace

double DramQueue::normalise(std::span<const double> weights) const {
  double sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) sum += kFactorial[k] * weights[k];
  return sum;
}

/// P := P * (1 - share + share x)
void DramQueue::multiply(double share) {
  weights_.push_back(0);
  for (std::size_t k = weights_.size() - 1; k > 0; --k) {
    weights_[k] = weights_[k] * (1 - share) + weights_[k - 1] * share;
  }
  weights_[0] *= 1 - share;
}

/// G of P / (1 - share + share x), divided from the end that damps rounding errors.
double DramQueue::without(double share) {
  const std::size_t degree = weights_.size() - 1;
  quotient_.assign(degree, 0);
  if (share <= 0.5) {
    double carry = 0;
    for (std::size_t k = 0; k < degree; ++k) {
      carry = (weights_[k] - share * carry) / (1 - share);
      quotient_[k] = carry;
    }
  } else {
    double carry = 0;
    for (std::size_t k = degree; k > 0; --k) {
      carry = (weights_[k] - (1 - share) * carry) / share;
      quotient_[k - 1] = carry;
    }
  }
  return normalise(quotient_);
}

void DramQueue::solve(std::span<const DramClient> clients, std::span<double> speeds) {
  weights_.assign(1, 1.0);
  for (const DramClient& client : clients) {
    const std::uint32_t streams = bounded(client.streams, weights_.size() - 1);
    for (std::uint32_t i = 0; i < streams; ++i) multiply(client.share);
  }
  const double all = normalise(weights_);
  for (std::size_t i = 0; i < clients.size(); ++i) {
    const DramClient& client = clients[i];
    const double speed = without(client.share) / all / own_speed(client.share, client.streams);
    speeds[i] = std::clamp(speed, 1e-9, 1.0);
  }
}

double own_speed(double share, std::uint32_t streams) {
  if (streams <= 1) return 1;
  // G(n) of equal streams: k! binomial(n, k) share^k (1 - share)^(n-k), summed by the ratio of neighbours' terms.
  const auto total = [share](std::uint32_t n) {
    double coefficient = 1;  // n (n-1) ... (n-k+1)
    double sum = 0;
    for (std::uint32_t k = 0; k <= n; ++k) {
      double term = coefficient;
      for (std::uint32_t i = 0; i < k; ++i) term *= share;
      for (std::uint32_t i = k; i < n; ++i) term *= 1 - share;
      sum += term;
      coefficient *= n - k;
    }
    return sum;
  };
  const std::uint32_t n = std::min(streams, kMaxStreams);
  return total(n - 1) / total(n);
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

}  // namespace detent::sim
