// Safe reads of a Desc that may be broken: a report on a model that does not bind must still come out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"

namespace detent::reports {

/// Number of ops; 0 for a null Desc.
std::uint32_t op_count(const detent_desc* desc);
/// The same without pseudo-ops that only delay others: what a person calls ops.
std::uint32_t real_op_count(const detent_desc* desc);
/// The model's own name, "" where it has none.
std::string model_name(const detent_desc* desc);
/// Name of an op, or "op 7" where it has none or does not exist. Not cleaned, not cut.
std::string op_name(const detent_desc* desc, OpId op);
/// Kernel of an op, "" where there is none.
std::string kernel_name(const detent_desc* desc, OpId op);
/// Core class of an op, "" where there is none.
std::string class_name(const detent_desc* desc, OpId op);
/// Name of a tensor, or "tensor 12".
std::string tensor_name(const detent_desc* desc, TensorId tensor);
/// Name of a region, or "region 2".
std::string region_name(const detent_desc* desc, RegionId region);
/// Successors of an op that exist.
std::vector<std::uint32_t> successors_of(const detent_desc* desc, OpId op);
/// Predecessors of every op, ascending.
std::vector<std::vector<std::uint32_t>> all_predecessors(const detent_desc* desc);
/// Tensors read (inputs, weights) or written (outputs, scratch) by an op, those that exist. Scratch counts as written
/// only: an op reads back no scratch byte that it has not written before.
std::vector<std::uint32_t> reads_of(const detent_desc* desc, OpId op);
std::vector<std::uint32_t> writes_of(const detent_desc* desc, OpId op);
/// The tensor at the end of the alias chain; the tensor itself when the chain is broken or closes.
std::uint32_t root_tensor(const detent_desc* desc, TensorId tensor);
/// Every op marked that reaches `op` along edges; `op` itself is not.
std::vector<bool> ancestors_of(const std::vector<std::vector<std::uint32_t>>& predecessors, OpId op);

/// Two accesses of one pair of ops that share bytes, at least one of them a write.
struct Conflict {
  const char* kind = "waw";  ///< raw, war or waw with the first op before the second
  TensorId tensor_a = 0, tensor_b = 0;
  RegionId region = 0;
  std::uint64_t offset_bytes = 0;  ///< first shared byte, within the region
  std::uint64_t size_bytes = 0;    ///< to one past the last shared byte
};

/// Conflicts of two ops, in the order of their tensors, at most `limit`. Strided tensors are compared block by block.
std::vector<Conflict> conflicts_of(const detent_desc* desc, OpId op_a, OpId op_b, std::size_t limit);

}  // namespace detent::reports
