// Perfetto packets: the messages of TrackEvent that a trace of ours is made of, as protobuf bytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/trace/protobuf_writer.hpp"

namespace detent::reports {

/// Appends packets to one trace, all on one sequence. Descriptors come before the events of their tracks; the caller
/// keeps times from decreasing and slices of one track nested. Names are cleaned and cut. Each text of an event is in
/// the file once, in the packet that needs it first (InternedData), and has a number from there on.
/// @see field numbers: perfetto/protos/perfetto/trace/{trace_packet,interned_data/*,track_event/*}.proto
class PerfettoPackets {
 public:
  void process(std::uint64_t uuid, std::uint64_t pid, const std::string& name);
  /// Perfetto keys threads by tid over all processes, so tids must differ between them.
  void thread(std::uint64_t uuid, std::uint64_t parent, std::uint64_t pid, std::uint64_t tid, const std::string& name);
  /// A track of no thread: a core, a DMA channel. Tracks of one parent are shown by rank.
  void track(std::uint64_t uuid, std::uint64_t parent, const std::string& name, std::uint64_t rank);
  void counter(std::uint64_t uuid, std::uint64_t parent, const std::string& name, const std::string& unit);

  /// One debug annotation: a number, or text where it is not empty.
  struct Note {
    const char* name = "";
    std::uint64_t number = 0;
    std::string text{};
  };
  /// How many slices have one name: kOften names are written once and referred to; a kOnce name stands in its slice,
  /// which takes less where there are hundreds of thousands.
  enum class NameUse : std::uint8_t { kOften, kOnce };
  /// A slice begins. `flows` tie it to the slices that carry the same ids.
  void begin(std::uint64_t time_ps, std::uint64_t track, std::string_view category, const std::string& name,
             const std::vector<Note>& notes, const std::vector<std::uint64_t>& flows,
             NameUse name_use = NameUse::kOften);
  void end(std::uint64_t time_ps, std::uint64_t track);
  void instant(std::uint64_t time_ps, std::uint64_t track, const std::string& name);
  void value(std::uint64_t time_ps, std::uint64_t counter, std::uint64_t value);

  [[nodiscard]] const std::string& bytes() const { return file_.bytes(); }

 private:
  /// Texts of one kind by their numbers, from 1 on.
  using Texts = std::map<std::string, std::uint64_t, std::less<>>;

  /// Number of `text`; a new one goes into `fresh_` as a message of field `field`.
  std::uint64_t intern(Texts& texts, std::uint32_t field, std::string_view text);
  void put_descriptor(const ProtobufWriter& descriptor);
  void put_event(std::uint64_t time_ps, const ProtobufWriter& event);

  ProtobufWriter file_;
  ProtobufWriter fresh_;  ///< texts that the next event is the first to use
  Texts categories_, names_, note_names_, note_texts_;
  bool uses_texts_ = false;  ///< the next event does
  bool is_first_ = true;     ///< no event with texts was written
};

}  // namespace detent::reports
