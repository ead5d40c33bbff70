// CoreLoads: the loads of higher priority on one core, release by release. Time -> is the core taken, until when.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"

namespace detent::sim {

/// Releases of all loads of one core in the order of time; work that is released while another load runs follows it.
/// Release k of a load comes at begin + offset + k * period + a number up to its jitter, which is a function of
/// (seed, load, k). Asked with times that never decrease.
class CoreLoads {
 public:
  static constexpr std::uint64_t kNever = UINT64_MAX;

  /// One stretch of time in which the core belongs to a load.
  struct Stretch {
    std::uint32_t load = 0;  ///< index into Platform::loads
    std::uint64_t begin_ps = 0;
    std::uint64_t end_ps = 0;
  };

  /// @param loads  of the platform; outlives this
  /// @param mine   indices of those on this core
  CoreLoads(const std::vector<Load>& loads, std::vector<std::uint32_t> mine);

  /// Forget the past; loads count from begin_ps on.
  void begin(std::uint64_t begin_ps, std::uint64_t seed);
  /// Take note of all releases up to now_ps.
  void advance(std::uint64_t now_ps);
  [[nodiscard]] bool empty() const { return mine_.empty(); }
  /// After advance(now_ps): the core is taken now.
  [[nodiscard]] bool taken(std::uint64_t now_ps) const { return now_ps < busy_until_ps_; }
  /// After advance(now_ps): when that may change, or kNever.
  [[nodiscard]] std::uint64_t next_change_ps(std::uint64_t now_ps) const;
  /// Every stretch that advance() has met since begin().
  [[nodiscard]] const std::vector<Stretch>& stretches() const { return stretches_; }
  /// Keep the stretches from now on (they are needed for traces only).
  void keep_stretches(bool keep) { keep_ = keep; }

 private:
  struct Next {
    std::uint32_t load = 0;
    std::uint64_t number = 0;
    std::uint64_t release_ps = 0;
  };
  [[nodiscard]] std::uint64_t release_ps(std::uint32_t load, std::uint64_t number) const;
  [[nodiscard]] std::size_t earliest() const;

  const std::vector<Load>* loads_;
  std::vector<std::uint32_t> mine_;
  std::vector<Next> next_;
  std::vector<Stretch> stretches_;
  std::uint64_t begin_ps_ = 0;
  std::uint64_t seed_ = 0;
  std::uint64_t busy_until_ps_ = 0;
  bool keep_ = false;
};

}  // namespace detent::sim
