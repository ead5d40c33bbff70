// View checks: alias chains -> the tensor at the end of each.
#include "runtime/base/byte_set.h"
#include "runtime/base/ids.h"
#include "runtime/check/internal.h"

namespace detent {
namespace {

constexpr std::uint32_t kUnknown = DETENT_NONE;
constexpr std::uint32_t kOnThisWalk = DETENT_NONE - 1;  // tensor_count is below both

/// Follows a chain until a known root or an end, marking the way, then writes the root along the way. Meeting a mark:
/// cycle.
detent_error resolve_root(const detent_desc &desc, std::uint32_t start, std::uint32_t *roots) {
  std::uint32_t at = start;
  while (roots[at] == kUnknown && desc.tensors[at].alias_of != DETENT_NONE) {
    roots[at] = kOnThisWalk;
    at = desc.tensors[at].alias_of;
  }
  if (roots[at] == kOnThisWalk) {
    return make_error(DETENT_ALIAS, {.tensor = at, .other_tensor = desc.tensors[at].alias_of});
  }
  const std::uint32_t root = roots[at] == kUnknown ? at : roots[at];
  roots[at] = root;
  for (at = start; roots[at] == kOnThisWalk; at = desc.tensors[at].alias_of) roots[at] = root;
  return make_error(DETENT_OK);
}

/// A view lies inside its base's extent, in the same region (B43), and has its type (B44).
detent_status check_view(const detent_tensor &view, const detent_tensor &base) {
  const bool inside =
      view.region == base.region && view.offset_bytes >= base.offset_bytes && end_of(view) <= end_of(base);
  if (!inside) return DETENT_ALIAS;
  return view.dtype == base.dtype ? DETENT_OK : DETENT_ALIAS_TYPE;
}

}  // namespace

detent_error check_aliases(const detent_desc &desc, std::uint32_t *roots) {
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) roots[tensor] = kUnknown;
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) {
    const detent_error error = resolve_root(desc, tensor, roots);
    if (error.status != DETENT_OK) return error;
  }
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) {
    const std::uint32_t base = desc.tensors[tensor].alias_of;
    if (base == DETENT_NONE) continue;
    const detent_status status = check_view(desc.tensors[tensor], desc.tensors[base]);
    if (status != DETENT_OK) return make_error(status, {.tensor = tensor, .other_tensor = base});
  }
  return make_error(DETENT_OK);
}

}  // namespace detent
