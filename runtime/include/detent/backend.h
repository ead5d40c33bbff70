/* Seam: a back end turns an op into something that can be dispatched, and dispatches it. */
#ifndef DETENT_RUNTIME_BACKEND_H_
#define DETENT_RUNTIME_BACKEND_H_

#include <stdbool.h>

#include <detent/enum.h>
#include <detent/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

struct detent_context;

/** A bound op: the closed, schedulable entity. Static after bind. */
typedef struct detent_entity {
  detent_kernel_fn run;     /**< set by resolve */
  const void *backend_data; /**< set by resolve; the back end's own */
  detent_kernel_args args;
} detent_entity;

/** What dispatch reports. */
typedef DETENT_ENUM(detent_dispatch){
    DETENT_DISPATCH_DONE = 0,   /**< finished; *code says how */
    DETENT_DISPATCH_PENDING = 1 /**< will call detent_complete(context, op, code) exactly once */
} detent_dispatch;

typedef struct detent_backend {
  void *self;
  const char *class_name; /**< core class it serves ("cpu", "npu", "delay"); "*" serves every class */
  /** Bind time. Fill entity->run (and backend_data) for kernel `name`, or return UNKNOWN_KERNEL. */
  detent_status (*resolve)(void *self, const char *name, detent_entity *entity);
  /** Run time. Null: the engine calls entity->run(&entity->args) itself (the fast path). `worker` is the slot that
   *  dispatches. Called concurrently from several workers. Must not call into the engine except detent_complete. */
  detent_dispatch (*dispatch)(void *self, struct detent_context *context, const detent_entity *entity, uint32_t worker,
                              int32_t *code);
} detent_backend;

/** The CPU back end over a table of kernels; `self` of the result is `table`. The table outlives the back end. */
typedef struct detent_kernel_table {
  const detent_kernel *kernels;
  uint32_t count;
} detent_kernel_table;

/** Back end for `class_name` that resolves names in `table`, falls through to nothing, dispatches directly. */
detent_backend detent_cpu_backend(const char *class_name, const detent_kernel_table *table);

/** The table of every portable kernel in runtime/kernels. Static storage. */
const detent_kernel_table *detent_builtin_kernels(void);

#ifdef __cplusplus
}
#endif
#endif
