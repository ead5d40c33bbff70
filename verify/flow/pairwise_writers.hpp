// The ops in the way of reads, one by one and by paths: for very many ops of which few write the bytes of one read.
#pragma once

#include <cstdint>
#include <functional>

#include <detent/desc.h>

#include "verify/flow/standings.hpp"
#include "verify/flow/wants.hpp"
#include "verify/graph/order.hpp"

namespace detent::verify {

/// An op that writes bytes of a want, is neither its reader nor its writer, and by the edges neither succeeds the
/// reader nor precedes the writer.
struct OtherWriter {
  std::uint32_t want = 0;  ///< index into Wants::all
  std::uint32_t op = 0;
  bool always = false;  ///< by the edges it lies between the two, or the reader precedes the writer
};

/// `visit` all of them, by want. O(accesses * log accesses + pairs of a want and a writer of its bytes), and two paths
/// (PathFinder) for each of these.
/// @param wants      each for one value   @param standings  of them
/// @param max_pairs  of a want and a write whose extents overlap
/// @return  false: there are more; nothing was visited
bool for_each_other_writer(const detent_desc& desc, const Order& order, const Wants& wants, const Standings& standings,
                           std::uint64_t max_pairs, const std::function<void(const OtherWriter&)>& visit);

}  // namespace detent::verify
