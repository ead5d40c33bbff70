/* A device module with the fault that BAD names, for device_module_test.cpp. */
#include <detent/device.h>

enum {
  null_,
  version_,
  kind_,
  name_,
  class_,
  slots_,
  function_,
  kernels_,
  kernel_,
  time_,
  size_,
  extension_,
  prepare_,
  entry_,
  measure_,
  open_,
  backend_,
  identify_,
  compile_,
  form_
};
#define HAS(fault) (BAD == fault##_)

static detent_status measure(const detent_desc *desc, const detent_device_config *config, detent_device_needs *needs) {
  (void)desc;
  (void)config;
  const detent_device_needs none = {DETENT_CACHE_LINE, 0, DETENT_NONE, 0};
  *needs = none;
  return HAS(measure) ? DETENT_UNSUPPORTED : DETENT_OK;
}

static detent_status open_device(void *memory, uint64_t bytes, const detent_desc *desc,
                                 const detent_device_config *config, detent_backend *backend) {
  (void)memory;
  (void)bytes;
  (void)desc;
  (void)config;
  (void)backend;
  return HAS(open) ? DETENT_WORKER_FAILED : DETENT_OK;
}

static void close_device(void *memory) { (void)memory; }
static void count(const void *memory, detent_device_counters *counters) {
  (void)memory;
  (void)counters;
}

static const char *const kernels[] = {HAS(kernel) ? "" : "copy_f32"};
static const detent_device_performance performance[] = {{DETENT_F32, HAS(time) ? 0.0f : 1.0f, 1.0f}};

static const char *const fused[] = {"com.example.fused"};
static const detent_device_extension extensions[] = {{"com.example", HAS(extension) ? 0 : 2, fused, 1}};

static detent_status identify(const detent_desc *desc, const detent_device_config *config,
                              detent_device_identity *identity) {
  (void)desc;
  (void)config;
  const detent_device_identity some = {DETENT_CACHE_LINE, {1, 2, 3}};
  *identity = some;
  return HAS(identify) ? DETENT_UNSUPPORTED : DETENT_OK;
}

static detent_status prepare(const detent_desc *desc, const detent_device_config *config, void *memory,
                             uint64_t memory_bytes, uint64_t *form_bytes) {
  (void)desc;
  (void)config;
  (void)memory;
  *form_bytes = memory_bytes + (HAS(form) ? 1 : 0);
  return HAS(compile) ? DETENT_WORKER_FAILED : DETENT_OK;
}

static const detent_device_module module = {.version = HAS(version) ? 99 : DETENT_DEVICE_VERSION,
                                            .kind = HAS(kind) ? 4 : DETENT_DEVICE_OTHER,
                                            .name = HAS(name) ? "" : "bad",
                                            .release = "1",
                                            .class_name = HAS(class) ? 0 : "npu",
                                            .slots = HAS(slots) ? 0 : 1,
                                            .kernels = HAS(kernels) ? 0 : kernels,
                                            .kernel_count = 1,
                                            .performance = performance,
                                            .performance_count = 1,
                                            .measure = measure,
                                            .open = open_device,
                                            .close = close_device,
                                            .count = HAS(function) ? 0 : count,
                                            .table_bytes = sizeof(detent_device_module) - (HAS(size) ? 1 : 0),
                                            .extension_count = 1,
                                            .extensions = extensions,
                                            .identify = identify,
                                            .prepare = HAS(prepare) ? 0 : prepare};

#if BAD_ENTRY
#define detent_device_entry another_name
#endif
__attribute__((visibility("default"))) const detent_device_module *detent_device_entry(void);
const detent_device_module *detent_device_entry(void) { return HAS(null) ? 0 : &module; }
