// bench_engine: nanoseconds per task of the engine's modes and of its peers, on four graphs, at 1, 2 and 3 workers.
//
// Each contender is checked first (every op once, after its predecessors). Contenders of a cell take turns in rounds;
// the table shows the median round: processor time at one worker, wall time at more. Cross-core figures depend on where
// the virtual CPUs lie at the moment: a ping-pong between two threads is measured beside every cell with more than one
// worker.
//
// bench_engine --ops [--disturbed]: microseconds per run of fork-join graphs of real ops; see ops.hpp.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "bench/engine/contenders.hpp"
#include "bench/engine/ops.hpp"
#include "bench/engine/timing.hpp"
#include "bench/options.hpp"
#include "bench/statistics.hpp"

namespace detent::bench {
namespace {

constexpr int kWarmRuns = 4;  // threads awake; the closed loop has measured its ops where it does

struct Row {
  std::string graph, contender;
  std::uint32_t ops = 0, workers = 0;
  double ns_per_task = 0, ratio_to_tbb = 0, ping_pong_ns = 0;
};

/// Processor time of all threads: on an idle machine the wall time of a run with one worker, elsewhere less noisy.
double used_ns() { return read_clock_ns(CLOCK_PROCESS_CPUTIME_ID); }

/// One round trip of a cache line between two threads.
double measure_ping_pong_ns() {
  constexpr std::uint32_t kTrips = 20'000;
  std::atomic<std::uint32_t> ball{0};
  std::thread partner([&ball] {
    for (std::uint32_t i = 0; i < kTrips; ++i) {
      while (ball.load(std::memory_order_acquire) != 2 * i + 1) {
      }
      ball.store(2 * i + 2, std::memory_order_release);
    }
  });
  const double begin = now_ns();
  for (std::uint32_t i = 0; i < kTrips; ++i) {
    ball.store(2 * i + 1, std::memory_order_release);
    while (ball.load(std::memory_order_acquire) != 2 * i + 2) {
    }
  }
  const double ns = (now_ns() - begin) / kTrips;
  partner.join();
  return ns;
}

/// Runs until `budget_ns` have passed, at least once; with a budget of 0 once and cold. One worker: processor time;
/// more: wall time.
double time_round(Contender& contender, std::uint32_t ops, std::uint32_t workers, double budget_ns) {
  for (int run = 0; run < kWarmRuns && budget_ns > 0; ++run) contender.run();
  const double begin = now_ns();
  const double begin_used = used_ns();
  double end = begin;
  const std::uint32_t batch = ops < 1000 ? 10 : 1;  // small graphs: read the clock less often
  std::uint32_t runs = 0;
  do {
    for (std::uint32_t i = 0; i < batch; ++i) contender.run();
    runs += batch;
    end = now_ns();
  } while (end - begin < budget_ns);
  return (workers == 1 ? used_ns() - begin_used : end - begin) / runs / ops;
}

bool takes_part(const ContenderKind& kind, std::uint32_t workers) { return kind.is_parallel || workers == 1; }

bool is_slow(const ContenderKind& kind, const TaskGraph& graph) { return graph.op_count > kind.swift_ops; }

std::string verify(const ContenderKind& kind, const TaskGraph& graph, std::uint32_t workers) {
  const std::unique_ptr<Contender> contender = kind.make(graph, workers, noting_kernel);
  for (int run = 0; run < (is_slow(kind, graph) ? 1 : 2); ++run) {
    clear_notes(graph.op_count);
    contender->run();
    const std::string wrong = check_notes(graph);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

struct Seat {
  const ContenderKind* kind;
  std::vector<double> rounds;
};

std::vector<Row> run_cell(const TaskGraph& graph, std::uint32_t workers, const Options& options,
                          const std::vector<ContenderKind>& kinds) {
  std::vector<Seat> seats;
  for (const ContenderKind& kind : kinds) {
    if (!takes_part(kind, workers)) continue;
    const std::string wrong = verify(kind, graph, workers);
    if (!wrong.empty()) {
      std::fprintf(stderr, "bench_engine: %s on %s: %s\n", kind.name.c_str(), graph.name.c_str(), wrong.c_str());
      std::exit(1);
    }
    seats.push_back({&kind, {}});
  }
  const int rounds = options.quick ? 3 : 5;
  const double budget_ns = options.quick ? 4e6 : 30e6;
  std::vector<double> ping_pongs;
  for (int round = 0; round < rounds; ++round) {
    if (workers > 1) ping_pongs.push_back(measure_ping_pong_ns());
    for (Seat& seat : seats) {  // made anew each round: only one contender's threads exist at a time
      const bool slow = is_slow(*seat.kind, graph);
      if (slow && round > 0) continue;
      const std::unique_ptr<Contender> contender = seat.kind->make(graph, workers, empty_kernel);
      seat.rounds.push_back(time_round(*contender, graph.op_count, workers, slow ? 0 : budget_ns));
    }
  }
  std::vector<Row> rows;
  double tbb_ns = 0;
  for (const Seat& seat : seats) {
    if (seat.kind->name == "oneTBB flow graph") tbb_ns = median(seat.rounds);
  }
  for (const Seat& seat : seats) {
    const double ns = median(seat.rounds);
    rows.push_back({graph.name, seat.kind->name, graph.op_count, workers, ns, tbb_ns > 0 ? tbb_ns / ns : 0,
                    ping_pongs.empty() ? 0 : median(ping_pongs)});
  }
  return rows;
}

void print_cell(const std::vector<Row>& rows) {
  const Row& first = rows.front();
  std::printf("\n%s, %u ops, %u worker%s", first.graph.c_str(), first.ops, first.workers,
              first.workers == 1 ? "" : "s");
  if (first.ping_pong_ns > 0) std::printf("  (cross-core ping-pong %.0f ns)", first.ping_pong_ns);
  std::printf("\n  %-28s %12s %18s\n", "", "ns per task", "times oneTBB");
  for (const Row& row : rows) {
    std::printf("  %-28s %12.1f", row.contender.c_str(), row.ns_per_task);
    if (row.ratio_to_tbb > 0) std::printf(" %17.1fx", row.ratio_to_tbb);
    std::printf("\n");
  }
  std::fflush(stdout);
}

bool write_json(const std::string& path, const std::vector<Row>& rows) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  std::fprintf(file, "{\"benchmark\": \"engine\", \"rows\": [");
  const char* separator = "\n";
  for (const Row& row : rows) {
    std::fprintf(file,
                 "%s  {\"graph\": \"%s\", \"ops\": %u, \"workers\": %u, \"contender\": \"%s\", \"ns_per_task\": %.3f, "
                 "\"speedup_over_onetbb\": %.3f, \"ping_pong_ns\": %.1f}",
                 separator, row.graph.c_str(), row.ops, row.workers, row.contender.c_str(), row.ns_per_task,
                 row.ratio_to_tbb, row.ping_pong_ns);
    separator = ",\n";
  }
  std::fprintf(file, "\n]}\n");
  return std::fclose(file) == 0;
}

int run_all(const Options& options) {
  const std::uint32_t large = options.quick ? 10'000 : 100'000;
  const std::vector<TaskGraph> graphs = {chain_graph(large), wide_graph(large), layered_graph(large, 1), yolo_graph()};
  const std::vector<ContenderKind> kinds = contender_kinds();
#ifndef DETENT_BENCH_TBB
  std::printf("oneTBB is absent (libtbb-dev): no ratios\n");
#endif
#ifndef DETENT_BENCH_OPENMP
  std::printf("OpenMP is absent\n");
#endif
  std::vector<Row> all;
  for (const TaskGraph& graph : graphs) {
    for (const std::uint32_t workers : {1u, 2u, 3u}) {
      const std::vector<Row> rows = run_cell(graph, workers, options, kinds);
      print_cell(rows);
      all.insert(all.end(), rows.begin(), rows.end());
    }
  }
  if (options.json.empty() || write_json(options.json, all)) return 0;
  std::fprintf(stderr, "bench_engine: cannot write %s\n", options.json.c_str());
  return 1;
}

}  // namespace
}  // namespace detent::bench

int main(int argc, char** argv) {
  std::vector<char*> left;  // what all benchmarks take
  bool has_ops = false, disturbed = false;
  for (int i = 0; i < argc; ++i) {
    has_ops = has_ops || std::strcmp(argv[i], "--ops") == 0;
    disturbed = disturbed || std::strcmp(argv[i], "--disturbed") == 0;
    if (std::strcmp(argv[i], "--ops") != 0 && std::strcmp(argv[i], "--disturbed") != 0) left.push_back(argv[i]);
  }
  const auto options =
      detent::bench::read_options(static_cast<int>(left.size()), left.data(), "bench_engine [--ops [--disturbed]]");
  if (!options) return 2;
  return has_ops ? detent::bench::run_ops(*options, disturbed) : detent::bench::run_all(*options);
}
