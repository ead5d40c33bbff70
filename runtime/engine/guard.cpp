// A guarded op at run time: looks at one byte, then calls the kernel or leaves it be.
#include "runtime/engine/guard.h"

#include "runtime/base/guards.h"

namespace detent {
namespace {

bool holds(const detent_kernel_args &args, std::uint8_t wanted, bool decides, std::int32_t *code) {
  const std::uint8_t value = *static_cast<const std::uint8_t *>(args.inputs[args.input_count].data);
  if (value == wanted) return true;
  *code = value <= DETENT_UNDECIDED ? 0 : DETENT_GUARD;
  if (decides) *static_cast<std::uint8_t *>(args.outputs[0].data) = DETENT_UNDECIDED;
  return false;
}

/// What a kernel is given says nothing of its op's flags, so each kind of guard has its function.
template <std::uint8_t kWanted, bool kDecides>
std::int32_t run_guarded(const detent_kernel_args *args) {
  std::int32_t code = 0;
  return holds(*args, kWanted, kDecides, &code) ? args->guarded(args) : code;
}

}  // namespace

bool guard_holds(const detent_desc &desc, const detent_op &op, const detent_kernel_args &args, std::int32_t *code) {
  return holds(args, wanted_value(op), decides(desc, op), code);
}

void put_behind_guard(const detent_desc &desc, const detent_op &op, detent_entity &entity) {
  entity.args.guarded = entity.run;
  if (wanted_value(op) == 1) {
    entity.run = decides(desc, op) ? run_guarded<1, true> : run_guarded<1, false>;
  } else {
    entity.run = decides(desc, op) ? run_guarded<0, true> : run_guarded<0, false>;
  }
}

}  // namespace detent
