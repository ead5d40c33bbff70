// Every memory order of the engine, weakened by one step: does a search notice?
//
//   order_search                          lines "address access word" of every access, and of every call of the port
//   that
//                                         orders memory, which the searches meet
//   order_search MEMORY ORDER ADDRESS...  the accesses and calls announced from these addresses count in this order
//   (paired,
//                                         relaxed); prints the first search that fails, or "survives"
//
// Weakened is what the explorer is told: the machine's own order is stronger than what it models anyway. order_table.py
// turns addresses into lines of the source and writes ORDERS.md.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "runtime/engine/context.h"
#include "tests/verify/random_graph.hpp"
#include "verify/explore/threads/engine.hpp"
#include "verify/explore/threads/threads.hpp"
#include "verify/explore/threads/world/explore_port.hpp"

namespace detent::mutants {
namespace {

namespace ex = verify::explore;
using verify::testing::GraphSpec;

GraphSpec graph_of(std::uint32_t count, const std::vector<support::Edge>& edges) {
  GraphSpec spec = verify::testing::make_ops(count);
  spec.edges = edges;
  support::add_dataflow(spec);
  return spec;
}

GraphSpec answered(GraphSpec spec, std::uint32_t count) {
  for (std::uint32_t op = 0; op < count; ++op) spec.ops[op].core_class = 1;
  return spec;
}

struct Trial {
  std::string name;
  GraphSpec spec;
  ex::ThreadOptions options;
};

const std::vector<std::pair<const char*, detent_mode>> kModes{
    {"closed loop", DETENT_MODE_CLOSED_LOOP}, {"layered", DETENT_MODE_LAYERED}, {"static lists", DETENT_MODE_STATIC}};

/// Cheapest first; each holds where nothing is weakened.
std::vector<Trial> trials() {
  const GraphSpec two = graph_of(2, {}), three = graph_of(3, {}), chain = graph_of(3, {{0, 1}, {1, 2}});
  const GraphSpec fork = graph_of(3, {{0, 1}, {0, 2}}), join = graph_of(3, {{0, 2}, {1, 2}});
  const GraphSpec cross = graph_of(4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}});
  const GraphSpec diamonds = graph_of(7, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {4, 6}, {5, 6}});
  GraphSpec locked = graph_of(4, {{0, 3}});
  locked.mutex_count = 1;
  for (verify::testing::OpSpec& op : locked.ops) op.mutexes = {0};
  constexpr std::uint64_t kSample = 4000;
  std::vector<Trial> list;
  const auto add = [&](const std::string& name, const GraphSpec& spec, ex::ThreadOptions options) {
    options.minimise = false;
    options.max_steps = 3000;
    const bool drawn = options.search == ex::Search::kRotate;
    options.max_executions = drawn ? kSample : 60'000;
    list.push_back({name + (drawn ? ", drawn" : ""), spec, options});
  };
  for (const auto& [name, mode] : kModes) {
    const std::string in = std::string(name) + ", ";
    add(in + "2 ops", two, {.engine = {.workers = 2, .mode = mode}});
    add(in + "fork of 3", fork, {.engine = {.workers = 2, .mode = mode}});
    add(in + "join of 3", join, {.engine = {.workers = 2, .mode = mode}, .search = ex::Search::kRotate});
    add(in + "2 by 2 ops", cross, {.engine = {.workers = 2, .mode = mode}, .search = ex::Search::kRotate});
    add(in + "answers of 1 op", answered(graph_of(2, {{0, 1}}), 1), {.engine = {.workers = 2, .mode = mode}});
    add(in + "answers of 2 ops", answered(join, 2),
        {.engine = {.workers = 2, .mode = mode}, .search = ex::Search::kRotate});
    add(in + "second answers", answered(graph_of(2, {{0, 1}}), 1),
        {.engine = {.workers = 1, .mode = mode}, .duplicate_answers = 1});
    add(in + "2 runs", two, {.engine = {.workers = 2, .mode = mode}, .runs = 2, .search = ex::Search::kRotate});
    add(in + "2 runs, answers", answered(join, 2),
        {.engine = {.workers = 2, .mode = mode}, .runs = 2, .search = ex::Search::kRotate});
    add(in + "cancelled", two, {.engine = {.workers = 2, .mode = mode}, .search = ex::Search::kRotate, .cancel = true});
    add(in + "an op fails", fork,
        {.engine = {.workers = 2, .mode = mode}, .search = ex::Search::kRotate, .failing_ops = {0}});
    add(in + "2 ops fail", cross,
        {.engine = {.workers = 2, .mode = mode}, .search = ex::Search::kRotate, .failing_ops = {0, 1}});
    add(in + "late ops", two,
        {.engine = {.workers = 2, .mode = mode},
         .op_deadline_ps = 1000,
         .search = ex::Search::kRotate,
         .early_timeouts = 2});
    add(in + "late answers", answered(join, 2),
        {.engine = {.workers = 2, .mode = mode},
         .op_deadline_ps = 1000,
         .search = ex::Search::kRotate,
         .early_timeouts = 2});
    add(in + "spinning", fork,
        {.engine = {.workers = 2, .mode = mode, .spin_limit = 2}, .search = ex::Search::kRotate});
    add(in + "whole life", two,
        {.engine = {.workers = 2, .mode = mode}, .whole_life = true, .search = ex::Search::kRotate});
    add(in + "3 workers", diamonds, {.engine = {.workers = 3, .mode = mode}, .search = ex::Search::kRotate});
    add(in + "spurious wake-ups", fork,
        {.engine = {.workers = 2, .mode = mode}, .search = ex::Search::kRotate, .spurious_wakeups = 1});
    add(in + "ops of one mutex", locked, {.engine = {.workers = 2, .mode = mode}, .search = ex::Search::kRotate});
  }
  for (const auto& [name, spec] : {std::pair{"2 ops", two}, {"fork of 3", fork}, {"2 by 2 ops", cross}}) {
    GraphSpec long_ops = spec;  // long enough to be handed over
    for (verify::testing::OpSpec& op : long_ops.ops) op.best_ps = op.worst_ps = 1'000'000'000;
    ex::ThreadOptions options{.engine = {.workers = 2, .spin_limit = 1}, .active_spin_limit = 2};
    add(std::string("active waiting, ") + name, long_ops, options);
    options.search = ex::Search::kRotate;
    add(std::string("active waiting, ") + name, long_ops, options);
  }
  const detent_scheduler own = DETENT_SCHEDULER_THREAD;
  add("own scheduler, 2 ops", two, {.engine = {.workers = 2, .scheduler = own}});
  add("own scheduler, chain of 3", chain, {.engine = {.workers = 2, .scheduler = own}, .search = ex::Search::kRotate});
  add("own scheduler, 3 ops", three, {.engine = {.workers = 2, .scheduler = own}, .search = ex::Search::kRotate});
  add("own scheduler, answers", answered(join, 2),
      {.engine = {.workers = 2, .scheduler = own}, .search = ex::Search::kRotate});
  add("own scheduler, 2 runs", two,
      {.engine = {.workers = 2, .scheduler = own}, .runs = 2, .search = ex::Search::kRotate});
  add("own scheduler, late ops", two,
      {.engine = {.workers = 2, .scheduler = own},
       .op_deadline_ps = 1000,
       .search = ex::Search::kRotate,
       .early_timeouts = 2});
  // Last: what is shown of ops, read meanwhile.
  add("states of ops, 2 runs", graph_of(1, {}),
      {.engine = {.workers = 1, .mode = DETENT_MODE_SERIAL},
       .runs = 2,
       .op_deadline_ps = 1000,
       .early_timeouts = 1,
       .op_readings = 2});
  for (const auto& [name, mode] : kModes) {
    const std::string in = std::string(name) + ", states of ops, ";
    const harness::EngineSpec engine{.workers = 2, .mode = mode};
    add(in + "fork of 3", fork, {.engine = engine, .search = ex::Search::kRotate, .op_readings = 2});
    add(in + "join of 3", join, {.engine = engine, .runs = 2, .search = ex::Search::kRotate, .op_readings = 3});
    add(in + "answers", answered(join, 2), {.engine = engine, .search = ex::Search::kRotate, .op_readings = 3});
    add(in + "cancelled", chain,
        {.engine = engine, .runs = 2, .search = ex::Search::kRotate, .cancel = true, .op_readings = 3});
    add(in + "an op fails", fork,
        {.engine = engine, .runs = 2, .search = ex::Search::kRotate, .failing_ops = {1}, .op_readings = 3});
    add(in + "late answers", answered(join, 2),
        {.engine = engine,
         .runs = 2,
         .op_deadline_ps = 1000,
         .search = ex::Search::kRotate,
         .early_timeouts = 2,
         .op_readings = 3});
  }
  return list;
}

