// A guarded op at run time looks at one byte, then calls the kernel or leaves it be; a fallible one says how it ended,
// a sized one how large its output is.
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
template <std::uint8_t kWanted, bool kDecides, bool kFallible, bool kSettles, bool kSized>
std::int32_t run_guarded(const detent_kernel_args *args) {
  std::int32_t code = 0;
  if (!holds(*args, kWanted, &code)) {
    if (kDecides) condition(*args, kFallible) = DETENT_UNDECIDED;
    return code;
  }
  code = args->guarded(args);
  if (kSized) settle_extents(*args, &code);
  if (kSettles) settle_failure(*args, &code);
  return code;
}

template <bool kFallible, bool kSized>
std::int32_t run_unguarded(const detent_kernel_args *args) {
  std::int32_t code = args->guarded(args);
  if (kSized) settle_extents(*args, &code);
  if (kFallible) settle_failure(*args, &code);
  return code;
}

template <std::uint8_t kWanted, bool kSized>
detent_kernel_fn guarded_function(bool decides, bool is_fallible, bool settles) {
  if (is_fallible) {
    return settles ? run_guarded<kWanted, true, true, true, kSized> : run_guarded<kWanted, true, true, false, kSized>;
  }
  return decides ? run_guarded<kWanted, true, false, false, kSized> : run_guarded<kWanted, false, false, false, kSized>;
}

template <bool kSized>
detent_kernel_fn function_before(const detent_desc &desc, const detent_op &op, bool settles) {
  if (!is_guarded(op)) return is_fallible(op) ? run_unguarded<true, kSized> : run_unguarded<false, kSized>;
  return wanted_value(op) == 1 ? guarded_function<1, kSized>(decides(desc, op), is_fallible(op), settles)
                               : guarded_function<0, kSized>(decides(desc, op), is_fallible(op), settles);
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

void settle_extents(const detent_kernel_args &args, std::int32_t *code) {
  const detent_tensor &bound = *args.outputs[0].tensor;
  const auto *extents = static_cast<const std::uint8_t *>(args.outputs[args.output_count - 1].data);
  for (std::uint32_t i = 0; i < bound.rank && *code == 0; ++i) {
    const std::int64_t extent = read_extent(extents, i);
    if (extent < 0) *code = DETENT_SHAPE;
    if (extent > bound.dims[i]) *code = DETENT_INSUFFICIENT_SIZE;
  }
}

void put_control_flow_before(const detent_desc &desc, const detent_op &op, bool settles, detent_entity &entity) {
  if (!is_guarded(op) && !((is_fallible(op) || is_sized(op)) && settles)) return;
  entity.args.guarded = entity.run;
  entity.run =
      is_sized(op) && settles ? function_before<true>(desc, op, settles) : function_before<false>(desc, op, settles);
}

}  // namespace detent
