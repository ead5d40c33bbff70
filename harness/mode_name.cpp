// Words of modes.
#include "harness/mode_name.hpp"

namespace detent::harness {

const char* mode_name(detent_mode mode) {
  switch (mode) {
    case DETENT_MODE_SERIAL:
      return "serial";
    case DETENT_MODE_LAYERED:
      return "layered";
    case DETENT_MODE_CLOSED_LOOP:
      return "closed-loop";
    case DETENT_MODE_STATIC:
      return "static";
  }
  return "?";
}

}  // namespace detent::harness
