// The kernels compiled with DETENT_STANDARD_ONLY, and with DETENT_OPS_PLAIN_QUADS (CMakeLists.txt here), as
// implementations more.
#pragma once

#include <detent/backend.h>

namespace detent::ops::standard {

extern const detent_kernel_table kTable;

}  // namespace detent::ops::standard

namespace detent::ops::quads {

extern const detent_kernel_table kTable;

}  // namespace detent::ops::quads
