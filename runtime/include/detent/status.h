/* One list of every status the runtime returns: name, number, catalogue number, and one phrase that says what is wrong.
 *
 * The catalogue number names the bad input or the fault in tests and messages ("" where there is none): B and two
 * digits a Desc that detent_init refuses, F and two digits a fault of a run. The phrase beside it says in words which.
 *
 * 0 is success. 1 to 13 speak of a call or a run; 20 to 51 of a Desc that breaks a rule of desc.h or does not fit its
 * config, and detent_error says where. Numbers are fixed: records of the log carry them. */
#ifndef DETENT_RUNTIME_STATUS_H_
#define DETENT_RUNTIME_STATUS_H_

#include <detent/compiler.h>

#ifdef __cplusplus
extern "C" {
#endif

/** DETENT_STATUS_LIST(X) expands to X(name, number, "catalogue number", "phrase") for every status, in ascending order.
 */
/* clang-format off */
#define DETENT_STATUS_LIST(X)                                                                        \
  X(OK,                0, "",    "ok")                                                               \
  X(INVALID_ARGUMENT,  1, "",    "a null pointer or a value outside its range")                      \
  X(NO_SPACE,          2, "F09", "the arena is too small")                                           \
  X(BUSY,              3, "F06", "the context or its port is in use, or waits for a late backend")    \
  X(BAD_STATE,         4, "",    "the context must be reset before it can run again")                \
  X(CANCELLED,         5, "F07", "the run was cancelled")                                            \
  X(TIMEOUT,           6, "F02", "an op ran past its deadline")                                      \
  X(KERNEL_FAILED,     7, "F01", "a kernel returned an error")                                       \
  X(WORKER_FAILED,     8, "F04", "a worker could not start")                                         \
  X(STALLED,           9, "",    "no op is running or ready but some have not run")                  \
  X(FOREIGN_COMPLETION,10,"F12", "a completion for an op that is not in flight")                     \
  X(UNSUPPORTED,      11, "",    "valid, but this engine cannot execute it")                         \
  X(STALE,            12, "",    "a prepared form is damaged, or of another network, device or version")  \
  X(INSUFFICIENT_SIZE,13, "",    "memory is smaller than what is to be written into it")                  \
  X(CYCLE,            20, "B20", "the op graph has a cycle")                                         \
  X(SELF_EDGE,        21, "B21", "an op is its own successor")                                       \
  X(SUCCESSOR_RANGE,  22, "B22", "a successor is not an op")                                         \
  X(DUPLICATE_EDGE,   23, "B23", "an edge is listed twice")                                          \
  X(INDEGREE,         24, "B24", "the indegree table disagrees with the edges")                      \
  X(NO_ENTRY,         25, "B25", "no op can start")                                                  \
  X(OP_ID,            26, "B26", "an op id is duplicate or not dense")                               \
  X(PRODUCER,         27, "B27", "a tensor has no producer, or two")                                 \
  X(TOO_MANY_TENSORS, 28, "B28", "an op names more tensors than the maximum")                        \
  X(UNKNOWN_KERNEL,   29, "B29", "no kernel, backend or worker serves the op")                       \
  X(GUARD,            30, "B30", "the guard of an op is malformed")                                  \
  X(OUTPUT_UNWRITTEN, 31, "B31", "a model output is never written")                                  \
  X(SHAPE,            32, "B32", "dims, rank or config of a tensor or op are impossible")            \
  X(OUT_OF_REGION,    40, "B40", "a tensor or region lies outside its memory")                       \
  X(OFFSET_WRAP,      41, "B41", "offset + size wraps")                                              \
  X(OVERLAP,          42, "B42", "two tensors that live at the same time share bytes")               \
  X(ALIAS,            43, "B43", "an alias forms a cycle, names itself or something smaller")        \
  X(ALIAS_TYPE,       44, "B44", "an alias crosses type or alignment")                               \
  X(IN_PLACE,         45, "B45", "an output shares bytes with an input but is not declared in place")\
  X(WEIGHT_WRITTEN,   46, "B46", "a weight is writable or shares bytes with an activation")          \
  X(EMPTY,            47, "B47", "a size is 0")                                                      \
  X(ALIGNMENT,        48, "B48", "an alignment is not a power of two, or an address is not aligned")          \
  X(LIFETIME,         49, "B49", "a lifetime ends before it starts, or its tensor is used outside of it") \
  X(MEMORY_LIMIT,     50, "B50", "the regions are larger than the platform's memory")                \
  X(TABLE_RANGE,      51, "B09", "an index or count lies outside its table")
/* clang-format on */

/** DETENT_OK, DETENT_INVALID_ARGUMENT and so on, from the list. */
typedef DETENT_ENUM(detent_status){
#define DETENT_STATUS_ENUM(name, number, catalogue, text) DETENT_##name = (number),
    DETENT_STATUS_LIST(DETENT_STATUS_ENUM)
#undef DETENT_STATUS_ENUM
} detent_status;

/* The texts of a status, for messages. Static storage, never null; any thread. A number that is not in the list has the
 * name and the phrase "?" and no catalogue number. */

/** Its name as in the list ("NO_SPACE"). */
const char *detent_status_name(detent_status status);

/** The list's phrase ("the arena is too small"). */
const char *detent_status_text(detent_status status);

/** The catalogue number ("B20", "F01") or "". */
const char *detent_status_catalogue(detent_status status);

/** What went wrong and where. Plain data of the caller. Indices of the Desc's tables; each is DETENT_NONE where it does
 *  not apply, all of them with OK. */
typedef struct detent_error {
  detent_status status;
  /** Op concerned. */
  unsigned op;
  /** Second op: edge target, second producer. */
  unsigned other_op;
  /** Tensor concerned. */
  unsigned tensor;
  /** Second tensor: overlap, alias, sharing in place. */
  unsigned other_tensor;
  /** Region concerned. */
  unsigned region;
  /** KERNEL_FAILED: the code of the kernel or of detent_complete; DETENT_GUARD where the op's guard held another value
   *  than it may, DETENT_INSUFFICIENT_SIZE where the extents that it wrote are larger than their bound. Else 0. */
  int code;
} detent_error;

#ifdef __cplusplus
}
#endif
#endif
