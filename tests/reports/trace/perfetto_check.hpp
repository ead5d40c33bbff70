// Perfetto decoder and checker: the bytes of a trace -> tracks and events -> what a reader would trip over. Shares
// nothing with the writer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace detent::reports {

struct PerfettoEvent {
  std::uint64_t time_ns = 0, type = 0, track = 0, counter = 0;
  std::string name, category;
  std::vector<std::uint64_t> flows;
  std::map<std::string, std::string> notes;  // debug annotations, numbers as text
};

struct PerfettoTrack {
  std::string name;
  std::uint64_t parent = 0, pid = 0, tid = 0;
  bool is_process = false, is_thread = false, is_counter = false;
  std::string unit;  // of counters: a name, or the number of the schema's unit
};

struct PerfettoTrace {
  std::map<std::uint64_t, PerfettoTrack> tracks;
  std::vector<PerfettoEvent> events;
};

/// Fails the test that runs where a packet is of another sequence, a track's id is there twice, or an event stands
/// before its track.
/// @throws std::runtime_error  bytes that are no protobuf
PerfettoTrace decode_perfetto(const std::string& trace);

/// What a reader relies on: times of the sequence never decrease, slices balance on tracks that are no counters, each
/// counter event is on a counter track, tracks have parents, flows join two slices on threads in the order of time.
/// @return  the first fault; "" when there is none
std::string perfetto_fault(const PerfettoTrace& trace);

}  // namespace detent::reports
