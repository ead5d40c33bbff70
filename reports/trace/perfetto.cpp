// trace.pftrace: timelines -> Perfetto TrackEvent protobuf. One process a run: a thread a worker, with flows between
// ops; a track each core, NPU and DMA channel; a counter track each quantity.
#include <algorithm>

#include "reports/data/report_data.hpp"
#include "reports/text/text.hpp"
#include "reports/trace/perfetto_packets.hpp"
#include "reports/view/desc_view.hpp"
#include "reports/view/lanes.hpp"
#include "reports/view/machine_view.hpp"

namespace detent::reports {
namespace {

constexpr std::size_t kMaxDetailedEvents = 200'000;  ///< beyond: one run, without edges and exact times

/// One event to be written; what it says is looked up when it is, so that a million of them stay small.
struct TraceItem {
  enum class Kind : std::uint8_t { kSpanBegin, kUseBegin, kEnd, kValue } kind = Kind::kEnd;
  std::uint64_t time_ps = 0;
  std::uint64_t track = 0;
  std::uint64_t index = 0;  ///< of the span, use or value
};

/// What of every slice there is room for.
struct TraceDetail {
  std::size_t max_events = 0;
  bool flows = true;  ///< arrows along edges, and exact picoseconds
};

/// Flow ids of one run: one per edge both of whose ops are shown.
struct Flows {
  std::vector<std::vector<std::uint64_t>> of_op;
};

/// One run: its tracks and its events in time order.
class RunTrace {
 public:
  /// @param uuid  of its process; its tracks have the numbers behind it
  RunTrace(const detent_desc* desc, const TimelineRun& run, std::uint64_t number, std::uint64_t uuid,
           const TraceDetail& detail)
      : desc_(desc), run_(run), number_(number), uuid_(uuid), next_uuid_(uuid), detail_(detail) {
    machine_ = machine_of(desc, run);
    // Without a chip the workers' tracks say all that is known.
    if (run.machine.resources.empty()) machine_.resources.clear();
    if (run.machine.resources.empty()) machine_.uses.clear();
  }

  /// Descriptors of all tracks; collects the events.
  void describe(PerfettoPackets& out) {
    out.process(next_uuid_++, number_, run_.title);
    // Of a large run the cores say what the workers on them did.
    if (detail_.flows || machine_.resources.empty()) describe_workers(out);
    describe_parts(out);
    if (detail_.flows) describe_counters(out);
    sort_items();
    cut_items();
    if (detail_.flows) find_flows();
  }

  [[nodiscard]] std::uint64_t next_uuid() const { return next_uuid_; }
  [[nodiscard]] const std::vector<TraceItem>& items() const { return items_; }

  void write(const TraceItem& item, PerfettoPackets& out) const {
    switch (item.kind) {
      case TraceItem::Kind::kSpanBegin:
        write_span(item, out);
        break;
      case TraceItem::Kind::kUseBegin:
        write_use(item, out);
        break;
      case TraceItem::Kind::kEnd:
        out.end(item.time_ps, item.track);
        break;
      case TraceItem::Kind::kValue:
        out.value(item.time_ps, item.track, item.index);
        break;
    }
  }

  /// Said on the process's own track, where the events end.
  void write_cut(PerfettoPackets& out) const {
    if (!detail_.flows) {
      out.instant(0, uuid_,
                  "large: edges, counters, exact picoseconds and what repeats the tracks of cores are left out");
    }
    if (left_out_ > 0) out.instant(0, uuid_, "truncated: " + std::to_string(left_out_) + " later events left out");
  }

 private:
  void describe_workers(PerfettoPackets& out) {
    lanes_ = lanes_of(run_);
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      const std::uint64_t uuid = next_uuid_++;
      // Beside the tracks of cores, a lane is the worker on that core, and not the core.
      const std::string name = machine_.resources.empty() ? lanes_[i].name : "worker on " + lanes_[i].name;
      out.thread(uuid, uuid_, number_, number_ * 10000 + i + 1, name);
      for (const harness::Span& span : lanes_[i].spans) {
        items_.push_back({TraceItem::Kind::kSpanBegin, span.begin_ps, uuid, spans_.size()});
        items_.push_back({TraceItem::Kind::kEnd, span.end_ps, uuid, 0});
        spans_.push_back(&span);
      }
    }
  }

