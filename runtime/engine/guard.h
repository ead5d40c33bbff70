/* Control flow at run time: is a guarded op executed in this run, and what becomes of the failure of a fallible one? */
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

/// Put what a guarded or fallible op does beside its kernel before entity.run.
/// @param settles  entity.run alone executes the op, so it settles failures too
void put_control_flow_before(const detent_desc &desc, const detent_op &op, bool settles, detent_entity &entity);

}  // namespace detent

#endif
