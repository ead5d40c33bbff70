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

/// Why an op takes longer than alone, in ps.
struct Slowing {
  double thread_ps = 0;  ///< the other hardware thread of the core
  double dram_ps = 0;    ///< requests of all other streams
  double steps_ps = 0;   ///< steps of speeds
  double alone_ps = 0;

  [[nodiscard]] double sum_ps() const { return alone_ps + thread_ps + dram_ps + steps_ps; }
  Slowing& operator+=(const Slowing& other) {
    thread_ps += other.thread_ps;
    dram_ps += other.dram_ps;
    steps_ps += other.steps_ps;
    alone_ps += other.alone_ps;
    return *this;
  }
};

/// The longest that a part of an op can take which alone takes duration_ps.
Slowing slowed(double duration_ps, std::uint64_t bytes, const CoreClass& core, const Platform& platform) {
  if (duration_ps <= 0) return {};
  Slowing slowed{.alone_ps = duration_ps};
  slowed.thread_ps = duration_ps / (core.threads_per_core > 1 ? core.corun_rate : 1) - duration_ps;
  if (bytes != 0) {
    const double busy = std::min(1.0, service_ps(bytes, platform) / duration_ps);
    slowed.dram_ps =
        duration_ps * share_of_stream(busy, core.streams()) * (static_cast<double>(all_streams(platform)) - 1);
  }
  constexpr double kSpeedStep = 1.0 / static_cast<double>(std::uint64_t{1} << 32U);
  const double longest_ps = duration_ps + slowed.thread_ps + slowed.dram_ps;
  slowed.steps_ps = longest_ps * kSpeedStep * longest_ps / duration_ps;
  return slowed;
}

Slowing op_slowed(std::uint64_t duration_ps, const OpWork& work, const CoreClass& core, const Platform& platform) {
  const auto front_ps = static_cast<double>(std::min(work.front_ps, duration_ps));
  const double body_ps = static_cast<double>(duration_ps) - front_ps;
  Slowing sum = slowed(front_ps, work.front_bytes, core, platform);
  return sum += slowed(body_ps, work.dram_bytes, core, platform);
}

/// What an op takes beyond its worst time, at most, and why.
struct Extra {
  std::uint64_t extra_ps = 0;
  Slowing why{};
};

/// Several streams of one client wait for each other the more, the shorter the op is: either end may be the worst.
Extra extra_of(const OpWork& work, const CoreClass& core, const Platform& platform) {
  const Slowing best = op_slowed(work.time.best_ps, work, core, platform);
  const Slowing worst = op_slowed(work.time.worst_ps, work, core, platform);
  const Slowing& most = best.sum_ps() > worst.sum_ps() ? best : worst;
  constexpr double kArithmetic = 1.000001;
  const auto most_ps = static_cast<std::uint64_t>(std::ceil(most.sum_ps() * kArithmetic));
  return {most_ps <= work.time.worst_ps ? 0 : most_ps - work.time.worst_ps, most};
}

/// `sum` in whole parts by weight; what rounding leaves goes to the last part that has a weight, or to the last one.
std::vector<std::uint64_t> divide_by_weight(std::uint64_t sum, const std::vector<double>& weights) {
  double whole = 0, upto = 0;
  std::size_t last = weights.size() - 1;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    whole += weights[i];
    if (weights[i] > 0) last = i;
  }
  std::vector<std::uint64_t> parts(weights.size(), 0);
  std::uint64_t given = 0;
  for (std::size_t i = 0; i < last && whole > 0; ++i) {
    upto += weights[i];
    const auto until = static_cast<std::uint64_t>(static_cast<double>(sum) * std::min(1.0, upto / whole));
    parts[i] = std::min(sum, std::max(until, given)) - given;
    given += parts[i];
  }
  parts[last] = sum - given;
  return parts;
}

/// One channel per class of cores, then that of the other hardware thread and that of rounding.
std::vector<InterferenceChannel> make_channels(const Platform& platform, std::size_t ops) {
  std::vector<InterferenceChannel> channels;
  for (const CoreClass& core : platform.classes) channels.push_back({"dram:" + core.name, {}, 0});
  channels.push_back({"hardware thread", {}, 0});
  channels.push_back({"rounding", {}, 0});
  for (InterferenceChannel& channel : channels) channel.per_op_ps.assign(ops, 0);
  return channels;
}

