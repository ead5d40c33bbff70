// The headers that a package carries so that generated C compiles without TVM: own declarations of the C interfaces.
#pragma once

#include <vector>

#include "models/core/model.hpp"

namespace detent::models::tvm {

/// tvm/runtime/*.h, dlpack/dlpack.h and detent_tvm.h. @param arm  arm_acle.h, too
std::vector<SourceFile> support_headers(bool arm);

/// Does this text use what arm_acle.h declares here: CMSIS' macros for inline functions, or DSP instructions?
bool uses_arm(const std::string& text);

/// Does a package itself define this function of TVM's runtime?
bool is_runtime_function(const std::string& name);

/// Does arm_acle.h of a package declare what this header does, as far as TVM's micro-kernels use it?
/// Does the package's own arm_acle.h define it?
bool is_arm_function(const std::string& name);

bool has_arm_substitute(const std::string& name);

/// The name by which a package or every C compiler has this header; "": neither has it.
std::string known_header(const std::string& name);

}  // namespace detent::models::tvm
