/* Seam: a back end turns an op into something that can be dispatched, and dispatches it. One table per way of executing
 * ops: kernels of the CPU (below), an accelerator that answers by interrupt, a model of a chip. */
#ifndef DETENT_RUNTIME_BACKEND_H_
#define DETENT_RUNTIME_BACKEND_H_

#include <stdbool.h>

#include <detent/compiler.h>
#include <detent/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

struct detent_context;

/** A bound op: the closed, schedulable entity. Lies in the context's arena; const from detent_init to detent_deinit. */
typedef struct detent_entity {
  /** What computes it; set by resolve. Null only where the back end's dispatch does without. Of a guarded op,
   *  or of a fallible one where there is no dispatch, the engine puts a function of its own here afterwards, which
   * calls args.guarded. */
  detent_kernel_fn run;
  /** Set by resolve, read by dispatch: the back end's own. The engine never follows it. */
  const void *backend_data;
  /** Addresses and config, set before resolve is called. */
  detent_kernel_args args;
} detent_entity;

/** What dispatch reports. */
typedef DETENT_ENUM(detent_dispatch){
    /** Finished; *code says how. If detent_complete was called as well, what that said counts. */
    DETENT_DISPATCH_DONE = 0,
    /** detent_complete(context, op, code) will be called exactly once, or has been called already. */
    DETENT_DISPATCH_PENDING = 1} detent_dispatch;

/** The table of one back end. Contexts keep it by pointer (detent_config.backends) until detent_deinit. */
typedef struct detent_backend {
  /** The back end's own; first argument of its functions. */
  void *self;
  /** Name of the core class that it serves, as in detent_desc.classes ("cpu", "npu", "delay"). "*" serves every class.
   *  Not null. */
  const char *class_name;
  /** Bind time: find kernel `name` for *entity, whose args are set, and fill entity->run or backend_data. Not null.
   *
   *  Called by detent_init, on its thread, in ascending order of the ops that no back end before this one took.
   *  @return  OK: the op is this back end's; UNKNOWN_KERNEL, or OK where neither entity->run nor dispatch is there: the
   *           next back end is asked; any other status, such as SHAPE: detent_init fails with it */
  detent_status (*resolve)(void *self, const char *name, detent_entity *entity);
  /** Run time: execute the op entity->args.op. Null: the engine calls entity->run(&entity->args) itself (the fast
   *  path). Not called for a guarded op that is not executed.
   *
   *  Called concurrently, by the slot that executes the op, for ops of ASYNC classes by whoever gives them out; it
   *  should then return soon, since in the closed loop nothing else is given out meanwhile. It may call
   *  detent_complete, detent_cancel and the functions that look at a context; the others return BUSY.
   *  @param worker  the slot that calls: 0 is the thread of detent_run; DETENT_NONE: a thread inside detent_complete
   *  @param code    0 on entry; set for DONE: 0, or the error that ends the run with KERNEL_FAILED */
  detent_dispatch (*dispatch)(void *self, struct detent_context *context, const detent_entity *entity, uint32_t worker,
                              int32_t *code);
} detent_backend;

/** Kernels by name. The table and its kernels belong to the caller and outlive every context bound over them. */
typedef struct detent_kernel_table {
  /** [count]; of two with one name the first is taken. */
  const detent_kernel *kernels;
  uint32_t count;
} detent_kernel_table;

/** Back end for `class_name` that takes kernels from `table` and lets the engine call them directly; of a kernel
 *  that is not in the table the next back end is asked. Keeps both pointers; neither is null. Any thread. */
detent_backend detent_cpu_backend(const char *class_name, const detent_kernel_table *table);

/** The table of every portable kernel (op_config.h), in the best instruction set of this processor; all of them give
 *  the same bits. Static storage. Any thread. */
const detent_kernel_table *detent_builtin_kernels(void);

#ifdef __cplusplus
}
#endif
#endif
