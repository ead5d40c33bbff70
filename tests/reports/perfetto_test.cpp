#include <gtest/gtest.h>

#include <map>
#include <set>

#include "reports/report_data.hpp"
#include "tests/effort.hpp"
#include "tests/reports/machine_sample.hpp"
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
  std::string name, category;
  std::vector<std::uint64_t> flows;
  std::map<std::string, std::string> notes;  // debug annotations, numbers as text
};

struct Track {
  std::string name;
  std::uint64_t parent = 0, pid = 0, tid = 0;
  bool is_process = false, is_thread = false, is_counter = false;
  std::string unit;  // of counters: a name, or the number of the schema's unit
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
    if (field.number == 22) out.category = field.bytes;
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
    if (field.number == 8) {
      track.is_counter = true;
      const std::string unit_name = bytes_of(field.bytes, 6);
      track.unit = unit_name.empty() ? std::to_string(value_of(field.bytes, 3)) : unit_name;
    }
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
    if (event.empty()) continue;
    out.events.push_back(decode_event(event, value_of(packet.bytes, 8)));
    EXPECT_TRUE(out.tracks.count(out.events.back().track)) << "an event before the descriptor of its track";
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

/// What a reader relies on: times of the sequence never decrease, slices balance on tracks that are no counters, each
/// counter event is on a counter track, tracks have parents, flows join two slices on threads in the order of time.
std::string fault_of(const Decoded& trace) {
  std::map<std::uint64_t, std::uint64_t> open;
  std::map<std::uint64_t, int> ends_of_flow;
  std::uint64_t last_ns = 0;
  for (const TrackEvent& event : trace.events) {
    if (event.time_ns < last_ns) return "time decreases";
    last_ns = event.time_ns;
    const auto track = trace.tracks.find(event.track);
    if (track == trace.tracks.end()) return "unknown track";
    if ((event.type == 4) != track->second.is_counter) return "counter value on a slice track, or the reverse";
    if (event.type == 1) ++open[event.track];
    if (event.type == 2 && open[event.track]-- == 0) return "end without begin";
    if (!event.flows.empty() && !track->second.is_thread) return "flow on a track that is no worker";
    for (const std::uint64_t flow : event.flows) ++ends_of_flow[flow];
  }
  for (const auto& [track, depth] : open) {
    if (depth != 0) return "begin without end";
  }
  for (const auto& [flow, ends] : ends_of_flow) {
    if (ends != 2) return "flow with " + std::to_string(ends) + " ends";
  }
  for (const auto& [uuid, track] : trace.tracks) {
    if (!track.is_process && trace.tracks.count(track.parent) == 0) return "track without its parent";
  }
  return "";
}

TEST(PerfettoMachine, PartsCountersAndWorkersHaveTracksOfTheirOwn) {
  const samples::Sample sample = samples::chip();
  const Decoded trace = decode(perfetto_trace(sample.data));
  EXPECT_EQ(fault_of(trace), "");
  std::set<std::string> workers, parts, counters;
  for (const auto& [uuid, track] : trace.tracks) {
    if (track.is_thread)
      workers.insert(track.name);
    else if (track.is_counter)
      counters.insert(track.name + " in " + track.unit);
    else if (!track.is_process)
      parts.insert(track.name);
  }
  EXPECT_EQ(workers, (std::set<std::string>{"worker on cpu0", "worker on cpu1", "worker on cpu2", "worker on cpu3",
                                            "worker on npu0"}));
  EXPECT_EQ(parts, (std::set<std::string>{"cpu0", "cpu1", "cpu2", "cpu3", "npu0", "npu0.dma", "dram"}));
  EXPECT_EQ(counters,
            (std::set<std::string>{"dram bandwidth in B/s", "dram cpu0 bandwidth in B/s", "dram cpu1 bandwidth in B/s",
                                   "dram cpu2 bandwidth in B/s", "dram cpu3 bandwidth in B/s",
                                   "dram npu0 bandwidth in B/s", "ready ops in 2", "npu0 queue in 2"}));
}

TEST(PerfettoMachine, EveryUseIsASliceOfItsKind) {
  const samples::Sample sample = samples::chip();
  std::map<std::string, std::size_t> slices, uses;
  for (const TrackEvent& event : decode(perfetto_trace(sample.data)).events) {
    if (event.type == 1) ++slices[event.category];
  }
  for (const TimelineRun& run : sample.data.timelines) {
    uses["op"] += run.trace.spans.size();
    for (const harness::Use& use : run.machine.uses) {
      static const char* const kKinds[] = {"core", "overhead", "load", "transfer"};
      ++uses[kKinds[static_cast<int>(use.kind)]];
    }
  }
  EXPECT_EQ(slices, uses);
}

TEST(PerfettoMachine, CountersHoldEverySample) {
  const samples::Sample sample = samples::chip();
  const Decoded trace = decode(perfetto_trace(sample.data));
  std::size_t values = 0;
  std::uint64_t highest = 0;
  for (const TrackEvent& event : trace.events) {
    if (event.type != 4) continue;
    ++values;
    if (trace.tracks.at(event.track).name == "dram bandwidth") highest = std::max(highest, event.counter);
  }
  std::size_t samples = 0;
  std::uint64_t peak = 0;
  for (const TimelineRun& run : sample.data.timelines) {
    samples += run.machine.samples.size();
    for (const harness::Sample& s : run.machine.samples) peak = std::max(peak, s.counter == 0 ? s.value : 0);
  }
  EXPECT_EQ(values, samples);
  EXPECT_EQ(highest, peak);
}

TEST(PerfettoMachine, RandomMachinesNestAndKeepTheirFlows) {
  for (std::uint32_t seed = 1; seed <= effort(60U) + 1; ++seed) {
    const samples::Sample sample = samples::random_machine(seed, 1 + seed % 5, 20 + seed % 150);
    ASSERT_EQ(fault_of(decode(perfetto_trace(sample.data))), "") << seed;
  }
}

TEST(PerfettoMachine, ALimitCutsWholeSlicesAndSaysSo) {
  for (const std::size_t limit : {0U, 7U, 100U, 333U}) {
    const samples::Sample sample = samples::random_machine(2, 3, 200);
    const Decoded trace = decode(perfetto_trace(sample.data, limit));
    EXPECT_EQ(fault_of(trace), "") << limit;
    EXPECT_LE(trace.events.size(), limit + 1);
    EXPECT_EQ(trace.events.front().name.substr(0, 11), "truncated: ");
  }
}

TEST(PerfettoMachine, TheCheckReportsPlantedFaults) {
  const Decoded good = decode(perfetto_trace(samples::chip().data));
  ASSERT_EQ(fault_of(good), "");
  const auto plant = [&](auto change) {
    Decoded bad = good;
    change(bad);
    return fault_of(bad);
  };
  const auto is_slice_end = [](const TrackEvent& e) { return e.type == 2; };
  const auto is_flow_end = [](const TrackEvent& e) { return !e.flows.empty(); };
  const auto first = [](Decoded& d, auto which) { return std::find_if(d.events.begin(), d.events.end(), which); };
  EXPECT_NE(plant([&](Decoded& d) { d.events.erase(first(d, is_slice_end)); }), "");
  EXPECT_NE(plant([&](Decoded& d) { first(d, is_flow_end)->flows.pop_back(); }), "");
  EXPECT_NE(plant([&](Decoded& d) { d.events.back().time_ns = 0; }), "");
  EXPECT_NE(plant([&](Decoded& d) { first(d, is_slice_end)->track = 1; }), "");
  EXPECT_NE(plant([&](Decoded& d) { first(d, is_slice_end)->type = 4; }), "");
  EXPECT_NE(plant([&](Decoded& d) { d.tracks.rbegin()->second.parent = 77; }), "");
}

}  // namespace
}  // namespace detent::reports
