// What a bind makes of a graph, table by table: ranks, queues, layers, lists with their waits, sizes. Nothing runs
// here: the port pretends to start threads.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/engine/context.h"
#include "tests/runtime/engine/graph.hpp"

namespace detent::test {
namespace {

/// A port whose threads never run.
detent_port idle_port(std::uint32_t spin_limit = 64) {
  detent_port port = detent_port_single();
  port.max_slots = DETENT_MAX_WORKERS + 1;
  port.spin_limit = spin_limit;
  port.start = [](void*, std::uint32_t, void (*)(void*), void*) { return DETENT_OK; };
  port.join = [](void*, std::uint32_t) {};
  return port;
}

std::string list_of(const std::uint32_t* values, std::uint32_t count) {
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) text += " " + std::to_string(values[i]);
  return text + "\n";
}

std::string number_of(std::uint32_t value) { return value == DETENT_NONE ? "-" : std::to_string(value); }

std::string counts_of(const detent_context& c) {
  return "mode " + std::to_string(c.mode) + ", " + std::to_string(c.slot_count) + " slots from " +
         std::to_string(c.first_worker) + ", " + std::to_string(c.worker_count) + " workers, " +
         std::to_string(c.queue_count) + " queues, async " + number_of(c.async_queue) + "," +
         (c.loop.plain ? " plain" : "") + (c.loop.may_run_inline ? " streak" : "") + (c.loop.may_hand ? " hand" : "") +
         (c.loop.hand_always ? " always" : "") + ", entries " + std::to_string(c.loop.entry_count) + " of " +
         std::to_string(c.loop.entry_ns) + " ns, idle " + std::to_string(c.loop.schedule.idle) + ", logs " +
         std::to_string(c.log_count) + " " + std::to_string(c.loop.async_ring) + " " + std::to_string(c.rejected_ring) +
         "\n";
}

std::string nodes_of(const detent_context& c) {
  std::string text;
  for (std::uint32_t op = 0; op < c.graph.desc->op_count; ++op) {
    const Node& n = c.graph.nodes[op];
    text += std::to_string(op) + ": in " + std::to_string(n.indegree) + "/" + std::to_string(n.entry_count) + ", out " +
            std::to_string(n.first_successor) + "+" + std::to_string(n.successor_count) + ", rank " +
            std::to_string(n.rank) + ", " + std::to_string(n.cost_ns) + " ns, queue " + std::to_string(n.queue) +
            ", flags " + std::to_string(n.flags) + ", back end " + std::to_string(n.backend) + "\n";
  }
  return text;
}

std::string lists_of(const detent_context& c) {
  const Lists& lists = c.fixed.lists;
  std::string text;
  for (std::uint32_t worker = 0; worker < c.worker_count; ++worker) {
    text += "worker " + std::to_string(worker) + ":";
    for (std::uint32_t i = lists.first[worker]; i < lists.first[worker + 1]; ++i) {
      text += " " + std::to_string(lists.entries[i].op) + "/" + std::to_string(lists.entries[i].flags);
      for (std::uint32_t w = lists.first_wait[i]; w < lists.first_wait[i + 1]; ++w) {
        const Wait& wait = lists.waits[w];
        const bool begun = wait.slot != kWaitAnswer && (wait.count & kWaitBegun) != 0;
        text += std::string("<") + (wait.slot == kWaitAnswer ? "answer" : std::to_string(wait.slot)) +
                (begun ? "b" : ".") + std::to_string(begun ? wait.count & ~kWaitBegun : wait.count);
      }
    }
    text += "\n";
  }
  return text;
}

std::string layers_of(const detent_context& c) {
  std::string text;
  for (std::uint32_t layer = 0; layer < c.fixed.layers.layer_count; ++layer) {
    text += "layer " + std::to_string(layer) + ":";
    for (std::uint32_t queue = 0; queue < c.queue_count; ++queue) {
      const std::uint32_t* const bounds = c.fixed.layers.first + std::size_t{layer} * c.queue_count + queue;
      text += " [";
      for (std::uint32_t i = bounds[0]; i < bounds[1]; ++i) {
        text += (i == bounds[0] ? "" : " ") + std::to_string(c.fixed.layers.order[i]);
      }
      text += "]";
    }
    text += "\n";
  }
  return text;
}

/// Everything that the mode looks at.
std::string bound_as(Graph& graph, EngineSetup setup, std::uint32_t spin_limit = 64) {
  const detent_port port = idle_port(spin_limit);
  setup.port = &port;
  const Bound bound(graph, setup);
  if (bound.status() != DETENT_OK) {
    const detent_error& e = bound.error();
    return std::string(detent_status_name(e.status)) + " op " + number_of(e.op) + "\n";
  }
  const detent_context& c = *bound.context();
  std::string text = counts_of(c) + nodes_of(c) + "ranks:" + list_of(c.graph.op_of_rank, c.graph.desc->op_count);
  if (c.graph.serial_order != nullptr) text += "serial:" + list_of(c.graph.serial_order, c.graph.desc->op_count);
  if (c.mode == DETENT_MODE_LAYERED) text += layers_of(c);
  if (c.mode == DETENT_MODE_STATIC) text += lists_of(c);
  return text;
}

/// Seven ops of three classes, one of them answered by a back end, with a mutex, costs and priorities.
Graph of_every_kind() {
  Graph graph(7, {{0, 2}, {0, 3}, {1, 3}, {2, 4}, {3, 5}, {4, 6}, {5, 6}});
  graph.class_table = {{"cpu", DETENT_CLASS_WORKERS}, {"later", DETENT_CLASS_ASYNC}, {"npu", DETENT_CLASS_WORKERS}};
  graph.classes = {0, 0, 1, 2, 0, 0, 2};
  graph.mutexes = {{0}, {0, 1}, {}, {}, {1}, {}, {}};
  graph.cost_ps = {999, 1'000, 5'000'000, 100'000, 199'000, 198'999, 2'000'000'000'000'000};
  graph.priorities = {5, -1, 0, 7, 7, -3, 2};
  return graph;
}

/// Refuses to compute at once.
detent_backend answering() {
  detent_backend backend = detent_cpu_backend("later", &watch_kernels());
  backend.dispatch = [](void*, detent_context*, const detent_entity*, std::uint32_t, std::int32_t*) {
    return DETENT_DISPATCH_PENDING;
  };
  return backend;
}

TEST(BoundContext, SerialAndClosedLoop) {
  Graph graph = of_every_kind();
  EXPECT_EQ(bound_as(graph, {.mode = DETENT_MODE_SERIAL, .worker_count = 3, .log_records = 3}),
            "mode 0, 1 slots from 0, 1 workers, 2 queues, async 1, streak, entries 2 of 3 ns, idle 1, logs 3 1 2\n"
            "0: in 0/0, out 0+2, rank 0, 1 ns, queue 0, flags 2, back end 0\n"
            "1: in 0/0, out 2+1, rank 1, 2 ns, queue 0, flags 2, back end 0\n"
            "2: in 1/1, out 3+1, rank 2, 5001 ns, queue 1, flags 4, back end 0\n"
            "3: in 2/2, out 4+1, rank 3, 101 ns, queue 0, flags 0, back end 0\n"
            "4: in 1/1, out 5+1, rank 4, 200 ns, queue 0, flags 2, back end 0\n"
            "5: in 1/1, out 6+1, rank 5, 199 ns, queue 0, flags 0, back end 0\n"
            "6: in 2/2, out 7+0, rank 6, 1000000001 ns, queue 0, flags 0, back end 0\n"
            "ranks: 0 1 2 3 4 5 6\n"
            "serial: 0 1 2 3 4 5 6\n");
  EXPECT_EQ(bound_as(graph, {.worker_count = 0, .worker_classes = {0}, .policy = detent_policy_priority()}),
            "mode 0, 1 slots from 0, 1 workers, 2 queues, async 1, streak, entries 2 of 3 ns, idle 1, logs 0 0 0\n"
            "0: in 0/0, out 0+2, rank 4, 1 ns, queue 0, flags 2, back end 0\n"
            "1: in 0/0, out 2+1, rank 1, 2 ns, queue 0, flags 2, back end 0\n"
            "2: in 1/1, out 3+1, rank 2, 5001 ns, queue 1, flags 4, back end 0\n"
            "3: in 2/2, out 4+1, rank 5, 101 ns, queue 0, flags 0, back end 0\n"
            "4: in 1/1, out 5+1, rank 6, 200 ns, queue 0, flags 2, back end 0\n"
            "5: in 1/1, out 6+1, rank 0, 199 ns, queue 0, flags 0, back end 0\n"
            "6: in 2/2, out 7+0, rank 3, 1000000001 ns, queue 0, flags 0, back end 0\n"
            "ranks: 5 1 2 6 0 3 4\n"
            "serial: 1 0 2 3 5 4 6\n");
  EXPECT_EQ(
      bound_as(graph, {.worker_count = 3, .worker_classes = {0, 2, 0}, .backends = {answering()}, .log_records = 4}),
      "mode 2, 3 slots from 0, 3 workers, 4 queues, async 3, hand, entries 2 of 3 ns, idle 7, logs 5 3 4\n"
      "0: in 0/0, out 0+2, rank 0, 1 ns, queue 0, flags 2, back end 1\n"
      "1: in 0/0, out 2+1, rank 1, 2 ns, queue 0, flags 2, back end 1\n"
      "2: in 1/1, out 3+1, rank 2, 5001 ns, queue 3, flags 5, back end 0\n"
      "3: in 2/2, out 4+1, rank 3, 101 ns, queue 2, flags 0, back end 1\n"
      "4: in 1/1, out 5+1, rank 4, 200 ns, queue 0, flags 2, back end 1\n"
      "5: in 1/1, out 6+1, rank 5, 199 ns, queue 0, flags 0, back end 1\n"
      "6: in 2/2, out 7+0, rank 6, 1000000001 ns, queue 2, flags 0, back end 1\n"
      "ranks: 0 1 2 3 4 5 6\n");
  EXPECT_EQ(bound_as(graph, {.scheduler = DETENT_SCHEDULER_THREAD,
                             .worker_count = 2,
                             .policy = detent_policy_critical_path(),
                             .log_records = 1}),
            "mode 2, 3 slots from 1, 2 workers, 2 queues, async 1, hand, entries 2 of 3 ns, idle 3, logs 4 0 3\n"
            "0: in 0/0, out 0+2, rank 0, 1 ns, queue 0, flags 2, back end 0\n"
            "1: in 0/0, out 2+1, rank 2, 2 ns, queue 0, flags 2, back end 0\n"
            "2: in 1/1, out 3+1, rank 1, 5001 ns, queue 1, flags 4, back end 0\n"
            "3: in 2/2, out 4+1, rank 3, 101 ns, queue 0, flags 0, back end 0\n"
            "4: in 1/1, out 5+1, rank 4, 200 ns, queue 0, flags 2, back end 0\n"
            "5: in 1/1, out 6+1, rank 5, 199 ns, queue 0, flags 0, back end 0\n"
            "6: in 2/2, out 7+0, rank 6, 1000000001 ns, queue 0, flags 0, back end 0\n"
            "ranks: 0 2 1 3 4 5 6\n");
  EXPECT_EQ(bound_as(graph, {.worker_count = 2, .worker_classes = {0, 0}}), "UNKNOWN_KERNEL op 3\n");
  EXPECT_EQ(bound_as(graph, {.worker_count = 2, .op_deadline_ps = 5}, 0),
            "mode 2, 2 slots from 0, 2 workers, 2 queues, async 1, hand always, entries 2 of 3 ns, idle 3, logs 0 0 0\n"
            "0: in 0/0, out 0+2, rank 0, 1 ns, queue 0, flags 2, back end 0\n"
            "1: in 0/0, out 2+1, rank 1, 2 ns, queue 0, flags 2, back end 0\n"
            "2: in 1/1, out 3+1, rank 2, 5001 ns, queue 1, flags 4, back end 0\n"
            "3: in 2/2, out 4+1, rank 3, 101 ns, queue 0, flags 0, back end 0\n"
            "4: in 1/1, out 5+1, rank 4, 200 ns, queue 0, flags 2, back end 0\n"
            "5: in 1/1, out 6+1, rank 5, 199 ns, queue 0, flags 0, back end 0\n"
            "6: in 2/2, out 7+0, rank 6, 1000000001 ns, queue 0, flags 0, back end 0\n"
            "ranks: 0 1 2 3 4 5 6\n");
  Graph plain = diamond();
  EXPECT_EQ(bound_as(plain, {.worker_count = 64}),
            "mode 2, 64 slots from 0, 64 workers, 1 queues, async -, plain streak hand, entries 1 of 1000000 ns, idle "
            "18446744073709551615, logs 0 0 0\n"
            "0: in 0/0, out 0+2, rank 0, 1000000 ns, queue 0, flags 0, back end 0\n"
            "1: in 1/1, out 2+1, rank 1, 1000000 ns, queue 0, flags 0, back end 0\n"
            "2: in 1/1, out 3+1, rank 2, 1000000 ns, queue 0, flags 0, back end 0\n"
            "3: in 2/2, out 4+0, rank 3, 1000000 ns, queue 0, flags 0, back end 0\n"
            "ranks: 0 1 2 3\n");
  EXPECT_EQ(bound_as(plain, {.worker_count = 1}),
            "mode 2, 1 slots from 0, 1 workers, 1 queues, async -, plain streak, entries 1 of 1000000 ns, idle 1, logs "
            "0 0 0\n"
            "0: in 0/0, out 0+2, rank 0, 1000000 ns, queue 0, flags 0, back end 0\n"
            "1: in 1/1, out 2+1, rank 1, 1000000 ns, queue 0, flags 0, back end 0\n"
            "2: in 1/1, out 3+1, rank 2, 1000000 ns, queue 0, flags 0, back end 0\n"
            "3: in 2/2, out 4+0, rank 3, 1000000 ns, queue 0, flags 0, back end 0\n"
            "ranks: 0 1 2 3\n");
  Graph cheap = chain(2);
  cheap.cost_ps = {198'999, 198'999};
  EXPECT_EQ(
      bound_as(cheap, {.worker_count = 2}),
      "mode 2, 2 slots from 0, 2 workers, 1 queues, async -, plain streak, entries 1 of 199 ns, idle 3, logs 0 0 0\n"
      "0: in 0/0, out 0+1, rank 0, 199 ns, queue 0, flags 0, back end 0\n"
      "1: in 1/1, out 1+0, rank 1, 199 ns, queue 0, flags 0, back end 0\n"
      "ranks: 0 1\n");
  Graph dear = chain(2);
  dear.cost_ps = {0, 199'000};
  EXPECT_EQ(
      bound_as(dear, {.worker_count = 2}),
      "mode 2, 2 slots from 0, 2 workers, 1 queues, async -, plain streak hand, entries 1 of 1 ns, idle 3, logs 0 0 0\n"
      "0: in 0/0, out 0+1, rank 0, 1 ns, queue 0, flags 0, back end 0\n"
      "1: in 1/1, out 1+0, rank 1, 200 ns, queue 0, flags 0, back end 0\n"
      "ranks: 0 1\n");
}

TEST(BoundContext, Layers) {
  Graph graph = of_every_kind();
  EXPECT_EQ(bound_as(graph, {.mode = DETENT_MODE_LAYERED, .worker_count = 2, .backends = {answering()}}),
            "mode 1, 2 slots from 0, 2 workers, 2 queues, async 1, hand, entries 2 of 3 ns, idle 3, logs 0 0 0\n"
            "0: in 0/0, out 0+2, rank 0, 1 ns, queue 0, flags 2, back end 1\n"
            "1: in 0/0, out 2+1, rank 1, 2 ns, queue 0, flags 2, back end 1\n"
            "2: in 1/1, out 3+1, rank 2, 5001 ns, queue 1, flags 5, back end 0\n"
            "3: in 2/2, out 4+1, rank 3, 101 ns, queue 0, flags 0, back end 1\n"
            "4: in 1/1, out 5+1, rank 4, 200 ns, queue 0, flags 2, back end 1\n"
            "5: in 1/1, out 6+1, rank 5, 199 ns, queue 0, flags 0, back end 1\n"
            "6: in 2/2, out 7+0, rank 6, 1000000001 ns, queue 0, flags 0, back end 1\n"
            "ranks: 0 1 2 3 4 5 6\n"
            "serial: 0 1 2 3 4 5 6\n"
            "layer 0: [0] []\n"
            "layer 1: [1] [2]\n"
            "layer 2: [3 4] []\n"
            "layer 3: [5] []\n"
            "layer 4: [6] []\n");
  EXPECT_EQ(bound_as(graph, {.mode = DETENT_MODE_LAYERED,
                             .worker_count = 2,
                             .worker_classes = {0, 2},
                             .policy = detent_policy_priority()}),
            "mode 1, 2 slots from 0, 2 workers, 4 queues, async 3, streak hand, entries 2 of 3 ns, idle 3, logs 0 0 0\n"
            "0: in 0/0, out 0+2, rank 4, 1 ns, queue 0, flags 2, back end 0\n"
            "1: in 0/0, out 2+1, rank 1, 2 ns, queue 0, flags 2, back end 0\n"
            "2: in 1/1, out 3+1, rank 2, 5001 ns, queue 3, flags 4, back end 0\n"
            "3: in 2/2, out 4+1, rank 5, 101 ns, queue 2, flags 0, back end 0\n"
            "4: in 1/1, out 5+1, rank 6, 200 ns, queue 0, flags 2, back end 0\n"
            "5: in 1/1, out 6+1, rank 0, 199 ns, queue 0, flags 0, back end 0\n"
            "6: in 2/2, out 7+0, rank 3, 1000000001 ns, queue 2, flags 0, back end 0\n"
            "ranks: 5 1 2 6 0 3 4\n"
            "serial: 1 0 2 3 5 4 6\n"
            "layer 0: [1] [] [] []\n"
            "layer 1: [0] [] [] []\n"
            "layer 2: [] [] [3] [2]\n"
            "layer 3: [5 4] [] [] []\n"
            "layer 4: [] [] [6] []\n");
  const std::vector<std::uint32_t> order = {1, 0, 3, 2, 5, 4, 6};
  const detent_given_order given{order.data(), 7};
  EXPECT_EQ(bound_as(graph, {.mode = DETENT_MODE_LAYERED,
                             .worker_count = 2,
                             .worker_classes = {2, 0},
                             .policy = detent_policy_given(&given)}),
            "mode 1, 2 slots from 0, 2 workers, 4 queues, async 3, streak hand, entries 2 of 3 ns, idle 3, logs 0 0 0\n"
            "0: in 0/0, out 0+2, rank 1, 1 ns, queue 0, flags 2, back end 0\n"
            "1: in 0/0, out 2+1, rank 0, 2 ns, queue 0, flags 2, back end 0\n"
            "2: in 1/1, out 3+1, rank 3, 5001 ns, queue 3, flags 4, back end 0\n"
            "3: in 2/2, out 4+1, rank 2, 101 ns, queue 2, flags 0, back end 0\n"
            "4: in 1/1, out 5+1, rank 5, 200 ns, queue 0, flags 2, back end 0\n"
            "5: in 1/1, out 6+1, rank 4, 199 ns, queue 0, flags 0, back end 0\n"
            "6: in 2/2, out 7+0, rank 6, 1000000001 ns, queue 2, flags 0, back end 0\n"
            "ranks: 1 0 3 2 5 4 6\n"
            "serial: 1 0 3 2 5 4 6\n"
            "layer 0: [1] [] [] []\n"
            "layer 1: [0] [] [] []\n"
            "layer 2: [] [] [3] []\n"
            "layer 3: [] [] [] [2]\n"
            "layer 4: [5 4] [] [] []\n"
            "layer 5: [] [] [6] []\n");
}

TEST(BoundContext, Lists) {
  Graph graph = of_every_kind();
  EXPECT_EQ(bound_as(graph, {.mode = DETENT_MODE_STATIC, .worker_count = 2, .backends = {answering()}}),
            "mode 3, 2 slots from 0, 2 workers, 2 queues, async 1, hand, entries 2 of 3 ns, idle 3, logs 0 0 0\n"
            "0: in 0/0, out 0+2, rank 0, 1 ns, queue 0, flags 2, back end 1\n"
            "1: in 0/0, out 2+1, rank 1, 2 ns, queue 0, flags 2, back end 1\n"
            "2: in 1/1, out 3+1, rank 2, 5001 ns, queue 1, flags 5, back end 0\n"
            "3: in 2/2, out 4+1, rank 3, 101 ns, queue 0, flags 0, back end 1\n"
            "4: in 1/1, out 5+1, rank 4, 200 ns, queue 0, flags 2, back end 1\n"
            "5: in 1/1, out 6+1, rank 5, 199 ns, queue 0, flags 0, back end 1\n"
            "6: in 2/2, out 7+0, rank 6, 1000000001 ns, queue 0, flags 0, back end 1\n"
            "ranks: 0 1 2 3 4 5 6\n"
            "serial: 0 1 2 3 4 5 6\n"
            "worker 0: 0/0 1/0 2/8 3/0 4/4<answer.2 5/0 6/0\n"
            "worker 1:\n");
  EXPECT_EQ(
      bound_as(graph,
               {.mode = DETENT_MODE_STATIC, .worker_count = 3, .worker_classes = {0, 2, 0}, .backends = {answering()}}),
      "mode 3, 3 slots from 0, 3 workers, 4 queues, async 3, hand, entries 2 of 3 ns, idle 7, logs 0 0 0\n"
      "0: in 0/0, out 0+2, rank 0, 1 ns, queue 0, flags 2, back end 1\n"
      "1: in 0/0, out 2+1, rank 1, 2 ns, queue 0, flags 2, back end 1\n"
      "2: in 1/1, out 3+1, rank 2, 5001 ns, queue 3, flags 5, back end 0\n"
      "3: in 2/2, out 4+1, rank 3, 101 ns, queue 2, flags 0, back end 1\n"
      "4: in 1/1, out 5+1, rank 4, 200 ns, queue 0, flags 2, back end 1\n"
      "5: in 1/1, out 6+1, rank 5, 199 ns, queue 0, flags 0, back end 1\n"
      "6: in 2/2, out 7+0, rank 6, 1000000001 ns, queue 2, flags 0, back end 1\n"
      "ranks: 0 1 2 3 4 5 6\n"
      "serial: 0 1 2 4 3 5 6\n"
      "worker 0: 0/1 1/1 2/8 4/5<answer.2 5/5<1.1\n"
      "worker 1: 3/5<0.1<0.2 6/4<0.4<0.5\n"
      "worker 2:\n");
  const std::vector<std::uint32_t> order = {1, 0, 3, 2, 5, 4, 6};
  const detent_given_order given{order.data(), 7};
  EXPECT_EQ(bound_as(graph, {.mode = DETENT_MODE_STATIC, .worker_count = 2, .policy = detent_policy_given(&given)}),
            "mode 3, 2 slots from 0, 2 workers, 2 queues, async 1, streak hand, entries 2 of 3 ns, idle 3, logs 0 0 0\n"
            "0: in 0/0, out 0+2, rank 1, 1 ns, queue 0, flags 2, back end 0\n"
            "1: in 0/0, out 2+1, rank 0, 2 ns, queue 0, flags 2, back end 0\n"
            "2: in 1/1, out 3+1, rank 3, 5001 ns, queue 1, flags 4, back end 0\n"
            "3: in 2/2, out 4+1, rank 2, 101 ns, queue 0, flags 0, back end 0\n"
            "4: in 1/1, out 5+1, rank 5, 200 ns, queue 0, flags 2, back end 0\n"
            "5: in 1/1, out 6+1, rank 4, 199 ns, queue 0, flags 0, back end 0\n"
            "6: in 2/2, out 7+0, rank 6, 1000000001 ns, queue 0, flags 0, back end 0\n"
            "ranks: 1 0 3 2 5 4 6\n"
            "serial: 1 0 3 2 5 4 6\n"
            "worker 0: 1/0 0/0 3/0 2/0 5/0 4/0 6/0\n"
            "worker 1:\n");
  EXPECT_EQ(bound_as(graph,
                     {.mode = DETENT_MODE_STATIC,
                      .worker_count = 2,
                      .policy = detent_policy_given(&given),
                      .backends = {answering()}},
                     0),
            "mode 3, 2 slots from 0, 2 workers, 2 queues, async 1, hand always, entries 2 of 3 ns, idle 3, logs 0 0 0\n"
            "0: in 0/0, out 0+2, rank 1, 1 ns, queue 0, flags 2, back end 1\n"
            "1: in 0/0, out 2+1, rank 0, 2 ns, queue 0, flags 2, back end 1\n"
            "2: in 1/1, out 3+1, rank 3, 5001 ns, queue 1, flags 5, back end 0\n"
            "3: in 2/2, out 4+1, rank 2, 101 ns, queue 0, flags 0, back end 1\n"
            "4: in 1/1, out 5+1, rank 5, 200 ns, queue 0, flags 2, back end 1\n"
            "5: in 1/1, out 6+1, rank 4, 199 ns, queue 0, flags 0, back end 1\n"
            "6: in 2/2, out 7+0, rank 6, 1000000001 ns, queue 0, flags 0, back end 1\n"
            "ranks: 1 0 3 2 5 4 6\n"
            "serial: 1 0 3 2 5 4 6\n"
            "worker 0: 1/3 3/6<1.1<1b1 5/4<1b2 4/4<answer.2 6/0\n"
            "worker 1: 0/7<0.1<0b1 2/14<0b2\n");
  EXPECT_EQ(bound_as(graph, {.mode = DETENT_MODE_STATIC, .worker_count = 2, .worker_classes = {0, 0}}),
            "UNKNOWN_KERNEL op 3\n");
}

TEST(BoundContext, ListsOfTheDesc) {
  const auto bind = [](std::vector<std::vector<std::uint32_t>> lists, std::uint32_t workers = 2) {
    Graph graph = of_every_kind();
    graph.schedules = {{{0, 1, 2, 3, 4, 5, 6}}, std::move(lists)};
    const std::string text = bound_as(
        graph, {.mode = DETENT_MODE_STATIC,
                .worker_count = workers,
                .worker_classes = workers == 2 ? std::vector<std::uint32_t>{0, 2} : std::vector<std::uint32_t>{},
                .backends = {answering()}});
    const std::size_t at = text.find("serial:");
    return at == std::string::npos ? text : text.substr(at);
  };
  EXPECT_EQ(bind({{1, 0, 2, 4, 5}, {3, 6}}),
            "serial: 1 0 2 4 3 5 6\n"
            "worker 0: 1/1 0/1 2/8 4/5<answer.2 5/5<1.1\n"
            "worker 1: 3/5<0.2<0.1 6/4<0.4<0.5\n");
  EXPECT_EQ(bind({{1, 0, 4, 5}, {2, 3, 6}}),
            "serial: 1 0 2 3 4 5 6\n"
            "worker 0: 1/1 0/1 4/5<answer.2 5/5<1.2\n"
            "worker 1: 2/12<0.2 3/5<0.2<0.1 6/4<0.3<0.4\n");
  EXPECT_EQ(bind({{1, 0, 2, 4, 5}, {3, 6}}, 1),
            "serial: 0 1 2 3 4 5 6\n"
            "worker 0: 0/0 1/0 2/8 3/0 4/4<answer.2 5/0 6/0\n");
  EXPECT_EQ(bind({{1, 0, 2, 4, 5}, {3}}), "TABLE_RANGE op -\n");
  EXPECT_EQ(bind({{1, 0, 2, 4, 5}, {3, 3}}), "TABLE_RANGE op 3\n");
  EXPECT_EQ(bind({{1, 0, 2, 4, 5, 6}, {3}}), "UNKNOWN_KERNEL op 6\n");
  EXPECT_EQ(bind({{1, 0, 2, 4, 5}, {6, 3}}), "CYCLE op 3\n");
  EXPECT_EQ(bind({{1, 0, 2, 4, 5, 3}, {6}}), "CYCLE op 3\n");
  EXPECT_EQ(bind({{1, 0, 2, 4, 7}, {3, 6}}), "TABLE_RANGE op 7\n");
  EXPECT_EQ(bind({{0, 1, 2, 4, 5, 0}, {3, 6}}), "TABLE_RANGE op 0\n");
}

/// Where the third of three ops goes: its start here and there differs by a nanosecond.
std::string homes_of(Graph graph) {
  const detent_port port = idle_port();
  const Bound bound(graph, {.mode = DETENT_MODE_STATIC, .worker_count = 2, .port = &port});
  std::string text;
  for (std::uint32_t op = 0; op < graph.op_count(); ++op) text += std::to_string(bound.context()->fixed.lists.home[op]);
  return text;
}

TEST(BoundContext, AnOpGoesWhereItStartsANanosecondEarlier) {
  const auto after_fork = [](std::uint64_t second_ns) {
    Graph graph(3, {{0, 1}, {0, 2}});
    graph.cost_ps = {100'000'000, second_ns * 1000, 1000};
    return homes_of(std::move(graph));
  };
  EXPECT_EQ(after_fork(199), "000") << "200 ns after the first here, as long for a transfer there";
  EXPECT_EQ(after_fork(200), "001");
  const auto independent = [](std::uint64_t first_ns) {
    Graph graph(2, {});
    graph.cost_ps = {first_ns * 1000, 1000};
    return homes_of(std::move(graph));
  };
  EXPECT_EQ(independent(29'999), "00") << "the other worker takes 30 us to wake";
  EXPECT_EQ(independent(30'000), "01");
}

/// Op 4 needs 2 and 3, which ended on different workers: the later end counts with a transfer, the earlier, too.
TEST(BoundContext, TheSecondLatestPredecessorCountsToo) {
  const auto join = [](std::uint64_t a_ns, std::uint64_t b_ns) {
    Graph graph(3, {{0, 2}, {1, 2}});
    graph.cost_ps = {a_ns * 1000, b_ns * 1000, 1000};
    return homes_of(std::move(graph));
  };
  EXPECT_EQ(join(100'000, 100'000), "011");
  EXPECT_EQ(join(200'000, 100'000), "010");
  EXPECT_EQ(join(130'000, 100'000), "010") << "both end at the same time";
  EXPECT_EQ(join(130'000, 100'199), "011");
  EXPECT_EQ(join(130'200, 100'000), "010");
  EXPECT_EQ(join(130'000, 100'001), "011");
}

TEST(BoundContext, SizesOfArenas) {
  Graph graph = of_every_kind();
  const detent_port port = idle_port();
  std::string sizes;
  for (const detent_mode mode :
       {DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
    for (const std::uint32_t records : {0U, 3U, 4U, 5U}) {
      for (const bool later : {false, true}) {
        const detent_backend backends[] = {answering(), detent_cpu_backend("*", &watch_kernels())};
        detent_config config = detent_default_config(&port);
        config.backends = later ? backends : backends + 1;
        config.backend_count = later ? 2 : 1;
        config.mode = mode;
        config.worker_count = 2;
        config.log_records_per_worker = records;
        sizes += " " + std::to_string(detent_arena_bytes(&graph.desc(), &config));
      }
    }
    sizes += "\n";
  }
  EXPECT_EQ(sizes,
            " 5815 6199 6455 6839 6455 6839 6839 7223\n"
            " 6455 6839 7351 7735 7351 7735 7863 8247\n"
            " 6327 6711 7095 7479 7095 7479 7607 7991\n"
            " 6711 7095 7607 7991 7607 7991 8119 8503\n");
}

TEST(BoundContext, ErrorOfASuccessfulInitNamesNoPlace) {
  Graph graph = diamond();
  const detent_port port = idle_port();
  for (const detent_mode mode :
       {DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
    const Bound bound(graph, {.mode = mode, .worker_count = 2, .port = &port});
    const detent_error& e = bound.error();
    EXPECT_EQ(e.status, DETENT_OK);
    for (const std::uint32_t place : {e.op, e.other_op, e.tensor, e.other_tensor, e.region}) {
      EXPECT_EQ(place, DETENT_NONE) << mode;
    }
    EXPECT_EQ(e.code, 0);
  }
}

}  // namespace
}  // namespace detent::test
