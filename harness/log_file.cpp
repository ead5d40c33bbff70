#include "harness/log_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

#include "base/ids.hpp"
#include "base/input_error.hpp"

namespace detent::harness {
namespace {

static_assert(sizeof(detent_log_record) == 32);

constexpr std::uint32_t kMostRings = DETENT_MAX_WORKERS + 2;

bool is_event(std::uint16_t event) {
  return (event >= DETENT_EVENT_RUN_BEGIN && event <= DETENT_EVENT_UNPARK) || event == DETENT_EVENT_CLOCK_BACK ||
         event == DETENT_EVENT_FOREIGN_COMPLETION || event == DETENT_EVENT_VARIABLE_IGNORED;
}

/// Reads from the front; whatever is not there is an error with its place.
class LogReader {
 public:
  LogReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  LogFile read() {
    if (!bytes_.starts_with(kLogMagic)) {
      throw InputError(name_, "", "is no log file; write one with detent run --log or a firmware's --log");
    }
    position_ = kLogMagic.size();
    if (const std::uint32_t version = u32(); version != kLogVersion) {
      fail(fmt::format("version {}; this program reads version {}", version, kLogVersion));
    }
    LogFile log;
    log.workers = u32();
    const std::uint32_t rings = u32(), ops = u32(), names = u32(), classes = u32();
    if (classes > DETENT_MAX_CLASSES) fail("more classes than there can be");
    if (log.workers > DETENT_MAX_WORKERS || rings > kMostRings) fail("more workers or rings than there can be");
    read_names(ops, classes, names, log);
    for (std::uint32_t i = 0; i < rings; ++i) read_ring(log);
    if (position_ != bytes_.size()) fail("more bytes than the rings take; the file is damaged");
    return log;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(name_, fmt::format("byte {}", position_), what);
  }
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - position_) fail("the file ends here; it was not written whole");
    const std::string_view found = bytes_.substr(position_, static_cast<std::size_t>(count));
    position_ += static_cast<std::size_t>(count);
    return found;
  }
  template <typename Number>
  Number number() {
    Number value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::uint32_t u32() { return number<std::uint32_t>(); }

  void read_names(std::uint32_t ops, std::uint32_t classes, std::uint32_t size, LogFile& log) {
    std::string_view text = take(size);
    const auto next = [&] {
      const std::size_t end = text.find('\0');
      if (end == std::string_view::npos) fail("fewer names than ops and classes; the file is damaged");
      const std::string_view name = text.substr(0, end);
      text.remove_prefix(end + 1);
      return std::string(name);
    };
    log.model = next();
    if (ops > text.size()) fail("fewer names than ops and classes; the file is damaged");
    log.ops.reserve(ops);
    for (std::uint32_t op = 0; op < ops; ++op) log.ops.push_back(next());
    for (std::uint32_t i = 0; i < classes; ++i) log.classes.push_back(next());
    if (text.find_first_not_of('\0') != std::string_view::npos || text.size() > 7 || size % 8 != 0) {
      fail("more names than ops and classes; the file is damaged");
    }
  }

  void read_ring(LogFile& log) {
    LogRing ring{.number = u32()};
    if (ring.number >= kMostRings) fail("a ring that cannot be; the file is damaged");
    const bool ascends = log.rings.empty() || log.rings.back().number < ring.number;
    if (!ascends) fail("rings must ascend; the file is damaged");
    const std::uint32_t count = u32();
    ring.dropped = number<std::uint64_t>();
    if (count > (bytes_.size() - position_) / sizeof(detent_log_record)) {
      fail("the file ends within a ring; it was not written whole");
    }
    ring.records.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) ring.records.push_back(read_record(log, ring));
    log.rings.push_back(std::move(ring));
  }

  detent_log_record read_record(const LogFile& log, const LogRing& ring) {
    const std::size_t ops = log.ops.size();
    detent_log_record record{};
    std::memcpy(&record, take(sizeof record).data(), sizeof record);
    position_ -= sizeof record;  // messages name the record's first byte
    if (!is_event(record.event)) fail(fmt::format("event {} is unknown; the file is damaged or newer", record.event));
    const bool names_an_op = record.event == DETENT_EVENT_OP_BEGIN || record.event == DETENT_EVENT_OP_END ||
                             record.event == DETENT_EVENT_READY;
    if (names_an_op && record.op >= ops) fail(fmt::format("op {} of {}; the file is damaged", record.op, ops));
    const bool names_a_class = record.event == DETENT_EVENT_OP_BEGIN;
    if (names_a_class && (record.value < 0 || static_cast<std::size_t>(record.value) >= log.classes.size())) {
      fail(fmt::format("class {} of {}; the file is damaged", record.value, log.classes.size()));
    }
    if (record.slot != ring.number) fail("a record of another ring; the file is damaged");
    if (!ring.records.empty() && record.time_ps < ring.records.back().time_ps) {
      fail("a record is earlier than the one before it; the file is damaged");
    }
    position_ += sizeof record;
    return record;
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t position_ = 0;
};

/// Calls visit(record) for each record of the run, ring by ring.
template <typename Visit>
void for_each_record(const LogFile& log, std::uint32_t run, const Visit& visit) {
  for (const LogRing& ring : log.rings) {
    for (const detent_log_record& record : ring.records) {
      if (record.run == run) visit(record);
    }
  }
}

}  // namespace

