// Failing schedules -> constraints, and back to native runs.
#include "verify/explore/ops/failure.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "harness/instance.hpp"
#include "harness/posix_port.hpp"
#include "verify/graph/mutexes.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify::explore {
namespace {

constexpr std::size_t kSinglesTried = 256;
constexpr std::uint64_t kMostExpired = 3;  ///< each took as long as the watchdog waits

std::vector<std::uint32_t> places_of(const std::vector<std::uint32_t>& schedule) {
  std::vector<std::uint32_t> place(schedule.size());
  for (std::uint32_t i = 0; i < schedule.size(); ++i) place[schedule[i]] = i;
  return place;
}

/// The ops of the constraints, and what precedes them.
std::vector<bool> ancestors_of(const OpSpace& space, const std::vector<Constraint>& constraints) {
  std::vector<bool> kept(space.desc().op_count, false);
  std::vector<std::uint32_t> stack;
  const auto keep = [&](OpId op) {
    if (!kept[op]) stack.push_back(op);
    kept[op] = true;
  };
  for (const Constraint& c : constraints) {
    keep(c.first);
    keep(c.then);
  }
  while (!stack.empty()) {
    const OpId op = stack.back();
    stack.pop_back();
    for (const std::uint32_t p : space.predecessors(space.order().position_of(op))) keep(space.order().op_at(p));
  }
  return kept;
}

std::vector<std::uint32_t> marked(const std::vector<bool>& kept) {
  std::vector<std::uint32_t> ops;
  for (OpId op = 0; op < kept.size(); ++op) {
    if (kept[op]) ops.push_back(op);
  }
  return ops;
}

/// What a run shows of itself.
struct Shown {
  std::uint64_t digest = 0;
  std::vector<harness::Observation> seen;
  bool operator==(const Shown&) const = default;
};

class FailureMinimiser {
 public:
  FailureMinimiser(const OpSpace& space, const RunnerOptions& options)
      : space_(space), options_(observing(options, {})), runner_(space.desc(), options_) {
    serial_order_ = order_under(space, {});
    serial_place_ = places_of(serial_order_);
    if (runner_.error().status == DETENT_OK) serial_ = run(serial_order_);
  }

  std::optional<OpFailure> minimise(const std::vector<std::uint32_t>& schedule) {
    if (runner_.error().status != DETENT_OK) return std::nullopt;
    const std::vector<OpPair> reversed = reversed_pairs(schedule);
    OpFailure failure;
    if (!find_single(reversed, failure) && !find_several(schedule, reversed, failure)) return std::nullopt;
    failure.schedule = order_under(space_, failure.constraints);
    const Shown shown = run(failure.schedule);
    failure.digest = shown.digest;
    failure.serial_digest = serial_.digest;
    failure.shown = describe(shown);
    drop_ops(failure);
    failure.workers = workers_for_gates(space_.desc(), failure.constraints);
    failure.executions = executions_;
    return failure;
  }

 private:
  static RunnerOptions observing(RunnerOptions options, std::vector<bool> skipped) {
    options.observe = true;
    options.skipped = std::move(skipped);
    return options;
  }

  Shown run(const std::vector<std::uint32_t>& schedule) {
    ++executions_;
    const std::uint64_t digest = runner_.run(schedule).digest;
    return {digest, runner_.observations()};
  }

  [[nodiscard]] Constraint reversal_of(const OpPair& pair) const {
    const bool in_order = serial_place_[pair.op_a] < serial_place_[pair.op_b];
    return in_order ? Constraint{pair.op_b, pair.op_a} : Constraint{pair.op_a, pair.op_b};
  }

  /// Open pairs that conflict by bytes and run in the other order than serially; races first.
  [[nodiscard]] std::vector<OpPair> reversed_pairs(const std::vector<std::uint32_t>& schedule) const {
    const std::vector<std::uint32_t> place = places_of(schedule);
    std::vector<OpPair> reversed;
    for (const OpPair& pair : space_.pairs()) {
      const Constraint c = reversal_of(pair);
      if (pair.kind != PairKind::kMutexOnly && place[c.first] < place[c.then]) reversed.push_back(pair);
    }
    std::stable_sort(reversed.begin(), reversed.end(),
                     [](const OpPair& x, const OpPair& y) { return x.kind < y.kind; });
    return reversed;
  }

  /// How many open pairs run in the other order than serially.
  [[nodiscard]] std::size_t count_reversed(const std::vector<std::uint32_t>& schedule) const {
    return reversed_pairs(schedule).size();
  }

