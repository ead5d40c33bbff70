#include "app/tasks/chain_latency.hpp"

#include <algorithm>

namespace detent::app {
namespace {

/// Runs of one link by their begins, and the earliest end of those that begin there or later.
class Link {
 public:
  explicit Link(std::vector<ChainRun> runs) : runs_(std::move(runs)) {
    std::ranges::sort(runs_, {}, &ChainRun::begin_ps);
    for (std::size_t i = runs_.size(); i-- > 1;) {
      runs_[i - 1].end_ps = std::min(runs_[i - 1].end_ps, runs_[i].end_ps);
    }
  }
  /// When data is out that is there at this instant.
  [[nodiscard]] std::optional<std::uint64_t> out_ps(std::uint64_t there_ps) const {
    const auto run = std::ranges::lower_bound(runs_, there_ps, {}, &ChainRun::begin_ps);
    if (run == runs_.end()) return std::nullopt;
    return run->end_ps;
  }
  [[nodiscard]] const std::vector<ChainRun>& runs() const { return runs_; }

 private:
  std::vector<ChainRun> runs_;
};

}  // namespace

std::optional<std::uint64_t> latency_bound_ps(const std::vector<ChainLink>& links) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 63U;
  std::uint64_t sum = 0;
  for (const ChainLink& link : links) {
    if (link.period_ps > kMost || link.response_ps > kMost - link.period_ps) return std::nullopt;
    const std::uint64_t more = link.period_ps + link.response_ps;
    if (more > kMost - sum) return std::nullopt;
    sum += more;
  }
  return sum;
}

std::optional<std::uint64_t> longest_latency_ps(const std::vector<std::vector<ChainRun>>& runs) {
  std::vector<Link> links;
  for (const std::vector<ChainRun>& of_link : runs) links.emplace_back(of_link);
  std::optional<std::uint64_t> longest;
  if (links.empty()) return longest;
  for (const ChainRun& missed : links.front().runs()) {
    const std::uint64_t arrives_ps = missed.begin_ps + 1;
    std::optional<std::uint64_t> at_ps = arrives_ps;
    for (const Link& link : links) {
      at_ps = link.out_ps(*at_ps);
      if (!at_ps) break;
    }
    if (at_ps) longest = std::max(longest.value_or(0), *at_ps - arrives_ps);
  }
  return longest;
}

}  // namespace detent::app
