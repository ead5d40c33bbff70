/* Control flow at run time: is a guarded op executed in this run, what becomes of the failure of a
 * fallible one, and is the size that a sized one says within its bound? */
#ifndef DETENT_RUNTIME_ENGINE_GUARD_H_
#define DETENT_RUNTIME_ENGINE_GUARD_H_

#include <detent/backend.h>
#include <detent/desc.h>

#include "runtime/base/freestanding.h"

namespace detent {

/// Look at the guard of a bound op. Where the op is not executed and decides about others, its output says so.
/// @param code  set where it is not executed: 0, or DETENT_GUARD for a value that no guard may have
/// @return  execute it
bool guard_holds(const detent_desc &desc, const detent_op &op, const detent_kernel_args &args, std::int32_t *code);

/// A fallible op was executed: its last output takes what its code says.
/// @param code  of the kernel or back end; 0 from now on
void settle_failure(const detent_kernel_args &args, std::int32_t *code);

/// Extent `index` of those that a sized op has written.
inline std::int64_t read_extent(const void *extents, std::uint32_t index) {
  std::int64_t extent = 0;
  memcpy(&extent, static_cast<const std::uint8_t *>(extents) + std::size_t{index} * sizeof extent, sizeof extent);
  return extent;
}

/// A sized op was executed: the extents that it wrote are within the dims of its first output, or it has failed.
/// @param code  of the kernel or back end; where it is 0, it may become another one
void settle_extents(const detent_kernel_args &args, std::int32_t *code);

/// Put what a guarded, fallible or sized op does beside its kernel before entity.run.
/// @param settles  entity.run alone executes the op, so it settles failures and extents, too
void put_control_flow_before(const detent_desc &desc, const detent_op &op, bool settles, detent_entity &entity);

}  // namespace detent

#endif
