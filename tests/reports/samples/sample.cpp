// Samples: networks with runs, made up here from a seed, that look like what a check of a real network gives.
#include "tests/reports/samples/sample.hpp"

#include "reports/view/desc_view.hpp"
#include "tests/reports/samples/plan.hpp"
#include "tests/reports/samples/runs.hpp"

namespace detent::reports::samples {
namespace {

using verify::Outcome;

constexpr std::uint32_t kCpu = 0, kNpu = 1;
constexpr std::uint32_t kWorkspace = 0, kInput = 1, kOutput = 2;

/// An activation of `channels` maps of side `side`.
struct Feature {
  std::uint32_t tensor = 0;
  std::uint32_t channels = 0, side = 0;
};

/// Builds a detector in the shape of YOLOv8n: stem, four stages, pooling pyramid, neck, three heads.
class DetectorBuilder {
 public:
  explicit DetectorBuilder(Tables& tables) : t_(tables) {
    t_.add_region("workspace", DETENT_REGION_WORKSPACE, 1);
    t_.add_region("input", DETENT_REGION_INPUT, 3ULL * 640 * 640 * 4);
    t_.add_region("output", DETENT_REGION_OUTPUT, 84ULL * 8400 * 4);
  }

  void build() {
    Feature x = {t_.add_tensor("images", kInput, 0, 3ULL * 640 * 640 * 4), 3, 640};
    x = conv("stem.conv0", x, 16, 2);
    x = stage("stage1", conv("stage1.down", x, 32, 2), 1);
    const Feature p3 = x = stage("stage2", conv("stage2.down", x, 64, 2), 2);
    const Feature p4 = x = stage("stage3", conv("stage3.down", x, 128, 2), 2);
    const Feature p5 = pyramid(stage("stage4", conv("stage4.down", x, 256, 2), 1));
    const Feature up4 = stage("neck.up4", join("neck.cat4", upsample("neck.up4.resize", p5), p4), 1, 128);
    const Feature out3 = stage("neck.up3", join("neck.cat3", upsample("neck.up3.resize", up4), p3), 1, 64);
    const Feature out4 = stage("neck.down4", join("neck.cat4b", conv("neck.down4.conv", out3, 64, 2), up4), 1, 128);
    const Feature out5 = stage("neck.down5", join("neck.cat5", conv("neck.down5.conv", out4, 128, 2), p5), 1, 256);
    const std::vector<Feature> levels = {out3, out4, out5};
    std::vector<std::uint32_t> parts;
    for (std::size_t i = 0; i < levels.size(); ++i) head("head" + std::to_string(i + 3), levels[i], parts);
    const std::uint32_t result = t_.add_tensor("detections", kOutput, 0, 84ULL * 8400 * 4);
    op("head.decode", "decode_boxes", parts, result, 4000000, kCpu);
    t_.outputs = {result};
  }

 private:
  std::uint32_t op(const std::string& name, const std::string& kernel, const std::vector<std::uint32_t>& reads,
                   std::uint32_t write, std::uint64_t work, std::uint32_t core_class) {
    const std::uint32_t id = t_.add_op(name, kernel, reads, {write}, core_class);
    const std::uint64_t best_ps = 20000000 + work * (core_class == kNpu ? 4 : 150);
    t_.set_cost(id, best_ps, best_ps + best_ps / 8);
    return id;
  }

  Feature activation(const std::string& name, std::uint32_t channels, std::uint32_t side) {
    return {t_.add_tensor(name, kWorkspace, 0, std::uint64_t{channels} * side * side * 4), channels, side};
  }

  Feature conv(const std::string& name, const Feature& in, std::uint32_t channels, std::uint32_t stride,
               std::uint32_t kernel = 3) {
    const Feature out = activation(name + ".out", channels, in.side / stride);
    const std::uint64_t work = std::uint64_t{out.side} * out.side * channels * in.channels * kernel * kernel / 64;
    op(name, kernel == 3 ? "conv3x3" : "conv1x1", {in.tensor}, out.tensor, work, work > 400000 ? kNpu : kCpu);
    return out;
  }

