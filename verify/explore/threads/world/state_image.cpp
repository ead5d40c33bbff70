#include "verify/explore/threads/world/state_image.hpp"

#include <cstring>

namespace detent::verify::explore {

namespace {

constexpr std::size_t kCleanedBytes = 8192;  // more than the engine's deepest calls need

}  // namespace

void StateImage::begin(ThreadId thread, const StackRange& stack, void (*entry)(void*), void* arg) {
  clean_stack(stack);
  std::memset(stack.base + stack.bytes - kCleanedBytes, 0, kCleanedBytes);
  threads_[thread] = {.entry = entry, .arg = arg, .end = stack.base + stack.bytes};
}

/// The caller's frame ends where the call's begins.
void StateImage::keep_depth(ThreadId thread) {
  threads_[thread].lowest = static_cast<const std::uint8_t*>(__builtin_dwarf_cfa());
}

void StateImage::hash_thread(ThreadId thread, StateHash& hash) const {
  const Thread& it = threads_[thread];
  if (it.lowest != nullptr) {
    hash.add_bytes(it.lowest, static_cast<std::size_t>(it.end - it.lowest));
  } else {
    hash.add(reinterpret_cast<std::uintptr_t>(it.entry));
    hash.add(reinterpret_cast<std::uintptr_t>(it.arg));
  }
}

void StateImage::wipe_below() {
  std::uint8_t gap[1024];
  std::memset(gap, 0, sizeof gap);
  asm volatile("" : : "r"(gap) : "memory");
}

}  // namespace detent::verify::explore
