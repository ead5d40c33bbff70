// Perfetto packets: the messages of TrackEvent that a trace of ours is made of, as protobuf bytes.
#include "reports/trace/perfetto_packets.hpp"

#include <algorithm>
#include <functional>

#include "reports/text/text.hpp"

namespace detent::reports {
namespace {

namespace trace {
constexpr std::uint32_t kPacket = 1;
}
namespace packet {
constexpr std::uint32_t kTimestamp = 8, kSequenceId = 10, kTrackEvent = 11, kInternedData = 12, kSequenceFlags = 13;
constexpr std::uint32_t kTrackDescriptor = 60;
constexpr std::uint64_t kStateCleared = 1, kNeedsState = 2;
}  // namespace packet
namespace interned {
constexpr std::uint32_t kCategories = 1, kNames = 2, kNoteNames = 3, kNoteTexts = 29;
constexpr std::uint32_t kIid = 1, kText = 2;
}  // namespace interned
namespace track_field {
constexpr std::uint32_t kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParentUuid = 5, kCounter = 8;
constexpr std::uint32_t kChildOrdering = 11, kSiblingOrderRank = 12;
constexpr std::uint64_t kExplicitOrder = 3;
}  // namespace track_field
namespace process_field {
constexpr std::uint32_t kPid = 1, kName = 6;
}
namespace thread_field {
constexpr std::uint32_t kPid = 1, kTid = 2, kName = 5;
}
namespace counter_field {
constexpr std::uint32_t kUnit = 3, kUnitName = 6;
constexpr std::uint64_t kCount = 2;
}  // namespace counter_field
namespace event {
constexpr std::uint32_t kCategoryIid = 3, kDebugAnnotation = 4, kType = 9, kNameIid = 10, kTrackUuid = 11, kName = 23;
constexpr std::uint32_t kCounterValue = 30, kFlowId = 47;
constexpr std::uint64_t kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4;
}  // namespace event
namespace annotation {
constexpr std::uint32_t kNameIid = 1, kUint = 3, kStringIid = 17;
}

constexpr std::uint64_t kSequence = 1;
constexpr std::uint64_t kPsPerNs = 1000;

ProtobufWriter event_on(std::uint64_t type, std::uint64_t track) {
  ProtobufWriter out;
  out.varint(event::kType, type);
  out.varint(event::kTrackUuid, track);
  return out;
}

}  // namespace

void PerfettoPackets::process(std::uint64_t uuid, std::uint64_t pid, const std::string& name) {
  ProtobufWriter inner;
  inner.varint(process_field::kPid, pid);
  inner.string(process_field::kName, short_name(name));
  ProtobufWriter out;
  out.varint(track_field::kUuid, uuid);
  out.message(track_field::kProcess, inner);
  out.varint(track_field::kChildOrdering, track_field::kExplicitOrder);
  put_descriptor(out);
}

void PerfettoPackets::thread(std::uint64_t uuid, std::uint64_t parent, std::uint64_t pid, std::uint64_t tid,
                             const std::string& name) {
  ProtobufWriter inner;
  inner.varint(thread_field::kPid, pid);
  inner.varint(thread_field::kTid, tid);
  inner.string(thread_field::kName, short_name(name));
  ProtobufWriter out;
  out.varint(track_field::kUuid, uuid);
  out.varint(track_field::kParentUuid, parent);
  out.message(track_field::kThread, inner);
  put_descriptor(out);
}

void PerfettoPackets::track(std::uint64_t uuid, std::uint64_t parent, const std::string& name, std::uint64_t rank) {
  ProtobufWriter out;
  out.varint(track_field::kUuid, uuid);
  out.varint(track_field::kParentUuid, parent);
  out.string(track_field::kName, short_name(name));
  out.varint(track_field::kSiblingOrderRank, rank);
  put_descriptor(out);
}

void PerfettoPackets::counter(std::uint64_t uuid, std::uint64_t parent, const std::string& name,
                              const std::string& unit) {
  ProtobufWriter inner;
  if (unit == "entries") {
    inner.varint(counter_field::kUnit, counter_field::kCount);
  } else {
    inner.string(counter_field::kUnitName, short_name(unit));
  }
  ProtobufWriter out;
  out.varint(track_field::kUuid, uuid);
  out.varint(track_field::kParentUuid, parent);
  out.string(track_field::kName, short_name(name));
  out.message(track_field::kCounter, inner);
  put_descriptor(out);
}

void PerfettoPackets::begin(std::uint64_t time_ps, std::uint64_t track, std::string_view category,
                            const std::string& name, const std::vector<Note>& notes,
                            const std::vector<std::uint64_t>& flows, NameUse name_use) {
  ProtobufWriter out = event_on(event::kBegin, track);
  out.varint(event::kCategoryIid, intern(categories_, interned::kCategories, category));
  if (name_use == NameUse::kOften) {
    out.varint(event::kNameIid, intern(names_, interned::kNames, short_name(name)));
  } else {
    out.string(event::kName, short_name(name));
  }
  for (const Note& note : notes) {
    ProtobufWriter entry;
    entry.varint(annotation::kNameIid, intern(note_names_, interned::kNoteNames, note.name));
    if (note.text.empty()) {
      entry.varint(annotation::kUint, note.number);
    } else {
      entry.varint(annotation::kStringIid, intern(note_texts_, interned::kNoteTexts, short_name(note.text)));
    }
    out.message(event::kDebugAnnotation, entry);
  }
  for (const std::uint64_t id : flows) out.fixed64(event::kFlowId, id);
  put_event(time_ps, out);
}

void PerfettoPackets::end(std::uint64_t time_ps, std::uint64_t track) {
  put_event(time_ps, event_on(event::kEnd, track));
}

void PerfettoPackets::instant(std::uint64_t time_ps, std::uint64_t track, const std::string& name) {
  ProtobufWriter out = event_on(event::kInstant, track);
  out.varint(event::kNameIid, intern(names_, interned::kNames, short_name(name)));
  put_event(time_ps, out);
}

void PerfettoPackets::value(std::uint64_t time_ps, std::uint64_t counter, std::uint64_t value) {
  ProtobufWriter out = event_on(event::kCounter, counter);
  out.varint(event::kCounterValue, std::min<std::uint64_t>(value, INT64_MAX));
  put_event(time_ps, out);
}

std::uint64_t PerfettoPackets::intern(Texts& texts, std::uint32_t field, std::string_view text) {
  uses_texts_ = true;
  const auto known = texts.find(text);
  if (known != texts.end()) return known->second;
  const std::uint64_t iid = texts.size() + 1;
  texts.emplace(text, iid);
  ProtobufWriter entry;
  entry.varint(interned::kIid, iid);
  entry.string(interned::kText, text);
  fresh_.message(field, entry);
  return iid;
}

void PerfettoPackets::put_descriptor(const ProtobufWriter& descriptor) {
  ProtobufWriter out;
  out.varint(packet::kSequenceId, kSequence);
  out.message(packet::kTrackDescriptor, descriptor);
  file_.message(trace::kPacket, out);
}

void PerfettoPackets::put_event(std::uint64_t time_ps, const ProtobufWriter& event) {
  ProtobufWriter out;
  out.varint(packet::kTimestamp, time_ps / kPsPerNs);
  out.varint(packet::kSequenceId, kSequence);
  if (!fresh_.bytes().empty()) out.message(packet::kInternedData, fresh_);
  if (uses_texts_)
    out.varint(packet::kSequenceFlags, is_first_ ? packet::kStateCleared | packet::kNeedsState : packet::kNeedsState);
  is_first_ = is_first_ && !uses_texts_;
  uses_texts_ = false;
  fresh_ = {};
  out.message(packet::kTrackEvent, event);
  file_.message(trace::kPacket, out);
}

}  // namespace detent::reports
