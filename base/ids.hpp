// Ids for host code: those of the runtime, and what only tools count.
#pragma once

#include <cstdint>
#include <type_traits>

#include "runtime/base/ids.h"

namespace detent {

using Position = Id<struct PositionKind>;  ///< place of an op in a topological order

/// An id is a number in JSON (nlohmann/json calls this).
template <typename Json, typename Kind>
void to_json(Json& json, Id<Kind> id) {
  json = static_cast<std::uint32_t>(id);
}

}  // namespace detent

/// Algorithms may compare ids with numbers.
template <typename Kind>
struct std::common_type<detent::Id<Kind>, std::uint32_t> {
  using type = std::uint32_t;
};
template <typename Kind>
struct std::common_type<std::uint32_t, detent::Id<Kind>> {
  using type = std::uint32_t;
};
