/* Device modules: what serves a class of cores with a memory and a command queue of its own. A module is one const
 * table of functions, linked in (detent_software_npu) or exported by a shared object, and describes itself before
 * anything is opened: kind, class of cores, kernels, extensions, what a network needs of its memory. It may prepare a
 * network once, in a form that many contexts and later programs open, told apart by a token.
 *
 * An opened device is a back end (backend.h) in two ways: through dispatch its ops are commands that it answers later;
 * through entity->run the calling thread does the same work at once, with the same copies between memories, for worlds
 * whose time is not that of this machine. Both give the same bytes. */
#ifndef DETENT_RUNTIME_DEVICE_H_
#define DETENT_RUNTIME_DEVICE_H_

#include <stdint.h>

#include <detent/backend.h>
#include <detent/compiler.h>
#include <detent/desc.h>
#include <detent/device_kind.h>
#include <detent/port.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this header's tables. Modules of an older one are taken: what their tables lack counts as 0
 *  (detent_device_read). 1: no extensions, nothing is prepared. */
#define DETENT_DEVICE_VERSION 2u

/** Bytes of what tells prepared forms apart. */
#define DETENT_TOKEN_BYTES 32u

/** Name of the function that a shared object exports: `const detent_device_module *detent_device_entry(void)`. */
#define DETENT_DEVICE_ENTRY "detent_device_entry"

/** How a device is opened. The host fills all of it; the device copies what it keeps. */
typedef struct detent_device_config {
  /** Of the device alone, from open to close; complete (port.h), with a slot 1 that can be started. */
  const detent_port *port;
  /** Memory of the device that one op may use. 0: as much as the largest op needs. */
  uint64_t scratchpad_bytes;
  /** The host's kernels, for devices that compute by them. Not null. */
  const detent_kernel_table *kernels;
  /** detent_complete of the runtime that dispatches, so that a shared object needs to link to none. Not null. */
  detent_status (*complete)(struct detent_context *context, uint32_t op, int32_t code);
  /** From version 2 on. Null, or what prepare has made, aligned to DETENT_CACHE_LINE: open takes it where it fits. Only
   *  read, by any number of opened devices at once; there until the last of them is closed. */
  const void *prepared;
  uint64_t prepared_bytes;
} detent_device_config;

/** What a network needs of a device. */
typedef struct detent_device_needs {
  /** For open; aligned to DETENT_CACHE_LINE. */
  uint64_t memory_bytes;
  /** Of the op that needs the largest part of the device's memory; inputs, outputs, weights and scratch of it. */
  uint64_t scratchpad_bytes;
  /** That op, lowest id first; DETENT_NONE: none is for the device. */
  uint32_t largest_op;
  /** Ops of its class whose kernels it has. */
  uint32_t op_count;
} detent_device_needs;

/** What prepare makes of a network, before it is made. */
typedef struct detent_device_identity {
  /** Enough memory for prepare; the form may be shorter. */
  uint64_t memory_bytes;
  /** A hash over the sub-graph of the device (ops, their tensors, configs and edges), the bytes of its constants and
   *  the version of the device: another network has another token, but for a collision. No signature: it tells mistakes
   *  apart, not forgeries. */
  uint8_t token[DETENT_TOKEN_BYTES];
} detent_device_identity;

/** What an opened device has done, over all runs. */
typedef struct detent_device_counters {
  /** Ops executed, in either way. */
  uint64_t ops;
  /** Bytes copied into and out of the device's memory: blocks of inputs and weights, blocks of outputs. */
  uint64_t read_bytes;
  uint64_t written_bytes;
  /** Most commands that waited or were executed at one moment. */
  uint32_t most_commands;
} detent_device_counters;

/** Time and power of a device for elements of one type, where those of the CPU are 1. */
typedef struct detent_device_performance {
  /** detent_dtype */
  uint32_t dtype;
  float time;
  float power;
} detent_device_performance;

/** Kernels of a vendor that a device computes beside those of its table. */
typedef struct detent_device_extension {
  /** "com.example.fused". Once in a table. */
  const char *name;
  /** Above 0; grows with what the kernels mean. */
  uint32_t version;
  /** [kernel_count], at least one; no name twice in the table. */
  const char *const *kernels;
  uint32_t kernel_count;
} detent_device_extension;

