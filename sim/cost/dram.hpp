// Shared DRAM: a closed queue of requests, solved exactly. Shares of the clients at work -> speed of each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace detent::sim {

/// Streams that are solved exactly: 64 cores and the DMA of every NPU. With more, speeds are an approximation.
inline constexpr std::uint32_t kMaxStreams = 160;

/// One client of the DRAM while it executes an op.
struct DramClient {
  /// Share of its time alone that one of its request streams keeps the server busy: S / (Z + S), with S the service
  /// time of a request and Z the time it thinks (computes, or waits for its own pipeline) between two. In [0, 1].
  double share = 0;
  /// Requests in flight at once: 1 for a core, dma_outstanding for an NPU. > 0.
  std::uint32_t streams = 1;
};

/// The queue. All requests have one size (a burst), so one mean service time; think times differ per client. Requests
/// are served in order of arrival, service and think times vary (exponentially, in the model). The stationary
/// distribution then has product form: with k requests at the server, weight k! times the coefficient of x^k in
///     P(x) = product over streams of (1 - share + share x),
///     G = sum over k of k! [x^k] P = integral over x from 0 of exp(-x) P(x),
/// and a stream's speed, relative to its speed alone, is G without that stream / G with it. The integral is a
/// Gauss-Laguerre sum, exact for polynomials of this degree, of positive terms only. Exact, without simulating single
/// bursts; tests compare it with a simulation burst by burst. Two equal copy loops on measured silicon are
/// predicted within 3 % (docs/VERIFICATION.md), where dividing the bandwidth by two is off by 15 to 20 %.
/// @see  Gordon and Newell 1967, closed queueing systems with exponential servers; Lazowska et al. 1984, ch. 6
class DramQueue {
 public:
  /// Speed of each client, in (0, 1], relative to its speed with the whole DRAM for itself.
  /// @param speeds  [clients.size()], written
  void solve(std::span<const DramClient> clients, std::span<double> speeds);

 private:
  struct Node {
    double at = 0;
    double weight = 0;
  };
  void add_rule();
  const std::vector<Node>& rule_for(std::uint32_t degree);

  std::vector<std::vector<Node>> rules_;  // [n - 1]: the sum of n terms; as many as were needed so far
  std::vector<double> terms_;             // one per node of the sum
};

/// Speed of a client alone whose `streams` streams of this share wait for each other: G(streams-1) / G(streams).
double own_speed(double share, std::uint32_t streams);

/// Share of each of `streams` streams that together keep the server busy for `busy` of the time, when alone: the
/// inverse of streams * share * own_speed. By bisection; 1 for busy = 1.
/// @param busy  in [0, 1]
double share_of_stream(double busy, std::uint32_t streams);

/// share_of_stream for one number of streams and many values: a table of brackets, then false position.
class StreamShares {
 public:
  explicit StreamShares(std::uint32_t streams);
  /// Within 1e-9 of share_of_stream(busy, streams).
  [[nodiscard]] double at(double busy) const;

 private:
  static constexpr std::uint32_t kSteps = 64;
  std::uint32_t streams_;
  std::vector<double> shares_;
};

}  // namespace detent::sim
