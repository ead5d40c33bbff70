/* The runtime from plain C11: a hand-written const Desc with two kernels of its own, run by two workers.
 *
 * y = (x + 1) * (x * 2), element by element: ops 0 and 1 read x and may run at the same time, op 2 reads both results.
 * Builds with gcc -std=c11 -Wall -Wextra -pedantic -Werror and links to the runtime library alone. */
#include <inttypes.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <detent/detent.h>

enum { ELEMENTS = 4, BYTES = ELEMENTS * (int)sizeof(float) };

/* ---- Kernels: read inputs and config, write every byte of the outputs. */

typedef struct scale_config {
  float factor;
  float offset;
} scale_config;

static int32_t run_scale(const detent_kernel_args *args) {
  const scale_config *config = args->config;
  const float *x = args->inputs[0].data;
  float *y = args->outputs[0].data;
  for (int i = 0; i < ELEMENTS; ++i) y[i] = x[i] * config->factor + config->offset;
  return 0;
}

static int32_t run_multiply(const detent_kernel_args *args) {
  const float *a = args->inputs[0].data;
  const float *b = args->inputs[1].data;
  float *y = args->outputs[0].data;
  for (int i = 0; i < ELEMENTS; ++i) y[i] = a[i] * b[i];
  return 0;
}

static detent_status check_scale(const detent_kernel_args *args) {
  const int good = args->input_count == 1 && args->output_count == 1 && args->config_size == sizeof(scale_config);
  return good ? DETENT_OK : DETENT_SHAPE;
}

static const detent_kernel kernels[] = {
    {.name = "scale", .run = run_scale, .check = check_scale},
    {.name = "multiply", .run = run_multiply, .check = NULL},
};
static const detent_kernel_table kernel_table = {.kernels = kernels, .count = 2};

/* ---- Tables. Everything is const: on a target they stand in flash. */

static const detent_region regions[] = {
    {.name = "input", .kind = DETENT_REGION_INPUT, .size_bytes = BYTES, .align_bytes = 16, .data = NULL},
    {.name = "workspace", .kind = DETENT_REGION_WORKSPACE, .size_bytes = 2 * BYTES, .align_bytes = 16, .data = NULL},
    {.name = "output", .kind = DETENT_REGION_OUTPUT, .size_bytes = BYTES, .align_bytes = 16, .data = NULL},
};

#define VECTOR(label, in_region, offset, first_op, last_op)                                                            \
  {                                                                                                                    \
    .name = label, .region = in_region, .flags = 0, .offset_bytes = offset, .size_bytes = BYTES, .block_bytes = BYTES, \
    .stride_bytes = 0, .block_count = 1, .align_bytes = 16, .alias_of = DETENT_NONE, .live_begin = first_op,           \
    .live_end = last_op, .dtype = DETENT_F32, .layout = DETENT_LAYOUT_PLAIN, .rank = 1, .dims = {                      \
      ELEMENTS                                                                                                         \
    }                                                                                                                  \
  }
static const detent_tensor tensors[] = {
    VECTOR("x", 0, 0, 0, 1),
    VECTOR("sum", 1, 0, 0, 2),
    VECTOR("double", 1, BYTES, 1, 2),
    VECTOR("y", 2, 0, 2, 2),
};

static const uint32_t tensor_refs[] = {0, 1, /* op 0: x -> sum */ 0,
                                       2, /* op 1: x -> double */
                                       1, 2, 3 /* op 2: sum, double -> y */};
static const uint32_t successors[] = {2, 2};
static const alignas(8) scale_config configs[] = {{.factor = 1, .offset = 1}, {.factor = 2, .offset = 0}};

static const detent_op ops[] = {
    {.name = "add one",
     .id = 0,
     .kernel = 0,
     .inputs = {0, 1},
     .outputs = {1, 1},
     .config_offset = 0,
     .config_size = sizeof(scale_config),
     .entry_count = 0,
     .successors = {0, 1},
     .commute_group = DETENT_NONE},
    {.name = "double",
     .id = 1,
     .kernel = 0,
     .inputs = {2, 1},
     .outputs = {3, 1},
     .config_offset = sizeof(scale_config),
     .config_size = sizeof(scale_config),
     .entry_count = 0,
     .successors = {1, 1},
     .commute_group = DETENT_NONE},
    {.name = "multiply",
     .id = 2,
     .kernel = 1,
     .inputs = {4, 2},
     .outputs = {6, 1},
     .entry_count = 2,
     .successors = {2, 0},
     .commute_group = DETENT_NONE},
};

static const char *const kernel_names[] = {"scale", "multiply"};
static const detent_class classes[] = {{.name = "cpu", .kind = DETENT_CLASS_WORKERS}};
static const uint32_t inputs[] = {0};
static const uint32_t outputs[] = {3};

static const detent_desc desc = {
    .name = "c_example",
    .regions = regions,
    .region_count = 3,
    .tensors = tensors,
    .tensor_count = 4,
    .ops = ops,
    .op_count = 3,
    .tensor_refs = tensor_refs,
    .tensor_ref_count = 7,
    .successors = successors,
    .successor_count = 2,
    .kernels = kernel_names,
    .kernel_count = 2,
    .classes = classes,
    .class_count = 1,
    .config_bytes = (const uint8_t *)configs,
    .config_byte_count = sizeof configs,
    .inputs = inputs,
    .input_count = 1,
    .outputs = outputs,
    .output_count = 1,
};

/* ---- Memory. A firmware would give static arrays; sizes are known once the Desc is. */

static void *allocate(size_t bytes) {
  const size_t align = DETENT_CACHE_LINE;
  void *memory = aligned_alloc(align, (bytes + align - 1) / align * align);
  if (memory == NULL) exit(2);
  return memory;
}

static int fail(const char *what, detent_status status) {
  fprintf(stderr, "%s: %s: %s\n", what, detent_status_name(status), detent_status_text(status));
  return 1;
}

static int run_twice(detent_context *context) {
  float *x = detent_tensor_data(context, inputs[0]);
  const float *y = detent_tensor_data(context, outputs[0]);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < ELEMENTS; ++i) x[i] = (float)(i + round);
    detent_result result;
    const detent_status status = detent_run(context, &result);
    if (status != DETENT_OK) return fail("run", status);
    printf("run %d, %" PRIu32 " ops:", round, result.ops_run);
    for (int i = 0; i < ELEMENTS; ++i) printf(" %g", (double)y[i]);
    printf("\n");
  }
  return 0;
}

int main(void) {
  detent_port port;
  void *port_memory = allocate(detent_port_posix_bytes());
  detent_status status = detent_port_posix(port_memory, detent_port_posix_bytes(), &port);
  if (status != DETENT_OK) return fail("port", status);

  const detent_backend cpu = detent_cpu_backend("cpu", &kernel_table);
  detent_config config = detent_default_config(&port);
  config.backends = &cpu;
  config.backend_count = 1;
  config.worker_count = 2;

  const size_t arena_bytes = detent_arena_bytes(&desc, &config);
  void *arena = allocate(arena_bytes);
  detent_context *context = NULL;
  detent_error error;
  status = detent_init(arena, arena_bytes, &desc, &config, &context, &error);
  if (status != DETENT_OK) return fail("init", status);

  const int exit_code = run_twice(context);
  status = detent_deinit(context);
  if (status != DETENT_OK) return fail("deinit", status);
  free(arena);
  free(port_memory);
  return exit_code;
}
