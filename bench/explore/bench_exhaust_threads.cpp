// Exhausting the real engine at thread level: modes x graphs x searches -> executions, states, traces, seconds.
//
//   bench_exhaust_threads                         up to 3 ops: seconds
//   bench_exhaust_threads --ops 5 --search states the table of docs/VERIFICATION.md
//   bench_exhaust_threads --ops 5 --search states --engine scheduler --shape fork
//   bench_exhaust_threads --memory sc             sequential consistency instead of the C++20 memory model
//
// Two workers. Seconds are processor time of this thread.
#include <time.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/verify/random_graph.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::bench {
namespace {

namespace ex = verify::explore;

struct Wanted {
  std::uint32_t first_ops = 2, last_ops = 3;
  std::string engine, shape;  ///< names, or parts of them where none is equal; empty: all
  std::string search;         ///< empty: states and exhaustive
  ex::MemoryModel memory = ex::MemoryModel::kC11;
  std::uint64_t max_executions = 1'000'000'000;
};

double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Shape {
  const char* name;
  std::vector<support::Edge> edges;
};

std::vector<Shape> shapes_of(std::uint32_t count) {
  std::vector<Shape> shapes{{"chain", {}}, {"fork", {}}, {"join", {}}, {"diamond", {}}, {"independent", {}}};
  for (std::uint32_t op = 1; op < count; ++op) {
    shapes[0].edges.emplace_back(op - 1, op);
    shapes[1].edges.emplace_back(0, op);
    shapes[2].edges.emplace_back(op - 1, count - 1);
    if (op + 1 == count) continue;
    shapes[3].edges.emplace_back(0, op);
    shapes[3].edges.emplace_back(op, count - 1);
  }
  if (count < 4) shapes.erase(shapes.begin() + 3);  // no diamond
  return shapes;
}

struct Engine {
  const char* name;
  detent_mode mode;
  detent_scheduler scheduler;
};

constexpr Engine kEngines[] = {{"serial", DETENT_MODE_SERIAL, DETENT_SCHEDULER_ROLE},
                               {"layered", DETENT_MODE_LAYERED, DETENT_SCHEDULER_ROLE},
                               {"closed loop", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_ROLE},
                               {"closed loop, scheduler", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_THREAD},
                               {"static lists", DETENT_MODE_STATIC, DETENT_SCHEDULER_ROLE}};

bool is_wanted(const Engine& engine, const std::string& name) {
  const bool is_whole =
      std::any_of(std::begin(kEngines), std::end(kEngines), [&](const Engine& other) { return name == other.name; });
  return is_whole ? name == engine.name : std::string(engine.name).find(name) != std::string::npos;
}

bool exhaust(const Shape& shape, const Engine& engine, std::uint32_t op_count, ex::Search search,
             const Wanted& wanted) {
  verify::testing::GraphSpec spec = verify::testing::make_ops(op_count);
  spec.edges = shape.edges;
  support::add_dataflow(spec);
  const verify::testing::DescTables tables(spec);
  const double begin = seconds_now();
  const ex::ThreadResult result =
      ex::explore_threads(tables.desc, {.engine = {.workers = 2, .mode = engine.mode, .scheduler = engine.scheduler},
                                        .search = search,
                                        .memory = wanted.memory,
                                        .max_executions = wanted.max_executions});
  const ex::ThreadStatistics& s = result.statistics;
  std::printf("%-22s %-12s %2u ops  %-10s %10" PRIu64 " executions %10" PRIu64 " %-6s %10.2f s  %s%s\n", engine.name,
              shape.name, op_count, ex::search_name(search), s.executions,
              search == ex::Search::kStates ? s.states : s.distinct,
              search == ex::Search::kStates ? "states" : "traces", seconds_now() - begin,
              verify::outcome_name(result.verdict.outcome), result.complete ? "" : ", not exhausted");
  std::fflush(stdout);
  return result.verdict.outcome == verify::Outcome::kHolds;
}

bool exhaust_all(const Wanted& wanted) {
  bool holds = true;
  for (const Engine& engine : kEngines) {
    if (!is_wanted(engine, wanted.engine)) continue;
    for (std::uint32_t count = wanted.first_ops; count <= wanted.last_ops; ++count) {
      for (const Shape& shape : shapes_of(count)) {
        if (std::string(shape.name).find(wanted.shape) == std::string::npos) continue;
        for (const ex::Search search : {ex::Search::kStates, ex::Search::kExhaustive}) {
          if (!wanted.search.empty() && wanted.search != ex::search_name(search)) continue;
          holds = exhaust(shape, engine, count, search, wanted) && holds;
        }
      }
    }
  }
  return holds;
}

/// False: an argument is not understood.
bool read_wanted(int argc, char** argv, Wanted& wanted) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick") continue;
    if (i + 1 == argc) return false;
    const char* const value = argv[++i];
    if (word == "--ops") {
      wanted.first_ops = wanted.last_ops = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
    } else if (word == "--engine") {
      wanted.engine = value;
    } else if (word == "--shape") {
      wanted.shape = value;
    } else if (word == "--search") {
      wanted.search = value;
    } else if (word == "--memory") {
      const auto memory = ex::memory_of(value);
      if (!memory) return false;
      wanted.memory = *memory;
    } else if (word == "--max") {
      wanted.max_executions = std::strtoull(value, nullptr, 10);
    } else {
      return false;
    }
  }
  return wanted.last_ops >= 1 && wanted.last_ops <= 16 && wanted.max_executions != 0;
}

}  // namespace
}  // namespace detent::bench

int main(int argc, char** argv) {
  detent::bench::Wanted wanted;
  if (!detent::bench::read_wanted(argc, argv, wanted)) {
    std::fprintf(stderr,
                 "usage: %s [--ops N] [--engine NAME] [--shape NAME] [--search states|exhaustive]"
                 " [--memory sc|c11] [--max N]\n",
                 argv[0]);
    return 2;
  }
  return detent::bench::exhaust_all(wanted) ? 0 : 1;
}
