// The caller's stack, told to AddressSanitizer after a simulation: SystemC's own switches leave it without one.
#pragma once

namespace detent::sim {

/// Tell AddressSanitizer which stack the calling operating-system thread runs on; elsewhere nothing happens.
///
/// SystemC announces each switch of coroutines, but knows no bounds of the stack that called sc_start(): back on it,
/// AddressSanitizer holds an empty range, so a later exception leaves the frames it unwinds poisoned, and their next
/// use is reported. Call it when sc_start() has returned, on the thread that called it.
void restore_stack_bounds();

}  // namespace detent::sim
