// Op-level exploration: bench_explore_ops [--quick] [--json FILE].
//
// Rates are per second of processor time of this thread, so that other work on the machine does not count.
#include <time.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/options.hpp"
#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/verify/explore/ops/programs.hpp"
#include "verify/explore/ops/coverage.hpp"
#include "verify/explore/ops/explore.hpp"
#include "verify/explore/ops/space/enumerate.hpp"
#include "verify/explore/ops/strategy.hpp"

namespace {

using namespace detent::verify::explore;
using detent::verify::testing::DescTables;
using detent::verify::testing::GraphSpec;
using Json = nlohmann::ordered_json;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Every leaf is visited; distinct fingerprints are not counted here but by tests.
Json measure_enumeration(const char* name, const GraphSpec& spec, std::uint64_t most) {
  const DescTables tables(spec);
  const OpSpace space(tables.desc);
  std::uint64_t mixed = 0;
  std::uint64_t leaves = 0;
  double begin = processor_seconds();
  with_walk(space.graph(), [&](auto walk) {
    leaves = walk.enumerate([&](const auto& leaf) {
      mixed += leaf.fingerprint;
      return ++leaves < most;
    });
  });
  const double visit = processor_seconds() - begin;
  std::vector<std::uint32_t> events;
  std::uint64_t ordered = 0;
  begin = processor_seconds();
  with_walk(space.graph(), [&](auto walk) {
    walk.enumerate([&](const auto& leaf) {
      leaf.order(events);
      mixed += events.front();
      return ++ordered < most;
    });
  });
  const double order = processor_seconds() - begin;
  begin = processor_seconds();
  const TraceCount count = count_traces(space.graph());
  const double counted = processor_seconds() - begin;
  const auto n = static_cast<double>(leaves);
  std::printf("%-34s %9llu traces  visit %6.1f M/s  with one linear extension %5.1f M/s  count %s%s in %.2f ms%s\n",
              name, static_cast<unsigned long long>(leaves), n / visit / 1e6, n / order / 1e6,
              count.exact ? "" : ">=", format_count(count.total).c_str(), counted * 1e3, mixed == 0 ? " " : "");
  return {{"name", name},
          {"traces", leaves},
          {"visits_per_s", n / visit},
          {"extensions_per_s", n / order},
          {"count", format_count(count.total)},
          {"count_s", counted}};
}

/// Ten ops, each writing 8 bytes and reading those of its predecessors: three branches of a diamond.
GraphSpec ten_ops(bool race) {
  GraphSpec spec = detent::verify::testing::make_ops(10);
  spec.regions = detent::verify::testing::workspaces({80});
  for (std::uint32_t op = 0; op < 10; ++op) spec.ops[op].writes = {{.region = 0, .offset = op * 8U, .size = 8}};
  spec.edges = {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 5}, {3, 6}, {4, 7}, {5, 8}, {7, 9}, {8, 9}, {6, 9}};
  for (const auto& edge : spec.edges) {
    spec.ops[edge.to].reads.push_back({.region = 0, .offset = edge.from * 8U, .size = 8});
  }
  if (race) spec.ops[8].writes.push_back({.region = 0, .offset = 24, .size = 8});  // op 6 reads these
  return spec;
}

Json measure_executions(const char* name, const GraphSpec& spec, std::uint64_t runs) {
  const DescTables tables(spec);
  const OpSpace space(tables.desc);
  OpRunner runner(tables.desc, {});
  std::vector<std::vector<std::uint32_t>> orders;
  make_random_walk(space, {})->run([&](const std::vector<std::uint32_t>& schedule, double) {
    orders.push_back(schedule);
    return orders.size() < 500;
  });
  std::uint64_t mixed = 0;
  double begin = processor_seconds();
  for (std::uint64_t i = 0; i < runs; ++i) mixed += runner.run(orders[i % orders.size()]).digest;
  const double bare = processor_seconds() - begin;
  begin = processor_seconds();
  const OpExploreReport report = explore_ops(space, {.strategy = "random", .budget = runs, .workers = 0});
  const double full = processor_seconds() - begin;
  const auto n = static_cast<double>(runs);
  std::printf("%-34s %9llu executions  run and digest %.3f M/s  drawn, run, covered %.3f M/s  (%llu differing)%s\n",
              name, static_cast<unsigned long long>(runs), n / bare / 1e6, n / full / 1e6,
              static_cast<unsigned long long>(report.differing), mixed == 0 ? " " : "");
  return {{"name", name}, {"executions", runs}, {"runs_per_s", n / bare}, {"explored_per_s", n / full}};
}