  Feature join(const std::string& name, const Feature& a, const Feature& b) {
    const Feature out = activation(name + ".out", a.channels + b.channels, a.side);
    op(name, "concat", {a.tensor, b.tensor}, out.tensor, std::uint64_t{out.side} * out.side * out.channels / 2, kCpu);
    return out;
  }

  Feature upsample(const std::string& name, const Feature& in) {
    const Feature out = activation(name + ".out", in.channels, in.side * 2);
    op(name, "resize_nearest", {in.tensor}, out.tensor, std::uint64_t{out.side} * out.side * out.channels / 2, kCpu);
    return out;
  }

  Feature stage(const std::string& name, const Feature& in, std::uint32_t repeats, std::uint32_t channels = 0) {
    const std::uint32_t c = channels == 0 ? in.channels : channels;
    const Feature left = conv(name + ".cv1", in, c / 2, 1, 1);
    Feature right = conv(name + ".cv2", in, c / 2, 1, 1);
    for (std::uint32_t i = 0; i < repeats; ++i) {
      const std::string block = name + ".m" + std::to_string(i);
      const Feature inner = conv(block + ".b", conv(block + ".a", right, c / 2, 1), c / 2, 1);
      const Feature sum = activation(block + ".add.out", c / 2, in.side);
      op(block + ".add", "add", {right.tensor, inner.tensor}, sum.tensor, std::uint64_t{in.side} * in.side * c / 4,
         kCpu);
      right = sum;
    }
    return conv(name + ".cv3", join(name + ".cat", left, right), c, 1, 1);
  }

  Feature pyramid(const Feature& in) {
    Feature x = conv("sppf.cv1", in, in.channels / 2, 1, 1);
    Feature all = x;
    for (int i = 0; i < 3; ++i) {
      const Feature pooled = activation("sppf.pool" + std::to_string(i) + ".out", x.channels, x.side);
      op("sppf.pool" + std::to_string(i), "max_pool", {x.tensor}, pooled.tensor, std::uint64_t{x.side} * x.side * 900,
         kCpu);
      x = pooled;
    }
    return conv("sppf.cv2", join("sppf.cat", all, x), in.channels, 1, 1);
  }

  void head(const std::string& name, const Feature& in, std::vector<std::uint32_t>& parts) {
    const Feature box = conv(name + ".box2", conv(name + ".box1", conv(name + ".box0", in, 64, 1), 64, 1), 64, 1, 1);
    const Feature cls = conv(name + ".cls2", conv(name + ".cls1", conv(name + ".cls0", in, 80, 1), 80, 1), 80, 1, 1);
    const Feature soft = activation(name + ".dfl.out", 4, in.side);
    op(name + ".dfl", "softmax", {box.tensor}, soft.tensor, std::uint64_t{in.side} * in.side * 200, kCpu);
    const Feature score = activation(name + ".sigmoid.out", 80, in.side);
    op(name + ".sigmoid", "sigmoid", {cls.tensor}, score.tensor, std::uint64_t{in.side} * in.side * 200, kCpu);
    parts.push_back(soft.tensor);
    parts.push_back(score.tensor);
  }

