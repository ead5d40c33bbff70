// What a failing op leaves behind.
#pragma once

#include <detent/kernel.h>

namespace detent::harness {

/// Overwrite every byte that the op was to write, as an op may that fails half-way: who reads it all the same gets
/// other bytes than from an op that has not failed.
void spoil_outputs(const detent_kernel_args& args);

}  // namespace detent::harness