Json measure_family(const char* name) {
  const detent::models::Model model = detent::models::make_zoo_model(name);
  const detent::models::LoweredModel lowered = detent::models::lower(model, {.weights = false});
  const OpSpace space(lowered.desc());
  OpCoverage coverage(space);
  const double begin = processor_seconds();
  make_pairs(space)->run([&](const std::vector<std::uint32_t>& schedule, double) {
    coverage.add(schedule);
    return true;
  });
  const double seconds = processor_seconds() - begin;
  const PairCoverage pairs = coverage.pairs();
  std::printf("%-34s %4u ops  %llu schedules run %llu of %llu unordered pairs both ways  (%.2f ms)\n", name,
              lowered.desc().op_count, static_cast<unsigned long long>(coverage.schedules()),
              static_cast<unsigned long long>(pairs.unordered_both),
              static_cast<unsigned long long>(pairs.unordered_total), seconds * 1e3);
  return {{"name", name}, {"schedules", coverage.schedules()}, {"pairs", pairs.unordered_both}, {"seconds", seconds}};
}

Json measure_failure(std::uint64_t gate_runs) {
  const DescTables tables(detent::verify::testing::make_reuse_after_chain(16));
  const double begin = processor_seconds();
  const OpSpace space(tables.desc);
  const OpExploreReport report = explore_ops(space, {});
  const double seconds = processor_seconds() - begin;
  std::uint64_t pct = 0;
  make_pct(space, {.seed = 0, .pct_depth = 2})->run([&](const std::vector<std::uint32_t>& schedule, double) {
    ++pct;
    OpCoverage one(space);
    return one.fingerprint_of(schedule) == one.fingerprint_of(order_under(space, {})) && pct < 1000;
  });
  const GateReplay native = replay_with_gates(space, report.failure->constraints, {.runs = gate_runs});
  std::printf(
      "reuse after a chain of 16: %llu schedules, %zu constraint, PCT found it in execution %llu, gates "
      "reproduced %llu of %llu, %.2f ms\n",
      static_cast<unsigned long long>(report.executions), report.failure->constraints.size(),
      static_cast<unsigned long long>(pct), static_cast<unsigned long long>(native.reproduced),
      static_cast<unsigned long long>(native.runs), seconds * 1e3);
  return {{"schedules", report.executions},
          {"constraints", report.failure->constraints.size()},
          {"pct", pct},
          {"reproduced", native.reproduced},
          {"runs", native.runs}};
}

}  // namespace

int main(int argc, char** argv) {
  using detent::verify::testing::make_alike;
  using detent::verify::testing::make_program;
  const auto options = detent::bench::read_options(argc, argv, "bench_explore_ops");
  if (!options) return 2;
  const std::uint64_t scale = options->quick ? 10 : 1;
  const std::vector<std::string> long_thread(11, "w0");
  Json figures;
  figures["enumeration"] = {
      measure_enumeration("10 writers of one variable", make_alike(10, {"w0"}), 4'000'000 / scale),
      measure_enumeration("2 threads of 11 writes", make_alike(2, long_thread), 4'000'000 / scale),
      measure_enumeration("4 threads of 3 writes", make_alike(4, {"w0", "w0", "w0"}), 4'000'000 / scale),
      measure_enumeration("5 threads write, read 2 variables", make_alike(5, {"w0", "r1", "w1", "r0"}),
                          5'284'890 / scale),
  };
  figures["executions"] = {measure_executions("10 ops, no race", ten_ops(false), 400'000 / scale),
                           measure_executions("10 ops, one race", ten_ops(true), 400'000 / scale)};
  figures["families"] = {measure_family("yolov8n"), measure_family("random:7:94"), measure_family("erdos:5:94"),
                         measure_family("series_parallel:3:94")};
  figures["failure"] = measure_failure(1000 / scale);
  if (!options->json.empty()) std::ofstream(options->json) << figures.dump(2) << "\n";
  return 0;
}
