#include "app/runs/measured_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/runs/native_setup.hpp"
#include "app/simulate/trace_files.hpp"
#include "app/version.hpp"
#include "base/counted.hpp"
#include "base/ids.hpp"
#include "base/interrupt.hpp"
#include "base/units.hpp"
#include "harness/engine_spec.hpp"
#include "harness/measure/op_timing.hpp"

namespace detent::app {
namespace {

constexpr std::uint64_t kMostSamples = 1ULL << 26U;  // of ops; 1.5 GB
constexpr std::size_t kOpsShown = 12;

/// When each op began and for how long it ran and, ready, had waited for a worker.
class OpSamples {
 public:
  explicit OpSamples(const detent_desc& desc)
      : desc_(desc),
        time_ps_(desc.op_count),
        waited_ps_(desc.op_count),
        slots_(desc.op_count),
        ready_ps_(desc.op_count) {}

  void add(const harness::Trace& trace) {
    std::ranges::fill(ready_ps_, 0);
    for (const harness::Span& span : trace.spans) {
      const detent_slice& successors = desc_.ops[span.op].successors;
      for (std::uint32_t k = 0; k < successors.count; ++k) {
        std::uint64_t& ready = ready_ps_[desc_.successors[successors.first + k]];
        ready = std::max(ready, span.end_ps);
      }
    }
    for (const harness::Span& span : trace.spans) {
      time_ps_[span.op].push_back(span.end_ps - span.begin_ps);
      waited_ps_[span.op].push_back(span.begin_ps - std::min(span.begin_ps, ready_ps_[span.op]));
      slots_[span.op].insert(span.slot);
    }
  }

  struct Row {
    OpId op = 0;
    std::size_t count = 0;
    harness::TimeStatistics time{};
    std::uint64_t mean_ps = 0, waited_ps = 0;  ///< means
    std::set<SlotId> slots{};
  };

  /// Ops that ran, the longest mean first.
  [[nodiscard]] std::vector<Row> rows() const {
    std::vector<Row> rows;
    for (OpId op = 0; op < desc_.op_count; ++op) {
      if (time_ps_[op].empty()) continue;
      rows.push_back({op, time_ps_[op].size(), harness::summarize(time_ps_[op], 2), mean(time_ps_[op]),
                      mean(waited_ps_[op]), slots_[op]});
    }
    std::ranges::stable_sort(rows, std::greater{}, &Row::mean_ps);
    return rows;
  }

  static std::uint64_t mean(const std::vector<std::uint64_t>& samples_ps) {
    return std::accumulate(samples_ps.begin(), samples_ps.end(), std::uint64_t{0}) / samples_ps.size();
  }

 private:
  const detent_desc& desc_;
  std::vector<std::vector<std::uint64_t>> time_ps_, waited_ps_;  // by op
  std::vector<std::set<SlotId>> slots_;
  std::vector<std::uint64_t> ready_ps_;
};

/// What one way to run showed.
struct Measured {
  std::vector<std::uint64_t> runs_ps{};
  std::set<std::uint64_t> digests{};
  harness::Run longest{};
};

class Measurement {
 public:
  Measurement(const RunRequest& options, const NativeSetup& setup, const OnProgress& on_progress)
      : options_(options), setup_(setup), on_progress_(on_progress) {}

  void expect(std::size_t ways) { total_ = ways * runs(); }

  /// @throws RunRefused
  Measured measure(const harness::EngineSpec& engine, OpSamples* samples) {
    harness::NativeOptions native = setup_.native;
    native.engine = engine;
    native.keep_memory = options_.keep_memory;
    Measured measured;
    const auto on_run = [&](std::uint64_t number, const harness::Run& run) {
      if (on_progress_) on_progress_(++done_, total_);
      measured.digests.insert(run.digest);
      if (number < options_.warmup) return true;
      measured.runs_ps.push_back(run.makespan_ps);
      if (samples != nullptr) samples->add(run.trace);
      if (run.makespan_ps >= measured.longest.makespan_ps) measured.longest = run;
      return !stop_requested();
    };
    const detent_error error = harness::run_native_repeatedly(setup_.loaded.desc(), native, runs(), on_run);
    if (error.status != DETENT_OK) refuse(options_, setup_.loaded.desc(), error);
    return measured;
  }

 private:
  [[nodiscard]] std::uint64_t runs() const { return std::uint64_t{options_.warmup} + options_.repeat; }

