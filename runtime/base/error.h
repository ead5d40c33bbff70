/* Building detent_error values: every index that does not apply is DETENT_NONE. */
#ifndef DETENT_RUNTIME_ERROR_H_
#define DETENT_RUNTIME_ERROR_H_

#include <detent/limits.h>
#include <detent/status.h>

#include "runtime/base/freestanding.h"

namespace detent {

/// Where something went wrong; what is not named stays DETENT_NONE.
struct Place {
  std::uint32_t op = DETENT_NONE;
  std::uint32_t other_op = DETENT_NONE;
  std::uint32_t tensor = DETENT_NONE;
  std::uint32_t other_tensor = DETENT_NONE;
  std::uint32_t region = DETENT_NONE;
  std::int32_t code = 0;
};

inline detent_error make_error(detent_status status, const Place &place = {}) {
  return {status, place.op, place.other_op, place.tensor, place.other_tensor, place.region, place.code};
}

}  // namespace detent

#endif
