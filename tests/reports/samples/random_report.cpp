// Reports made up from a seed.
#include "tests/reports/samples/random_report.hpp"

#include <algorithm>

#include "tests/reports/samples/machine.hpp"
#include "tests/reports/samples/runs.hpp"

namespace detent::reports::samples {
namespace {

namespace explore = verify::explore;
using verify::Outcome;

constexpr std::uint64_t kRegionBytes = 512;

class Maker {
 public:
  Maker(std::uint64_t seed, Sample& sample)
      : random_(seed), breaks_(seed % 4 == 3), t_(*sample.tables), data_(sample.data) {}

  void make() {
    make_tables();
    if (breaks_) break_tables();
    data_.desc = t_.desc();
    make_head();
    make_times();
    for (std::uint64_t i = below(4); i > 0; --i) data_.timelines.push_back(run(i));
    for (std::uint64_t i = below(5); i > 0; --i) data_.verdicts.push_back(verdict(i));
    for (std::uint64_t i = below(3); i > 0; --i) data_.failures.push_back(failure(i));
    if (below(2) == 0) make_schedules();
    make_code();
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return limit == 0 ? 0 : next_random(random_) % limit; }
  std::uint32_t id_below(std::size_t limit) { return static_cast<std::uint32_t>(below(limit)); }
  bool one_in(std::uint64_t count) { return below(count) == 0; }

  /// One draw may decide whether another follows: each stands in a statement of its own, as compilers differ in the
  /// order of operands and arguments.
  std::uint64_t product_below(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t first = below(a);
    return first * below(b);
  }

  std::string word() {
    static const char* const kWords[] = {"conv", "stage1.conv", "stage1.add", "head.b<ox>",     "a,b;\"c\"",
                                         "",     "\xC3\xBC\n",  "layer \xFF", "</script>&amp;", "head/soft",
                                         "x",    "net.0.relu"};
    std::string word = kWords[below(std::size(kWords))];
    word += one_in(9) ? std::string(below(150), 'y') : std::to_string(below(7));
    return word;
  }
  std::string sentence() {
    std::string text = word();
    for (std::uint64_t i = below(12); i > 0; --i) text += " " + word();
    return text;
  }
  std::uint32_t op() { return id_below(t_.reads.size() + (breaks_ ? 2 : 0)); }
  std::vector<std::uint32_t> some_ops(std::uint64_t most) {
    std::vector<std::uint32_t> ops;
    for (std::uint64_t i = below(most + 1); i > 0 && !t_.reads.empty(); --i) ops.push_back(op());
    return ops;
  }

  void make_tables() {
    for (const detent_region_kind kind :
         {DETENT_REGION_WORKSPACE, DETENT_REGION_INPUT, DETENT_REGION_OUTPUT, DETENT_REGION_WEIGHTS})
      t_.add_region(word(), kind, kRegionBytes);
    const std::uint32_t tensors = 1 + id_below(30);
    for (std::uint32_t i = 0; i < tensors; ++i) add_tensor();
    const std::uint32_t ops = id_below(one_in(5) ? 41 : 12);
    for (std::uint32_t i = 0; i < ops; ++i) add_op();
    for (std::uint64_t i = below(3); i > 0; --i) t_.outputs.push_back(id_below(tensors));
  }

  void add_tensor() {
    const std::uint64_t size = 1 + below(96);
    const std::string name = word();
    const std::uint32_t region = id_below(4);
    const std::uint32_t id = t_.add_tensor(name, region, below(kRegionBytes - size), size);
    detent_tensor& tensor = t_.tensors[id];
    if (one_in(4)) {
      tensor.block_count = 2 + id_below(3);
      tensor.block_bytes = 1 + below(8);
      tensor.stride_bytes = tensor.block_bytes + below(8);
      tensor.size_bytes = (tensor.block_count - 1) * tensor.stride_bytes + tensor.block_bytes;
      tensor.offset_bytes = below(kRegionBytes - tensor.size_bytes);
    }
    if (id > 0 && one_in(6)) tensor.alias_of = id_below(id);
    if (one_in(3)) tensor.flags = DETENT_TENSOR_RANGE;
  }