  const RunRequest& options_;
  const NativeSetup& setup_;
  const OnProgress& on_progress_;
  std::uint64_t done_ = 0, total_ = 0;
};

void check_options(const RunRequest& options, const NativeSetup& setup) {
  if (!setup.native.faults.empty()) {
    throw std::invalid_argument(
        "--repeat: faults and deadlines belong to one run; leave them or --repeat and --sweep out");
  }
  if (!options.outputs.empty()) {
    throw std::invalid_argument("--output: is of one run; leave --repeat and --sweep out");
  }
  if (!options.log_file.empty()) {
    throw std::invalid_argument("--log: is of one run; leave --repeat, --sweep and --out out");
  }
  const std::uint64_t ops = setup.loaded.desc().op_count;
  if (ops * options.repeat > kMostSamples) {
    throw std::invalid_argument(
        fmt::format("--repeat: {} times {} are more than {} times of ops; repeat at most {} times", options.repeat,
                    counted(ops, "op"), kMostSamples, kMostSamples / ops));
  }
  if (options.sweep && !options.trace_directory.empty()) {
    throw std::invalid_argument("--out: traces are of one way to run; leave --sweep out");
  }
}

double per_second(const Measured& measured) {
  return kPicosecondsPerSecond / static_cast<double>(std::max<std::uint64_t>(OpSamples::mean(measured.runs_ps), 1));
}

/// "59.8", "1170", "1.2e+06"
std::string rate_text(const Measured& measured) {
  const double rate = per_second(measured);
  return rate < 100 || rate >= 1e6 ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate);
}

Json times_json(const Measured& measured) {
  const harness::TimeStatistics times = harness::summarize(measured.runs_ps, 2);
  return {{"min_ns", times.min_ps / 1000},
          {"median_ns", times.median_ps / 1000},
          {"p99_ns", times.p99_ps / 1000},
          {"max_ns", times.max_ps / 1000},
          {"mean_ns", OpSamples::mean(measured.runs_ps) / 1000},
          {"runs_per_second", per_second(measured)}};
}

std::string slots_text(const std::set<SlotId>& slots) {
  std::vector<std::string> words;
  for (const SlotId slot : slots) words.push_back(std::to_string(slot));
  return fmt::format("{}", fmt::join(words, " "));
}

std::string name_of(const detent_desc& desc, OpId op) {
  const char* const name = desc.ops[op].name;
  return name != nullptr ? name : fmt::format("op{}", op);
}

void add_ops(const detent_desc& desc, const OpSamples& samples, Answer& answer) {
  const std::vector<OpSamples::Row> rows = samples.rows();
  Json list = Json::array();
  answer.lines.push_back(
      fmt::format("{:>8} {:>8} {:>8} {:>8}  {:<7} {}", "mean", "min", "p99", "waited", "worker", "op"));
  for (const OpSamples::Row& row : rows) {
    list.push_back({{"op", row.op},
                    {"name", name_of(desc, row.op)},
                    {"count", row.count},
                    {"min_ns", row.time.min_ps / 1000},
                    {"mean_ns", row.mean_ps / 1000},
                    {"p99_ns", row.time.p99_ps / 1000},
                    {"max_ns", row.time.max_ps / 1000},
                    {"waited_ns", row.waited_ps / 1000},
                    {"workers", row.slots}});
    if (list.size() > kOpsShown) continue;
    answer.lines.push_back(fmt::format("{:>8} {:>8} {:>8} {:>8}  {:<7} {}", format_time(row.mean_ps),
                                       format_time(row.time.min_ps), format_time(row.time.p99_ps),
                                       format_time(row.waited_ps), slots_text(row.slots), name_of(desc, row.op)));
  }
  if (rows.size() > kOpsShown) {
    answer.lines.push_back(fmt::format("and {} more; --json FILE lists them", rows.size() - kOpsShown));
  }
  answer.json["op_statistics"] = std::move(list);
}

void write_traces(const RunRequest& options, const detent_desc& desc, const Measured& measured) {
  if (options.trace_directory.empty()) return;
  reports::ReportData data;
  data.model = options.request.model;
  data.version = kVersion;
  data.seed = options.request.seeds.schedule;
  data.desc = &desc;
  data.timelines.push_back({.title = "longest native run measured",
                            .lanes = {},
                            .trace = measured.longest.trace,
                            .makespan_ps = measured.longest.makespan_ps,
                            .tags = {"digest " + harness::format_digest(measured.longest.digest)},
                            .is_native = true});
  make_output_directory(options.trace_directory);
  write_trace_files(options.trace_directory, data);
}

/// What all runs must agree in.
/// @param keeps_memory  a run may have read what an earlier one has left
void add_digests(const std::set<std::uint64_t>& digests, bool keeps_memory, Answer& answer) {
  Json list = Json::array();
  for (const std::uint64_t digest : digests) {
    list.push_back(harness::format_digest(digest));
    answer.lines.push_back("digest " + harness::format_digest(digest));
  }
  if (digests.size() == 1) answer.json["digest"] = list.front();
  answer.json["digests"] = std::move(list);
  if (digests.size() == 1) return;
  if (keeps_memory) {
    answer.lines.emplace_back(
        "UNKNOWN: the output depends on the schedule, or on what an earlier run has left in memory; leave "
        "--keep-memory "
        "out");
    answer.outcome = verify::Outcome::kUnknown;
    return;
  }
  answer.lines.emplace_back("VIOLATED: the output depends on the schedule; detent verify names the racing ops");
  answer.outcome = verify::Outcome::kViolated;
}

void measure_one(const RunRequest& options, const NativeSetup& setup, Measurement& measurement, Answer& answer) {
  const detent_desc& desc = setup.loaded.desc();
  OpSamples samples(desc);
  measurement.expect(1);
  const Measured measured = measurement.measure(setup.native.engine, &samples);
  if (!measured.runs_ps.empty()) write_traces(options, desc, measured);
  add_digests(measured.digests, options.keep_memory, answer);
  if (options.request.reproducible || measured.runs_ps.empty()) return;
  Json times{{"runs", measured.runs_ps.size()}, {"warmup", options.warmup}};
  times.update(times_json(measured));
  Json runs = Json::array();
  for (const std::uint64_t run_ps : measured.runs_ps) runs.push_back(run_ps / 1000);
  times["runs_ns"] = std::move(runs);
  answer.json["repeat"] = std::move(times);
  const harness::TimeStatistics seen = harness::summarize(measured.runs_ps, 2);
  answer.lines.push_back(fmt::format("{} after {} of warm-up, in this host's time: {} runs per second",
                                     counted(measured.runs_ps.size(), "run"), counted(options.warmup, "run"),
                                     rate_text(measured)));
  answer.lines.push_back(fmt::format("  min {}   median {}   p99 {}   max {}", format_time(seen.min_ps),
                                     format_time(seen.median_ps), format_time(seen.p99_ps), format_time(seen.max_ps)));
  add_ops(desc, samples, answer);
}

/// Serial first, then all numbers of workers, modes and policies that need no file and have workers for all ops.
std::vector<harness::EngineSpec> ways_of(const harness::EngineSpec& given, const detent_desc& desc) {
  harness::EngineSpec serial = given;
  serial.workers = 0;
  serial.mode = DETENT_MODE_SERIAL;
  serial.policy = "id";
  std::vector<harness::EngineSpec> ways{serial};
  for (std::uint32_t workers = 1; workers <= given.workers; ++workers) {
    for (const detent_mode mode : {DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
      for (const char* const policy : {"id", "priority", "critical-path"}) {
        harness::EngineSpec way = given;
        way.workers = workers;
        way.mode = mode;
        way.policy = policy;
        if (harness::has_workers_for(way, desc)) ways.push_back(way);
      }
    }
  }
  return ways;
}

void measure_sweep(const RunRequest& options, const NativeSetup& setup, Measurement& measurement, Answer& answer) {
  const std::vector<harness::EngineSpec> ways = ways_of(setup.native.engine, setup.loaded.desc());
  measurement.expect(ways.size());
  std::set<std::uint64_t> digests;
  Json list = Json::array();
  Lines lines{fmt::format("{:>7}  {:<11} {:<13} {:>8} {:>8} {:>8} {:>7} {:>8}", "workers", "mode", "policy", "min",
                          "median", "p99", "runs/s", "speed-up")};
  std::uint64_t serial_ps = 0;
  for (const harness::EngineSpec& way : ways) {
    if (!list.empty() && stop_requested()) break;
    const Measured measured = measurement.measure(way, nullptr);
    digests.insert(measured.digests.begin(), measured.digests.end());
    if (measured.runs_ps.empty()) break;
    const harness::TimeStatistics seen = harness::summarize(measured.runs_ps, 2);
    if (list.empty()) serial_ps = seen.median_ps;
    const double speed_up =
        static_cast<double>(serial_ps) / static_cast<double>(std::max<std::uint64_t>(seen.median_ps, 1));
    Json row{{"workers", way.workers}, {"mode", harness::mode_name(way.mode)}, {"policy", way.policy}};
    if (!options.request.reproducible) {
      row["runs"] = measured.runs_ps.size();
      row.update(times_json(measured));
      row["speed_up"] = speed_up;
    }
    list.push_back(std::move(row));
    lines.push_back(fmt::format("{:>7}  {:<11} {:<13} {:>8} {:>8} {:>8} {:>7} {:>8.2f}", way.workers,
                                harness::mode_name(way.mode), way.policy, format_time(seen.min_ps),
                                format_time(seen.median_ps), format_time(seen.p99_ps), rate_text(measured), speed_up));
  }
  add_digests(digests, options.keep_memory, answer);
  answer.json["sweep"] = std::move(list);
  if (!options.request.reproducible) append(answer.lines, std::move(lines));
}

}  // namespace

bool is_measured(const RunRequest& options) {
  return options.repeat > 1 || options.sweep || !options.trace_directory.empty();
}

Answer measure_runs(const RunRequest& options, const OnProgress& on_progress) {
  const NativeSetup setup = prepare_native(options);
  check_options(options, setup);
  if (is_refused(setup)) return answer_audit(options, setup);
  Answer answer{.json = answer_head(options, DETENT_OK), .lines = {head_line(options, setup.loaded.desc().op_count)}};
  if (setup.audit) answer.json["access_audit"] = verdicts_json({*setup.audit}).front();
  if (setup.audit) answer.outcome = setup.audit->outcome;
  Measurement measurement(options, setup, on_progress);
  if (options.sweep) {
    measure_sweep(options, setup, measurement, answer);
  } else {
    measure_one(options, setup, measurement, answer);
  }
  if (setup.audit) append(answer.lines, verdict_lines({*setup.audit}));
  return answer;
}

}  // namespace detent::app
