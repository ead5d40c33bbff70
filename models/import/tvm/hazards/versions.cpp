#include "models/import/tvm/hazards/versions.hpp"

#include <algorithm>
#include <map>

namespace detent::models::tvm {
namespace {

struct Event {
  std::uint32_t call = 0, argument = 0;
  ByteSet reads, writes;  ///< in the buffer's coordinates

  [[nodiscard]] bool defines() const { return !writes.empty() && reads.empty(); }
};

/// [first, last) of the events of one version.
struct Segment {
  std::size_t first = 0, last = 0;
};

/// Does the segment read only what it has written?
bool is_closed(const std::vector<Event>& events, const Segment& segment) {
  ByteSet written;
  for (std::size_t i = segment.first; i < segment.last; ++i) {
    if (!events[i].reads.difference(written).empty()) return false;
    written.unite(events[i].writes);
  }
  return true;
}

std::vector<Segment> segments_of(const std::vector<Event>& events) {
  std::vector<Segment> segments;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (segments.empty() || events[i].defines()) segments.push_back({i, i});
    segments.back().last = i + 1;
  }
  for (std::size_t s = segments.size(); s-- > 1;) {
    if (is_closed(events, segments[s])) continue;
    segments[s - 1].last = segments[s].last;
    segments.erase(segments.begin() + static_cast<std::ptrdiff_t>(s));
  }
  return segments;
}

std::uint64_t end_of(const Event& event) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>({event.reads.hull().end, event.writes.hull().end, 0}));
}

}  // namespace

Versions find_versions(const Program& program, const CallAccesses& accesses) {
  Versions result;
  result.uses.resize(program.calls.size());
  std::map<std::string, std::vector<Event>> by_name;
  for (std::uint32_t i = 0; i < program.calls.size(); ++i) {
    result.uses[i].resize(program.calls[i].arguments.size(), {.version = Versions::kNoVersion});
    for (const CallAccess& access : accesses[i]) {
      if (access.buffer == UINT32_MAX) continue;
      const Buffer& buffer = program.buffers[access.buffer];
      const auto back = -static_cast<std::int64_t>(buffer.offset_bytes);
      by_name[buffer.name].push_back({i, access.argument, access.reads.shifted(back), access.writes.shifted(back)});
    }
  }
  for (const auto& [name, events] : by_name) {
    const std::vector<Segment> segments = segments_of(events);
    const Event& first = events.front();
    const std::uint32_t object = program.buffers[program.calls[first.call].arguments[first.argument].index].object;
    for (std::size_t s = 0; s < segments.size(); ++s) {
      Version version{.name = s == 0 ? name : name + "." + std::to_string(s + 1), .object = object};
      version.is_last = s + 1 == segments.size();
      for (std::size_t e = segments[s].first; e < segments[s].last; ++e) {
        version.size_bytes = std::max(version.size_bytes, end_of(events[e]));
        result.uses[events[e].call][events[e].argument] = {
            .version = static_cast<std::uint32_t>(result.versions.size()),
            .reads = !events[e].reads.empty(),
            .writes = !events[e].writes.empty()};
      }
      result.versions.push_back(std::move(version));
    }
  }
  return result;
}

}  // namespace detent::models::tvm
