// Pairs of ops that conflict: they touch a common byte which one of them writes. One by one, for very many ops.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "verify/graph/order.hpp"
#include "verify/graph/paths.hpp"
#include "verify/static/access_table.hpp"
#include "verify/static/byte_history.hpp"

namespace detent::verify {

/// All of them, `from` before `to` in the order, ascending, each once.
/// O(accesses * log accesses + pairs * log pairs), with pairs of extents that overlap counted, too.
/// @return  none: there are more than `max_pairs`
std::optional<std::vector<PositionPair>> find_conflicting_pairs(const AccessTable& table, std::uint32_t op_count,
                                                                std::uint64_t max_pairs);

/// Pairs of which the paths order all conflicting pairs: on some byte that both touch no write lies between them in the
/// order. As conflicts go along the order on each byte, any other conflicting pair is a chain of these.
/// @param look  told of each position before its op accesses anything, and of op_count after all; false: stop there
/// @return  none: stopped, or strided accesses have too many blocks
std::optional<std::vector<PositionPair>> find_adjacent_conflicts(
    const AccessTable& table, std::uint32_t op_count,
    const std::function<bool(std::uint32_t, const ByteHistory&)>& look = {});

/// Does a path lead along each of them?
bool have_paths(const Order& order, const std::vector<PositionPair>& pairs);

}  // namespace detent::verify
