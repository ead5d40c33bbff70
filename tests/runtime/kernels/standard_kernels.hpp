// The kernels compiled with DETENT_STANDARD_ONLY (CMakeLists.txt here), as one implementation more.
#pragma once

#include <detent/backend.h>

namespace detent::ops::standard {

extern const detent_kernel_table kTable;

}  // namespace detent::ops::standard
