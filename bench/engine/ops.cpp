#include "bench/engine/ops.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include "bench/disturbance.hpp"
#include "bench/engine/contenders.hpp"
#include "bench/engine/timing.hpp"
#include "bench/statistics.hpp"

namespace detent::bench {
namespace {

constexpr std::uint32_t kStages = 12;
constexpr std::uint32_t kWidth = 4;
constexpr std::uint32_t kWorkers = 2;
constexpr std::uint64_t kTooLowPs = 10'000;          // 10 ns
constexpr std::uint64_t kTooHighPs = 5'000'000'000;  // 5 ms
constexpr int kWarmRuns = 8;                         // threads awake, op times measured
constexpr const char* kPeer = "oneTBB flow graph";

using Make = std::unique_ptr<Contender> (*)(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel);

struct Seat {
  std::string name;
  TaskGraph graph;
  Make make;
  std::vector<double> rounds_us{};  ///< median run of each round
};

struct Row {
  double op_us = 0;
  std::string contender;
  double median_us = 0, best_us = 0;
  double ratio_to_tbb = 0;  ///< of times: below 1, faster; 0 without oneTBB
};

std::vector<Seat> seats_for(double op_us) {
  TaskGraph graph = fork_join_graph(kStages, kWidth);
  const auto hinted = [&](std::uint64_t ps) {
    graph.hint_ps = ps;
    return graph;
  };
  const TaskGraph right = hinted(static_cast<std::uint64_t>(op_us * 1e6));
  std::vector<Seat> seats = {{"one after another", right, make_array},
                             {"detent, right hints", right, make_detent_role},
                             {"detent, hints too low", hinted(kTooLowPs), make_detent_role},
                             {"detent, hints too high", hinted(kTooHighPs), make_detent_role},
                             {"detent, no hints", right, make_detent_blind}};
#ifdef DETENT_BENCH_TBB
  seats.push_back({kPeer, right, make_tbb});
#endif
  return seats;
}

/// The median run of a round, at least three runs.
double time_round_us(const Seat& seat, double budget_ns) {
  const std::unique_ptr<Contender> contender = seat.make(seat.graph, kWorkers, working_kernel);
  for (int run = 0; run < kWarmRuns; ++run) contender->run();
  std::vector<double> runs_us;
  const double first = now_ns();
  for (double begin = first; begin - first < budget_ns || runs_us.size() < 3;) {
    contender->run();
    const double end = now_ns();
    runs_us.push_back((end - begin) / 1000);
    begin = end;
  }
  return median(std::move(runs_us));
}

std::vector<Row> run_cell(double op_us, const Options& options) {
  std::vector<Seat> seats = seats_for(op_us);
  for (const Seat& seat : seats) {
    const std::unique_ptr<Contender> contender = seat.make(seat.graph, kWorkers, noting_kernel);
    for (int run = 0; run < kWarmRuns; ++run) {
      clear_notes(seat.graph.op_count);
      contender->run();
      const std::string wrong = check_notes(seat.graph);
      if (wrong.empty()) continue;
      std::fprintf(stderr, "bench_engine: %s: %s\n", seat.name.c_str(), wrong.c_str());
      std::exit(1);
    }
  }
  const int rounds = options.quick ? 3 : 21;
  for (int round = 0; round < rounds; ++round) {
    for (Seat& seat : seats) seat.rounds_us.push_back(time_round_us(seat, options.quick ? 5e6 : 60e6));
  }
  std::vector<Row> rows;
  for (const Seat& seat : seats) {
    const bool has_peer = seats.back().name == kPeer;
    rows.push_back({op_us, seat.name, median(seat.rounds_us), least(seat.rounds_us),
                    has_peer ? median(ratios(seat.rounds_us, seats.back().rounds_us)) : 0});
  }
  return rows;
}

void print_cell(const std::vector<Row>& rows) {
  std::printf("\nops of %.0f us, %u stages of %u side by side, %u workers\n", rows.front().op_us, kStages, kWidth,
              kWorkers);
  std::printf("  %-24s %12s %12s %18s\n", "", "us per run", "best round", "time of oneTBB's");
  for (const Row& row : rows) {
    std::printf("  %-24s %12.1f %12.1f", row.contender.c_str(), row.median_us, row.best_us);
    if (row.ratio_to_tbb > 0) std::printf(" %18.2f", row.ratio_to_tbb);
    std::printf("\n");
  }
  std::fflush(stdout);
}

bool write_json(const std::string& path, const std::vector<Row>& rows, bool disturbed) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  std::fprintf(file, "{\"benchmark\": \"engine_ops\", \"disturbed\": %s, \"rows\": [", disturbed ? "true" : "false");
  const char* separator = "\n";
  for (const Row& row : rows) {
    std::fprintf(file,
                 "%s  {\"op_us\": %.0f, \"workers\": %u, \"contender\": \"%s\", \"us_per_run\": %.3f, "
                 "\"us_per_run_best_round\": %.3f, \"time_over_onetbb\": %.3f}",
                 separator, row.op_us, kWorkers, row.contender.c_str(), row.median_us, row.best_us, row.ratio_to_tbb);
    separator = ",\n";
  }
  std::fprintf(file, "\n]}\n");
  return std::fclose(file) == 0;
}

}  // namespace

int run_ops(const Options& options, bool disturbed) {
#ifndef DETENT_BENCH_TBB
  std::printf("oneTBB is absent (libtbb-dev): no ratios\n");
#endif
  const Disturbance disturbance(disturbed);
  std::vector<Row> all;
  for (const double op_us : {1.0, 5.0, 20.0, 50.0, 500.0}) {
    set_kernel_us(op_us);
    const std::vector<Row> rows = run_cell(op_us, options);
    print_cell(rows);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  if (options.json.empty() || write_json(options.json, all, disturbed)) return 0;
  std::fprintf(stderr, "bench_engine: cannot write %s\n", options.json.c_str());
  return 1;
}

}  // namespace detent::bench
