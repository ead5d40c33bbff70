// The switch by hand: push what calls preserve, change the stack, pop. A new stack is laid out as if it had been
// switched away from just before its entry. On x86-64 it ends with a jump, not a return: nearly all switches are called
// from one place, so the jump's target predicts, where the processor's stack of return addresses belongs to the flow
// that is left (2.9 against 10.5 ns).
#include "verify/explore/threads/fibre/fibre.hpp"

#if defined(DETENT_FAST_FIBRES)

#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl detent_fibre_switch
.type detent_fibre_switch, @function
detent_fibre_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmpq *%rcx
.size detent_fibre_switch, .-detent_fibre_switch

.p2align 4
.globl detent_fibre_begin
.type detent_fibre_begin, @function
detent_fibre_begin:
  movq %r13, %rdi
  callq *%r12
  ud2
.size detent_fibre_begin, .-detent_fibre_begin
)");
#else
asm(R"(
.text
.p2align 4
.globl detent_fibre_switch
.type detent_fibre_switch, %function
detent_fibre_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size detent_fibre_switch, .-detent_fibre_switch

.p2align 4
.globl detent_fibre_begin
.type detent_fibre_begin, %function
detent_fibre_begin:
  mov x0, x20
  blr x19
  brk #0
.size detent_fibre_begin, .-detent_fibre_begin
)");
#endif

namespace detent::verify::explore {

extern "C" void detent_fibre_begin();

#if defined(__SANITIZE_ADDRESS__)
/// What the new fibre finds in its registers: it tells the sanitizer where it runs before entry(arg).
struct FastFibre::Start {
  FibreEntry entry;
  void* arg;
  FastFibre* fibre;

  static void enter(void* self) {
    const Start start = *static_cast<const Start*>(self);
    arrive(start.fibre->stack_.fake_stack);
    start.entry(start.arg);
  }
};
#endif

void FastFibre::prepare(StackRange stack, FibreEntry entry, void* arg) {
  clean_stack(stack);
  stack_ = {stack, nullptr};
  std::uint8_t* const top = stack.base + stack.bytes;
#if defined(__SANITIZE_ADDRESS__)
  constexpr std::size_t kStartBytes = (sizeof(Start) + 15) / 16 * 16;
  auto* const start = reinterpret_cast<Start*>(top - kStartBytes);
  *start = {entry, arg, this};
  const FibreEntry first = &Start::enter;
  void* const first_arg = start;
#else
  constexpr std::size_t kStartBytes = 16;
  const FibreEntry first = entry;
  void* const first_arg = arg;
#endif
#if defined(__x86_64__)
  auto* const frame = reinterpret_cast<void**>(top - kStartBytes) - 8;  // 16-byte aligned above the seven words popped
  frame[1] = nullptr;                                                   // r15
  frame[2] = nullptr;                                                   // r14
  frame[3] = first_arg;                                                 // r13
  frame[4] = reinterpret_cast<void*>(first);                            // r12
  frame[5] = nullptr;                                                   // rbx
  frame[6] = nullptr;                                                   // rbp
  frame[7] = reinterpret_cast<void*>(&detent_fibre_begin);
  stack_pointer_ = frame + 1;
#else
  auto* const frame = reinterpret_cast<void**>(top - kStartBytes) - 20;
  for (int i = 0; i < 20; ++i) frame[i] = nullptr;
  frame[0] = reinterpret_cast<void*>(first);  // x19
  frame[1] = first_arg;                       // x20
  frame[11] = reinterpret_cast<void*>(&detent_fibre_begin);
  stack_pointer_ = frame;
#endif
}

}  // namespace detent::verify::explore

#endif
