// TVMBackendAllocWorkspace in the C of a package.
#pragma once

#include "models/core/model.hpp"

namespace detent::models::tvm {

/// Is TVMBackendAllocWorkspace of this package Detent's own? Else the artifact brings one.
bool has_own_allocator(const Model& model);
/// Its text.
extern const char* const kAllocatorText;

}  // namespace detent::models::tvm
