/* An emitted network without an operating system: runs it in every mode and prints the digests. Needs two calls of its
 * surroundings, here those that QEMU's user mode answers: write and exit. */
#include "digest.h"
#include "fill.h"
#include "model.h"

enum { STANDARD_OUTPUT = 1 };

#if defined(__arm__)
enum { CALL_WRITE = 4, CALL_EXIT = 1 };
__asm__(".text\n.thumb\n.global _start\n.thumb_func\n_start:\n  bl begin\n");
static long call(long number, long a, long b, long c) {
  register long r0 __asm__("r0") = a;
  register long r1 __asm__("r1") = b;
  register long r2 __asm__("r2") = c;
  /* The number belongs into r7, which may be the frame pointer. */
  __asm__ volatile("push {r7}\n mov r7, %[number]\n svc 0\n pop {r7}"
                   : "+r"(r0)
                   : "r"(r1), "r"(r2), [number] "r"(number)
                   : "memory");
  return r0;
}
#elif defined(__riscv)
enum { CALL_WRITE = 64, CALL_EXIT = 93 };
__asm__(".text\n.global _start\n_start:\n  call begin\n");
static long call(long number, long a, long b, long c) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return a0;
}
#else
#error "not a target of tools/targets.sh"
#endif

static void print(const char *text, unsigned count) { call(CALL_WRITE, STANDARD_OUTPUT, (long)text, (long)count); }

static void print_digest(uint64_t digest) {
  char line[17];
  for (int i = 0; i < 16; ++i) line[i] = "0123456789abcdef"[digest >> (60 - 4 * i) & 15];
  line[16] = '\n';
  print(line, sizeof line);
}

/* As main.c of the emitted directory does it for a network with outputs. */
static uint64_t digest_outputs(const detent_context *context) {
  digest_state state;
  digest_begin(&state);
  for (uint32_t i = 0; i < detent_model_desc.output_count; ++i) {
    const detent_tensor *tensor = &detent_model_desc.tensors[detent_model_desc.outputs[i]];
    const uint8_t *data = detent_tensor_data(context, detent_model_desc.outputs[i]);
    for (uint32_t block = 0; block < tensor->block_count; ++block) {
      digest_add(&state, data + (size_t)(block * tensor->stride_bytes), tensor->block_bytes);
    }
  }
  return digest_end(&state);
}

static detent_status run(detent_mode mode) {
  detent_model_options options = detent_model_default_options();
  options.mode = mode;
  detent_status status = detent_model_open(&options, NULL);
  if (status != DETENT_OK) return status;
  fill_regions(&detent_model_desc, detent_model_context(), 0);
  detent_result result;
  status = detent_run(detent_model_context(), &result);
  if (status == DETENT_OK) print_digest(digest_outputs(detent_model_context()));
  return status == DETENT_OK ? detent_model_close() : status;
}

/* Where addresses have 32 bits, a region of 4 GiB and more has no arena, and a constant one no address. Sizes cut to 32
 * bits would bind. */
static _Alignas(DETENT_CACHE_LINE) uint8_t arena[DETENT_MODEL_ARENA_BYTES];
static detent_region regions[16];

static int is_refused(detent_region_kind kind, detent_status expected) {
  const detent_port port = detent_port_single_clocked(NULL, NULL);
  const detent_backend backend = detent_cpu_backend("*", detent_builtin_kernels());
  detent_config config = detent_default_config(&port);
  config.backends = &backend;
  config.backend_count = 1;
  detent_desc desc = detent_model_desc;
  if (desc.region_count > sizeof regions / sizeof regions[0]) return 0;
  for (uint32_t i = 0; i < desc.region_count; ++i) {
    regions[i] = desc.regions[i];
    if (regions[i].kind == kind) regions[i].size_bytes += (uint64_t)1 << 32;
  }
  desc.regions = regions;
  const int has_arena = detent_arena_bytes(&desc, &config) != 0;
  detent_context *bound = NULL;
  return detent_init(arena, sizeof arena, &desc, &config, &bound, NULL) == expected &&
         has_arena == (kind == DETENT_REGION_WEIGHTS);
}

static int sizes_hold(void) {
  return sizeof(void *) > 4 || (is_refused(DETENT_REGION_WORKSPACE, DETENT_NO_SPACE) &&
                                is_refused(DETENT_REGION_WEIGHTS, DETENT_OFFSET_WRAP));
}

void begin(void);
void begin(void) {
  detent_status status = DETENT_OK;
  for (int mode = DETENT_MODE_SERIAL; mode <= DETENT_MODE_STATIC && status == DETENT_OK; ++mode) {
    status = run((detent_mode)mode);
  }
  if (status != DETENT_OK) print("failed\n", 7);
  const int hold = sizes_hold();
  if (!hold) print("a region beyond the address space is not refused\n", 49);
  call(CALL_EXIT, status == DETENT_OK && hold ? 0 : 1, 0, 0);
  for (;;) {
  }
}