  /// The first pair whose reversal alone shows; of several, one that reverses no other pair with it.
  bool find_single(const std::vector<OpPair>& reversed, OpFailure& failure) {
    std::size_t fewest = SIZE_MAX;
    for (std::size_t i = 0; i < std::min(reversed.size(), kSinglesTried) && fewest > 1; ++i) {
      const std::vector<Constraint> constraints{reversal_of(reversed[i])};
      const std::vector<std::uint32_t> schedule = order_under(space_, constraints);
      const std::size_t count = count_reversed(schedule);
      if (count >= fewest || run(schedule) == serial_) continue;
      fewest = count;
      failure.pair = reversed[i];
      failure.constraints = constraints;
    }
    return fewest != SIZE_MAX;
  }

  /// Halves, then smaller parts, are left out as long as it still fails (Zeller and Hildebrandt 2002).
  bool find_several(const std::vector<std::uint32_t>& schedule, const std::vector<OpPair>& reversed,
                    OpFailure& failure) {
    if (reversed.empty() || run(schedule) == serial_) return false;
    std::vector<OpPair> kept = reversed;
    if (!fails(kept)) return false;
    for (std::size_t part = kept.size() / 2; part > 0; part /= 2) {
      for (std::size_t first = 0; first < kept.size();) {
        std::vector<OpPair> fewer = kept;
        const auto begin = fewer.begin() + static_cast<std::ptrdiff_t>(first);
        fewer.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(part, fewer.size() - first)));
        if (!fewer.empty() && fails(fewer)) {
          kept = std::move(fewer);
        } else {
          first += part;
        }
      }
    }
    failure.pair = kept.front();
    failure.constraints = constraints_of(kept);
    return true;
  }

  [[nodiscard]] std::vector<Constraint> constraints_of(const std::vector<OpPair>& pairs) const {
    std::vector<Constraint> constraints;
    for (const OpPair& pair : pairs) constraints.push_back(reversal_of(pair));
    return constraints;
  }
  bool fails(const std::vector<OpPair>& pairs) {
    const std::vector<std::uint32_t> schedule = order_under(space_, constraints_of(pairs));
    return !schedule.empty() && run(schedule) != serial_;
  }

  [[nodiscard]] std::string describe(const Shown& shown) const {
    for (const OpId op : serial_order_) {
      if (shown.seen[op].read != serial_.seen[op].read) return op_name(space_.desc(), op) + " reads other bytes";
    }
    for (const OpId op : serial_order_) {
      if (shown.seen[op].wrote != serial_.seen[op].wrote) return op_name(space_.desc(), op) + " writes other bytes";
    }
    return "other bytes are left at the end";
  }

  /// Only the ops of the constraints and what precedes them, if that still fails.
  void drop_ops(OpFailure& failure) {
    std::vector<bool> kept = ancestors_of(space_, failure.constraints);
    if (!fails_without(kept, failure)) kept.assign(kept.size(), true);
    failure.ops = marked(kept);
  }

  bool fails_without(const std::vector<bool>& kept, const OpFailure& failure) {
    std::vector<bool> skipped = kept;
    skipped.flip();
    OpRunner small(space_.desc(), observing(options_, std::move(skipped)));
    const Shown serial{small.run(serial_order_).digest, small.observations()};
    const Shown failing{small.run(failure.schedule).digest, small.observations()};
    executions_ += 2;
    return serial != failing;
  }

  const OpSpace& space_;
  RunnerOptions options_;
  OpRunner runner_;
  std::vector<std::uint32_t> serial_order_, serial_place_;
  Shown serial_;
  std::uint64_t executions_ = 0;
};

/// A native context with gates, run again and again.
class GatedRuns {
 public:
  GatedRuns(const detent_desc& desc, const std::vector<Constraint>& constraints, const GateReplayOptions& options)
      : options_(options), gates_(options.runner.backends, desc.op_count, gate_options(constraints, options)) {
    harness::InstanceOptions instance;
    instance.worker_count = options.workers;
    instance.trace = false;
    instance.backends = {gates_.backend()};
    port_ = posix_.port();
    port_.spin_limit = 0;  // the engine then gives every free worker the best ready op, however short: rule 2
    instance_ = std::make_unique<harness::Instance>(desc, port_, instance);
  }
  [[nodiscard]] const detent_error& error() const { return instance_->error(); }
  [[nodiscard]] const std::vector<harness::Observation>& observations() const { return gates_.observations(); }
  [[nodiscard]] bool expired() const { return gates_.expired(); }

  harness::Run run() {
    gates_.arm();
    instance_->fill(options_.runner.input_seed);
    return instance_->run();
  }

