// Fibres by ucontext, for machines without an assembly switch.
#include <ucontext.h>

#include "verify/explore/threads/fibre/fibre.hpp"

namespace detent::verify::explore {

struct PortableFibre::State {
  ucontext_t context{};
  FibreStack stack;
  FibreEntry entry = nullptr;
  void* arg = nullptr;

  /// makecontext passes ints only: the pointer comes in two.
  static void enter(unsigned high, unsigned low) {
    const std::uintptr_t bits = (static_cast<std::uintptr_t>(high) << 32U) | low;
    const State& self = *reinterpret_cast<const State*>(bits);
    arrive(self.stack.fake_stack);
    self.entry(self.arg);
  }
};

PortableFibre::PortableFibre() : state_(std::make_unique<State>()) {}
PortableFibre::~PortableFibre() = default;
PortableFibre::PortableFibre(PortableFibre&&) noexcept = default;
PortableFibre& PortableFibre::operator=(PortableFibre&&) noexcept = default;

void PortableFibre::adopt_host() { state_->stack.range = host_stack(); }

void PortableFibre::prepare(StackRange stack, FibreEntry entry, void* arg) {
  clean_stack(stack);
  State& state = *state_;
  state.stack = {stack, nullptr};
  state.entry = entry;
  state.arg = arg;
  getcontext(&state.context);
  state.context.uc_stack.ss_sp = stack.base;
  state.context.uc_stack.ss_size = stack.bytes;
  state.context.uc_link = nullptr;
  const auto bits = reinterpret_cast<std::uintptr_t>(&state);
  makecontext(&state.context, reinterpret_cast<void (*)()>(&State::enter), 2, static_cast<unsigned>(bits >> 32U),
              static_cast<unsigned>(bits & 0xffffffffU));
}

void switch_to(PortableFibre& from, PortableFibre& to) {
  announce_switch(&from.state_->stack.fake_stack, to.state_->stack.range);
  swapcontext(&from.state_->context, &to.state_->context);
  arrive(from.state_->stack.fake_stack);
}

void leave_to(PortableFibre&, PortableFibre& to) {
  announce_switch(nullptr, to.state_->stack.range);
  setcontext(&to.state_->context);
  __builtin_unreachable();
}

}  // namespace detent::verify::explore
