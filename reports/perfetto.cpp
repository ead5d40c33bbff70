// trace.pftrace: timelines -> Perfetto TrackEvent protobuf, one process a run, one thread a lane.
#include <algorithm>

#include "reports/desc_view.hpp"
#include "reports/lanes.hpp"
#include "reports/protobuf_writer.hpp"
#include "reports/report_data.hpp"
#include "reports/text.hpp"

namespace detent::reports {
namespace {

// Field numbers of perfetto/protos/perfetto/trace, by message.
namespace trace {
constexpr std::uint32_t kPacket = 1;
}
namespace packet {
constexpr std::uint32_t kTimestamp = 8, kSequenceId = 10, kTrackEvent = 11, kTrackDescriptor = 60;
}
namespace track {
constexpr std::uint32_t kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParentUuid = 5, kCounter = 8;
}
namespace process {
constexpr std::uint32_t kPid = 1, kName = 6;
}
namespace thread {
constexpr std::uint32_t kPid = 1, kTid = 2, kName = 5;
}
namespace event {
constexpr std::uint32_t kDebugAnnotation = 4, kType = 9, kTrackUuid = 11, kCategory = 22, kName = 23;
constexpr std::uint32_t kCounterValue = 30, kFlowId = 47;
constexpr std::uint64_t kBegin = 1, kEnd = 2, kCounter = 4;
}  // namespace event
namespace annotation {
constexpr std::uint32_t kUint = 3, kString = 6, kName = 10;
}

constexpr std::uint64_t kSequence = 1;
constexpr std::uint64_t kPsPerNs = 1000;

struct TimedPacket {
  std::uint64_t time_ps = 0;
  ProtobufWriter event;
};

/// Flow ids of one run: one per edge both of whose ops ran.
struct Flows {
  std::vector<std::vector<std::uint64_t>> of_op;
};

Flows flows_of(const detent_desc* desc, const TimelineRun& run, std::uint64_t run_number) {
  Flows flows;
  flows.of_op.resize(op_count(desc));
  std::vector<bool> ran(flows.of_op.size(), false);
  for (const harness::Span& span : run.trace.spans) {
    if (span.op < ran.size()) ran[span.op] = true;
  }
  std::uint64_t edge = 0;
  for (std::uint32_t from = 0; from < flows.of_op.size(); ++from) {
    for (const std::uint32_t to : successors_of(desc, from)) {
      const std::uint64_t id = (run_number << 40U) + ++edge;
      if (!ran[from] || !ran[to]) continue;
      flows.of_op[from].push_back(id);
      flows.of_op[to].push_back(id);
    }
  }
  return flows;
}

void annotate(ProtobufWriter& out, std::string_view name, std::uint64_t value) {
  ProtobufWriter entry;
  entry.varint(annotation::kUint, value);
  entry.string(annotation::kName, name);
  out.message(event::kDebugAnnotation, entry);
}

void annotate(ProtobufWriter& out, std::string_view name, const std::string& value) {
  ProtobufWriter entry;
  entry.string(annotation::kString, value);
  entry.string(annotation::kName, name);
  out.message(event::kDebugAnnotation, entry);
}

ProtobufWriter begin_event(const detent_desc* desc, const Flows& flows, const harness::Span& span,
                           std::uint64_t track_uuid) {
  ProtobufWriter out;
  out.varint(event::kType, event::kBegin);
  out.varint(event::kTrackUuid, track_uuid);
  out.string(event::kCategory, "op");
  out.string(event::kName, short_name(op_name(desc, span.op)));
  annotate(out, "op", span.op);
  annotate(out, "kernel", short_name(kernel_name(desc, span.op)));
  // Perfetto counts nanoseconds; the exact picoseconds stay readable.
  annotate(out, "begin_ps", span.begin_ps);
  annotate(out, "duration_ps", span.end_ps - span.begin_ps);
  if (span.op < flows.of_op.size()) {
    for (const std::uint64_t id : flows.of_op[span.op]) out.fixed64(event::kFlowId, id);
  }
  return out;
}

ProtobufWriter end_event(std::uint64_t track_uuid) {
  ProtobufWriter out;
  out.varint(event::kType, event::kEnd);
  out.varint(event::kTrackUuid, track_uuid);
  return out;
}

/// Packets of one trace file. Descriptors come first; events are merged over all runs by time.
class TraceBuilder {
 public:
  explicit TraceBuilder(const detent_desc* desc) : desc_(desc) {}

