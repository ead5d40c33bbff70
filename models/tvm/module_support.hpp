// The headers that a package carries so that generated C compiles without TVM: own declarations of the C interfaces.
#pragma once

#include <vector>

#include "models/model.hpp"

namespace detent::models::tvm {

/// tvm/runtime/*.h, dlpack/dlpack.h and detent_tvm.h.
std::vector<SourceFile> support_headers();

/// Is this a header that a package has or that every C compiler has?
bool is_known_header(const std::string& name);

}  // namespace detent::models::tvm
