// What native runs of one network and of several make of their options.
#pragma once

#include "harness/run_native.hpp"

namespace detent::harness {

/// @param policy  outlives the instance
InstanceOptions instance_options(const NativeOptions& options, const NamedPolicy& policy);
/// Fill the memory of a context anew: seeded data, and the input that was given.
/// @throws std::invalid_argument  input of the wrong size
void fill_instance(Instance& instance, const NativeOptions& options);
}  // namespace detent::harness
