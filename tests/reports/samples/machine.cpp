// Machine traces made up from a seed.
#include "tests/reports/samples/machine.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "tests/reports/samples/runs.hpp"

namespace detent::reports::samples {
namespace {

using harness::ResourceKind;
using harness::Use;
using harness::UseKind;

constexpr std::uint64_t kDramLimit = 8'000'000'000;

void sort_uses(harness::MachineTrace& machine) {
  std::stable_sort(machine.uses.begin(), machine.uses.end(), [](const Use& a, const Use& b) {
    return std::tie(a.begin_ps, a.resource, a.end_ps) < std::tie(b.begin_ps, b.resource, b.end_ps);
  });
}

/// Fills one resource after the other from the run's spans.
struct MachineBuilder {
  TimelineRun& run;
  std::uint64_t random;
  harness::MachineTrace machine;
  std::uint32_t dma = DETENT_NONE;
  std::vector<std::pair<std::uint64_t, std::int64_t>> traffic;  // time, change in B/s of the client that is built

  std::uint64_t below(std::uint64_t limit) { return limit == 0 ? 0 : next_random(random) % limit; }

  void add_resources() {
    for (const std::string& name : run.lanes) {
      machine.resources.push_back({name, name.starts_with("npu") ? ResourceKind::kAccelerator : ResourceKind::kCore});
    }
    dma = static_cast<std::uint32_t>(machine.resources.size());
    machine.resources.push_back({"npu0.dma", ResourceKind::kDma});
    machine.resources.push_back({"dram", ResourceKind::kDram});
    machine.loads = {"control loop", "radar, interrupt"};
    machine.counters = {{"dram", "B/s"}};
    for (const std::string& name : run.lanes) machine.counters.push_back({"dram " + name, "B/s"});
    machine.counters.push_back({"ready ops", "entries"});
    machine.counters.push_back({"npu0 queue", "entries"});
  }

  /// An op as one use, or as two round a burst.
  void add_op(std::uint32_t core, const harness::Span& span, harness::Account& account) {
    const std::uint64_t length = span.end_ps - span.begin_ps;
    const bool is_split = core < 2 && length > 1000 && below(4) == 0;
    std::uint64_t burst = 0;
    if (is_split) {
      burst = 1 + below(length / 4);
      const std::uint64_t at = span.begin_ps + 1 + below(length - burst - 1);
      machine.uses.push_back({core, UseKind::kOp, span.op, DETENT_NONE, span.begin_ps, at});
      machine.uses.push_back({core, UseKind::kLoad, DETENT_NONE, core, at, at + burst});
      machine.uses.push_back({core, UseKind::kOp, span.op, DETENT_NONE, at + burst, span.end_ps});
    } else {
      machine.uses.push_back({core, UseKind::kOp, span.op, DETENT_NONE, span.begin_ps, span.end_ps});
    }
    if (machine.resources[core].kind == ResourceKind::kAccelerator) {
      machine.uses.push_back(
          {dma, UseKind::kTransfer, span.op, DETENT_NONE, span.begin_ps, span.begin_ps + length / 2});
    }
    const std::uint64_t memory = below((length - burst) / 2 + 1);
    account.compute_ps += length - burst - memory;
    account.memory_ps += memory;
    account.contention_ps += below(memory + 1);
    account.load_ps += burst;
    const std::uint64_t rate = 500'000'000 + below(2'000'000'000);
    account.dram_bytes += rate / 1'000'000 * length / 1'000'000;
    traffic.emplace_back(span.begin_ps, static_cast<std::int64_t>(rate));
    traffic.emplace_back(span.end_ps, -static_cast<std::int64_t>(rate));
  }

  /// Runtime steps behind an op, as far as the gap reaches.
  void add_overhead(std::uint32_t core, std::uint64_t begin, std::uint64_t end, harness::Account& account) {
    const std::uint64_t length = std::min<std::uint64_t>(end - begin, 200'000 + below(400'000));
    if (length == 0) return;
    machine.uses.push_back({core, UseKind::kOverhead, DETENT_NONE, DETENT_NONE, begin, begin + length});
    account.overhead_ps += length;
  }

  void add_samples(std::uint32_t counter, std::map<std::uint64_t, std::int64_t>& total) {
    std::map<std::uint64_t, std::int64_t> changes{{0, 0}};
    for (const auto& [time, change] : traffic) changes[time] += change;
    std::int64_t value = 0;
    for (const auto& [time, change] : changes) {
      total[time] += change;
      value += change;
      machine.samples.push_back({counter, time, static_cast<std::uint64_t>(value)});
    }
    traffic.clear();
  }

  void build() {
    add_resources();
    std::map<std::uint64_t, std::int64_t> total{{0, 0}};
    for (std::uint32_t core = 0; core < run.lanes.size(); ++core) {
      harness::Account account;
      account.resource = core;
      std::uint64_t free_ps = 0;
      for (const harness::Span& span : run.trace.spans) {
        if (span.slot != core) continue;
        add_overhead(core, free_ps, span.begin_ps, account);
        add_op(core, span, account);
        free_ps = span.end_ps;
      }
      account.idle_ps =
          run.makespan_ps - account.compute_ps - account.memory_ps - account.overhead_ps - account.load_ps;
      machine.accounts.push_back(account);
      add_samples(core + 1, total);
    }
    std::int64_t value = 0;
    for (const auto& [time, change] : total) {
      value += change;
      machine.samples.push_back({0, time, std::min<std::uint64_t>(static_cast<std::uint64_t>(value), kDramLimit)});
    }
    add_queues();
    sort_uses(machine);
    std::stable_sort(machine.samples.begin(), machine.samples.end(), [](const auto& a, const auto& b) {
      return std::tie(a.time_ps, a.counter) < std::tie(b.time_ps, b.counter);
    });
    run.machine = std::move(machine);
  }

