// Time and memory of the static checks on graphs of many ops: bench_verify [op_count [graph [closure]]]. With "closure"
// the races are found in a second way, by the closure of all ops, and the ratio is printed.
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/verify/random_graph.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/static/memory_plan.hpp"
#include "verify/static/structure.hpp"

namespace {

using namespace detent::verify;
using detent::verify::testing::DescTables;
using detent::verify::testing::GraphSpec;
using detent::verify::testing::Random;

/// Average degree 3 (each op has up to three successors among the next `reach` ops), one output of 64 bytes each.
GraphSpec random_dag(std::uint32_t count, std::uint32_t reach) {
  GraphSpec spec = detent::verify::testing::make_ops(count);
  Random random{1};
  for (std::uint32_t a = 0; a + 1 < count; ++a) {
    std::uint32_t last = a;
    for (int k = 0; k < 3 && last + 1 < count && last - a < reach; ++k) {
      last += 1 + random.below(std::min(reach, count - 1 - last));
      spec.edges.emplace_back(a, last);
    }
  }
  return spec;
}

/// Each op writes bytes of its own and reads those of its predecessors: no conflict is unordered.
GraphSpec dataflow(std::uint32_t count, std::uint32_t reach) {
  GraphSpec spec = random_dag(count, reach);
  detent::support::add_dataflow(spec, 64);
  return spec;
}

/// As dataflow, but the bytes are reused round robin over a few slots: very many conflicts and races.
GraphSpec reuse(std::uint32_t count, std::uint32_t slots) {
  GraphSpec spec = random_dag(count, count);
  spec.regions = detent::verify::testing::workspaces({std::uint64_t{slots} * 64});
  for (std::uint32_t a = 0; a < count; ++a) spec.ops[a].writes = {{0, std::uint64_t{a % slots} * 64, 64}};
  for (const auto& edge : spec.edges) {
    spec.ops[edge.to].reads.push_back({0, std::uint64_t{edge.from % slots} * 64, 64});
  }
  return spec;
}

/// As dataflow, but `sharers` ops in a row that no path orders write one slot: about as many conflicts of an op, all
/// races.
GraphSpec shared_slots(std::uint32_t count, std::uint32_t sharers) {
  GraphSpec spec = dataflow(count, 100);
  spec.regions.push_back(detent::verify::testing::workspaces({(std::uint64_t{count} / sharers + 1) * 64}).front());
  spec.regions.back().name = "shared";
  for (std::uint32_t a = 0; a < count; ++a) {
    spec.ops[a].writes.push_back({1, std::uint64_t{a / sharers} * 64, 64});
  }
  return spec;
}

/// A chain in which every op reads and writes the same 64 bytes.
GraphSpec chain_on_one_buffer(std::uint32_t count) {
  GraphSpec spec = detent::verify::testing::make_ops(count);
  for (std::uint32_t a = 0; a < count; ++a) {
    spec.ops[a].reads = {{0, 0, 64}};
    spec.ops[a].writes = {{0, 0, 64}};
    if (a > 0) spec.edges.emplace_back(a - 1, a);
  }
  return spec;
}

/// No edges, one buffer: every pair races.
GraphSpec all_race(std::uint32_t count) {
  GraphSpec spec = detent::verify::testing::make_ops(count);
  for (auto& op : spec.ops) op.writes = {{0, 0, 64}};
  return spec;
}

/// Random intervals of a region of 2^40 bytes: no two ops have a boundary in common.
GraphSpec huge_intervals(std::uint32_t count) {
  GraphSpec spec = random_dag(count, count);
  spec.regions = detent::verify::testing::workspaces({DETENT_MAX_BYTES});
  Random random{2};
  const auto draw = [&] {
    const std::uint64_t x = random.next() % DETENT_MAX_BYTES;
    const std::uint64_t y = random.next() % DETENT_MAX_BYTES;
    return detent::verify::testing::Range{0, std::min(x, y), std::max(x, y) - std::min(x, y) + 1};
  };
  for (auto& op : spec.ops) {
    op.reads = {draw(), draw()};
    op.writes = {draw()};
  }
  return spec;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

struct Wanted {
  std::string graph;  ///< beginning of its name; empty: all
  bool closure = false;
};

template <typename MakeSpec>
void measure(const Wanted& wanted, const char* name, MakeSpec make_spec) {
  if (std::string(name).rfind(wanted.graph, 0) != 0) return;
  const DescTables tables(make_spec());
  const double before = peak_megabytes();
  auto begin = std::chrono::steady_clock::now();
  static_cast<void>(check_structure(tables.desc));
  static_cast<void>(check_memory_plan(tables.desc));
  const double plan_seconds = seconds_since(begin);
  begin = std::chrono::steady_clock::now();
  const RaceReport report = find_races(tables.desc, {.max_counted_ops = kMaxCountedOps});
  const double race_seconds = seconds_since(begin);
  std::printf("%-22s %8u ops %8u edges  structure+plan %6.3f s  races %7.3f s  peak %6.0f MB (+%.0f)\n", name,
              tables.desc.op_count, tables.desc.successor_count, plan_seconds, race_seconds, peak_megabytes(),
              peak_megabytes() - before);
  std::printf("%22s %s, races %llu\n", "", describe_counts(report).c_str(),
              static_cast<unsigned long long>(report.races.count));
  std::fflush(stdout);
  if (!wanted.closure) return;
  begin = std::chrono::steady_clock::now();
  static_cast<void>(find_races(tables.desc));
  const double closure_seconds = seconds_since(begin);
  std::printf("%22s by the closure %.3f s, %.1f times as long\n", "", closure_seconds, closure_seconds / race_seconds);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const auto count = static_cast<std::uint32_t>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100'000);
  const Wanted wanted{argc > 2 ? argv[2] : "", argc > 3 && std::string(argv[3]) == "closure"};
  measure(wanted, "dataflow, local", [&] { return dataflow(count, 100); });
  measure(wanted, "dataflow, global", [&] { return dataflow(count, count); });
  measure(wanted, "chain on one buffer", [&] { return chain_on_one_buffer(count); });
  measure(wanted, "shared slots", [&] { return shared_slots(count, 80); });
  measure(wanted, "reuse of 16 slots", [&] { return reuse(count, 16); });
  measure(wanted, "reuse of 4096 slots", [&] { return reuse(count, 4096); });
  measure(wanted, "random huge intervals", [&] { return huge_intervals(count); });
  measure(wanted, "all race", [&] { return all_race(count); });
  return 0;
}
