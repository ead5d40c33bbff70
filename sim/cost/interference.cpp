// Interference: what the others on the chip can add to an op's worst time -> terms of the bounds.
//
// DRAM. In the closed queue a stream's cycle takes at most Z + N S, N the number of streams that can exist; alone it
// takes at least Z + S. So a client is slowed to at least 1 / (1 + share (N - 1)), share = S / (Z + S) of one stream:
// (N - 1) times the time that the server needs for the op, for a core with one stream. An NPU has as many clients as
// its queue takes commands: one body and fronts.
// Or, once for the whole run: while a client waits, the server serves another. So what DRAM adds to the path of
// Graham's argument, and to the mean over the cores of a class while all are busy, is in sum at most the time that the
// server needs for all bytes of the model. A client with several streams is slowed by at most the share of time in
// which the server serves others; a test tries that on random queues. Either holds, so the lower bound counts.
//
// Hardware threads. Thinking takes 1 / corun_rate as long at worst. This and DRAM by op are added to the op's isolated
// worst time, and the closed loop stays work-conserving, so the bounds over inflated times hold
// (sim/cost/overhead.cpp).
//
// Rounding. Speeds are multiples of 2^-32, rounded down: 2^-32 / speed of a time, at most. Progress is rounded down to
// a ps at each change, which each begin and end of an activity is; what that takes from the path of the argument is a
// ps per change, however many ops are at work.
//
// Loads. At any instant either some core belongs to a load or none does. In instants of the second kind the argument
// of the bounds applies as without loads; those of the first kind last, in a window of length L, at most the sum over
// loads of (floor((L + jitter) / period) + 2) * (duration + migration + 2 ps): one release carried in, one cut off at
// the end, two changes each.
#include "sim/cost/interference.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/ids.hpp"
#include "base/units.hpp"
#include "sim/cost/dram.hpp"
#include "sim/types/op_times.hpp"
#include "sim/types/wide.hpp"

