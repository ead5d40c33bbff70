// Stacks for fibres: mapped once with a guard page, then handed out again and again.
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "verify/explore/threads/fibre/fibre.hpp"

namespace detent::verify::explore {

StackPool::StackPool(std::size_t stack_bytes)
    : stack_bytes_(stack_bytes), guard_bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
  stack_bytes_ = (stack_bytes_ + guard_bytes_ - 1) / guard_bytes_ * guard_bytes_;
}

StackPool::~StackPool() {
  for (const StackRange& stack : all_) {
    clean_stack(stack);
    munmap(stack.base - guard_bytes_, stack.bytes + guard_bytes_);
  }
}

StackRange StackPool::take() {
  if (!free_.empty()) {
    const StackRange stack = free_.back();
    free_.pop_back();
    return stack;
  }
  void* const memory = mmap(nullptr, stack_bytes_ + guard_bytes_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* const base = static_cast<std::uint8_t*>(memory);
  if (mprotect(base, guard_bytes_, PROT_NONE) != 0) {
    munmap(memory, stack_bytes_ + guard_bytes_);
    throw std::bad_alloc();
  }
  // Tops at different offsets within a page: a load that follows a store to the same offset of another page waits for
  // it.
  constexpr std::size_t kColours = 8;
  constexpr std::size_t kColourBytes = 448;
  const std::size_t colour = all_.size() % kColours;
  all_.push_back({base + guard_bytes_, stack_bytes_});
  return {base + guard_bytes_, stack_bytes_ - colour * kColourBytes};
}

void StackPool::give(StackRange stack) { free_.push_back(stack); }

StackRange host_stack() {
  pthread_attr_t attributes;
  void* base = nullptr;
  std::size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &base, &bytes);
    pthread_attr_destroy(&attributes);
  }
  return {static_cast<std::uint8_t*>(base), bytes};
}

}  // namespace detent::verify::explore