 private:
  static harness::GateOptions gate_options(const std::vector<Constraint>& constraints,
                                           const GateReplayOptions& options) {
    harness::GateOptions gates{
        .gates = {}, .skipped = options.runner.skipped, .observe = true, .watchdog_ms = options.watchdog_ms};
    for (const Constraint& c : constraints) gates.gates.push_back({.op = c.then, .after = c.first});
    return gates;
  }

  const GateReplayOptions& options_;
  harness::PosixPort posix_;
  detent_port port_{};
  harness::GatedBackend gates_;
  std::unique_ptr<harness::Instance> instance_;
};

void require_gates(const OpSpace& space, const std::vector<Constraint>& constraints, std::uint32_t workers) {
  const std::uint32_t needed = workers_for_gates(space.desc(), constraints);
  if (needed == 0) {
    throw std::invalid_argument(
        "gates: two ops of a constraint share a mutex, so the one cannot wait for the other; "
        "replay the order instead");
  }
  if (workers < needed) {
    throw std::invalid_argument("gates: holding " + counted(needed - 1, "op") + " takes " + counted(needed, "worker") +
                                ", not " + std::to_string(workers));
  }
}

}  // namespace

std::uint32_t workers_for_gates(const detent_desc& desc, const std::vector<Constraint>& constraints) {
  std::vector<std::uint32_t> held;
  for (const Constraint& c : constraints) {
    if (share_mutex(desc, c.first, c.then)) return 0;
    held.push_back(c.then);
  }
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  return static_cast<std::uint32_t>(held.size()) + 1;
}

std::optional<OpFailure> minimise_failure(const OpSpace& space, const std::vector<std::uint32_t>& schedule,
                                          const RunnerOptions& runner_options) {
  return FailureMinimiser(space, runner_options).minimise(schedule);
}

std::optional<OpFailure> unexecuted_failure(const OpSpace& space, const OpPair& pair) {
  const std::vector<std::uint32_t> place = places_of(order_under(space, {}));
  OpFailure failure;
  failure.pair = pair;
  const bool in_order = place[pair.op_a] < place[pair.op_b];
  failure.constraints = {in_order ? Constraint{pair.op_b, pair.op_a} : Constraint{pair.op_a, pair.op_b}};
  failure.schedule = order_under(space, failure.constraints);
  if (failure.schedule.empty()) return std::nullopt;
  failure.ops = marked(ancestors_of(space, failure.constraints));
  failure.workers = workers_for_gates(space.desc(), failure.constraints);
  failure.shown = "the two ops meet on these bytes in the other order; no run was compared";
  return failure;
}

std::vector<std::vector<std::uint32_t>> schedules_of_pair(const OpSpace& space, const OpPair& pair) {
  const std::vector<std::uint32_t> place = places_of(order_under(space, {}));
  std::uint32_t first = pair.op_a;
  std::uint32_t second = pair.op_b;
  if (place[second] < place[first]) std::swap(first, second);
  return {make_adjacent_schedule(space.order(), first, second), make_adjacent_schedule(space.order(), second, first)};
}

GateReplay replay_with_gates(const OpSpace& space, const std::vector<Constraint>& constraints,
                             const GateReplayOptions& options) {
  require_gates(space, constraints, options.workers);
  const std::vector<std::uint32_t> schedule = order_under(space, constraints);
  if (schedule.empty()) throw std::invalid_argument("constraints: with the edges of the graph they close a cycle");
  RunnerOptions observing = options.runner;
  observing.observe = true;
  OpRunner expected(space.desc(), observing);
  GateReplay replay;
  replay.error = expected.error();
  if (replay.error.status != DETENT_OK) return replay;
  static_cast<void>(expected.run(schedule));
  GatedRuns native(space.desc(), constraints, options);
  replay.error = native.error();
  for (; replay.runs < options.runs && replay.error.status == DETENT_OK && replay.expired < kMostExpired;
       ++replay.runs) {
    const harness::Run run = native.run();
    replay.error = run.result.error;
    const bool same = std::all_of(constraints.begin(), constraints.end(), [&](const Constraint& c) {
      return native.observations()[c.first] == expected.observations()[c.first] &&
             native.observations()[c.then] == expected.observations()[c.then];
    });
    if (native.expired()) ++replay.expired;
    if (same && !native.expired() && run.result.error.status == DETENT_OK) ++replay.reproduced;
    replay.digests.push_back(run.digest);
  }
  std::sort(replay.digests.begin(), replay.digests.end());
  replay.digests.erase(std::unique(replay.digests.begin(), replay.digests.end()), replay.digests.end());
  return replay;
}

}  // namespace detent::verify::explore
