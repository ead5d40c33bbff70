/* Guards at run time: is a guarded op executed in this run? */
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

/// Put the function of a kernel behind the guard of its op: entity.run looks at it first from now on.
void put_behind_guard(const detent_desc &desc, const detent_op &op, detent_entity &entity);

}  // namespace detent

#endif