  void describe_parts(PerfettoPackets& out) {
    std::vector<std::uint64_t> uuids;
    for (std::size_t i = 0; i < machine_.resources.size(); ++i) {
      uuids.push_back(next_uuid_++);
      out.track(uuids.back(), uuid_, machine_.resources[i].name, i + 1);
    }
    for (std::size_t i = 0; i < machine_.uses.size(); ++i) {
      const harness::Use& use = machine_.uses[i];
      items_.push_back({TraceItem::Kind::kUseBegin, use.begin_ps, uuids[use.resource], i});
      items_.push_back({TraceItem::Kind::kEnd, use.end_ps, uuids[use.resource], 0});
    }
  }

  void describe_counters(PerfettoPackets& out) {
    std::vector<std::uint64_t> uuids;
    for (const harness::Counter& counter : machine_.counters) {
      uuids.push_back(next_uuid_++);
      const bool is_rate = counter.name.starts_with("dram");
      out.counter(uuids.back(), uuid_, is_rate ? counter.name + " bandwidth" : counter.name, counter.unit);
    }
    for (const harness::Sample& sample : machine_.samples) {
      items_.push_back({TraceItem::Kind::kValue, sample.time_ps, uuids[sample.counter], sample.value});
    }
  }

  /// Stable: the end of a slice stays before the begin of the next one on its track, and after its own begin.
  void sort_items() {
    std::stable_sort(items_.begin(), items_.end(),
                     [](const TraceItem& a, const TraceItem& b) { return a.time_ps < b.time_ps; });
  }

  /// Only whole slices stay: of those that begin late, begin and end go.
  void cut_items() {
    if (items_.size() <= detail_.max_events) return;
    std::vector<TraceItem> kept;
    std::vector<bool> is_open(next_uuid_ - uuid_, false);
    std::size_t room = detail_.max_events;
    for (const TraceItem& item : items_) {
      const bool is_begin = item.kind == TraceItem::Kind::kSpanBegin || item.kind == TraceItem::Kind::kUseBegin;
      const std::size_t need = is_begin ? 2 : 1;  // its end has a place
      const auto track = item.track - uuid_;
      if (item.kind == TraceItem::Kind::kEnd) {
        if (is_open[track]) kept.push_back(item);
        is_open[track] = false;
      } else if (room >= need) {
        room -= need;
        kept.push_back(item);
        if (is_begin) is_open[track] = true;
      } else {
        room = 0;
      }
    }
    left_out_ = items_.size() - kept.size();
    items_ = std::move(kept);
  }

  void find_flows() {
    flows_.of_op.resize(op_count(desc_));
    std::vector<bool> is_shown(flows_.of_op.size(), false);
    for (const TraceItem& item : items_) {
      if (item.kind != TraceItem::Kind::kSpanBegin) continue;
      if (spans_[item.index]->op < is_shown.size()) is_shown[spans_[item.index]->op] = true;
    }
    std::uint64_t edge = 0;
    for (std::uint32_t from = 0; from < flows_.of_op.size(); ++from) {
      for (const std::uint32_t to : successors_of(desc_, from)) {
        const std::uint64_t id = (number_ << 40U) + ++edge;
        if (!is_shown[from] || !is_shown[to]) continue;
        flows_.of_op[from].push_back(id);
        flows_.of_op[to].push_back(id);
      }
    }
  }

  // Perfetto counts nanoseconds; the exact picoseconds stay readable.
  [[nodiscard]] std::vector<PerfettoPackets::Note> exact_times(std::uint64_t begin_ps, std::uint64_t end_ps) const {
    if (!detail_.flows) return {};
    return {{"begin_ps", begin_ps}, {"duration_ps", end_ps - begin_ps}};
  }

