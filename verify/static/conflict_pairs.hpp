// Pairs of ops that conflict: they touch a common byte which one of them writes. One by one, for very many ops.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/lists/rows.hpp"
#include "verify/graph/order.hpp"
#include "verify/graph/paths.hpp"
#include "verify/static/access_table.hpp"

namespace detent::verify {

/// Blocks of strided accesses, in all, that a pass over all accesses takes one by one.
inline constexpr std::uint64_t kMostStridedBlocks = std::uint64_t{1} << 22;

/// So many pairs are asked for a path each; the closure of all ops, which takes O(ops * edges / 64), is for more of
/// them. In all 16 an op, and where there are very many ops a 1024th of their number, within 512 MiB.
std::uint64_t most_decided_pairs(std::uint32_t op_count);

/// All of them, by the later one in the order: the earlier ones, ascending, each once.
/// O(accesses * log accesses + pairs), with pairs of extents that overlap counted, too; 4 bytes for each of these.
/// @return  none: there are more than `max_pairs`, of extents that overlap counted, too
std::optional<Rows<std::uint32_t>> find_conflicting_pairs(const AccessTable& table, std::uint32_t op_count,
                                                          std::uint64_t max_pairs);

/// Pairs of which the paths order all conflicting pairs: on some byte that both touch no write lies between them in the
/// order. As conflicts go along the order on each byte, any other conflicting pair is a chain of these.
/// @return  none: strided accesses have more than kMostStridedBlocks
std::optional<std::vector<PositionPair>> find_adjacent_conflicts(const AccessTable& table, std::uint32_t op_count);

/// Does a path lead along each of them?
bool have_paths(const Order& order, const std::vector<PositionPair>& pairs);

}  // namespace detent::verify
