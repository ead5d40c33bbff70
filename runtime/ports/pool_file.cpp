// A part of a file as a memory pool: opened once, examined by its descriptor, read as a whole.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <detent/memory_pool.h>

#include "runtime/base/freestanding.h"

namespace detent {
namespace {

bool is_regular(int descriptor) {
  struct stat found {};
  return fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode);
}

/// @return  OK; OUT_OF_REGION: the file ends before; UNSUPPORTED: reading failed
detent_status read_all(int descriptor, std::uint64_t offset, std::uint8_t *to, std::uint64_t bytes) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;  // at once
  if (bytes > INT64_MAX || offset > INT64_MAX - bytes) return DETENT_OUT_OF_REGION;
  while (bytes != 0) {
    const auto wanted = static_cast<std::size_t>(bytes < kMost ? bytes : kMost);
    const ssize_t got = pread(descriptor, to, wanted, static_cast<off_t>(offset));
    if (got < 0) return DETENT_UNSUPPORTED;
    if (got == 0) return DETENT_OUT_OF_REGION;
    const auto taken = static_cast<std::uint64_t>(got);
    to += taken;
    offset += taken;
    bytes -= taken;
  }
  return DETENT_OK;
}

}  // namespace
}  // namespace detent

extern "C" detent_status detent_pool_read_file(const char *path, uint64_t offset_bytes, void *memory,
                                               uint64_t memory_bytes, detent_pool *pool) {
  if (path == nullptr || memory == nullptr || pool == nullptr) return DETENT_INVALID_ARGUMENT;
  if (memory_bytes == 0) return DETENT_EMPTY;
  if (memory_bytes - 1 > UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(memory)) return DETENT_INVALID_ARGUMENT;
  // A FIFO would keep open() waiting for a writer.
  const int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) return DETENT_UNSUPPORTED;
  const detent_status status =
      detent::is_regular(descriptor)
          ? detent::read_all(descriptor, offset_bytes, static_cast<std::uint8_t *>(memory), memory_bytes)
          : DETENT_UNSUPPORTED;
  close(descriptor);
  if (status == DETENT_OK) *pool = {memory, memory_bytes, true};
  return status;
}
