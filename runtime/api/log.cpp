// Reading side of the ring log.
#include <detent/log.h>

static_assert(sizeof(detent_log_record) == 32, "records of the ring log are 32 bytes");

extern "C" {

uint32_t detent_log_size(const detent_log *log) {
  return log->written < log->capacity ? static_cast<uint32_t>(log->written) : log->capacity;
}

const detent_log_record *detent_log_at(const detent_log *log, uint32_t i) {
  const bool overwritten = log->written > log->capacity && !log->stop_when_full;
  const uint64_t oldest = overwritten ? log->written - log->capacity : 0;
  return &log->records[(oldest + i) & (log->capacity - 1)];
}
}
