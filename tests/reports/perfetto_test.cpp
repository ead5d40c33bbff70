#include <gtest/gtest.h>

#include <map>
#include <set>

#include "reports/report_data.hpp"
#include "tests/reports/sample.hpp"

namespace detent::reports {
namespace {

/// One field of a message as the wire has it; shares nothing with the writer under test.
struct Field {
  std::uint64_t number = 0;
  std::uint64_t value = 0;  // varint and fixed64
  std::string bytes;        // length-delimited
};

class Decoder {
 public:
  explicit Decoder(std::string bytes) : bytes_(std::move(bytes)) {}

  std::vector<Field> fields() {
    std::vector<Field> out;
    while (at_ < bytes_.size()) out.push_back(field());
    return out;
  }

 private:
  Field field() {
    const std::uint64_t tag = varint();
    Field out{tag >> 3U, 0, ""};
    switch (tag & 7U) {
      case 0:
        out.value = varint();
        break;
      case 1:
        for (unsigned shift = 0; shift < 64; shift += 8) out.value |= std::uint64_t{next()} << shift;
        break;
      case 2: {
        const std::uint64_t length = varint();
        if (length > bytes_.size() - at_) throw std::runtime_error("length past the end");
        out.bytes = bytes_.substr(at_, length);
        at_ += length;
        break;
      }
      default:
        throw std::runtime_error("wire type");
    }
    return out;
  }
  std::uint8_t next() {
    if (at_ >= bytes_.size()) throw std::runtime_error("cut short");
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      const std::uint8_t byte = next();
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if ((byte & 0x80U) == 0) return value;
    }
    throw std::runtime_error("varint");
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

std::uint64_t value_of(const std::string& message, std::uint64_t number) {
  for (const Field& field : Decoder(message).fields()) {
    if (field.number == number) return field.value;
  }
  return 0;
}

std::string bytes_of(const std::string& message, std::uint64_t number) {
  for (const Field& field : Decoder(message).fields()) {
    if (field.number == number) return field.bytes;
  }
  return "";
}

struct TrackEvent {
  std::uint64_t time_ns = 0, type = 0, track = 0, counter = 0;
  std::string name;
  std::vector<std::uint64_t> flows;
  std::map<std::string, std::string> notes;  // debug annotations, numbers as text
};

struct Track {
  std::string name;
  std::uint64_t parent = 0, pid = 0, tid = 0;
  bool is_process = false, is_thread = false, is_counter = false;
};

struct Decoded {
  std::map<std::uint64_t, Track> tracks;
  std::vector<TrackEvent> events;
};

TrackEvent decode_event(const std::string& message, std::uint64_t time_ns) {
  TrackEvent out;
  out.time_ns = time_ns;
  for (const Field& field : Decoder(message).fields()) {
    if (field.number == 9) out.type = field.value;
    if (field.number == 11) out.track = field.value;
    if (field.number == 23) out.name = field.bytes;
    if (field.number == 30) out.counter = field.value;
    if (field.number == 47) out.flows.push_back(field.value);
    if (field.number != 4) continue;
    const std::string text = bytes_of(field.bytes, 6);
    out.notes[bytes_of(field.bytes, 10)] = text.empty() ? std::to_string(value_of(field.bytes, 3)) : text;
  }
  return out;
}

void decode_track(const std::string& message, Decoded& out) {
  Track track;
  for (const Field& field : Decoder(message).fields()) {
    if (field.number == 2) track.name = field.bytes;
    if (field.number == 5) track.parent = field.value;
    if (field.number == 8) track.is_counter = true;
    if (field.number == 3) {
      track.is_process = true;
      track.name = bytes_of(field.bytes, 6);
      track.pid = value_of(field.bytes, 1);
    }
    if (field.number == 4) {
      track.is_thread = true;
      track.name = bytes_of(field.bytes, 5);
      track.pid = value_of(field.bytes, 1);
      track.tid = value_of(field.bytes, 2);
    }
  }
  EXPECT_TRUE(out.tracks.emplace(value_of(message, 1), track).second) << "uuid twice";
}

Decoded decode(const std::string& trace) {
  Decoded out;
  for (const Field& packet : Decoder(trace).fields()) {
    EXPECT_EQ(packet.number, 1U);
    EXPECT_EQ(value_of(packet.bytes, 10), 1U) << "one sequence";
    const std::string descriptor = bytes_of(packet.bytes, 60);
    const std::string event = bytes_of(packet.bytes, 11);
    if (!descriptor.empty()) decode_track(descriptor, out);
    if (!event.empty()) out.events.push_back(decode_event(event, value_of(packet.bytes, 8)));
  }
  return out;
}

TEST(Perfetto, EverySliceIsOnADeclaredThreadOfADeclaredProcess) {
  const Decoded trace = decode(perfetto_trace(samples::detector().data));
  std::set<std::uint64_t> tids;
  std::set<std::string> names;
  for (const auto& [uuid, track] : trace.tracks) {
    if (!track.is_thread) continue;
    EXPECT_TRUE(trace.tracks.at(track.parent).is_process);
    EXPECT_EQ(trace.tracks.at(track.parent).pid, track.pid);
    EXPECT_TRUE(tids.insert(track.tid).second) << "Perfetto merges threads of one tid";
    names.insert(track.name);
  }
  EXPECT_EQ(names, (std::set<std::string>{"cpu0", "cpu1", "cpu2", "cpu3", "npu0"}));
  for (const TrackEvent& event : trace.events) ASSERT_TRUE(trace.tracks.count(event.track));
}

TEST(Perfetto, SlicesNestBalanceAndNeverGoBackInTime) {
  const samples::Sample sample = samples::detector();
  const Decoded trace = decode(perfetto_trace(sample.data));
  std::map<std::uint64_t, int> open;
  std::uint64_t last_ns = 0;
  std::size_t slices = 0;
  for (const TrackEvent& event : trace.events) {
    EXPECT_GE(event.time_ns, last_ns);
    last_ns = event.time_ns;
    if (event.type == 1) {
      EXPECT_EQ(++open[event.track], 1) << "ops never nest on one core";
      ++slices;
    }
    if (event.type == 2) {
      EXPECT_EQ(--open[event.track], 0);
    }
  }
  for (const auto& [track, depth] : open) EXPECT_EQ(depth, 0);
  EXPECT_EQ(slices, sample.data.timelines[0].trace.spans.size() * 2);
}

TEST(Perfetto, SlicesCarryOpKernelAndExactPicoseconds) {
  const samples::Sample sample = samples::detector();
  const harness::Span& span = sample.data.timelines[0].trace.spans[0];
  for (const TrackEvent& event : decode(perfetto_trace(sample.data)).events) {
    if (event.type != 1) continue;
    EXPECT_EQ(event.name, "stem.conv0");
    EXPECT_EQ(event.notes.at("op"), std::to_string(span.op));
    EXPECT_EQ(event.notes.at("kernel"), "conv3x3");
    EXPECT_EQ(event.notes.at("begin_ps"), std::to_string(span.begin_ps));
    EXPECT_EQ(event.notes.at("duration_ps"), std::to_string(span.end_ps - span.begin_ps));
    break;
  }
}

TEST(Perfetto, EveryEdgeIsOneFlowFromItsProducerToItsConsumer) {
  const samples::Sample sample = samples::detector();
  std::map<std::uint64_t, std::vector<std::uint32_t>> ops_of_flow;
  for (const TrackEvent& event : decode(perfetto_trace(sample.data)).events) {
    for (const std::uint64_t flow : event.flows) {
      ops_of_flow[flow].push_back(static_cast<std::uint32_t>(std::stoul(event.notes.at("op"))));
    }
  }
  EXPECT_EQ(ops_of_flow.size(), std::size_t{sample.data.desc->successor_count} * 2) << "two runs";
  for (const auto& [flow, ops] : ops_of_flow) {
    ASSERT_EQ(ops.size(), 2U);
    const auto& targets = sample.tables->successors[ops[0]];
    EXPECT_TRUE(std::count(targets.begin(), targets.end(), ops[1]));
  }
}

TEST(Perfetto, TheReadyQueueIsACounterTrackWhereEventsTellOfIt) {
  samples::Sample sample = samples::detector();
  const Decoded trace = decode(perfetto_trace(sample.data));
  std::size_t counters = 0;
  for (const auto& [uuid, track] : trace.tracks) counters += track.is_counter ? 1U : 0U;
  EXPECT_EQ(counters, 2U);
  std::uint64_t highest = 0;
  for (const TrackEvent& event : trace.events) {
    if (event.type == 4) highest = std::max(highest, event.counter);
  }
  EXPECT_GT(highest, 1U);
  EXPECT_LT(highest, 107U);
  for (TimelineRun& run : sample.data.timelines) run.trace.events.clear();
  for (const auto& [uuid, track] : decode(perfetto_trace(sample.data)).tracks) EXPECT_FALSE(track.is_counter);
}

TEST(Perfetto, OverlappingSpansOfOneSlotTakeFurtherLanes) {
  ReportData data;
  TimelineRun run;
  run.title = "async";
  run.lanes = {"npu0"};
  run.trace.spans = {{0, 0, 0, 5000, 0}, {1, 0, 1000, 3000, 1}, {2, 0, 5000, 6000, 2}};
  data.timelines = {run};
  const Decoded trace = decode(perfetto_trace(data));
  std::set<std::string> names;
  for (const auto& [uuid, track] : trace.tracks) names.insert(track.name);
  EXPECT_EQ(names, (std::set<std::string>{"async", "npu0", "npu0 (2)"}));
}

TEST(Perfetto, OpsShorterThanANanosecondKeepTheirOrder) {
  ReportData data;
  TimelineRun run;
  run.lanes = {"cpu0"};
  run.trace.spans = {{0, 0, 0, 300, 0}, {1, 0, 300, 600, 1}, {2, 0, 600, 600, 2}};
  data.timelines = {run};
  std::vector<std::uint64_t> types;
  for (const TrackEvent& event : decode(perfetto_trace(data)).events) types.push_back(event.type);
  EXPECT_EQ(types, (std::vector<std::uint64_t>{1, 2, 1, 2, 1, 2}));
}

TEST(Perfetto, B14_HostileNamesStayOneField) {
  std::set<std::string> names;
  for (const TrackEvent& event : decode(perfetto_trace(samples::hostile_names().data)).events) names.insert(event.name);
  EXPECT_TRUE(names.count("</script><script>document.title='owned'</script>"));
  for (const std::string& name : names) EXPECT_LT(name.size(), 300U);
}

TEST(Perfetto, EqualInputsGiveEqualBytes) {
  EXPECT_EQ(perfetto_trace(samples::detector().data), perfetto_trace(samples::detector().data));
}

}  // namespace
}  // namespace detent::reports
