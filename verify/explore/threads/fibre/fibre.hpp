// Fibres: several flows of control on one OS thread, each with a stack of its own; a switch saves and restores the
// registers that calls preserve, nothing else.
//
// x86-64 (System V) and aarch64 switch by hand-written assembly in a few nanoseconds; PortableFibre does the same with
// ucontext anywhere (0.3 us: it saves the signal mask by a system call). Control words of the FPU are shared.
// Under AddressSanitizer each switch tells it which stack is in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace detent::verify::explore {

/// Memory that a fibre runs on: [base, base + bytes), growing down. Owned by a StackPool.
struct StackRange {
  std::uint8_t* base = nullptr;
  std::size_t bytes = 0;
};

/// Stacks of one size with an inaccessible page below each. Taking one that was given back needs no system call; what
/// it held is of no use and is not cleared.
class StackPool {
 public:
  static constexpr std::size_t kDefaultBytes = std::size_t{256} * 1024;  ///< touched page by page as they are needed
  explicit StackPool(std::size_t stack_bytes = kDefaultBytes);
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  /// @throws std::bad_alloc
  StackRange take();
  /// The fibre on it has ended or will never run again.
  void give(StackRange stack);

 private:
  std::size_t stack_bytes_, guard_bytes_;
  std::vector<StackRange> all_, free_;
};

/// What a fibre executes; it must never return: it ends with leave_to.
using FibreEntry = void (*)(void* arg);

/// What every kind of fibre keeps for the sanitizer.
struct FibreStack {
  StackRange range{};          ///< of a host (the flow that was there first): the OS thread's
  void* fake_stack = nullptr;  ///< the sanitizer's
};
/// The stack of the OS thread that calls.
StackRange host_stack();

inline void announce_switch([[maybe_unused]] void** fake_stack, [[maybe_unused]] const StackRange& to) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(fake_stack, to.base, to.bytes);
#endif
}
inline void arrive([[maybe_unused]] void* fake_stack) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}
/// A stack that an abandoned fibre has left dirty is used from its top again.
inline void clean_stack([[maybe_unused]] const StackRange& stack) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(stack.base, stack.bytes);
#endif
}

#if defined(__x86_64__) || defined(__aarch64__)
#define DETENT_FAST_FIBRES 1
extern "C" void detent_fibre_switch(void** save_stack_pointer, void* stack_pointer);

/// A flow of control, suspended. switch_to(from, to) suspends the caller as `from` and goes on with `to`.
class FastFibre {
 public:
  /// Make this fibre begin with entry(arg) on `stack` at the first switch to it.
  void prepare(StackRange stack, FibreEntry entry, void* arg);
  /// Stand for the flow that calls: it can be switched from and back to.
  void adopt_host() { stack_.range = host_stack(); }

  friend void switch_to(FastFibre& from, FastFibre& to) {
    announce_switch(&from.stack_.fake_stack, to.stack_.range);
    detent_fibre_switch(&from.stack_pointer_, to.stack_pointer_);
    arrive(from.stack_.fake_stack);
  }
  /// As switch_to, for a fibre that ends here.
  [[noreturn]] friend void leave_to(FastFibre& from, FastFibre& to) {
    announce_switch(nullptr, to.stack_.range);
    detent_fibre_switch(&from.stack_pointer_, to.stack_pointer_);
    __builtin_unreachable();
  }

 private:
  struct Start;
  void* stack_pointer_ = nullptr;
  FibreStack stack_;
};
#endif

class PortableFibre;
void switch_to(PortableFibre& from, PortableFibre& to);
[[noreturn]] void leave_to(PortableFibre& from, PortableFibre& to);

/// The same by ucontext.
class PortableFibre {
 public:
  PortableFibre();
  ~PortableFibre();
  PortableFibre(PortableFibre&&) noexcept;
  PortableFibre& operator=(PortableFibre&&) noexcept;
  void prepare(StackRange stack, FibreEntry entry, void* arg);
  void adopt_host();
  friend void switch_to(PortableFibre& from, PortableFibre& to);
  friend void leave_to(PortableFibre& from, PortableFibre& to);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

#if defined(DETENT_FAST_FIBRES)
using Fibre = FastFibre;
#else
using Fibre = PortableFibre;
#endif

}  // namespace detent::verify::explore
