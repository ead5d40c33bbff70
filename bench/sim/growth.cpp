#include <algorithm>
#include <cstdio>

#include "bench/sim/graph.hpp"
#include "bench/sim/parts.hpp"
#include "bench/sim/session.hpp"
#include "sim/platform/platform.hpp"

namespace detent::bench {
namespace {

/// Enough runs of a small graph to measure; one of a large one.
std::uint64_t runs_of(std::uint32_t ops) { return std::max<std::uint64_t>(1, 200'000 / ops); }

double ns_per_op(const BenchGraph& graph, const sim::Platform& platform) {
  const std::uint32_t ops = graph.desc().op_count;
  double best = 1e300;
  for (int round = 0; round < 2; ++round) {
    best = std::min(best, time_session(graph.desc(), platform, runs_of(ops)).seconds_per_run * 1e9 / ops);
  }
  return best;
}

}  // namespace

nlohmann::ordered_json bench_growth(bool quick) {
  nlohmann::ordered_json report = nlohmann::ordered_json::array();
  std::printf("ns per op by graph and cores (no overheads; with overheads):\n");
  for (std::uint32_t ops = 1000; ops <= (quick ? 100'000U : 1'000'000U); ops *= 10) {
    const BenchGraph graph(ops, 3);
    std::printf("  %8u ops:", ops);
    for (const std::uint32_t cores : {4U, 16U, 64U}) {
      sim::Platform real = sim::find_platform("quad_npu");
      real.classes.resize(1);
      real.classes[0].count = cores;
      const double plain = ns_per_op(graph, sim::plain_platform({{"cpu", cores}}));
      const double loaded = ns_per_op(graph, real);
      std::printf("  %2u cores %4.0f; %4.0f", cores, plain, loaded);
      report.push_back({{"ops", ops}, {"cores", cores}, {"plain_ns", plain}, {"overheads_ns", loaded}});
    }
    std::printf("\n");
  }
  return report;
}

}  // namespace detent::bench
