#include "models/import/tvm/module/allocator.hpp"

#include <string>

#include "models/core/thunks.hpp"

namespace detent::models::tvm {

const char* const kAllocatorText = R"(
DETENT_TVM_PER_THREAD detent_tvm_stack detent_tvm_workspace;
void *TVMBackendAllocWorkspace(int device_type, int device_id, uint64_t nbytes, int code, int bits) {
  const uint64_t size = (nbytes + 63u) & ~(uint64_t)63u;
  uint8_t *block = detent_tvm_workspace.base + detent_tvm_workspace.used;
  (void)device_type, (void)device_id, (void)code, (void)bits;
  if (size > detent_tvm_workspace.size - detent_tvm_workspace.used) return NULL;
  detent_tvm_workspace.used += size;
  return block;
}
int TVMBackendFreeWorkspace(int device_type, int device_id, void *ptr) {
  (void)device_type, (void)device_id;
  detent_tvm_workspace.used = (uint64_t)((uint8_t *)ptr - detent_tvm_workspace.base);
  return 0;
}
void TVMAPISetLastError(const char *message) { (void)message; }
)";

bool has_own_allocator(const Model& model) {
  const SourceFile* const file = thunk_file(model);
  return file != nullptr && file->text.find(kAllocatorText) != std::string::npos;
}

}  // namespace detent::models::tvm
