/* Ring log: one fixed ring of 32-byte records per worker slot. Never blocks, never allocates; drops are counted. */
#ifndef DETENT_RUNTIME_LOG_H_
#define DETENT_RUNTIME_LOG_H_

#include <stdbool.h>
#include <stdint.h>

#include <detent/enum.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef DETENT_ENUM(detent_event){
    DETENT_EVENT_RUN_BEGIN = 1,
    DETENT_EVENT_RUN_END = 2, /**< value = status */
    DETENT_EVENT_OP_BEGIN = 3,
    DETENT_EVENT_OP_END = 4, /**< value = kernel code */
    DETENT_EVENT_READY = 5,  /**< written by the holder of the role; value = number of ready ops after it */
    DETENT_EVENT_PARK = 6,
    DETENT_EVENT_UNPARK = 7,
    DETENT_EVENT_SCHEDULE_BEGIN = 8, /**< scheduler role taken */
    DETENT_EVENT_SCHEDULE_END = 9,
    DETENT_EVENT_CLOCK_BACK = 10,        /**< the port's clock went back; value = picoseconds, saturated */
    DETENT_EVENT_FOREIGN_COMPLETION = 11 /**< rejected completion */
} detent_event;

typedef struct detent_log_record {
  uint64_t time_ps;  /**< never decreases within a ring */
  uint64_t sequence; /**< order of the records of one context under the scheduler role; 0 where it has none */
  uint32_t op;       /**< DETENT_NONE where it does not apply */
  int32_t value;
  uint16_t event; /**< detent_event */
  uint16_t slot;
  uint32_t run; /**< number of the run, from 1 */
} detent_log_record;

typedef struct detent_log {
  detent_log_record *records; /**< [capacity] */
  uint32_t capacity;          /**< power of two */
  bool stop_when_full;
  uint64_t written; /**< records put so far, including dropped ones */
  uint64_t dropped;
  uint64_t last_ps;
} detent_log;

/** Number of records that can be read now. */
uint32_t detent_log_size(const detent_log *log);
/** The i-th oldest readable record, i < detent_log_size. */
const detent_log_record *detent_log_at(const detent_log *log, uint32_t i);

#ifdef __cplusplus
}
#endif
#endif
