// One changed cost after another -> how the maximum follows.
#include "sim/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "base/assert.hpp"
#include "sim/cost/cost.hpp"
#include "sim/simulate.hpp"

namespace detent::sim {
namespace {

/// A platform with one parameter made worse.
struct CostVariant {
  std::string cost;
  double cost_change = 0;
  Platform platform;
};

std::uint64_t risen(std::uint64_t value, double step) {
  return value +
         std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * step)));
}

std::uint64_t fallen(std::uint64_t value, double step) {
  const auto less = static_cast<std::uint64_t>(std::llround(static_cast<double>(value) / (1 + step)));
  return std::clamp<std::uint64_t>(less, 1, std::max<std::uint64_t>(value - 1, 1));
}

double share(std::uint64_t to, std::uint64_t from) { return static_cast<double>(to) / static_cast<double>(from) - 1; }

/// All parameters that are costs of this platform. What is zero is no cost.
class VariantList {
 public:
  VariantList(const Platform& platform, double step) : platform_(platform), step_(step) {}

  std::vector<CostVariant> make() {
    add_overheads();
    add_rate("memory.dram_bytes_per_s", [](Platform& p) -> std::uint64_t& { return p.dram_bytes_per_s; });
    for (std::size_t i = 0; i < platform_.classes.size(); ++i) add_class(i);
    for (std::size_t i = 0; i < platform_.loads.size(); ++i) add_load(i);
    return std::move(variants_);
  }

 private:
  using Field = std::function<std::uint64_t&(Platform&)>;

  void add_time(const std::string& name, const Field& field) {
    CostVariant variant{name, 0, platform_};
    std::uint64_t& value = field(variant.platform);
    if (value == 0) return;
    const std::uint64_t before = value;
    value = risen(value, step_);
    variant.cost_change = share(value, before);
    Overheads& overheads = variant.platform.overheads;
    overheads.lock_contended_ps = std::max(overheads.lock_contended_ps, overheads.lock_ps);
    variants_.push_back(std::move(variant));
  }

  /// More is better: the cost is the reciprocal.
  void add_rate(const std::string& name, const Field& field) {
    CostVariant variant{name, 0, platform_};
    std::uint64_t& value = field(variant.platform);
    if (value <= 1) return;
    const std::uint64_t before = value;
    value = fallen(value, step_);
    variant.cost_change = share(before, value);
    variants_.push_back(std::move(variant));
  }

  void add_overheads() {
    const auto add = [this](const char* name, std::uint64_t Overheads::*field) {
      add_time(std::string("overheads.") + name, [field](Platform& p) -> std::uint64_t& { return p.overheads.*field; });
    };
    add("dispatch_ps", &Overheads::dispatch_ps);
    add("queue_ps", &Overheads::queue_ps);
    add("lock_ps", &Overheads::lock_ps);
    add("lock_contended_ps", &Overheads::lock_contended_ps);
    add("wake_ps", &Overheads::wake_ps);
    add("interrupt_ps", &Overheads::interrupt_ps);
    add("log_ps", &Overheads::log_ps);
    add("migrate_ps", &Overheads::migrate_ps);
  }

  void add_class(std::size_t i) {
    const std::string& name = platform_.classes[i].name;
    add_rate(name + ".clock_hz", [i](Platform& p) -> std::uint64_t& { return p.classes[i].clock_hz; });
    add_rate(name + ".dram_bytes_per_s", [i](Platform& p) -> std::uint64_t& { return p.classes[i].dram_bytes_per_s; });
    if (platform_.classes[i].flops_per_cycle <= 0) return;
    CostVariant peak{name + ".flops_per_cycle", step_, platform_};
    peak.platform.classes[i].flops_per_cycle /= 1 + step_;
    variants_.push_back(std::move(peak));
  }

  void add_load(std::size_t i) {
    const Load& load = platform_.loads[i];
    if (risen(load.duration_ps, step_) + load.jitter_ps >= load.period_ps) return;  // would take its core for ever
    add_time("load." + load.name, [i](Platform& p) -> std::uint64_t& { return p.loads[i].duration_ps; });
  }

  const Platform& platform_;
  double step_;
  std::vector<CostVariant> variants_;
};

/// Simulates the seeds again and compares.
class SensitivityRuns {
 public:
  SensitivityRuns(const detent_desc& desc, const SimOptions& options, const SimResult& result)
      : desc_(desc), options_(options) {
    for (const RankedRun& run : result.worst_runs) options_.run_seeds.push_back(run.seed);
    options_.runs = options_.run_seeds.size();
    options_.part = {};
    options_.search_runs = 0;
    options_.known = nullptr;
    options_.on_run = nullptr;
    options_.progress = nullptr;
    options_.timing_only = true;
    options_.with_traces = false;
    options_.keep_makespans = true;
    options_.keep_worst = 0;
  }

  void measure_base(const Platform& platform, Sensitivity& answer) {
    base_ps_ = run(platform, "nothing", answer);
    if (base_ps_.empty()) return;
    answer.seeds = options_.run_seeds;
    answer.max_ps = *std::ranges::max_element(base_ps_);
  }

