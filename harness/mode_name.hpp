// A mode -> its word on the command line.
#pragma once

#include <detent/detent.h>

namespace detent::harness {

/// "serial", "layered", "closed-loop", "static".
const char* mode_name(detent_mode mode);

}  // namespace detent::harness