  void add_op() {
    std::vector<std::uint32_t> reads, writes;
    for (std::uint64_t i = below(4); i > 0; --i) reads.push_back(id_below(t_.tensors.size()));
    for (std::uint64_t i = below(3); i > 0; --i) writes.push_back(id_below(t_.tensors.size()));
    const std::string name = word();
    const std::string kernel = one_in(7) ? "" : word();
    const std::uint32_t op = t_.add_op(name, kernel, reads, writes, id_below(2));
    if (op > 0 && one_in(3)) t_.add_edge(id_below(op), op);
    const std::uint64_t best_ps = below(1000) * 1000;
    t_.set_cost(op, best_ps, best_ps + below(500'000));
    if (one_in(9)) t_.flags[op] = DETENT_OP_DELAY;
    if (one_in(5)) t_.mutexes[op] = {id_below(3)};
  }

  void break_tables() {
    const std::uint64_t count = t_.reads.size();
    t_.tensors[id_below(t_.tensors.size())].name = nullptr;
    t_.regions[id_below(4)].name = nullptr;
    if (one_in(2)) t_.tensors[id_below(t_.tensors.size())].region = 4 + id_below(9);
    if (one_in(2)) t_.tensors[id_below(t_.tensors.size())].alias_of = id_below(t_.tensors.size() + 2);
    if (one_in(2)) t_.tensors.front().alias_of = 0;
    if (count == 0) return;
    if (one_in(2)) t_.reads[below(count)].push_back(static_cast<std::uint32_t>(t_.tensors.size()));
    if (one_in(2)) t_.writes[below(count)].push_back(static_cast<std::uint32_t>(t_.tensors.size() + 7));
    if (one_in(2)) t_.successors[below(count)].push_back(static_cast<std::uint32_t>(count + below(3)));
    if (one_in(2)) t_.successors[below(count)].push_back(id_below(count));  // a cycle, often
    if (one_in(2)) t_.core_class[below(count)] = 2 + id_below(2);
    if (one_in(2)) t_.outputs.push_back(static_cast<std::uint32_t>(t_.tensors.size() + 1));
  }

  void make_head() {
    data_.model = word();
    data_.platform = one_in(4) ? "" : word();
    data_.seed = below(1000);
    data_.version = "0.1.0";
    data_.reproducible = one_in(2);
    data_.native_workers = id_below(4);
    data_.native_digest = one_in(3) ? "" : "02be77c1405d9a6f";
    data_.serial_digest = one_in(2) ? data_.native_digest : "8f1c03d95ab7e244";
    data_.native_ps = below(5) * 413'000'000;
    data_.replay = one_in(2) ? "" : "detent-replay/1 model=" + word();
    data_.arena_bytes = below(4) * 1000;
    data_.dram_bytes_per_s = below(2) * 8'000'000'000;
    for (std::uint64_t i = below(4); i > 0; --i) data_.assumptions.push_back({word(), sentence()});
    for (std::uint64_t i = below(3); i > 0; --i) {
      const std::string name = word();
      data_.utilisation.emplace_back(name, static_cast<double>(below(101)) / 100);
    }
  }

  void make_times() {
    static const char* const kBounds[] = {"critical_path", "work_per_core", "serial", "graham", "typed"};
    for (std::uint64_t i = 0; i < 5; ++i)
      if (one_in(2))
        data_.bounds.push_back(
            {kBounds[i], one_in(6) ? verify::kUnknownPs : below(90'000'000), i > 1, one_in(5), sentence()});
    data_.sim_runs = product_below(3, 60);
    if (data_.sim_runs == 0) return;
    data_.sim_executed_runs = below(4);
    for (std::uint64_t i = 0; i < data_.sim_runs; ++i) data_.makespans_ps.push_back(20'000'000 + below(9'000'000));
    std::vector<std::uint64_t> sorted = data_.makespans_ps;
    std::sort(sorted.begin(), sorted.end());
    data_.min_ps = sorted.front();
    data_.median_ps = sorted[(sorted.size() - 1) / 2];
    data_.p99_ps = sorted[(sorted.size() - 1) * 99 / 100];
    data_.max_ps = sorted.back();
    data_.worst_seed = below(1000);
  }

  TimelineRun run(std::uint64_t number) {
    TimelineRun run;
    run.title = "run " + std::to_string(number) + " " + word();
    static const char* const kLanes[] = {"cpu0", "cpu1", "scheduler", "npu0", "delays", "cpu<1>"};
    const std::uint64_t lanes = below(5);
    for (std::uint64_t i = 0; i < lanes; ++i)
      run.lanes.emplace_back(one_in(4) ? kLanes[below(6)] : "cpu" + std::to_string(i));
    std::vector<std::uint64_t> now(lanes + 2, 0);
    for (std::uint32_t op = 0; op < t_.reads.size(); ++op) {
      const std::uint32_t slot = id_below(now.size());
      const std::uint64_t begin = now[slot] + product_below(3, 2000);
      const std::uint64_t end =
          one_in(30) ? begin - std::min<std::uint64_t>(begin, 5) : begin + product_below(4, 900'000);
      run.trace.spans.push_back({op, slot, begin, end, run.trace.spans.size()});
      run.trace.events.push_back({begin, slot, DETENT_EVENT_READY, op, static_cast<std::int32_t>(below(9))});
      if (!one_in(8)) now[slot] = std::max(now[slot], end);  // else the next one overlaps, as on an asynchronous class
      run.makespan_ps = std::max(run.makespan_ps, now[slot]);
    }
    const auto by_begin = [](const auto& a, const auto& b) { return a.begin_ps < b.begin_ps; };
    std::stable_sort(run.trace.spans.begin(), run.trace.spans.end(), by_begin);
    if (one_in(5)) run.trace.events.clear();
    if (one_in(9)) run.trace.dropped = below(50);
    if (one_in(9)) run.makespan_ps /= 2;
    for (std::uint64_t i = below(3); i > 0; --i) run.tags.push_back(sentence());
    if (lanes > 1 && now.size() == run.lanes.size() + 2 && one_in(2)) add_chip(run);
    return run;
  }

  /// Uses of cores that need not agree with the spans.
  void add_chip(TimelineRun& run) {
    using harness::ResourceKind;
    using harness::UseKind;
    harness::MachineTrace& machine = run.machine;
    for (const std::string& name : run.lanes)
      machine.resources.push_back({name, name == "npu0" ? ResourceKind::kAccelerator : ResourceKind::kCore});
    machine.resources.push_back({"npu0.dma", ResourceKind::kDma});
    machine.resources.push_back({"dram", ResourceKind::kDram});
    machine.loads = {"tick", "tock, <b>"};
    std::vector<std::uint64_t> now(machine.resources.size(), 0);
    for (const harness::Span& span : run.trace.spans) {
      const std::uint32_t resource = id_below(now.size() - 1);
      const bool is_dma = machine.resources[resource].kind == ResourceKind::kDma;
      const std::uint64_t parts = 1 + below(8) / 6;
      for (std::uint64_t part = 0; part < parts; ++part) {
        const std::uint64_t begin = std::max(now[resource], span.begin_ps) + product_below(2, 300);
        now[resource] = begin + below(200'000);
        machine.uses.push_back(
            {resource, is_dma ? UseKind::kTransfer : UseKind::kOp, span.op, DETENT_NONE, begin, now[resource]});
      }
      if (one_in(3)) {
        const bool is_load = one_in(2);
        const std::uint64_t begin = now[resource];
        now[resource] = begin + below(9000);
        machine.uses.push_back({resource, is_load ? UseKind::kLoad : UseKind::kOverhead, DETENT_NONE,
                                is_load ? id_below(breaks_ ? 3 : 2) : DETENT_NONE, begin, now[resource]});
      }
    }
    for (const std::uint64_t end : now) run.makespan_ps = std::max(run.makespan_ps, end);
    add_counters(run);
    for (std::uint32_t i = 0; i < machine.resources.size(); ++i)
      machine.accounts.push_back({i, below(900'000), below(900'000), below(90'000), below(90'000), below(900'000),
                                  below(5'000'000), below(90'000)});
    std::stable_sort(machine.uses.begin(), machine.uses.end(),
                     [](const auto& a, const auto& b) { return a.begin_ps < b.begin_ps; });
    if (breaks_) machine.uses.push_back({99, UseKind::kOp, 0, DETENT_NONE, 0, 5});
    if (breaks_) machine.accounts.push_back({99, 1, 1, 1, 1, 1, 1, 1});
  }

  void add_counters(TimelineRun& run) {
    harness::MachineTrace& machine = run.machine;
    if (!one_in(3)) machine.counters.push_back({"dram", "B/s"});
    if (!one_in(3)) machine.counters.push_back({"dram cpu0", "B/s"});
    if (!one_in(3)) machine.counters.push_back({"npu0 queue", "entries"});
    if (one_in(3)) machine.counters.push_back({"ready ops", "entries"});
    for (std::uint32_t counter = 0; counter < machine.counters.size(); ++counter) {
      const bool is_rate = machine.counters[counter].unit == "B/s";
      for (std::uint64_t time = 0; time < run.makespan_ps; time += 1 + below(run.makespan_ps / 9 + 1))
        machine.samples.push_back({counter, time, below(is_rate ? 9'000'000'000 : 5)});
    }
    if (breaks_) machine.samples.push_back({77, 0, 1});
    std::stable_sort(machine.samples.begin(), machine.samples.end(),
                     [](const auto& a, const auto& b) { return a.time_ps < b.time_ps; });
  }

  verify::Verdict verdict(std::uint64_t number) {
    verify::Verdict verdict{static_cast<verify::Property>((number * 3 + below(3)) % verify::all_properties().size()),
                            static_cast<Outcome>(below(3)),
                            sentence(),
                            {}};
    for (std::uint64_t i = one_in(9) ? 45 : below(6); i > 0; --i) {
      std::vector<std::uint32_t> ops = some_ops(3);
      if (one_in(20)) ops = some_ops(90);
      verdict.witnesses.push_back({sentence(), std::move(ops), some_ops(one_in(12) ? 260 : 9)});
    }
    return verdict;
  }

  FailureStory failure(std::uint64_t number) {
    const bool is_of_ops = one_in(2);
    FailureStory story{.level = is_of_ops ? "ops" : "threads", .law = word(), .title = sentence()};
    for (std::uint64_t i = below(3); i > 0; --i) story.constraints.push_back(sentence());
    story.shown = one_in(3) ? "" : sentence();
    story.digest = one_in(3) ? "" : "02be77c1405d9a6f";
    story.serial_digest = one_in(3) ? "" : "8f1c03d95ab7e244";
    story.workers = id_below(4);
    for (std::uint64_t i = below(3); i > 0; --i) {
      story.tables.push_back(is_of_ops && data_.desc->op_count > 0 ? instants() : steps());
      story.tables.back().title = "table " + std::to_string(i) + " of " + std::to_string(number);
      if (one_in(2)) story.tables.back().digest = "8f1c03d95ab7e244";
    }
    story.note = one_in(2) ? "" : sentence();
    story.listing = is_of_ops ? "" : "slot 0 reads\nslot 1 writes <b>\n";
    story.replay = one_in(3) ? "" : "detent-replay/1 model=x";
    return story;
  }

  StoryTable instants() {
    harness::Trace trace;
    std::vector<std::uint64_t> now(1 + below(3), 0);
    for (std::uint32_t op = 0; op < t_.reads.size(); ++op) {
      const std::uint32_t slot = id_below(now.size());
      const std::uint64_t begin = now[slot] + below(2) * 10;
      now[slot] = begin + below(4) * 10;
      trace.spans.push_back({op, slot, begin, now[slot], one_in(2) ? op : 0U});
    }
    std::vector<StoryMark> marks;
    for (const std::uint32_t marked : some_ops(2)) marks.push_back({marked, "writes [0, 8) of " + word()});
    std::vector<StoryHold> holds;
    for (const std::uint32_t held : some_ops(2)) holds.push_back({held, below(50), 50 + below(50)});
    std::vector<std::string> lanes;
    for (std::uint64_t i = below(4); i > 0; --i) lanes.push_back(word());
    return make_story_table(*data_.desc, trace, lanes, marks, holds);
  }

  StoryTable steps() {
    std::vector<StoryStep> steps;
    const std::uint64_t threads = 1 + below(3);
    for (std::uint64_t i = below(70); i > 0; --i)
      steps.push_back({100 - i, "slot " + std::to_string(below(threads)), word(), one_in(6)});
    return make_step_table(steps);
  }

  void make_schedules() {
    ScheduleCoverage& coverage = data_.schedules;
    if (one_in(2)) {
      OpScheduleCoverage ops{.strategy = one_in(2) ? "pairs" : "dfs", .executions = below(9), .seen = below(5)};
      ops.count = {.total = one_in(5) ? ~explore::Count128{0} : explore::Count128{below(90)}, .exact = one_in(2)};
      if (!ops.count.exact && one_in(2)) ops.estimate = explore::TraceEstimate{3.25e5, 1.1e3, 1000};
      ops.pairs = {below(5), below(9), below(9), below(40), !one_in(4)};
      if (one_in(2)) ops.unseen_mass = static_cast<double>(below(5)) / 4;
      coverage.ops = ops;
    }
    if (one_in(2)) {
      EngineScheduleCoverage engine{.search = "rotate", .mode = "closed-loop", .workers = id_below(4)};
      for (std::uint64_t i = below(3); i > 0; --i) {
        explore::EngineEvidence program{.program = sentence(), .complete = one_in(2), .statistics = {}};
        program.statistics.executions = below(200);
        program.statistics.distinct = below(100);
        program.statistics.once = below(50);
        program.statistics.steps = below(5000);
        program.statistics.sync.role_free = below(20);
        program.statistics.sync.wait_asleep = below(3);
        engine.programs.push_back(program);
      }
      coverage.engine = engine;
    }
    for (std::uint64_t i = below(5); i > 0; --i)
      coverage.cover_goals.push_back(
          {word(), sentence(), one_in(2) ? "model" : "engine", !one_in(3), below(3), one_in(4) ? "" : sentence()});
    coverage.note = one_in(2) ? "" : sentence();
  }

  void make_code() {
    if (!one_in(3)) return;
    CodeCoverage code{.native_runs = below(50), .schedules = below(3), .note = one_in(2) ? "" : sentence()};
    const auto count = [this] {
      const std::uint64_t total = below(40);
      return CoveredCount{.covered = total == 0 ? 0 : below(total + 1), .total = total};
    };
    for (std::uint64_t i = below(4); i > 0; --i) {
      FileCoverage file{.name = word(), .lines = count(), .branches = count(), .functions = count()};
      for (std::uint64_t k = below(14); k > 0; --k) file.uncovered.push_back({word(), below(900)});
      code.files.push_back(file);
    }
    data_.code = code;
  }

  std::uint64_t random_;
  bool breaks_;
  Tables& t_;
  ReportData& data_;
};

}  // namespace

Sample random_report(std::uint64_t seed) {
  Sample sample;
  sample.tables = std::make_unique<Tables>();
  Maker(seed, sample).make();
  return sample;
}

}  // namespace detent::reports::samples
