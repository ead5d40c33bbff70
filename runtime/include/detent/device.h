/* Device modules: what serves a class of cores with a memory and a command queue of its own. A module is one const
 * table of functions, linked in (detent_software_npu) or exported by a shared object, and describes itself before
 * anything is opened: kind, class of cores, kernels, what a network needs of its memory.
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

/** Version of this header's tables: the host refuses a module of another one. */
#define DETENT_DEVICE_VERSION 1u

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
   *  @return  OK; NO_SPACE: as measure, or too little memory; WORKER_FAILED: its worker could not be started */
  detent_status (*open)(void *memory, uint64_t memory_bytes, const detent_desc *desc,
                        const detent_device_config *config, detent_backend *backend);
  /** After the last context over it is gone. Waits for its worker. */
  void (*close)(void *memory);
  /** Any time between open and close; any thread. */
  void (*count)(const void *memory, detent_device_counters *counters);
} detent_device_module;

/** An NPU in software: a worker on slot 1 of its port takes commands in the order in which they were given, copies
 *  inputs and weights into a scratchpad, computes there with the host's kernels, copies outputs back and completes the
 *  op. Class "npu", two slots. Outputs are copied back only where the kernel has returned 0. Of memory outside it
 *  touches the declared blocks alone, so that what is proved of ops is true of its copies. Any thread. */
const detent_device_module *detent_software_npu(void);

#ifdef __cplusplus
}
#endif
#endif