LogFile parse_log(std::string_view bytes, const std::string& name) { return LogReader(bytes, name).read(); }

const char* event_name(detent_event event) {
  switch (event) {
    case DETENT_EVENT_RUN_BEGIN:
      return "run_begin";
    case DETENT_EVENT_RUN_END:
      return "run_end";
    case DETENT_EVENT_OP_BEGIN:
      return "op_begin";
    case DETENT_EVENT_OP_END:
      return "op_end";
    case DETENT_EVENT_READY:
      return "ready";
    case DETENT_EVENT_PARK:
      return "park";
    case DETENT_EVENT_UNPARK:
      return "unpark";
    case DETENT_EVENT_CLOCK_BACK:
      return "clock_back";
    case DETENT_EVENT_FOREIGN_COMPLETION:
      return "foreign_completion";
    case DETENT_EVENT_VARIABLE_IGNORED:
      return "variable_ignored";
  }
  return "unknown";
}

std::vector<std::uint32_t> runs_of(const LogFile& log) {
  std::set<std::uint32_t> runs;
  for (const LogRing& ring : log.rings) {
    for (const detent_log_record& record : ring.records) {
      if (record.run != 0) runs.insert(record.run);
    }
  }
  return {runs.begin(), runs.end()};
}

LoggedRun logged_run(const LogFile& log, std::uint32_t run) {
  LoggedRun made;
  std::uint64_t begin_ps = UINT64_MAX, end_ps = 0;
  bool has_begin = false, has_end = false;
  for_each_record(log, run, [&](const detent_log_record& record) {
    begin_ps = std::min(begin_ps, record.time_ps);
    end_ps = std::max(end_ps, record.time_ps);
    has_begin = has_begin || record.event == DETENT_EVENT_RUN_BEGIN;
    if (record.event != DETENT_EVENT_RUN_END) return;
    has_end = true;
    made.status = static_cast<detent_status>(record.value);
  });
  struct Ends {
    const detent_log_record* begin = nullptr;
    const detent_log_record* end = nullptr;
  };
  std::vector<Ends> ops(log.ops.size());
  for_each_record(log, run, [&](const detent_log_record& record) {
    if (record.event == DETENT_EVENT_OP_BEGIN) ops[record.op].begin = &record;
    if (record.event == DETENT_EVENT_OP_END) ops[record.op].end = &record;
    if (record.event == DETENT_EVENT_OP_BEGIN || record.event == DETENT_EVENT_OP_END) return;
    made.trace.events.push_back(
        {record.time_ps - begin_ps, record.slot, static_cast<detent_event>(record.event), record.op, record.value});
  });
  for (OpId op = 0; op < ops.size(); ++op) {
    if (ops[op].begin == nullptr) continue;
    const std::uint64_t from_ps = ops[op].begin->time_ps;
    const std::uint64_t to_ps = ops[op].end == nullptr ? end_ps : std::max(from_ps, ops[op].end->time_ps);
    made.trace.spans.push_back(
        {op, ops[op].begin->slot, from_ps - begin_ps, to_ps - begin_ps, ops[op].begin->sequence});
  }
  std::ranges::sort(made.trace.spans, [](const Span& a, const Span& b) {
    return std::tie(a.begin_ps, a.slot, a.op) < std::tie(b.begin_ps, b.slot, b.op);
  });
  std::ranges::stable_sort(made.trace.events, [](const Event& a, const Event& b) {
    return std::tie(a.time_ps, a.slot) < std::tie(b.time_ps, b.slot);
  });
  for (const LogRing& ring : log.rings) made.trace.dropped += ring.dropped;
  made.makespan_ps = begin_ps == UINT64_MAX ? 0 : end_ps - begin_ps;
  made.is_whole = has_begin && has_end && made.trace.dropped == 0;
  return made;
}

}  // namespace detent::harness
