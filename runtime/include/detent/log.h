/* Ring log: one fixed ring of 32-byte records per worker slot. Writing never blocks and never allocates; what is lost
 * is counted.
 *
 * The rings lie in the context's arena and are written by the engine; detent_context_log hands them out for reading.
 * Each has one writer at a time: its slot; for ASYNC ops the holder of the scheduler role; for rejected completions the
 * thread inside detent_complete that has the port's lock. Read them between runs: nothing orders a reader with a
 * writer.
 */
#ifndef DETENT_RUNTIME_LOG_H_
#define DETENT_RUNTIME_LOG_H_

#include <stdbool.h>
#include <stdint.h>

#include <detent/compiler.h>

/** What the library writes, chosen when it is compiled (-DDETENT_LOG_LEVEL=1): 0 nothing: no memory is taken for a log
 * and detent_context_log returns null; 1 all but READY, PARK and UNPARK; 2 everything. */
#ifndef DETENT_LOG_LEVEL
#define DETENT_LOG_LEVEL 2
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of records. READY, PARK and UNPARK are extras: they are written only while the ring has room for the begin and
 *  the end of every op after them. */
typedef DETENT_ENUM(detent_event){
    /** Ring of slot 0. */
    DETENT_EVENT_RUN_BEGIN = 1,
    /** Ring of slot 0; value = detent_status of the run. */
    DETENT_EVENT_RUN_END = 2,
    /** An op is about to be dispatched; value = its class, index into the Desc's classes: which kind of back end
     *  executes it. */
    DETENT_EVENT_OP_BEGIN = 3,
    /** Its kernel has returned or its back end has answered; value = code. */
    DETENT_EVENT_OP_END = 4,
    /** Closed loop: the last predecessor of op has ended; value = number of ready ops with it. In the ring of the slot
     *  that holds the scheduler role, or of ASYNC ops where that is a thread inside detent_complete. */
    DETENT_EVENT_READY = 5,
    /** A started slot fell asleep. Written when it wakes, and only if that is in the same run. */
    DETENT_EVENT_PARK = 6,
    /** A started slot woke. */
    DETENT_EVENT_UNPARK = 7,
    /** The port's clock went back; value = by how many picoseconds, at most INT32_MAX. The ring's time stands still. */
    DETENT_EVENT_CLOCK_BACK = 10,
    /** detent_complete refused an answer; op and value = what it was called with. */
    DETENT_EVENT_FOREIGN_COMPLETION = 11,
    /** Ring of slot 0, in the first run that begins: a variable of the environment held no number in range and had no
     *  say; value = its detent_variable. */
    DETENT_EVENT_VARIABLE_IGNORED = 12} detent_event;

/** One record. */
typedef struct detent_log_record {
  /** The port's time; never decreases within a ring. */
  uint64_t time_ps;
  /** OP_BEGIN and READY: place in the one order of starts and ready ops of a run, from 1. 0 in other records, and in
   *  layered and static mode, which have no such order. */
  uint64_t sequence;
  /** Id, or DETENT_NONE where the record is of no op. */
  uint32_t op;
  /** As the kind says; else 0. */
  int32_t value;
  /** detent_event */
  uint16_t event;
  /** Number of the ring. */
  uint16_t slot;
  /** Number of the run, from 1; 0 before the first. */
  uint32_t run;
} detent_log_record;

/** A ring. For reading with the functions below. */
typedef struct detent_log {
  /** [capacity], in the arena. */
  detent_log_record *records;
  /** A power of two. */
  uint32_t capacity;
  /** detent_config.log_stop_when_full */
  bool stop_when_full;
  /** Records put since detent_clear_log, including dropped ones. */
  uint64_t written;
  /** Records that are lost: overwritten, or not written where stop_when_full is set. */
  uint64_t dropped;
  /** Time of the last record put, lost or not; clearing keeps it. */
  uint64_t last_ps;
} detent_log;

/** Number of records that can be read now: 0 to capacity. `log` is not null. */
uint32_t detent_log_size(const detent_log *log);

/** The i-th oldest readable record, i < detent_log_size(log), which is not checked. Points into the ring: valid
 *  until the ring is written or cleared. `log` is not null. */
const detent_log_record *detent_log_at(const detent_log *log, uint32_t i);

#ifdef __cplusplus
}
#endif
#endif
