// bench_simgrid: processor time per simulated task of Detent beside SimGrid actors, on the same graph. [--quick]
// [--json FILE]. Built where Debian's libsimgrid-dev is installed; nothing else needs it.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/options.hpp"
#include "bench/sim/graph.hpp"
#include "bench/sim/session.hpp"
#include "bench/simgrid/loop.hpp"
#include "sim/bare/closed_loop.hpp"
#include "sim/platform/platform.hpp"

namespace {

constexpr std::uint32_t kCores = 4;
constexpr int kRounds = 3;

/// Best of a few: other load on the machine only ever adds.
double best_ns(const detent_desc& desc, const detent::sim::Platform& platform, std::uint64_t* makespan_ps) {
  double best = 1e300;
  for (int round = 0; round < kRounds; ++round) {
    const detent::bench::SessionTime time = detent::bench::time_session(desc, platform, 1);
    best = std::min(best, time.seconds_per_run * 1e9 / desc.op_count);
    *makespan_ps = time.makespan_ps;
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = detent::bench::read_options(argc, argv, "bench_simgrid");
  if (!options) return 2;
  const std::uint32_t ops = options->quick ? 50'000 : 300'000;
  const detent::bench::BenchGraph graph(ops, 1);
  const detent::bench::SimgridTimes simgrid = detent::bench::run_simgrid_loops(graph.dag(), kCores);
  std::uint64_t plain_ps = 0;
  std::uint64_t real_ps = 0;
  const double plain = best_ns(graph.desc(), detent::sim::plain_platform({{"cpu", kCores}}), &plain_ps);
  const double real = best_ns(graph.desc(), detent::sim::find_platform("quad_npu"), &real_ps);
  const double locks = simgrid.locks.seconds * 1e9 / ops;
  const double semaphores = simgrid.semaphores.seconds * 1e9 / ops;
  std::printf("%u ops, %u cores, ns per task: Detent %.0f, with overheads %.0f\n", ops, kCores, plain, real);
  std::printf("  SimGrid actors with mutexes and conditions %.0f (%.1f times), with semaphores %.0f (%.1f times)\n",
              locks, locks / plain, semaphores, semaphores / plain);
  const bool equal = simgrid.locks.makespan_ps == plain_ps && simgrid.semaphores.makespan_ps == plain_ps;
  std::printf("  makespan Detent %.6f ms, SimGrid %.6f and %.6f ms%s\n", static_cast<double>(plain_ps) / 1e9,
              static_cast<double>(simgrid.locks.makespan_ps) / 1e9,
              static_cast<double>(simgrid.semaphores.makespan_ps) / 1e9, equal ? " (equal)" : "");
  const nlohmann::ordered_json report{{"schema", "detent.bench_simgrid/1"},
                                      {"ops", ops},
                                      {"cores", kCores},
                                      {"plain_ns", plain},
                                      {"overheads_ns", real},
                                      {"simgrid_locks_ns", locks},
                                      {"simgrid_semaphores_ns", semaphores},
                                      {"ratio_locks", locks / plain},
                                      {"ratio_semaphores", semaphores / plain},
                                      {"equal", equal}};
  if (!options->json.empty()) std::ofstream(options->json) << report.dump(2) << "\n";
  return 0;
}
