// bench_sim: processor time of the host per simulated task and per run, beside a bare SystemC closed loop, on the whole
// chip model, and as graphs and chips grow. [--quick] [--json FILE]
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/options.hpp"
#include "bench/sim/graph.hpp"
#include "bench/sim/parts.hpp"
#include "bench/sim/session.hpp"
#include "bench/statistics.hpp"
#include "sim/bare/closed_loop.hpp"
#include "sim/platform/platform.hpp"
#include "sim/simulate.hpp"

namespace {

using detent::bench::BenchGraph;
using detent::bench::median;
using detent::bench::SessionTime;
using detent::bench::time_session;

constexpr std::uint32_t kCores = 4;

template <typename Work>
double seconds_of(const Work& work) {
  const double start = detent::bench::cpu_seconds();
  work();
  return detent::bench::cpu_seconds() - start;
}

struct Platforms {
  detent::sim::Platform plain = detent::sim::plain_platform({{"cpu", kCores}});
  detent::sim::Platform real = detent::sim::find_platform("quad_npu");
};

/// ns per simulated task, contenders interleaved.
nlohmann::ordered_json bench_tasks(const Platforms& platforms, std::uint32_t ops, int rounds) {
  const BenchGraph graph(ops, 1);
  std::vector<double> bare;
  std::vector<double> plain;
  std::vector<double> real;
  SessionTime last_plain;
  SessionTime last_real;
  std::uint64_t bare_ps = 0;
  const double per_task = 1e9 / ops;
  for (int round = 0; round < rounds; ++round) {
    bare.push_back(seconds_of([&] { bare_ps = detent::sim::bare::run_closed_loop(graph.dag(), kCores); }) * per_task);
    last_plain = time_session(graph.desc(), platforms.plain, 1);
    last_real = time_session(graph.desc(), platforms.real, 1);
    plain.push_back(last_plain.seconds_per_run * per_task);
    real.push_back(last_real.seconds_per_run * per_task);
  }
  detent::sim::SimOptions options;
  options.timing_only = true;
  const double whole = seconds_of([&] { detent::sim::simulate(graph.desc(), platforms.real, options); }) * per_task;
  std::printf(
      "%u ops, %u cores, ns per task: bare SystemC %.0f, Detent %.0f (ratio %.2f), with overheads %.0f (%.2f)\n", ops,
      kCores, median(bare), median(plain), median(plain) / median(bare), median(real), median(real) / median(bare));
  std::printf("  switches per task %.2f, with overheads %.2f; simulate() with check, bind and trace %.0f ns per task\n",
              static_cast<double>(last_plain.switches_per_run) / ops,
              static_cast<double>(last_real.switches_per_run) / ops, whole);
  std::printf("  makespan bare %.6f ms, Detent %.6f ms%s\n", static_cast<double>(bare_ps) / 1e9,
              static_cast<double>(last_plain.makespan_ps) / 1e9, bare_ps == last_plain.makespan_ps ? " (equal)" : "");
  return {{"ops", ops},
          {"bare_ns", median(bare)},
          {"plain_ns", median(plain)},
          {"overheads_ns", median(real)},
          {"ratio_plain", median(plain) / median(bare)},
          {"ratio_overheads", median(real) / median(bare)},
          {"simulate_ns", whole}};
}

/// us per run of a small graph.
nlohmann::ordered_json bench_runs(const Platforms& platforms, std::uint32_t ops, int rounds, std::uint64_t runs) {
  const BenchGraph graph(ops, 2);
  std::vector<double> bare;
  std::vector<double> plain;
  std::vector<double> real;
  for (int round = 0; round < rounds; ++round) {
    const double spent = seconds_of([&] {
      for (std::uint64_t run = 0; run < runs; ++run) detent::sim::bare::run_closed_loop(graph.dag(), kCores);
    });
    bare.push_back(spent / static_cast<double>(runs) * 1e6);
    plain.push_back(time_session(graph.desc(), platforms.plain, runs).seconds_per_run * 1e6);
    real.push_back(time_session(graph.desc(), platforms.real, runs).seconds_per_run * 1e6);
  }
  std::printf("%u ops, us per run: bare SystemC %.2f, Detent %.2f, with overheads %.2f\n", ops, median(bare),
              median(plain), median(real));
  return {{"ops", ops}, {"bare_us", median(bare)}, {"plain_us", median(plain)}, {"overheads_us", median(real)}};
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = detent::bench::read_options(argc, argv, "bench_sim");
  if (!options) return 2;
  const bool quick = options->quick;
  const Platforms platforms;
  nlohmann::ordered_json report{{"schema", "detent.bench_sim/1"}};
  report["tasks"].push_back(bench_tasks(platforms, quick ? 100'000 : 1'000'000, quick ? 3 : 5));
  for (const std::uint32_t ops : {10U, 100U, 1000U}) {
    report["runs"].push_back(bench_runs(platforms, ops, quick ? 3 : 5, (quick ? 100'000U : 1'000'000U) / ops));
  }
  report["chip"] = detent::bench::bench_chip(quick);
  report["growth"] = detent::bench::bench_growth(quick);
  if (!options->json.empty()) std::ofstream(options->json) << report.dump(2) << "\n";
  return 0;
}