  void write_span(const TraceItem& item, PerfettoPackets& out) const {
    const harness::Span& span = *spans_[item.index];
    std::vector<PerfettoPackets::Note> notes = exact_times(span.begin_ps, span.end_ps);
    notes.insert(notes.begin(), {{"op", span.op}, {"kernel", 0, kernel_name(desc_, span.op)}});
    static const std::vector<std::uint64_t> kNoFlows;
    out.begin(item.time_ps, item.track, "op", op_name(desc_, span.op), notes,
              span.op < flows_.of_op.size() ? flows_.of_op[span.op] : kNoFlows);
  }

  void write_use(const TraceItem& item, PerfettoPackets& out) const {
    const harness::Use& use = machine_.uses[item.index];
    // Of an op the worker's slice has the exact times.
    const bool is_op = use.kind == harness::UseKind::kOp;
    // Of a large run, overhead stands beside the op that it is for.
    const bool is_told_beside = use.kind == harness::UseKind::kOverhead && !detail_.flows;
    std::vector<PerfettoPackets::Note> notes;
    if (!is_op) notes = exact_times(use.begin_ps, use.end_ps);
    if (use.op != DETENT_NONE && !is_told_beside) notes.insert(notes.begin(), {"op", use.op});
    switch (use.kind) {
      case harness::UseKind::kOp:
        out.begin(item.time_ps, item.track, "core", op_name(desc_, use.op), notes, {},
                  detail_.flows ? PerfettoPackets::NameUse::kOften : PerfettoPackets::NameUse::kOnce);
        break;
      case harness::UseKind::kOverhead:
        out.begin(item.time_ps, item.track, "overhead", "runtime overhead", notes, {});
        break;
      case harness::UseKind::kLoad:
        out.begin(item.time_ps, item.track, "load", load_name(use), notes, {});
        break;
      case harness::UseKind::kTransfer:
        out.begin(item.time_ps, item.track, "transfer", "transfer of " + op_name(desc_, use.op), notes, {});
        break;
    }
  }

  [[nodiscard]] std::string load_name(const harness::Use& use) const {
    return use.load < machine_.loads.size() ? "load " + machine_.loads[use.load] : "load";
  }

  const detent_desc* desc_;
  const TimelineRun& run_;
  harness::MachineTrace machine_;
  std::uint64_t number_, uuid_, next_uuid_;
  TraceDetail detail_;
  std::vector<Lane> lanes_;
  std::vector<const harness::Span*> spans_;
  std::vector<TraceItem> items_;
  Flows flows_;
  std::size_t left_out_ = 0;
};

}  // namespace

std::string perfetto_trace(const ReportData& data, std::size_t max_events) {
  PerfettoPackets out;
  std::vector<RunTrace> runs;
  runs.reserve(data.timelines.size());
  std::size_t wanted = 0;
  for (const TimelineRun& run : data.timelines) wanted += 2 * (run.trace.spans.size() + run.machine.uses.size());
  const bool is_large = wanted > kMaxDetailedEvents;
  // Of a large model one run is drawn: the second one tells little that the first does not.
  const std::size_t drawn = is_large ? std::min<std::size_t>(1, data.timelines.size()) : data.timelines.size();
  std::uint64_t next_uuid = 1;
  for (std::size_t i = 0; i < drawn; ++i) {
    runs.emplace_back(data.desc, data.timelines[i], i + 1, next_uuid,
                      TraceDetail{.max_events = max_events / drawn, .flows = !is_large});
    runs.back().describe(out);
    next_uuid = runs.back().next_uuid();
  }
  for (const RunTrace& run : runs) run.write_cut(out);
  if (drawn < data.timelines.size()) {
    out.instant(0, 1, "large: " + count_of(data.timelines.size() - drawn, "further run") + " left out");
  }
  // Merge by time: a reader wants no time of the one sequence to be below the one before.
  std::vector<std::size_t> at(runs.size(), 0);
  while (true) {
    std::size_t first = runs.size();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (at[i] == runs[i].items().size()) continue;
      if (first == runs.size() || runs[i].items()[at[i]].time_ps < runs[first].items()[at[first]].time_ps) first = i;
    }
    if (first == runs.size()) return out.bytes();
    runs[first].write(runs[first].items()[at[first]++], out);
  }
}

}  // namespace detent::reports