  Tables& t_;
};

void describe(ReportData& data) {
  data.model = "detector";
  data.platform = "quad_npu";
  data.seed = 1;
  data.version = "0.1.0";
  data.native_workers = 3;
  data.serial_digest = data.native_digest = "8f1c03d95ab7e244";
  data.native_ps = 41300000000;
  data.reproducible = true;
  data.assumptions = {
      {"op_times",
       "Op times are a roofline of flops and bytes with 12 % of jitter; they are not measured on the chip."},
      {"overheads", "Dispatch 150 ns, queue 40 ns, lock 60 ns and wake-up 3 \xC2\xB5s are charged on every step."},
      {"memory", "DRAM bandwidth is shared; caches, refresh and bank conflicts are not modelled."},
      {"schedule", "Ops are not preempted and every free core takes the best ready op at once."},
      {"executed_runs", "Kernels really execute in the first 3 of 200 runs; the others simulate time only."},
  };
}

void add_bounds(const Tables& tables, ReportData& data) {
  std::vector<std::uint64_t> path(tables.costs.size(), 0);
  std::uint64_t longest = 0;
  std::uint64_t work[2] = {0, 0};
  for (std::size_t op = 0; op < path.size(); ++op) {
    path[op] += tables.costs[op].worst_ps;
    longest = std::max(longest, path[op]);
    work[tables.core_class[op]] += tables.costs[op].worst_ps;
    for (const std::uint32_t to : tables.successors[op]) path[to] = std::max(path[to], path[op]);
  }
  const std::uint64_t per_core = std::max(work[kCpu] / 4, work[kNpu]);
  data.bounds = {
      {"critical_path", longest, false, false, "worst-case op times"},
      {"work_per_core", per_core, false, false, "worst-case op times"},
      {"typed", longest + work[kCpu] / 4 + work[kNpu], true, false, "non-preemptive, work-conserving, typed cores"}};
  data.op_times.grounds = {{"given", false, tables.costs.size(), work[kCpu] + work[kNpu], "the model's file has them"}};
  data.op_times.jitter = "uniform:0.1";
}

/// The longest path counts whole, all else as waiting; one guess would move the bound.
void add_budget(const Tables& tables, ReportData& data) {
  BoundBudget budget{.method = "typed", .outcomes = "", .bound_ps = data.bounds.back().bound_ps};
  budget.channels = {"dram:cpu"};
  std::uint64_t left = budget.bound_ps;
  for (std::size_t op = 0; op < tables.costs.size(); ++op) {
    BudgetRow row{.kind = "op",
                  .op = OpId{static_cast<std::uint32_t>(op)},
                  .name = op_name(data.desc, OpId{static_cast<std::uint32_t>(op)})};
    row.own_ps = std::min(left / 2, tables.costs[op].worst_ps / 4);
    row.overhead_ps = std::min(left / 4, std::uint64_t{150'000});
    row.interference_ps = {row.own_ps / 16};
    row.time = {"given", "the model's file has it"};
    left -= row.sum_ps();
    budget.rows.push_back(row);
  }
  budget.rows.push_back({.kind = "run", .name = "begin and end", .interference_ps = {0}, .others_ps = left});
  data.sensitivity.groups = {{.ops = {1, 2, 3},
                              .name = "conv2d",
                              .core = "npu",
                              .time = {"assumed", "npu.efficiency is a guess"},
                              .is_guess = true,
                              .worst_ps = 300'000'000,
                              .moves_ps = 30'000'000}};
  data.sensitivity.all = 1;
  data.budget = std::move(budget);
}

std::vector<verify::Verdict> good_verdicts() {
  return {
      {verify::Property::kStructure, Outcome::kHolds, "106 ops form one acyclic graph; every table passes bind", {}},
      {verify::Property::kMemoryPlan,
       Outcome::kHolds,
       "every tensor lies in its region; no two live tensors share a byte",
       {}},
      {verify::Property::kBufferRaces,
       Outcome::kHolds,
       "5 565 pairs of ops compared, 1 204 of them unordered; none shares a written byte",
       {}},
      {verify::Property::kDeterminism,
       Outcome::kHolds,
       "one digest over serial, 1 to 8 workers, 5 policies, 100 permuted orders and simulation",
       {}},
      {verify::Property::kTraceRules,
       Outcome::kHolds,
       "203 traces: each op once, after its predecessors, nothing overlaps on a core",
       {}},
      {verify::Property::kBound, Outcome::kHolds, "200 of 200 simulated runs stay within the typed bound", {}}};
}

}  // namespace

Sample detector(bool by_id_order) {
  Sample sample;
  sample.tables = std::make_unique<Tables>();
  DetectorBuilder(*sample.tables).build();
  ReportData& data = sample.data;
  describe(data);
  data.arena_bytes = plan_region(*sample.tables, kWorkspace, by_id_order);
  fill_runs(*sample.tables, {{"cpu0", "cpu1", "cpu2", "cpu3", "npu0"}, {0, 0, 0, 0, 1}}, 200, data);
  add_bounds(*sample.tables, data);
  data.verdicts = good_verdicts();
  data.desc = sample.tables->desc();
  add_budget(*sample.tables, data);
  return sample;
}

Sample empty() {
  Sample sample;
  sample.tables = std::make_unique<Tables>();
  sample.data.model = "nothing";
  sample.data.version = "0.1.0";
  return sample;
}

Sample hostile_names() {
  Sample sample;
  sample.tables = std::make_unique<Tables>();
  Tables& t = *sample.tables;
  t.add_region("ws</script>", DETENT_REGION_WORKSPACE, 256);
  const std::uint32_t a = t.add_tensor("t<img src=x onerror=alert(1)>", 0, 0, 128);
  const std::uint32_t b = t.add_tensor("t\",\"k\":1", 0, 64, 128);
  t.add_op("</script><script>document.title='owned'</script>", "k\n\xE2\x80\xA8 ernel", {}, {a});
  t.add_op("a,b;\"c\"'d'&amp;<b>\xE2\x80\xA9", "<!--", {}, {b});
  t.add_op("bad \xFF\xC0\x80 utf8 \x01", "kernel", {a}, {});
  t.add_op(std::string(1U << 20U, 'x'), "kernel", {b}, {});
  for (std::uint32_t op = 0; op < 4; ++op) t.set_cost(op, 1000, 2000);
  fill_runs(t, {{"cpu<0>", "cpu\"1\""}, {0, 0}}, 3, sample.data);
  sample.data.model = "m</title><script>1</script>\n";
  sample.data.platform = "p&p";
  sample.data.version = "0.1.0";
  sample.data.verdicts = {{verify::Property::kBufferRaces,
                           Outcome::kViolated,
                           "1 racing pair <b>",
                           {{"op <0> & op \"1\"", {0, 1}, {0, 1}}}},
                          {verify::Property::kCoverGoals, Outcome::kUnknown, "limit\nreached", {}}};
  sample.data.assumptions = {{"<k>", "</script>\xE2\x80\xA8"}};
  sample.data.desc = t.desc();
  return sample;
}

Sample large(std::uint32_t ops, std::uint32_t spans) {
  Sample sample;
  sample.tables = std::make_unique<Tables>();
  Tables& t = *sample.tables;
  t.add_region("workspace", DETENT_REGION_WORKSPACE, ops * 64ULL);
  std::uint64_t random = 5;
  constexpr std::uint32_t kWidth = 40;
  for (std::uint32_t op = 0; op < ops; ++op) {
    const std::uint32_t tensor = t.add_tensor("t" + std::to_string(op), 0, op * 64ULL, 64);
    std::vector<std::uint32_t> reads;
    const std::uint32_t back = std::min(op, kWidth * 2);
    for (int k = 0; k < 3 && back > 0; ++k)
      reads.push_back(op - 1 - static_cast<std::uint32_t>(next_random(random) % back));
    t.add_op("layer" + std::to_string(op / kWidth) + ".op" + std::to_string(op), "kernel" + std::to_string(op % 9),
             reads, {tensor});
    t.set_cost(op, 1000000, 3000000);
  }
  sample.data.model = "large";
  sample.data.version = "0.1.0";
  sample.data.desc = t.desc();
  TimelineRun run;
  run.title = "synthetic run";
  std::vector<std::uint64_t> now(8, 0);
  for (std::uint32_t i = 0; i < spans; ++i) {
    const std::uint32_t core = i % 8;
    const std::uint64_t length = 100000 + next_random(random) % 2000000;
    run.trace.spans.push_back({i % ops, core, now[core], now[core] + length, i});
    now[core] += length + next_random(random) % 300000;
    run.makespan_ps = std::max(run.makespan_ps, now[core]);
  }
  for (int core = 0; core < 8; ++core) run.lanes.push_back("cpu" + std::to_string(core));
  sample.data.timelines = {run};
  return sample;
}

}  // namespace detent::reports::samples
