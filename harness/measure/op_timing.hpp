// OpTimer: Desc -> how long each op's kernel takes on this machine, one worker, warm and cold caches.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <detent/desc.h>

#include "harness/instance.hpp"

namespace detent::harness {

enum class CacheState : std::uint8_t {
  kWarm,  ///< as the ops before it in the same run, and the run before, left them
  kCold   ///< the op's operands are in no cache
};

/// How operands are driven out of the caches before an op.
enum class FlushMethod : std::uint8_t {
  kBest,   ///< kLines where the processor has such an instruction, else kWalk
  kLines,  ///< line by line, the operands alone
  kWalk    ///< a walk through more bytes than the last-level cache holds
};

struct OpTimerOptions {
  std::uint64_t seed = 0;                  ///< of inputs
  std::vector<detent_backend> backends{};  ///< asked first; without a dispatch of their own
  FlushMethod flush = FlushMethod::kBest;
  std::uint64_t walk_bytes = 0;  ///< kWalk; 0: twice the last-level cache, 512 MiB at most
};

/// Runs one Desc again and again on the calling thread (closed loop, one worker) with a back end that reads the clock
/// around each kernel; the clock's own cost is subtracted (kernel_time_ps). One thread at a time.
class OpTimer {
 public:
  /// @param desc  outlives the timer
  /// @throws std::invalid_argument  a Desc that does not bind, a back end with its own dispatch
  OpTimer(const detent_desc& desc, const OpTimerOptions& options);
  ~OpTimer();
  OpTimer(const OpTimer&) = delete;
  OpTimer& operator=(const OpTimer&) = delete;

  /// One run: time of every op, ps, by op id; 0 for delays alone, which no kernel executes. Valid until the next run.
  /// @throws std::invalid_argument  a kernel failed
  const std::vector<std::uint64_t>& run(CacheState state);
  /// Time of the last run from begin to end, clock reads and flushing included, ps.
  [[nodiscard]] std::uint64_t makespan_ps() const;
  /// Cost of one reading of the clock, as it is subtracted, ps.
  [[nodiscard]] std::uint64_t clock_cost_ps() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Time of a kernel between two readings of the host's clock: `elapsed_ps` without the cost of a reading, and one tick
/// of the clock where nothing is left. A reading may cost less than it did when its cost was measured, as on a machine
/// that was busy then; what was executed has taken time all the same.
std::uint64_t kernel_time_ps(std::uint64_t elapsed_ps, std::uint64_t clock_cost_ps);

/// Bytes of this machine's last-level cache, 32 MiB where it does not say.
std::uint64_t last_level_cache_bytes();

/// Order statistics of a sample, ps. Nearest rank.
struct TimeStatistics {
  std::uint64_t min_ps = 0, median_ps = 0, p99_ps = 0, max_ps = 0;
  std::vector<std::uint64_t> quantiles_ps{};  ///< evenly spaced ranks, first min, last max
};

/// Mean without the greatest tenth. A run's time is the sum of its ops' times, so its typical value is the sum of their
/// means, which on a noisy machine lie above their medians; single interruptions are left out.
/// @param samples_ps  not empty
std::uint64_t trimmed_mean(std::vector<std::uint64_t> samples_ps);

/// @param samples_ps  not empty   @param quantile_count  from 2; fewer where there are fewer samples, but never below 2
TimeStatistics summarize(std::vector<std::uint64_t> samples_ps, std::size_t quantile_count);

}  // namespace detent::harness
