/* A device module: an accelerator with one kernel, copy_f32, that needs no memory of its own and answers each command
 * from inside dispatch. Compile it with
 *     cc -std=c11 -O2 -shared -fPIC -I INCLUDE_OF_DETENT device.c -o device.so
 * and let a network run on it:
 *     detent list devices --device ./device.so
 *     detent run net.json --device ./device.so        # ops of class "npu" whose kernel is copy_f32 */
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include <detent/device.h>

typedef struct {
  detent_device_config config; /* without the port, which it does not need */
  atomic_ullong ops, bytes;
} copier;

static const char *const kernels[] = {"copy_f32"};
static const detent_device_performance performance[] = {{DETENT_F32, 0.5f, 0.25f}};

static bool is_mine(const detent_desc *desc, const detent_op *op) {
  return strcmp(desc->classes[op->core_class].name, "npu") == 0 && strcmp(desc->kernels[op->kernel], kernels[0]) == 0;
}

/* Dense tensors only: check refuses others. */
static int32_t copy(copier *self, const detent_kernel_args *args) {
  const detent_buffer *x = &args->inputs[0], *y = &args->outputs[0];
  memcpy(y->data, x->data, y->tensor->size_bytes);
  atomic_fetch_add(&self->ops, 1);
  atomic_fetch_add(&self->bytes, y->tensor->size_bytes);
  return 0;
}

/* The args that the engine calls with lie in their entity, where resolve has left what belongs to the op. */
static int32_t run(const detent_kernel_args *args) {
  const detent_entity *entity = (const detent_entity *)((const char *)args - offsetof(detent_entity, args));
  return copy((copier *)entity->backend_data, args);
}

static detent_status resolve(void *self, const char *name, detent_entity *entity) {
  const detent_kernel_args *args = &entity->args;
  if (strcmp(name, kernels[0]) != 0) return DETENT_UNKNOWN_KERNEL;
  if (args->input_count != 1 || args->output_count != 1) return DETENT_SHAPE;
  const detent_tensor *x = args->inputs[0].tensor, *y = args->outputs[0].tensor;
  if (x->size_bytes != y->size_bytes || x->block_count != 1 || y->block_count != 1) return DETENT_SHAPE;
  entity->run = run;
  entity->backend_data = self;
  return DETENT_OK;
}

static detent_dispatch dispatch(void *self, struct detent_context *context, const detent_entity *entity,
                                uint32_t worker, int32_t *code) {
  (void)worker;
  (void)code; /* complete says it */
  copier *const mine = (copier *)self;
  mine->config.complete(context, entity->args.op, copy(mine, &entity->args));
  return DETENT_DISPATCH_PENDING;
}

static detent_status measure(const detent_desc *desc, const detent_device_config *config, detent_device_needs *needs) {
  (void)config;
  memset(needs, 0, sizeof *needs);
  needs->memory_bytes = sizeof(copier);
  needs->largest_op = DETENT_NONE;
  for (uint32_t op = 0; op < desc->op_count; ++op) {
    if (!is_mine(desc, &desc->ops[op])) continue;
    if (needs->largest_op == DETENT_NONE) needs->largest_op = op;
    ++needs->op_count;
  }
  return DETENT_OK;
}

static detent_status open_copier(void *memory, uint64_t memory_bytes, const detent_desc *desc,
                                 const detent_device_config *config, detent_backend *backend) {
  if (memory_bytes < sizeof(copier)) return DETENT_NO_SPACE;
  copier *const self = (copier *)memory;
  self->config = *config;
  (void)desc;
  atomic_init(&self->ops, 0);
  atomic_init(&self->bytes, 0);
  backend->self = self;
  backend->class_name = "npu";
  backend->resolve = resolve;
  backend->dispatch = dispatch;
  return DETENT_OK;
}

static void close_copier(void *memory) { (void)memory; }

static void count(const void *memory, detent_device_counters *counters) {
  copier *const self = (copier *)memory;
  memset(counters, 0, sizeof *counters);
  counters->ops = atomic_load(&self->ops);
  counters->read_bytes = counters->written_bytes = atomic_load(&self->bytes);
  counters->most_commands = 1;
}

static const detent_device_module module = {.version = DETENT_DEVICE_VERSION,
                                            .kind = DETENT_DEVICE_NPU,
                                            .name = "copier",
                                            .release = "1.0",
                                            .class_name = "npu",
                                            .slots = 1,
                                            .kernels = kernels,
                                            .kernel_count = 1,
                                            .performance = performance,
                                            .performance_count = 1,
                                            .measure = measure,
                                            .open = open_copier,
                                            .close = close_copier,
                                            .count = count,
                                            .table_bytes = sizeof(detent_device_module)};

__attribute__((visibility("default"))) const detent_device_module *detent_device_entry(void);
const detent_device_module *detent_device_entry(void) { return &module; }
