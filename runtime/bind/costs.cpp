// Costs of ops -> what hand-overs may gain; with active waiting also measured times of ops -> their costs.
//
// Costs decide who executes an op, never which op is next: ranks come from the policy. A run is measured after one that
// took a time that its costs do not explain, or whose ops are so long that reading a clock twice for each is a few
// percent of it; then runs further and further apart, at last one of kMostRunsBetween.
#include "runtime/bind/bind.h"
#include "runtime/engine/engine.h"

namespace detent {

namespace {

constexpr std::uint64_t kLongOpNs = 500;  ///< on average in a run: a few readings of any clock
constexpr std::uint64_t kTooHigh = 4;     ///< costs that add up to so many times what all workers could do
constexpr std::uint64_t kTooLow = 2;      ///< a run that hands over and takes so many times what its costs add up to
constexpr std::uint16_t kMostRunsBetween = 1024;
constexpr std::uint32_t kClockTrials = 8;
// Several workers are tried for so many runs and so long, some time slices of an operating system; if that was slow,
// one worker runs for so many times that long. A run counts as at most so many times what one worker takes: one that a
// worker was interrupted in may be any longer, and says nothing of the others.
constexpr std::uint32_t kTriedRuns = 5;
constexpr std::uint64_t kTriedNs = 10'000'000;
constexpr std::uint64_t kMostCounted = 2;
constexpr std::uint16_t kLeastAlone = 8;
constexpr std::uint16_t kMostAlone = 64;

/// Executed by workers, not by a back end on its own.
bool is_for_workers(const detent_context &c, OpId op) { return (c.graph.nodes[op].flags & kNodeAsync) == 0; }

/// Costs along the longest path. policy_work is free: a queue of ops and the time at which each can begin.
std::uint64_t critical_path_ns(detent_context &c) {
  const std::uint32_t count = c.graph.desc->op_count;
  std::uint64_t *const begin_ns = c.graph.policy_work;
  std::uint64_t *const queue = c.graph.policy_work + count;
  std::uint32_t queued = 0;
  for (OpId op = 0; op < count; ++op) {
    begin_ns[op] = 0;
    c.graph.nodes[op].indegree = c.graph.nodes[op].entry_count;
    if (c.graph.nodes[op].entry_count == 0) queue[queued++] = op;
  }
  std::uint64_t longest_ns = 0;
  for (std::uint32_t i = 0; i < queued; ++i) {
    Node &node = c.graph.nodes[queue[i]];
    const std::uint64_t end_ns = begin_ns[queue[i]] + node.cost_ns;
    longest_ns = later(longest_ns, end_ns);
    node.indegree = node.entry_count;
    for (std::uint32_t k = 0; k < node.successor_count; ++k) {
      const OpId next = c.graph.desc->successors[node.first_successor + k];
      begin_ns[next] = later(begin_ns[next], end_ns);
      if (--c.graph.nodes[next].indegree == 0) queue[queued++] = next;
    }
  }
  return longest_ns;
}

/// Workers to wake at the begin of a run: as many as its ops keep busy on average, if they gain enough. Slot 0 is
/// awake.
std::uint32_t workers_to_wake(detent_context &c, std::uint64_t total_ns) {
  if (!c.loop.measuring.hands) return 0;
  const std::uint64_t path_ns = later(critical_path_ns(c), 1);
  const std::uint64_t least_ns = later(path_ns, total_ns / c.worker_count);
  if (total_ns < least_ns + kRunGainNs) return 0;
  const std::uint64_t width = (total_ns + path_ns - 1) / path_ns;
  const std::uint64_t workers = width < c.worker_count ? width : c.worker_count;
  return static_cast<std::uint32_t>(workers) - (c.first_worker == 0 ? 1 : 0);
}

/// What follows from the costs of nodes.
void take_costs(detent_context &c) {
  std::uint64_t total_ns = 0;
  bool hands = false;
  c.loop.entry_ns = 0;
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) {
    const Node &node = c.graph.nodes[op];
    if (node.entry_count == 0) c.loop.entry_ns += node.cost_ns;
    if (!is_for_workers(c, op)) continue;
    total_ns += node.cost_ns;
    hands = hands || node.cost_ns >= kHandOverNs;
  }
  c.loop.measuring.hands = hands;
  c.loop.measuring.total_ns = total_ns;
  c.loop.wake_count = workers_to_wake(c, total_ns);
}

/// The shortest of a few readings.
std::uint32_t clock_ns(const detent_port &port) {
  std::uint64_t best_ps = UINT64_MAX;
  for (std::uint32_t i = 0; i < kClockTrials; ++i) {
    const std::uint64_t begin_ps = port.now_ps(port.self);
    const std::uint64_t ps = port.now_ps(port.self) - begin_ps;
    if (ps < best_ps) best_ps = ps;
  }
  return static_cast<std::uint32_t>(best_ps / 1000 < UINT32_MAX ? best_ps / 1000 : UINT32_MAX);
}

/// The last two runs took at least and at most so long: the first one of all is cold, and any may be interrupted.
bool is_worth_measuring(const detent_context &c, std::uint64_t least_ns, std::uint64_t most_ns) {
  const Measuring &measuring = c.loop.measuring;
  if (least_ns * 1000 >= measuring.long_ps) return true;
  if (c.loop.may_hand && least_ns > kTooLow * measuring.total_ns) return true;
  return measuring.total_ns / kTooHigh > most_ns * c.worker_count;
}

std::uint16_t twice(std::uint16_t gap, std::uint16_t least, std::uint16_t most) {
  const std::uint32_t doubled = gap == 0 ? least : std::uint32_t{2} * gap;
  return static_cast<std::uint16_t>(doubled < most ? doubled : most);
}

/// Runs that take longer on several workers than their ops one after another say that the workers have no processors:
/// others compute. The next runs hand nothing over, for a longer time each time.
void note_speed(Measuring &measuring, std::uint64_t run_ns) {
  if (!measuring.hands || !measuring.done_before) return;
  const std::uint64_t most_ns = kMostCounted * measuring.total_ns;
  measuring.tried_ns += run_ns < most_ns ? run_ns : most_ns;
  if (++measuring.tried_runs < kTriedRuns || measuring.tried_ns < kTriedNs) return;
  const bool is_slow = measuring.tried_ns > measuring.tried_runs * measuring.total_ns;
  measuring.alone_times = is_slow ? twice(measuring.alone_times, kLeastAlone, kMostAlone) : std::uint16_t{0};
  measuring.alone_ns = measuring.tried_ns * measuring.alone_times;
  measuring.tried_ns = 0;
  measuring.tried_runs = 0;
}

}  // namespace

