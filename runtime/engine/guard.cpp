// A guarded op at run time looks at one byte, then calls the kernel or leaves it be; a fallible one says how it ended.
#include "runtime/engine/guard.h"

#include "runtime/base/guards.h"

namespace detent {
namespace {

std::uint8_t &condition(const detent_kernel_args &args, bool is_fallible) {
  return *static_cast<std::uint8_t *>(args.outputs[is_fallible ? args.output_count : 0].data);
}

bool holds(const detent_kernel_args &args, std::uint8_t wanted, std::int32_t *code) {
  const std::uint8_t value = *static_cast<const std::uint8_t *>(args.inputs[args.input_count].data);
  if (value == wanted) return true;
  *code = value <= DETENT_UNDECIDED ? 0 : DETENT_GUARD;
  return false;
}

/// What a kernel is given says nothing of its op's flags, so each kind of op has its function.
template <std::uint8_t kWanted, bool kDecides, bool kFallible, bool kSettles>
std::int32_t run_guarded(const detent_kernel_args *args) {
  std::int32_t code = 0;
  if (!holds(*args, kWanted, &code)) {
    if (kDecides) condition(*args, kFallible) = DETENT_UNDECIDED;
    return code;
  }
  code = args->guarded(args);
  if (kSettles) settle_failure(*args, &code);
  return code;
}

std::int32_t run_fallible(const detent_kernel_args *args) {
  std::int32_t code = args->guarded(args);
  settle_failure(*args, &code);
  return code;
}

template <std::uint8_t kWanted>
detent_kernel_fn guarded_function(bool decides, bool is_fallible, bool settles) {
  if (is_fallible) return settles ? run_guarded<kWanted, true, true, true> : run_guarded<kWanted, true, true, false>;
  return decides ? run_guarded<kWanted, true, false, false> : run_guarded<kWanted, false, false, false>;
}

}  // namespace

bool guard_holds(const detent_desc &desc, const detent_op &op, const detent_kernel_args &args, std::int32_t *code) {
  if (holds(args, wanted_value(op), code)) return true;
  if (decides(desc, op)) condition(args, is_fallible(op)) = DETENT_UNDECIDED;
  return false;
}

void settle_failure(const detent_kernel_args &args, std::int32_t *code) {
  condition(args, true) = *code != 0 ? 1 : 0;
  *code = 0;
}

void put_control_flow_before(const detent_desc &desc, const detent_op &op, bool settles, detent_entity &entity) {
  if (!is_guarded(op) && !(is_fallible(op) && settles)) return;
  entity.args.guarded = entity.run;
  if (!is_guarded(op)) {
    entity.run = run_fallible;
  } else if (wanted_value(op) == 1) {
    entity.run = guarded_function<1>(decides(desc, op), is_fallible(op), settles);
  } else {
    entity.run = guarded_function<0>(decides(desc, op), is_fallible(op), settles);
  }
}

}  // namespace detent
