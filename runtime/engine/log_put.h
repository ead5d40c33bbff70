/* Writing side of the ring log: inline, because it stands on the path of every op. One writer per ring. */
#ifndef DETENT_RUNTIME_LOG_PUT_H_
#define DETENT_RUNTIME_LOG_PUT_H_

#include <detent/limits.h>
#include <detent/log.h>

#include "runtime/base/freestanding.h"
#include "runtime/base/ids.h"

namespace detent {

/// What a record says besides its time.
struct LogEntry {
  detent_event event;
  OpId op = DETENT_NONE;
  std::int32_t value = 0;
  std::uint64_t sequence = 0;
};

/// Does the library write records of this kind (DETENT_LOG_LEVEL)?
constexpr bool is_logged(detent_event event) {
  const bool is_extra = event == DETENT_EVENT_READY || event == DETENT_EVENT_PARK || event == DETENT_EVENT_UNPARK;
  return DETENT_LOG_LEVEL >= (is_extra ? 2 : 1);
}

/// Where a ring's records come from.
struct LogSource {
  SlotId slot;
  std::uint32_t run;
};

/// Put one record; when the ring is full the oldest gives way, or the new one is dropped (log.stop_when_full).
/// `time_ps` must not be below log.last_ps: see log_put.
inline void log_store(detent_log &log, LogSource source, std::uint64_t time_ps, const LogEntry &entry) {
  const bool full = log.written >= log.capacity;
  const std::uint64_t position = log.written++;
  if (full) {
    ++log.dropped;
    if (log.stop_when_full) return;
  }
  detent_log_record &record = log.records[position & (log.capacity - 1)];
  record.time_ps = time_ps;
  record.sequence = entry.sequence;
  record.op = entry.op;
  record.value = entry.value;
  record.event = static_cast<std::uint16_t>(entry.event);
  record.slot = static_cast<std::uint16_t>(source.slot);
  record.run = source.run;
}

/// The clock of `log` after a reading of `now_ps`: never decreases. A step back is recorded (F08).
inline std::uint64_t log_clamp(detent_log &log, LogSource source, std::uint64_t now_ps) {
  if (now_ps >= log.last_ps) [[likely]] {
    log.last_ps = now_ps;
    return now_ps;
  }
  const std::uint64_t back_ps = log.last_ps - now_ps;
  LogEntry entry{.event = DETENT_EVENT_CLOCK_BACK};
  entry.value = back_ps > INT32_MAX ? INT32_MAX : static_cast<std::int32_t>(back_ps);
  log_store(log, source, log.last_ps, entry);
  return log.last_ps;
}

/// Put one record at port time `now_ps`, clamped to the ring's monotonic time, which is returned.
/// log.capacity is a power of two, > 0.
inline std::uint64_t log_put(detent_log &log, LogSource source, std::uint64_t now_ps, const LogEntry &entry) {
  const std::uint64_t time_ps = log_clamp(log, source, now_ps);
  log_store(log, source, time_ps, entry);
  return time_ps;
}

/// Forget all records; the clock keeps its last value.
inline void log_clear(detent_log &log) {
  log.written = 0;
  log.dropped = 0;
}

}  // namespace detent

#endif