void start_active_waiting(detent_context &c) {
  const detent_port &port = *c.port;
  c.loop.spin_limit = port.spin_limit;
  const bool has_own_slots = c.mode == DETENT_MODE_CLOSED_LOOP && !c.loop.is_shared && c.worker_count > 1;
  // A port that parks at once hands over whatever it costs: there is nothing to decide.
  const bool is_active = has_own_slots && !c.loop.hand_always && port.active_spin_limit > port.spin_limit &&
                         c.slot_count <= port.processors;
  if (!is_active) return;
  c.loop.is_active = true;
  c.loop.measuring.long_ps = kLongOpNs * 1000 * c.graph.desc->op_count;
  c.loop.spin_limit = port.active_spin_limit;
  take_costs(c);
}

void begin_measuring(detent_context &c) {
  Measuring &measuring = c.loop.measuring;
  if (!measuring.wanted && !measuring.hands && measuring.left == 0) return;  // runs of short ops pay no more than this
  measuring.on = measuring.wanted && measuring.left == 0;
  if (measuring.on) measuring.clock_ns = clock_ns(*c.port);
  if (measuring.left != 0) --measuring.left;
  c.loop.may_hand = measuring.hands && measuring.alone_ns == 0;
}

void end_measuring(detent_context &c, std::uint64_t run_ps) {
  Measuring &measuring = c.loop.measuring;
  if (!measuring.on && !measuring.hands && run_ps < measuring.long_ps) {
    measuring.wanted = false;
    measuring.last_ns = 0;
    return;
  }
  const std::uint64_t run_ns = run_ps / 1000;
  if (measuring.alone_ns == 0) {
    note_speed(measuring, run_ns);
  } else {
    measuring.alone_ns -= run_ns < measuring.alone_ns ? run_ns : measuring.alone_ns;
  }
  if (measuring.on) {
    measuring.on = false;
    measuring.done_before = true;
    measuring.gap = twice(measuring.gap, 1, kMostRunsBetween);
    measuring.left = measuring.gap;
    take_costs(c);
  }
  const std::uint64_t last_ns = measuring.last_ns;
  measuring.last_ns = run_ns;
  measuring.wanted = last_ns != 0 && is_worth_measuring(c, run_ns < last_ns ? run_ns : last_ns, later(run_ns, last_ns));
}

}  // namespace detent
