// What generated code may use without declaring it, as C text that is put in front of each parsed file.
#pragma once

#include <string>

namespace detent::models::tvm {

/// Fixed-width integers, bool, libm, string.h, vector types, the types and functions of the TVM C runtime (0.8 to 0.18)
/// and the CMSIS-NN types. Written from their documented interfaces; ends with a newline.
const std::string& c_prelude();

/// Does every C library define this function? libm, string.h, stdlib.h and stdio.h, as far as c_prelude declares them.
bool is_library_function(const std::string& name);

}  // namespace detent::models::tvm
