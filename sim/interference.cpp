// Interference: what the others on the chip can add to an op's worst time -> terms of the bounds.
//
// DRAM. In the closed queue a stream's cycle takes at most Z + N S, N the number of streams that can exist; alone it
// takes at least Z + S. So a client is slowed to at least 1 / (1 + share (N - 1)), share = S / (Z + S) of one stream:
// (N - 1) times the time that the server needs for the op, for a core with one stream.
// Or, once for the whole run: while a client waits, the server serves another. So what DRAM adds to the path of
// Graham's argument, and to the mean over the cores of a class while all are busy, is in sum at most the time that the
// server needs for all bytes of the model. A client with several streams is slowed by at most the share of time in
// which the server serves others; a test tries that on random queues. Either holds, so the lower bound counts.
//
// Hardware threads. Thinking takes 1 / corun_rate as long at worst. This and DRAM by op are added to the op's isolated
// worst time, and the closed loop stays work-conserving, so the bounds over inflated times hold (sim/overhead.cpp).
//
// Loads. At any instant either some core belongs to a load or none does. In instants of the second kind the argument
// of the bounds applies as without loads; those of the first kind last, in a window of length L, at most the sum over
// loads of (floor((L + jitter) / period) + 2) * (duration + migration): one release carried in, one cut off at the end.
#include <algorithm>
#include <cmath>

#include "sim/dram.hpp"
#include "sim/simulate.hpp"
#include "sim/units.hpp"

namespace detent::sim {
namespace {

constexpr int kMaxSteps = 10'000;

const CoreClass* class_of(const detent_desc& desc, std::uint32_t op, const Platform& platform) {
  for (const CoreClass& core : platform.classes) {
    if (core.name == desc.classes[desc.ops[op].core_class].name) return &core;
  }
  return nullptr;
}

std::uint32_t streams_of(const CoreClass& core) { return core.npu ? core.npu->dma_outstanding : 1; }

/// Streams that can be at work at once: every core, every NPU with a front beside its body.
double all_streams(const Platform& platform) {
  double sum = 0;
  for (const CoreClass& core : platform.classes) {
    sum += static_cast<double>(core.count) * streams_of(core) * (core.npu && core.queue_depth > 1 ? 2 : 1);
  }
  return sum;
}

double service_ps(std::uint64_t bytes, const Platform& platform) {
  return static_cast<double>(bytes) / static_cast<double>(platform.dram_bytes_per_s) * kPicosecondsPerSecond;
}

double part_extra_ps(double duration_ps, std::uint64_t bytes, const CoreClass& core, const Platform& platform) {
  const double corun = core.threads_per_core > 1 ? core.corun_rate : 1;
  double longer_ps = duration_ps / corun - duration_ps;
  if (bytes == 0 || duration_ps <= 0) return longer_ps;
  const double served_ps = service_ps(bytes, platform);
  const double share = share_of_stream(std::min(1.0, served_ps / duration_ps), streams_of(core));
  return longer_ps + duration_ps * share * (all_streams(platform) - 1);
}

double extra_of_ps(std::uint64_t duration_ps, const OpWork& work, const CoreClass& core, const Platform& platform) {
  const auto front_ps = static_cast<double>(std::min(work.front_ps, duration_ps));
  const double body_ps = static_cast<double>(duration_ps) - front_ps;
  return part_extra_ps(front_ps, work.front_bytes, core, platform) +
         part_extra_ps(body_ps, work.dram_bytes, core, platform);
}

/// Several streams of one client wait for each other the more, the shorter the op is: either end may be the worst.
std::uint64_t extra_ps(const OpWork& work, const CoreClass& core, const Platform& platform) {
  const double extra = std::max(extra_of_ps(work.time.best_ps, work, core, platform),
                                extra_of_ps(work.time.worst_ps, work, core, platform));
  // Speeds and ends are rounded to whole ps at each change; a part in a million covers that.
  return extra <= 0 ? 0 : static_cast<std::uint64_t>(std::ceil(extra * 1.000001)) + 1000;
}

}  // namespace

Interference interference_by_op(const detent_desc& desc, const Platform& platform, const std::vector<OpWork>& work) {
  Interference result;
  result.per_op_ps.reserve(work.size());
  for (std::uint32_t op = 0; op < work.size(); ++op) {
    const CoreClass* core = class_of(desc, op, platform);
    result.per_op_ps.push_back(core == nullptr ? 0 : extra_ps(work[op], *core, platform));
  }
  return result;
}

Interference interference_by_total(const detent_desc& desc, const Platform& platform, const std::vector<OpWork>& work) {
  std::vector<OpWork> without = work;
  double served_ps = 0;
  for (OpWork& each : without) {
    served_ps += service_ps(each.dram_bytes, platform) + service_ps(each.front_bytes, platform);
    each.dram_bytes = each.front_bytes = 0;
  }
  Interference result = interference_by_op(desc, platform, without);
  if (served_ps > 0) result.per_run_ps = static_cast<std::uint64_t>(std::ceil(served_ps * 1.000001)) + 1000;
  // Each change of speed may round by a ps, and each op changes the speeds of all others twice.
  if (served_ps > 0) result.per_run_ps += 4 * work.size();
  return result;
}

std::uint64_t loads_ps(const Platform& platform, std::uint64_t bound_ps) {
  const std::uint64_t migrate_ps = platform.overheads.migrate_ps;  // an op may leave the core at each release
  std::uint64_t total_ps = 0;
  for (int step = 0; step < kMaxSteps; ++step) {
    std::uint64_t next_ps = 0;
    for (const Load& load : platform.loads) {
      if (bound_ps > UINT64_MAX / 4 - total_ps - load.jitter_ps) return UINT64_MAX;
      next_ps += ((bound_ps + total_ps + load.jitter_ps) / load.period_ps + 2) * (load.duration_ps + migrate_ps);
    }
    if (next_ps == total_ps) return total_ps;
    total_ps = next_ps;
  }
  return UINT64_MAX;
}

}  // namespace detent::sim
