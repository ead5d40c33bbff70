// C text -> what the compiler is given: the same code without what it need not or must not see.
//
// Left out: every directive that is no condition, no macro and no pack pragma, the groups that only a C++ compiler
// reads, and the insides of long initialisers; where that may change what the rest means, a doubt says so. Offsets map
// back to the original text. The scan is also the guard in front of the compiler: whatever could exhaust its stack or
// its memory is refused here (B09, B15).
#pragma once

#include <string>
#include <string_view>

#include "models/import/tvm/c/limits.hpp"
#include "models/import/tvm/c/scanned_text.hpp"

namespace detent::models::tvm {

/// @param file  named in errors
/// @throws InputError  as parse_c says
ScannedText scan_c(std::string_view text, const std::string& file, const ScanLimits& limits = {});

}  // namespace detent::models::tvm