/// Every other stream adds as much: those of a class together by their number, the own one left out.
std::vector<double> weights_of(const Slowing& why, const CoreClass& own, const Platform& platform) {
  std::vector<double> weights;
  const double others = static_cast<double>(all_streams(platform)) - 1;
  for (const CoreClass& core : platform.classes) {
    const double streams =
        static_cast<double>(core.count) * core.streams() * core.queue_depth - (&core == &own ? 1 : 0);
    weights.push_back(others > 0 ? why.dram_ps * streams / others : 0);
  }
  weights.push_back(why.thread_ps);
  weights.push_back(why.steps_ps);
  return weights;
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
  result.channels = make_channels(platform, work.size());
  if (has_bytes && all_streams(platform) > kMaxStreams) {
    result.unknown = "more than " + std::to_string(kMaxStreams) + " request streams can meet at the DRAM";
    return result;
  }
  for (OpId op = 0; op < work.size(); ++op) {
    const CoreClass* core = class_of(desc, op, platform);
    if (core == nullptr) continue;
    const Extra extra = extra_of(work[op], *core, platform);
    result.per_op_ps[op] = extra.extra_ps;
    const auto parts = divide_by_weight(extra.extra_ps, weights_of(extra.why, *core, platform));
    for (std::size_t i = 0; i < parts.size(); ++i) result.channels[i].per_op_ps[op] = parts[i];
  }
  result.per_run_ps = 4 * work.size();  // a begin and an end of the front and of the body
  result.channels.back().per_run_ps = result.per_run_ps;
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
  std::vector<double> served_ps(platform.classes.size(), 0);
  double sum_ps = 0;
  for (OpId op = 0; op < without.size(); ++op) {
    OpWork& each = without[op];
    const double served = service_ps(each.dram_bytes, platform) + service_ps(each.front_bytes, platform);
    sum_ps += served;
    const CoreClass* core = class_of(desc, op, platform);
    served_ps[core == nullptr ? 0 : static_cast<std::size_t>(core - platform.classes.data())] += served;
    each.dram_bytes = each.front_bytes = 0;
  }
  Interference result = by_op(desc, platform, without, sum_ps > 0);
  constexpr double kArithmetic = 1.000001;
  const auto waited_ps = static_cast<std::uint64_t>(std::ceil(sum_ps * kArithmetic));
  result.per_run_ps += waited_ps;
  const std::vector<std::uint64_t> parts = divide_by_weight(waited_ps, served_ps);
  for (std::size_t i = 0; i < parts.size(); ++i) result.channels[i].per_run_ps = parts[i];
  return result;
}

namespace {

/// What a load takes within a window of length_ps, at most.
Wide load_ps(const Platform& platform, const Load& load, Wide length_ps) {
  const std::uint64_t migrate_ps = platform.overheads.migrate_ps;  // an op may leave the core at each release
  const Wide releases = (length_ps + load.jitter_ps) / load.period_ps + 2;
  return releases * (Wide{load.duration_ps} + migrate_ps + 2);
}

}  // namespace

std::uint64_t loads_ps(const Platform& platform, std::uint64_t bound_ps) {
  Wide total_ps = 0;
  for (int step = 0; step < kMaxSteps; ++step) {
    Wide next_ps = 0;
    for (const Load& load : platform.loads) next_ps += load_ps(platform, load, bound_ps + total_ps);
    if (next_ps == total_ps) return static_cast<std::uint64_t>(total_ps);
    if (next_ps >= UINT64_MAX) return UINT64_MAX;
    total_ps = next_ps;
  }
  return UINT64_MAX;
}

std::vector<std::uint64_t> loads_one_by_one_ps(const Platform& platform, std::uint64_t bound_ps) {
  const Wide length_ps = Wide{bound_ps} + loads_ps(platform, bound_ps);
  std::vector<std::uint64_t> each;
  for (const Load& load : platform.loads) {
    each.push_back(static_cast<std::uint64_t>(load_ps(platform, load, length_ps)));
  }
  return each;
}

}  // namespace detent::sim