  void measure(const Platform& platform, CostEffect effect, Sensitivity& answer) {
    const std::vector<std::uint64_t> changed_ps = run(platform, effect.cost, answer);
    if (changed_ps.empty()) return;
    const std::uint64_t max_ps = *std::ranges::max_element(changed_ps);
    effect.change_ps = static_cast<std::int64_t>(max_ps - answer.max_ps);
    for (std::size_t i = 0; i < changed_ps.size(); ++i) {
      effect.longer += changed_ps[i] > base_ps_[i] ? 1 : 0;
      effect.shorter += changed_ps[i] < base_ps_[i] ? 1 : 0;
    }
    const double relative =
        static_cast<double>(effect.change_ps) / static_cast<double>(std::max(answer.max_ps, std::uint64_t{1}));
    effect.elasticity = relative / effect.cost_change;
    answer.effects.push_back(std::move(effect));
  }

  void measure_op(const Platform& platform, OpId op, const OpTime& time, double step, Sensitivity& answer) {
    CostEffect effect;
    effect.cost = desc_.ops[op].name != nullptr ? desc_.ops[op].name : "op " + std::to_string(op);
    effect.is_op = true;
    effect.op = op;
    effect.cost_change = share(risen(time.worst_ps, step), time.worst_ps);
    options_.slower_op = SlowerOp{op, step};
    measure(platform, effect, answer);
    options_.slower_op.reset();
  }

  [[nodiscard]] std::size_t seed_count() const { return options_.run_seeds.size(); }

 private:
  /// Makespans by seed; empty after a failure, which is noted.
  std::vector<std::uint64_t> run(const Platform& platform, const std::string& cost, Sensitivity& answer) {
    SimResult result = simulate(desc_, platform, options_);
    if (!result.failure) return std::move(result.makespans_ps);
    if (!answer.failure) answer.failure = "with " + cost + " changed: " + *result.failure;
    return {};
  }

  const detent_desc& desc_;
  SimOptions options_;
  std::vector<std::uint64_t> base_ps_;
};

/// Ops that take time, those of the blocking chain first, then the longest.
std::vector<std::uint32_t> ops_by_promise(const detent_desc& desc, const std::vector<OpTime>& times,
                                          const SimResult& result) {
  std::vector<bool> on_chain(desc.op_count, false);
  for (const OpId op : blocking_chain(desc, result.worst.trace)) on_chain[op] = true;
  std::vector<std::uint32_t> ops;
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (times[op].worst_ps > 0) ops.push_back(op);
  }
  std::ranges::sort(ops, [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(!on_chain[a], ~times[a].worst_ps, a) < std::tuple(!on_chain[b], ~times[b].worst_ps, b);
  });
  return ops;
}

}  // namespace

std::vector<std::uint32_t> blocking_chain(const detent_desc& desc, const harness::Trace& trace) {
  constexpr std::size_t kNoSpan = SIZE_MAX;
  const std::vector<harness::Span>& spans = trace.spans;
  std::vector<std::size_t> cause(desc.op_count, kNoSpan);  // span that ended last before the op could begin
  const auto blame = [&](OpId op, std::size_t span) {
    if (cause[op] == kNoSpan || spans[span].end_ps > spans[cause[op]].end_ps) cause[op] = span;
  };
  std::vector<std::size_t> last_on_slot;
  std::size_t latest = kNoSpan;
  for (std::size_t i = 0; i < spans.size(); ++i) {  // by begin
    const harness::Span& span = spans[i];
    if (span.slot >= last_on_slot.size()) last_on_slot.resize(span.slot + 1, kNoSpan);
    if (last_on_slot[span.slot] != kNoSpan) blame(span.op, last_on_slot[span.slot]);
    last_on_slot[span.slot] = i;
    const detent_slice& successors = desc.ops[span.op].successors;
    for (std::uint32_t s = 0; s < successors.count; ++s) blame(desc.successors[successors.first + s], i);
    if (latest == kNoSpan || span.end_ps > spans[latest].end_ps) latest = i;
  }
  std::vector<std::uint32_t> chain;
  for (std::size_t at = latest; at != kNoSpan && chain.size() < desc.op_count; at = cause[spans[at].op]) {
    chain.push_back(spans[at].op);
  }
  return chain;
}

Sensitivity measure_sensitivity(const detent_desc& desc, const Platform& platform, const SimOptions& options,
                                const SimResult& result, const SensitivityOptions& how) {
  if (!(how.step > 0 && how.step <= 1)) {
    throw std::invalid_argument("sensitivity: step must be above 0 and at most 1; 0.01 raises each cost by 1 %");
  }
  SensitivityRuns runs(desc, options, result);
  Sensitivity answer;
  runs.measure_base(platform, answer);
  if (answer.failure) return answer;
  for (const CostVariant& variant : VariantList(platform, how.step).make()) {
    CostEffect effect;
    effect.cost = variant.cost;
    effect.cost_change = variant.cost_change;
    runs.measure(variant.platform, std::move(effect), answer);
  }
  const std::vector<OpTime> times = op_times(desc, platform, options.jitter, options.costs);
  const std::vector<std::uint32_t> ops = ops_by_promise(desc, times, result);
  answer.ops = static_cast<std::uint32_t>(ops.size());
  const std::uint64_t per_op = desc.op_count * (runs.seed_count() + 4);  // to check, cost and bind takes about 4 runs
  answer.ops_tried = static_cast<std::uint32_t>(std::min<std::uint64_t>(ops.size(), how.budget_op_runs / per_op));
  for (std::uint32_t i = 0; i < answer.ops_tried; ++i) {
    runs.measure_op(platform, ops[i], times[ops[i]], how.step, answer);
  }
  std::ranges::sort(answer.effects, [](const CostEffect& a, const CostEffect& b) {
    return std::tie(b.elasticity, a.cost, a.op) < std::tie(a.elasticity, b.cost, b.op);
  });
  return answer;
}

}  // namespace detent::sim