/// Lists what is accessed from where.
class Lister final : public ex::OrderFilter {
 public:
  std::uint32_t order_of(const void* site, const void* base, std::uint32_t offset, std::uint32_t access) override {
    if (met_.insert({site, offset}).second) {
      std::string word = ex::name_of_word(*static_cast<const detent_context*>(base), offset);
      word = word.substr(0, word.find(" of "));
      std::printf("%p %" PRIu32 " %s\n", site, access, word.c_str());
    }
    return access;
  }
  bool is_ordered(const void* site, ex::PortCall call) override {
    static const char* const names[] = {"lock", "unlock", "wait", "notify", "start", "join"};
    const auto number = static_cast<std::uint32_t>(call);
    if (met_.insert({site, number}).second) {
      std::printf("%p %" PRIu32 " the port's %s\n", site, std::uint32_t{kAccessPaired}, names[number]);
    }
    return true;
  }

 private:
  std::set<std::pair<const void*, std::uint32_t>> met_;
};

class Weakener final : public ex::OrderFilter {
 public:
  Weakener(std::set<const void*> sites, std::uint32_t order) : sites_(std::move(sites)), order_(order) {}
  std::uint32_t order_of(const void* site, const void*, std::uint32_t, std::uint32_t access) override {
    if (sites_.count(site) == 0) return access;
    return (access & ~std::uint32_t{kAccessPaired | kAccessRelaxed}) | order_;
  }
  bool is_ordered(const void* site, ex::PortCall) override {
    return sites_.count(site) == 0 || order_ != kAccessRelaxed;
  }

