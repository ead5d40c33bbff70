// Wants: who reads which bytes in expectation of which op's value, from what a Desc and its ValueTables declare.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/lists/small_list.hpp"
#include "base/value_tables.hpp"
#include "verify/graph/byte_set.hpp"
#include "verify/graph/order.hpp"

namespace detent::verify {

/// The application: before the run it writes the inputs, after it it reads the outputs.
inline constexpr std::uint32_t kApplication = DETENT_NONE;

/// One value that a read may find, and who makes it.
struct Wanted {
  std::uint32_t name = 0;               ///< index into Wants::names
  std::uint32_t writer = kApplication;  ///< op id
};

/// A read of the `bytes` by an op must find there, in each byte, what one of the `values` is. More than one are the
/// values of branches that exclude each other, and of what stands there when none of them runs.
struct Want {
  std::uint32_t reader = kApplication;  ///< op id; kApplication: an output, read after the run
  SmallList<Wanted> values;             ///< not empty; versions of a tensor in serial order
  SmallList<ByteSet> bytes;             ///< linear over all regions, kRegionSpacing apart
  bool is_declared = false;             ///< the read names its values; else they are the tensor's
};

/// An op that writes two values into the same bytes: neither is there for sure.
struct Clash {
  std::uint32_t op = 0;
  std::uint32_t name_a = 0, name_b = 0;  ///< of values
  ByteSet bytes;                         ///< dense; what both have
};

struct Wants {
  std::vector<Want> all;  ///< by reader, first value; outputs last
  std::vector<Clash> clashes;
  std::vector<std::string> names;
};

/// Reads of bare ranges want what `tables` say. A read of a tensor wants, in each byte, the last version that an op
/// earlier in the serial order (topological, lowest id first) wrote there through the tensor, its base or its views, or
/// the application for inputs; and where nobody did, the first that a later op writes, unless the reader itself does.
/// Bytes that no op of the family writes and weights want nothing.
/// @param tables  null: none
/// @throws std::invalid_argument  tables that check_structure or check_memory_plan refuse; strided tensors of several
///         writers with too many blocks to be resolved
Wants find_wants(const detent_desc& desc, const Order& order, const ValueTables* tables);

}  // namespace detent::verify
