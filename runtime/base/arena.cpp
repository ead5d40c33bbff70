// Arena: hands out aligned pieces of one memory, or counts what they would take.
#include "runtime/base/arena.h"

namespace detent {

Arena Arena::measuring() {
  Arena arena;
  arena.measuring_ = true;
  arena.bytes_ = SIZE_MAX;
  return arena;
}

Arena::Arena(void *base, std::size_t bytes, std::size_t base_align) {
  const std::size_t gap = (base_align - reinterpret_cast<std::uintptr_t>(base) % base_align) % base_align;
  if (base == nullptr || gap > bytes) {
    failed_ = true;
    return;
  }
  base_ = static_cast<std::uint8_t *>(base) + gap;
  bytes_ = bytes - gap;
  max_align_ = base_align;
}

void *Arena::take(std::uint64_t bytes, std::size_t align) {
  if (bytes == 0) return nullptr;
  const std::size_t padding = (align - used_ % align) % align;
  const std::size_t room = bytes_ - used_;
  const bool base_too_coarse = !measuring_ && align > max_align_;
  if (failed_ || sealed_ || base_too_coarse || padding > room || bytes > room - padding) {
    failed_ = true;
    return nullptr;
  }
  if (align > max_align_) max_align_ = align;
  const std::size_t offset = used_ + padding;
  used_ = offset + static_cast<std::size_t>(bytes);  // no more than room
  return measuring_ ? nullptr : base_ + offset;
}

std::size_t Arena::needed() const {
  if (failed_ || used_ > SIZE_MAX - (max_align_ - 1)) return 0;
  return used_ + (max_align_ - 1);
}

}  // namespace detent