/** The table of a module. Static storage of the module; const. Pointers are not null where nothing else is said. */
typedef struct detent_device_module {
  /** DETENT_DEVICE_VERSION, when the module was compiled. */
  uint32_t version;
  /** Another number is refused. */
  detent_device_kind kind;
  /** For people: "software NPU". */
  const char *name;
  /** Of the module, for people: "1.0". */
  const char *release;
  /** Class of cores that it serves, as in detent_desc.classes. */
  const char *class_name;
  /** Ops that may be given to it at once, waiting ones included: workers of its class, at least 1. */
  uint32_t slots;
  /** [kernel_count] names of its kernels. None: those of the host (config.kernels). */
  const char *const *kernels;
  uint32_t kernel_count;
  /** [performance_count]; a type that is missing counts as infinitely slow. None: nothing is claimed. */
  const detent_device_performance *performance;
  uint32_t performance_count;

  /** What a network needs.
   *
   *  @param desc    has passed detent_check
   *  @param needs   filled with OK only
   *  @return  OK; NO_SPACE: an op needs more than config->scratchpad_bytes, and needs says which and how much */
  detent_status (*measure)(const detent_desc *desc, const detent_device_config *config, detent_device_needs *needs);
  /** Open the device for the contexts of one Desc; one of them runs at a time.
   *
   *  @param memory   memory_bytes of measure, aligned to DETENT_CACHE_LINE, the device's until close
   *  @param backend  filled with OK only; serves class_name, sets entity->run and has a dispatch; kept by the host
   *  @return  OK; NO_SPACE: as measure, or too little memory; WORKER_FAILED: its worker could not be started;
   *           STALE: config->prepared is damaged, or was made of another network or by another device or version;
   *           without it, or with one that prepare makes anew, the device can be opened */
  detent_status (*open)(void *memory, uint64_t memory_bytes, const detent_desc *desc,
                        const detent_device_config *config, detent_backend *backend);
  /** After the last context over it is gone. Waits for its worker. */
  void (*close)(void *memory);
  /** Any time between open and close; any thread. */
  void (*count)(const void *memory, detent_device_counters *counters);

  /* From version 2 on. */

  /** sizeof(detent_device_module), when the module was compiled. */
  uint32_t table_bytes;
  uint32_t extension_count;
  /** [extension_count] */
  const detent_device_extension *extensions;
  /** Both of the following or none (null): a module that prepares nothing finds all it needs in open.
   *
   *  What prepare would make of the device's ops of a network. Looks at the bytes of constants; makes nothing.
   *  @param desc      as for measure
   *  @param identity  filled with OK only
   *  @return  OK; NO_SPACE: more than memory can hold */
  detent_status (*identify)(const detent_desc *desc, const detent_device_config *config,
                            detent_device_identity *identity);
  /** Compile the device's ops of a network, once for every context over it: constants in the order and form in which
   *  the device reads them. Equal networks give equal bytes, and the form holds no address: it may be kept in a file
   * and opened by another program of this machine.
   *
   *  @param memory      identity.memory_bytes, aligned to DETENT_CACHE_LINE
   *  @param form_bytes  with OK: how many of them, from the first on, are the form
   *  @return  OK; INVALID_ARGUMENT, ALIGNMENT or NO_SPACE: the memory is not as above */
  detent_status (*prepare)(const detent_desc *desc, const detent_device_config *config, void *memory,
                           uint64_t memory_bytes, uint64_t *form_bytes);
} detent_device_module;

/* ---- Asking a module. Any thread; nothing is kept. */

/** DETENT_DEVICE_FAULT_LIST(X) expands to X(name, number, "phrase") for everything that can be wrong with a table. */
/* clang-format off */
#define DETENT_DEVICE_FAULT_LIST(X)                                                                            \
  X(NONE,        0, "can be used")                                                                             \
  X(TABLE,       1, "is null")                                                                                 \
  X(VERSION,     2, "is of a version that this program has not")                                               \
  X(SIZE,        3, "is shorter than its version says")                                                        \
  X(KIND,        4, "has a kind that is unknown")                                                              \
  X(NAME,        5, "lacks a name or a release")                                                               \
  X(CLASS,       6, "lacks the class of cores that it serves")                                                 \
  X(SLOTS,       7, "has a number of slots that is not possible")                                              \
  X(FUNCTION,    8, "lacks a function: measure, open, close or count")                                         \
  X(LIST,        9, "counts kernels, types or extensions and has none")                                        \
  X(PERFORMANCE,10, "claims a time or power that is not above 0, or of a type that is unknown")                \
  X(KERNEL,     11, "has a kernel without a name")                                                             \
  X(EXTENSION,  12, "has an extension without name, version or kernels, or with a name that is there already") \
  X(PREPARE,    13, "has one of identify and prepare without the other")
/* clang-format on */

/** DETENT_DEVICE_FAULT_NONE and so on, from the list. */
typedef DETENT_ENUM(detent_device_fault){
#define DETENT_DEVICE_FAULT_ENUM(name, number, text) DETENT_DEVICE_FAULT_##name = (number),
    DETENT_DEVICE_FAULT_LIST(DETENT_DEVICE_FAULT_ENUM)
#undef DETENT_DEVICE_FAULT_ENUM
} detent_device_fault;

/** Read the table of a module, of this version or an older one, and check all that is said of it above. Calls none of
 *  its functions.
 *
 *  @param module  null is a fault of its own. No byte behind what its version and table_bytes say is read
 *  @param table   not null; filled with NONE only: what the module has, and 0 for what it is too old for. Points into
 *                 the module's storage
 *  @note  time grows with the square of the number of kernels of extensions */
detent_device_fault detent_device_read(const detent_device_module *module, detent_device_module *table);

/** The list's phrase, to be read behind "its device table". Static storage; "?" for another number. */
const char *detent_device_fault_text(detent_device_fault fault);

/** "cpu", "gpu", "npu" or "other"; "?" for another number. Static storage. */
const char *detent_device_kind_name(detent_device_kind kind);

/* Of tables that detent_device_read has filled; no argument is null. */

/** Does it compute kernel `name`: one of its own, or of `host` where it names none, or one of an extension? */
bool detent_device_has_kernel(const detent_device_module *table, const detent_kernel_table *host, const char *name);

/** Its extension of that name; null: it has none. */
const detent_device_extension *detent_device_find_extension(const detent_device_module *table, const char *name);

/** What it claims of a type of elements; null: nothing, which counts as infinitely slow. */
const detent_device_performance *detent_device_find_performance(const detent_device_module *table, detent_dtype dtype);

/** An NPU in software: a worker on slot 1 of its port takes commands in the order in which they were given, copies
 *  inputs and weights into a scratchpad, computes there with the host's kernels, copies outputs back and completes the
 *  op. Class "npu", two slots. Outputs are copied back only where the kernel has returned 0. Of memory outside it
 *  touches the declared blocks alone, so that what is proved of ops is true of its copies. Any thread.
 *
 *  Its prepared form holds the tensors of WEIGHTS regions that its ops read, each once; an op of a device that was
 *  opened with it reads them there and copies its other inputs alone. */
const detent_device_module *detent_software_npu(void);

#ifdef __cplusplus
}
#endif
#endif