  void add_queues() {
    const auto ready = static_cast<std::uint32_t>(run.lanes.size() + 1);
    for (const std::uint32_t counter : {ready, ready + 1}) {
      for (std::uint64_t time = 0; time < run.makespan_ps; time += 1 + below(run.makespan_ps / 60)) {
        machine.samples.push_back({counter, time, time == 0 ? 1 : below(counter == ready ? 9 : 3)});
      }
    }
  }
};

/// Cores in time order, each doing one thing after the other; slots take ops wherever they are free.
struct RandomMachine {
  Tables& tables;
  TimelineRun& run;
  std::uint64_t random;
  std::vector<std::uint64_t> now, slot_free;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> ended;  // op, end
  std::uint64_t mutex_free = 0;

  std::uint64_t below(std::uint64_t limit) { return next_random(random) % limit; }

  std::uint32_t new_op(const char* kernel) {
    static const char* const kNames[] = {"conv", "a,b<c>\n", "\xC3\xBC", "", "#op", "relu"};
    const std::uint32_t tensor = tables.add_tensor("t,\n" + std::to_string(tables.tensors.size()), 0, 0, 64);
    std::vector<std::uint32_t> reads;
    if (tensor > 0) reads.push_back(static_cast<std::uint32_t>(below(tensor)));
    return tables.add_op(kNames[below(6)], kernel, reads, {tensor});
  }

  void use(std::uint32_t core, UseKind kind, std::uint32_t op, std::uint64_t length) {
    const std::uint32_t load = kind == UseKind::kLoad ? core % 2 : DETENT_NONE;
    run.machine.uses.push_back({core, kind, op, load, now[core], now[core] + length});
    now[core] += length;
  }

  void run_op(std::uint32_t core) {
    const auto slot = static_cast<std::uint32_t>(below(slot_free.size()));
    if (slot_free[slot] > now[core]) {
      now[core] += 10;
      return;
    }
    const std::uint32_t op = new_op("kernel");
    const std::uint64_t begin = now[core];
    use(core, UseKind::kOp, op, below(300));
    for (std::uint64_t part = below(8) / 5; part > 0; --part) {
      if (below(2) == 0) use(core, UseKind::kLoad, DETENT_NONE, 1 + below(100));
      if (below(3) == 0) now[core] += below(50);
      use(core, UseKind::kOp, op, below(300));
    }
    slot_free[slot] = now[core];
    if (below(3) == 0 && begin >= mutex_free) {
      tables.mutexes[op] = {0, 1};
      mutex_free = now[core] + 1;
    }
    run.trace.spans.push_back({op, slot, begin, now[core], op});
  }

  void step() {
    const auto core = static_cast<std::uint32_t>(std::min_element(now.begin(), now.end()) - now.begin());
    switch (below(7)) {
      case 0:
        now[core] += below(400);
        break;
      case 1:
        use(core, UseKind::kOverhead, DETENT_NONE, below(80));
        break;
      case 2:
        use(core, UseKind::kLoad, DETENT_NONE, 1 + below(150));
        break;
      case 3: {
        const std::uint32_t op = new_op("delay");
        tables.flags[op] = DETENT_OP_DELAY;
        run.trace.spans.push_back({op, static_cast<std::uint32_t>(now.size()), now[core], now[core] + below(500), op});
        break;
      }
      default:
        run_op(core);
    }
  }
};

}  // namespace

void add_machine(TimelineRun& run, std::uint64_t seed) {
  MachineBuilder builder{run, seed, {}, DETENT_NONE, {}};
  builder.build();
}

Sample chip() {
  Sample sample = detector();
  std::uint64_t seed = 7;
  for (TimelineRun& run : sample.data.timelines) {
    run.tags = {"seed " + std::to_string(++seed), "digest 8f1c03d95ab7e244"};
    add_machine(run, seed);
  }
  sample.data.dram_bytes_per_s = kDramLimit;
  return sample;
}

Sample random_machine(std::uint64_t seed, std::uint32_t cores, std::uint32_t uses) {
  Sample sample;
  sample.tables = std::make_unique<Tables>();
  sample.tables->add_region("ws", DETENT_REGION_WORKSPACE, 64);
  sample.data.timelines.emplace_back();
  TimelineRun& run = sample.data.timelines.front();
  run.title = "random run, seed " + std::to_string(seed);
  run.machine.loads = {"tick", "tock"};
  for (std::uint32_t core = 0; core < cores; ++core) {
    run.lanes.push_back("cpu" + std::to_string(core));
    run.machine.resources.push_back({run.lanes.back(), ResourceKind::kCore});
  }
  run.lanes.emplace_back("delays");
  RandomMachine machine{*sample.tables, run, seed, {}, {}, {}, 0};
  machine.now.assign(cores, 0);
  machine.slot_free.assign(cores, 0);
  while (run.machine.uses.size() < uses) machine.step();
  run.makespan_ps = *std::max_element(machine.now.begin(), machine.now.end());
  for (const harness::Span& span : run.trace.spans) run.makespan_ps = std::max(run.makespan_ps, span.end_ps);
  sort_uses(run.machine);
  sample.data.model = "random";
  sample.data.version = "0.1.0";
  sample.data.desc = sample.tables->desc();
  return sample;
}

}  // namespace detent::reports::samples