 private:
  std::set<const void*> sites_;
  std::uint32_t order_;
};

/// The first search that finds something, in words; empty: none does.
std::string find_failure(ex::OrderFilter& filter, ex::MemoryModel memory) {
  for (Trial& trial : trials()) {
    const verify::testing::DescTables tables(trial.spec);
    trial.options.orders = &filter;
    trial.options.memory = memory;
    const ex::ThreadResult result = ex::explore_threads(tables.desc, trial.options);
    if (result.failure) {
      return trial.name + ": " + result.failure->law + " (" + std::to_string(result.statistics.executions) + ")";
    }
  }
  return "";
}

int search(int argc, char** argv) {
  if (argc == 1) {
    Lister lister;
    const std::string found = find_failure(lister, ex::MemoryModel::kC11);
    if (!found.empty()) std::printf("! %s\n", found.c_str());
    return found.empty() ? 0 : 1;
  }
  const auto memory = ex::memory_of(argv[1]);
  if (!memory || argc < 4) return 2;
  std::set<const void*> sites;
  for (int i = 3; i < argc; ++i) sites.insert(reinterpret_cast<const void*>(std::strtoull(argv[i], nullptr, 16)));
  Weakener weakener(sites, std::strcmp(argv[2], "paired") == 0 ? kAccessPaired : kAccessRelaxed);
  const std::string found = find_failure(weakener, *memory);
  std::printf("%s\n", found.empty() ? "survives" : found.c_str());
  return 0;
}

}  // namespace
}  // namespace detent::mutants

int main(int argc, char** argv) { return detent::mutants::search(argc, argv); }
