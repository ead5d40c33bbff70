// CPU back end: kernel names -> functions of a caller's table; the engine calls them directly.

#include <detent/backend.h>

#include "runtime/base/freestanding.h"

namespace {

/// entity->args is filled before this is called (data pointers may be null), so that the kernel can check it.
detent_status resolve_in_table(void *self, const char *name, detent_entity *entity) {
  const auto *table = static_cast<const detent_kernel_table *>(self);
  for (uint32_t i = 0; i < table->count; ++i) {
    const detent_kernel &kernel = table->kernels[i];
    if (strcmp(kernel.name, name) != 0) continue;
    entity->run = kernel.run;
    entity->backend_data = &kernel;
    return kernel.check == nullptr ? DETENT_OK : kernel.check(&entity->args);
  }
  return DETENT_UNKNOWN_KERNEL;
}

}  // namespace

extern "C" detent_backend detent_cpu_backend(const char *class_name, const detent_kernel_table *table) {
  detent_backend backend{};
  backend.self = const_cast<detent_kernel_table *>(table);  // read only: resolve_in_table takes it back as const
  backend.class_name = class_name;
  backend.resolve = resolve_in_table;
  backend.dispatch = nullptr;
  return backend;
}
