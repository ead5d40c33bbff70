#include "tests/reports/trace/perfetto_check.hpp"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <utility>

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

/// Texts of one kind by number, as a reader that follows the sequence knows them.
using Texts = std::map<std::uint64_t, std::string>;
struct Interned {
  Texts categories, names, note_names, note_texts;
};

void learn_texts(const std::string& data, Interned& texts) {
  for (const Field& field : Decoder(data).fields()) {
    Texts* kind = field.number == 1    ? &texts.categories
                  : field.number == 2  ? &texts.names
                  : field.number == 3  ? &texts.note_names
                  : field.number == 29 ? &texts.note_texts
                                       : nullptr;
    if (kind == nullptr) throw std::runtime_error("interned data of an unknown kind");
    EXPECT_TRUE(kind->emplace(value_of(field.bytes, 1), bytes_of(field.bytes, 2)).second) << "number given twice";
  }
}

PerfettoEvent decode_event(const std::string& message, std::uint64_t time_ns, const Interned& texts) {
  PerfettoEvent out;
  out.time_ns = time_ns;
  for (const Field& field : Decoder(message).fields()) {
    if (field.number == 9) out.type = field.value;
    if (field.number == 11) out.track = field.value;
    if (field.number == 3) out.category = texts.categories.at(field.value);
    if (field.number == 10) out.name = texts.names.at(field.value);
    if (field.number == 30) out.counter = field.value;
    if (field.number == 47) out.flows.push_back(field.value);
    if (field.number != 4) continue;
    const std::uint64_t text = value_of(field.bytes, 17);
    out.notes[texts.note_names.at(value_of(field.bytes, 1))] =
        text == 0 ? std::to_string(value_of(field.bytes, 3)) : texts.note_texts.at(text);
  }
  return out;
}

void decode_track(const std::string& message, PerfettoTrace& out) {
  PerfettoTrack track;
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

}  // namespace

PerfettoTrace decode_perfetto(const std::string& trace) {
  PerfettoTrace out;
  Interned texts;
  bool is_first = true;
  for (const Field& packet : Decoder(trace).fields()) {
    EXPECT_EQ(packet.number, 1U);
    EXPECT_EQ(value_of(packet.bytes, 10), 1U) << "one sequence";
    const std::string descriptor = bytes_of(packet.bytes, 60);
    const std::string event = bytes_of(packet.bytes, 11);
    if (!descriptor.empty()) decode_track(descriptor, out);
    if (event.empty()) continue;
    learn_texts(bytes_of(packet.bytes, 12), texts);
    const std::uint64_t flags = value_of(packet.bytes, 13);
    if (flags != 0) {
      EXPECT_EQ(flags, is_first ? 3U : 2U) << "state is cleared once, then needed";
    }
    is_first = is_first && flags == 0;
    out.events.push_back(decode_event(event, value_of(packet.bytes, 8), texts));
    EXPECT_TRUE(flags != 0 || out.events.back().name.empty()) << "texts without the state that holds them";
    EXPECT_TRUE(out.tracks.count(out.events.back().track)) << "an event before the descriptor of its track";
  }
  return out;
}

std::string perfetto_fault(const PerfettoTrace& trace) {
  std::map<std::uint64_t, std::uint64_t> open;
  std::map<std::uint64_t, int> ends_of_flow;
  std::uint64_t last_ns = 0;
  for (const PerfettoEvent& event : trace.events) {
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

}  // namespace detent::reports
