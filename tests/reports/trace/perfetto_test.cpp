#include <gtest/gtest.h>

#include <map>
#include <set>

#include "reports/data/report_data.hpp"
#include "tests/build.hpp"
#include "tests/effort.hpp"
#include "tests/reports/samples/machine.hpp"
#include "tests/reports/samples/sample.hpp"
#include "tests/reports/trace/perfetto_check.hpp"

namespace detent::reports {
namespace {

TEST(Perfetto, EverySliceIsOnADeclaredThreadOfADeclaredProcess) {
  const PerfettoTrace trace = decode_perfetto(perfetto_trace(samples::detector().data));
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
  for (const PerfettoEvent& event : trace.events) ASSERT_TRUE(trace.tracks.count(event.track));
}

TEST(Perfetto, SlicesNestBalanceAndNeverGoBackInTime) {
  const samples::Sample sample = samples::detector();
  const PerfettoTrace trace = decode_perfetto(perfetto_trace(sample.data));
  std::map<std::uint64_t, int> open;
  std::uint64_t last_ns = 0;
  std::size_t slices = 0;
  for (const PerfettoEvent& event : trace.events) {
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
  for (const PerfettoEvent& event : decode_perfetto(perfetto_trace(sample.data)).events) {
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
  for (const PerfettoEvent& event : decode_perfetto(perfetto_trace(sample.data)).events) {
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
  const PerfettoTrace trace = decode_perfetto(perfetto_trace(sample.data));
  std::size_t counters = 0;
  for (const auto& [uuid, track] : trace.tracks) counters += track.is_counter ? 1U : 0U;
  EXPECT_EQ(counters, 2U);
  std::uint64_t highest = 0;
  for (const PerfettoEvent& event : trace.events) {
    if (event.type == 4) highest = std::max(highest, event.counter);
  }
  EXPECT_GT(highest, 1U);
  EXPECT_LT(highest, 107U);
  for (TimelineRun& run : sample.data.timelines) run.trace.events.clear();
  for (const auto& [uuid, track] : decode_perfetto(perfetto_trace(sample.data)).tracks) EXPECT_FALSE(track.is_counter);
}

TEST(Perfetto, OverlappingSpansOfOneSlotTakeFurtherLanes) {
  ReportData data;
  TimelineRun run;
  run.title = "async";
  run.lanes = {"npu0"};
  run.trace.spans = {{0, 0, 0, 5000, 0}, {1, 0, 1000, 3000, 1}, {2, 0, 5000, 6000, 2}};
  data.timelines = {run};
  const PerfettoTrace trace = decode_perfetto(perfetto_trace(data));
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
  for (const PerfettoEvent& event : decode_perfetto(perfetto_trace(data)).events) types.push_back(event.type);
  EXPECT_EQ(types, (std::vector<std::uint64_t>{1, 2, 1, 2, 1, 2}));
}

TEST(Perfetto, B14_HostileNamesStayOneField) {
  std::set<std::string> names;
  for (const PerfettoEvent& event : decode_perfetto(perfetto_trace(samples::hostile_names().data)).events)
    names.insert(event.name);
  EXPECT_TRUE(names.count("</script><script>document.title='owned'</script>"));
  for (const std::string& name : names) EXPECT_LT(name.size(), 300U);
}

TEST(Perfetto, EqualInputsGiveEqualBytes) {
  EXPECT_EQ(perfetto_trace(samples::detector().data), perfetto_trace(samples::detector().data));
}

TEST(Perfetto, EveryTextIsInTheFileOnce) {
  const std::string trace = perfetto_trace(samples::detector().data);
  const auto count = [&](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = trace.find(text); at != std::string::npos; at = trace.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("stem.conv0"), 1U) << "two runs, one name";
  EXPECT_EQ(count("duration_ps"), 1U);
  EXPECT_EQ(count("resize_nearest"), 1U);
}

TEST(Perfetto, ALargeTraceTakesFewBytesAnOpAndSaysWhatIsLeftOut) {
  const std::uint32_t ops = kIsInstrumented ? 60'000U : 150'000U;  // more events than a trace with details holds
  samples::Sample sample = samples::large(ops, ops);
  sample.data.timelines.push_back(sample.data.timelines.front());
  const std::string trace = perfetto_trace(sample.data);
  EXPECT_LT(trace.size(), ops * 100ULL) << trace.size() / ops << " bytes an op";
  const PerfettoTrace decoded = decode_perfetto(trace);
  EXPECT_EQ(perfetto_fault(decoded), "");
  std::size_t slices = 0, notes = 0;
  for (const PerfettoEvent& event : decoded.events) {
    slices += event.type == 1 ? 1U : 0U;
    notes += event.type == 3 ? 1U : 0U;
  }
  EXPECT_EQ(slices, ops) << "the first run whole, the other left out";
  EXPECT_EQ(notes, 2U) << "edges and exact times; the further run";
}

TEST(PerfettoMachine, PartsCountersAndWorkersHaveTracksOfTheirOwn) {
  const samples::Sample sample = samples::chip();
  const PerfettoTrace trace = decode_perfetto(perfetto_trace(sample.data));
  EXPECT_EQ(perfetto_fault(trace), "");
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
  for (const PerfettoEvent& event : decode_perfetto(perfetto_trace(sample.data)).events) {
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
  const PerfettoTrace trace = decode_perfetto(perfetto_trace(sample.data));
  std::size_t values = 0;
  std::uint64_t highest = 0;
  for (const PerfettoEvent& event : trace.events) {
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
    ASSERT_EQ(perfetto_fault(decode_perfetto(perfetto_trace(sample.data))), "") << seed;
  }
}

TEST(PerfettoMachine, LimitCutsWholeSlicesWithANote) {
  for (const std::size_t limit : {0U, 7U, 100U, 333U}) {
    const samples::Sample sample = samples::random_machine(2, 3, 200);
    const PerfettoTrace trace = decode_perfetto(perfetto_trace(sample.data, limit));
    EXPECT_EQ(perfetto_fault(trace), "") << limit;
    EXPECT_LE(trace.events.size(), limit + 1);
    EXPECT_EQ(trace.events.front().name.substr(0, 11), "truncated: ");
  }
}

TEST(PerfettoMachine, TheCheckReportsPlantedFaults) {
  const PerfettoTrace good = decode_perfetto(perfetto_trace(samples::chip().data));
  ASSERT_EQ(perfetto_fault(good), "");
  const auto plant = [&](auto change) {
    PerfettoTrace bad = good;
    change(bad);
    return perfetto_fault(bad);
  };
  const auto is_slice_end = [](const PerfettoEvent& e) { return e.type == 2; };
  const auto is_flow_end = [](const PerfettoEvent& e) { return !e.flows.empty(); };
  const auto first = [](PerfettoTrace& d, auto which) { return std::find_if(d.events.begin(), d.events.end(), which); };
  EXPECT_NE(plant([&](PerfettoTrace& d) { d.events.erase(first(d, is_slice_end)); }), "");
  EXPECT_NE(plant([&](PerfettoTrace& d) { first(d, is_flow_end)->flows.pop_back(); }), "");
  EXPECT_NE(plant([&](PerfettoTrace& d) { d.events.back().time_ns = 0; }), "");
  EXPECT_NE(plant([&](PerfettoTrace& d) { first(d, is_slice_end)->track = 1; }), "");
  EXPECT_NE(plant([&](PerfettoTrace& d) { first(d, is_slice_end)->type = 4; }), "");
  EXPECT_NE(plant([&](PerfettoTrace& d) { d.tracks.rbegin()->second.parent = 77; }), "");
}

}  // namespace
}  // namespace detent::reports
