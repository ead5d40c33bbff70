// Runs a function of a CUnit, loop by loop, and records every byte that it reads and writes behind its parameters.
//
// The counterpart of models/import/tvm/footprint that shares nothing with it: slow, and exact by construction. Knows
// the C of generated operators; anything else is an error.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/import/tvm/footprint/sets/byte_set.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

struct TouchedParam {
  ByteSet reads, writes;
  ByteSet early_reads;  ///< of bytes that it had not written before
};

/// @param seed  of the memory's contents: integers and floats from -8 to 24
/// @return by parameter; empty for those that are no pointers
/// @throws std::runtime_error  C that it does not know, or more than 20 million steps
std::vector<TouchedParam> run_and_record(const CUnit& unit, const std::string& function, std::uint64_t seed = 1);

/// Parameter `param` starts `offset` bytes behind the begin of parameter `base`.
struct SharedStart {
  std::size_t param = 0, base = 0;
  std::int64_t offset = 0;
};

/// What the function leaves at the places that it stores to through `param`, by byte offset. Blocks that memcpy and the
/// like write are left out.
std::map<std::int64_t, double> run_and_read(const CUnit& unit, const std::string& function, std::size_t param,
                                            const std::optional<SharedStart>& shared, std::uint64_t seed = 1);

}  // namespace detent::models::tvm