  void add_run(const TimelineRun& run) {
    ++run_count_;
    const std::uint64_t process_uuid = run_count_ << 32U;
    describe_process(run, process_uuid);
    const Flows flows = flows_of(desc_, run, run_count_);
    const std::vector<Lane> lanes = lanes_of(run);
    for (std::uint64_t i = 0; i < lanes.size(); ++i) {
      const std::uint64_t uuid = process_uuid + i + 1;
      describe_thread(lanes[i], process_uuid, i, uuid);
      for (const harness::Span& span : lanes[i].spans) {
        events_.push_back({span.begin_ps, begin_event(desc_, flows, span, uuid)});
        events_.push_back({span.end_ps, end_event(uuid)});
      }
    }
    add_ready_counter(run, process_uuid);
  }

  std::string finish() {
    // Stable: the end of a slice stays before the begin of the next one on its lane, and after its own begin.
    std::stable_sort(events_.begin(), events_.end(),
                     [](const TimedPacket& a, const TimedPacket& b) { return a.time_ps < b.time_ps; });
    for (const TimedPacket& timed : events_) {
      ProtobufWriter out;
      out.varint(packet::kTimestamp, timed.time_ps / kPsPerNs);
      out.varint(packet::kSequenceId, kSequence);
      out.message(packet::kTrackEvent, timed.event);
      file_.message(trace::kPacket, out);
    }
    return file_.bytes();
  }

 private:
  void put_descriptor(const ProtobufWriter& descriptor) {
    ProtobufWriter out;
    out.varint(packet::kSequenceId, kSequence);
    out.message(packet::kTrackDescriptor, descriptor);
    file_.message(trace::kPacket, out);
  }

  void describe_process(const TimelineRun& run, std::uint64_t uuid) {
    ProtobufWriter inner;
    inner.varint(process::kPid, run_count_);
    inner.string(process::kName, short_name(run.title));
    ProtobufWriter out;
    out.varint(track::kUuid, uuid);
    out.message(track::kProcess, inner);
    put_descriptor(out);
  }

  /// Perfetto keys threads by tid over all processes, so tids must differ between runs.
  void describe_thread(const Lane& lane, std::uint64_t process_uuid, std::uint64_t index, std::uint64_t uuid) {
    ProtobufWriter inner;
    inner.varint(thread::kPid, run_count_);
    inner.varint(thread::kTid, run_count_ * 10000 + index + 1);
    inner.string(thread::kName, short_name(lane.name));
    ProtobufWriter out;
    out.varint(track::kUuid, uuid);
    out.varint(track::kParentUuid, process_uuid);
    out.message(track::kThread, inner);
    put_descriptor(out);
  }

  void describe_counter(std::uint64_t process_uuid, std::uint64_t uuid) {
    ProtobufWriter out;
    out.varint(track::kUuid, uuid);
    out.varint(track::kParentUuid, process_uuid);
    out.string(track::kName, "ready ops");
    out.message(track::kCounter, ProtobufWriter());
    put_descriptor(out);
  }

  /// The log tells the queue's length after each push; every op that begins has left it.
  void add_ready_counter(const TimelineRun& run, std::uint64_t process_uuid) {
    struct Step {
      std::uint64_t time_ps;
      bool is_push;
      std::int64_t length;
    };
    std::vector<Step> steps;
    for (const harness::Event& e : run.trace.events) {
      if (e.kind == DETENT_EVENT_READY) steps.push_back({e.time_ps, true, e.value});
    }
    if (steps.empty()) return;
    for (const harness::Span& span : run.trace.spans) steps.push_back({span.begin_ps, false, 0});
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.time_ps < b.time_ps; });
    const std::uint64_t uuid = process_uuid + 0xFFFFFFFFU;
    describe_counter(process_uuid, uuid);
    std::int64_t length = 0;
    for (const Step& step : steps) {
      length = step.is_push ? std::max<std::int64_t>(0, step.length) : std::max<std::int64_t>(0, length - 1);
      ProtobufWriter out;
      out.varint(event::kType, event::kCounter);
      out.varint(event::kTrackUuid, uuid);
      out.varint(event::kCounterValue, static_cast<std::uint64_t>(length));
      events_.push_back({step.time_ps, out});
    }
  }

  const detent_desc* desc_;
  std::uint64_t run_count_ = 0;
  ProtobufWriter file_;
  std::vector<TimedPacket> events_;
};

}  // namespace

std::string perfetto_trace(const ReportData& data) {
  TraceBuilder builder(data.desc);
  for (const TimelineRun& run : data.timelines) builder.add_run(run);
  return builder.finish();
}

}  // namespace detent::reports
