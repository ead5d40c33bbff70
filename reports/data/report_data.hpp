// Report: what a person or a CI reads, as plain values. The cli fills it; html, json, perfetto and sarif print it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <detent/desc.h>

#include "reports/data/bound_budget.hpp"
#include "reports/data/code_coverage.hpp"
#include "reports/data/deadline.hpp"
#include "reports/data/exact_case.hpp"
#include "reports/data/failure_story.hpp"
#include "reports/data/schedule_coverage.hpp"
#include "reports/data/simulated_figures.hpp"
#include "reports/data/time_grounds.hpp"
#include "reports/data/timeline_run.hpp"
#include "verify/timing/bounds.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::reports {

/// One line of the assumptions list.
struct Assumption {
  std::string key;
  std::string text;
};

/// A line of one of SourcePlaces::files.
struct SourcePlace {
  std::uint32_t file = 0;
  std::uint32_t line = 1;
};

/// Where the model and its ops stand in files.
struct SourcePlaces {
  std::vector<std::string> files;  ///< first the file that was read; none: a model without a file
  std::vector<SourcePlace> ops;    ///< by op; may be shorter than the Desc's: line 1 of the first file
};

/// A read that misses its value on some schedule. DETENT_NONE as reader: an output of the model; as writer: the
/// application before the run; as op in the way: none.
struct LostValue {
  std::string value;
  std::uint32_t reader = DETENT_NONE, writer = DETENT_NONE, in_the_way = DETENT_NONE;
  std::uint32_t region = DETENT_NONE;  ///< DETENT_NONE: no bytes are concerned
  std::uint64_t offset_bytes = 0, size_bytes = 0;
  bool always = false;  ///< on every schedule
  std::string text;     ///< one line: who reads what, and what is in the way
};

struct ReportData {
  std::string model;
  std::string platform;
  std::uint64_t seed = 0;
  std::string version;
  const detent_desc* desc = nullptr;  ///< ops, tensors, edges; outlives the report
  std::vector<verify::Verdict> verdicts;
  std::uint32_t native_workers = 0;
  std::string native_digest, serial_digest;
  std::uint64_t native_ps = 0;  ///< host time; printed under "host", left out when reproducible
  std::uint64_t sim_runs = 0, sim_executed_runs = 0;
  std::uint64_t min_ps = 0, median_ps = 0, p99_ps = 0, max_ps = 0, worst_seed = 0;
  std::vector<std::uint64_t> makespans_ps;
  std::vector<Percentile> percentiles{};  ///< of these
  std::optional<LongRunSearch> search{};  ///< none: there was none
  std::vector<verify::Bound> bounds;
  std::optional<BoundBudget> budget{};  ///< of the lowest upper bound; none: no upper bound is known
  Sensitivity sensitivity{};            ///< which op times move it
  std::optional<ExactCase> exact{};     ///< or why there is none; none: nothing was simulated
  TimeGrounds op_times;                 ///< what bounds and simulation take the ops' times from
  std::optional<Deadline> deadline{};   ///< none is demanded
  std::string outcomes{};               ///< of all runs, "c3=then,d=else"; empty: no op has guards
  std::string guarded_bounds{};  ///< of which outcomes the bounds are; empty: no op has guards, or there are none
  std::vector<std::pair<std::string, double>> utilisation;  ///< core name, 0..1 in the longest run
  std::vector<TimelineRun> timelines;                       ///< longest first, then typical, then native
  std::vector<FailureStory> failures;                       ///< schedules under which a law is broken
  std::vector<LostValue> lost_values{};                     ///< the first of value_flow, for the memory map
  ScheduleCoverage schedules;                               ///< what was run of the schedules that matter
  std::optional<CodeCoverage> code{};                       ///< of the model's own C; none: not asked for
  std::vector<Assumption> assumptions;
  std::string replay;  ///< the line that repeats the longest simulated run; empty: none
  std::uint64_t arena_bytes = 0;
  std::uint64_t dram_bytes_per_s = 0;  ///< that the platform's DRAM serves when saturated; 0: not known
  bool reproducible = false;
  SourcePlaces places{};
  std::optional<std::set<std::string>> known{};  ///< fingerprints of the findings of a baseline; none: there is none
};

/// Most events that one trace file holds; what is left out is said in the file.
inline constexpr std::size_t kMaxTraceEvents = 2'000'000;

/// report.json, schema detent.check/1. Stable key order, ends with a newline.
std::string report_json(const ReportData& data);
/// report.html: one self-contained file, no network, no dates or host names.
std::string report_html(const ReportData& data);
/// trace.pftrace: Perfetto TrackEvent protobuf of all timelines.
std::string perfetto_trace(const ReportData& data, std::size_t max_events = kMaxTraceEvents);
/// trace.btf: Best Trace Format 2.2.1 of the first timeline.
/// @see reports/trace/btf.hpp
std::string btf_trace(const ReportData& data, std::size_t max_events = kMaxTraceEvents);
/// findings.sarif: SARIF 2.1.0. @see reports/ci/findings.hpp
std::string sarif_findings(const ReportData& data);

}  // namespace detent::reports
