#include "sim/systemc/stack_bounds.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

#include <cstddef>
#endif

namespace detent::sim {

#ifdef __SANITIZE_ADDRESS__
namespace {

struct Stack {
  void* bottom = nullptr;
  std::size_t size = 0;
};

Stack own_stack() {
  Stack stack;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return stack;
  pthread_attr_getstack(&attributes, &stack.bottom, &stack.size);
  pthread_attr_destroy(&attributes);
  return stack;
}

}  // namespace

void restore_stack_bounds() {
  static thread_local const Stack stack = own_stack();  // reads /proc/self/maps: once
  // A switch from this stack to itself, the one way there is to set the bounds.
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, stack.bottom, stack.size);
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}
#else
void restore_stack_bounds() {}
#endif

}  // namespace detent::sim