namespace detent::sim {
namespace {

constexpr int kMaxSteps = 10'000;

const CoreClass* class_of(const detent_desc& desc, OpId op, const Platform& platform) {
  for (const CoreClass& core : platform.classes) {
    if (core.name == desc.classes[desc.ops[op].core_class].name) return &core;
  }
  return nullptr;
}

/// Streams that can be at work at once: every core, every NPU with a client for each command in its queue.
std::uint64_t all_streams(const Platform& platform) {
  std::uint64_t sum = 0;
  for (const CoreClass& core : platform.classes) {
    sum += std::uint64_t{core.count} * core.streams() * core.queue_depth;
  }
  return sum;
}

double service_ps(std::uint64_t bytes, const Platform& platform) {
  return static_cast<double>(bytes) / static_cast<double>(platform.dram_bytes_per_s) * kPicosecondsPerSecond;
}

/// The longest that a part of an op can take which alone takes duration_ps.
double slowed_ps(double duration_ps, std::uint64_t bytes, const CoreClass& core, const Platform& platform) {
  if (duration_ps <= 0) return 0;
  double longest_ps = duration_ps / (core.threads_per_core > 1 ? core.corun_rate : 1);
  if (bytes != 0) {
    const double busy = std::min(1.0, service_ps(bytes, platform) / duration_ps);
    longest_ps +=
        duration_ps * share_of_stream(busy, core.streams()) * (static_cast<double>(all_streams(platform)) - 1);
  }
  constexpr double kSpeedStep = 1.0 / static_cast<double>(std::uint64_t{1} << 32U);
  return longest_ps * (1 + kSpeedStep * longest_ps / duration_ps);
}

double op_slowed_ps(std::uint64_t duration_ps, const OpWork& work, const CoreClass& core, const Platform& platform) {
  const auto front_ps = static_cast<double>(std::min(work.front_ps, duration_ps));
  const double body_ps = static_cast<double>(duration_ps) - front_ps;
  return slowed_ps(front_ps, work.front_bytes, core, platform) + slowed_ps(body_ps, work.dram_bytes, core, platform);
}

/// Several streams of one client wait for each other the more, the shorter the op is: either end may be the worst.
std::uint64_t extra_ps(const OpWork& work, const CoreClass& core, const Platform& platform) {
  const double slowed = std::max(op_slowed_ps(work.time.best_ps, work, core, platform),
                                 op_slowed_ps(work.time.worst_ps, work, core, platform));
  constexpr double kArithmetic = 1.000001;
  const auto most_ps = static_cast<std::uint64_t>(std::ceil(slowed * kArithmetic));
  return most_ps <= work.time.worst_ps ? 0 : most_ps - work.time.worst_ps;
}

/// Does anything on the chip change the speed of an op that executes?
bool has_speeds(const Platform& platform, const std::vector<OpWork>& work) {
  return std::any_of(work.begin(), work.end(),
                     [](const OpWork& each) { return each.dram_bytes > 0 || each.front_bytes > 0; }) ||
         std::any_of(platform.classes.begin(), platform.classes.end(),
                     [](const CoreClass& core) { return core.threads_per_core > 1 && core.corun_rate < 1; });
}

/// What both kinds have in common, with the bytes of `work`.
Interference by_op(const detent_desc& desc, const Platform& platform, const std::vector<OpWork>& work, bool has_bytes) {
  Interference result;
  result.per_op_ps.assign(work.size(), 0);
  if (has_bytes && all_streams(platform) > kMaxStreams) {
    result.unknown = "more than " + std::to_string(kMaxStreams) + " request streams can meet at the DRAM";
    return result;
  }
  for (OpId op = 0; op < work.size(); ++op) {
    const CoreClass* core = class_of(desc, op, platform);
    if (core != nullptr) result.per_op_ps[op] = extra_ps(work[op], *core, platform);
  }
  result.per_run_ps = 4 * work.size();  // a begin and an end of the front and of the body
  return result;
}

}  // namespace

Interference interference_by_op(const detent_desc& desc, const Platform& platform, const std::vector<OpWork>& work) {
  if (!has_speeds(platform, work)) return {std::vector<std::uint64_t>(work.size(), 0), 0, {}};
  return by_op(desc, platform, work, true);
}

Interference interference_by_total(const detent_desc& desc, const Platform& platform, const std::vector<OpWork>& work) {
  if (!has_speeds(platform, work)) return {std::vector<std::uint64_t>(work.size(), 0), 0, {}};
  std::vector<OpWork> without = work;
  double served_ps = 0;
  for (OpWork& each : without) {
    served_ps += service_ps(each.dram_bytes, platform) + service_ps(each.front_bytes, platform);
    each.dram_bytes = each.front_bytes = 0;
  }
  Interference result = by_op(desc, platform, without, served_ps > 0);
  constexpr double kArithmetic = 1.000001;
  result.per_run_ps += static_cast<std::uint64_t>(std::ceil(served_ps * kArithmetic));
  return result;
}

std::uint64_t loads_ps(const Platform& platform, std::uint64_t bound_ps) {
  const std::uint64_t migrate_ps = platform.overheads.migrate_ps;  // an op may leave the core at each release
  Wide total_ps = 0;
  for (int step = 0; step < kMaxSteps; ++step) {
    Wide next_ps = 0;
    for (const Load& load : platform.loads) {
      const Wide releases = (bound_ps + total_ps + load.jitter_ps) / load.period_ps + 2;
      next_ps += releases * (Wide{load.duration_ps} + migrate_ps + 2);
    }
    if (next_ps == total_ps) return static_cast<std::uint64_t>(total_ps);
    if (next_ps >= UINT64_MAX) return UINT64_MAX;
    total_ps = next_ps;
  }
  return UINT64_MAX;
}

}  // namespace detent::sim
