// Pairs of ops that conflict: they touch a common byte which one of them writes. One by one, for very many ops.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "verify/graph/order.hpp"
#include "verify/graph/paths.hpp"
#include "verify/static/access_table.hpp"

namespace detent::verify {

/// Blocks of strided accesses, in all, that a pass over all accesses takes one by one.
inline constexpr std::uint64_t kMostStridedBlocks = std::uint64_t{1} << 22;

/// All of them, `from` before `to` in the order, ascending, each once.
/// O(accesses * log accesses + pairs * log pairs), with pairs of extents that overlap counted, too.
/// @return  none: there are more than `max_pairs`
std::optional<std::vector<PositionPair>> find_conflicting_pairs(const AccessTable& table, std::uint32_t op_count,
                                                                std::uint64_t max_pairs);

/// Pairs of which the paths order all conflicting pairs: on some byte that both touch no write lies between them in the
/// order. As conflicts go along the order on each byte, any other conflicting pair is a chain of these.
/// @return  none: strided accesses have more than kMostStridedBlocks
std::optional<std::vector<PositionPair>> find_adjacent_conflicts(const AccessTable& table, std::uint32_t op_count);

/// Does a path lead along each of them?
bool have_paths(const Order& order, const std::vector<PositionPair>& pairs);

}  // namespace detent::verify
