// Tensors -> terms over one byte.
#include "verify/smt/solver/byte_terms.hpp"

#include <string>

namespace detent::verify::smt {

bool describes_bytes(const detent_tensor& tensor) {
  constexpr std::uint64_t kMost = DETENT_MAX_BYTES;
  if (tensor.block_count == 0 || tensor.block_bytes == 0 || tensor.size_bytes == 0) return false;
  if (tensor.offset_bytes > kMost || tensor.size_bytes > kMost || tensor.block_bytes > tensor.size_bytes) return false;
  const std::uint64_t steps = tensor.block_count - 1;
  if (steps == 0) return tensor.block_bytes == tensor.size_bytes;
  if (tensor.stride_bytes < tensor.block_bytes || tensor.stride_bytes > kMost / steps) return false;
  return steps * tensor.stride_bytes + tensor.block_bytes == tensor.size_bytes;
}

Term ByteTerms::between(std::uint64_t first, Term x, std::uint64_t end) {
  return script_.all_of({script_.at_most(script_.number(first), x), script_.less(x, script_.number(end))});
}

const ByteTerms::Split& ByteTerms::split_by(std::uint64_t stride) {
  const auto known = splits_.find(stride);
  if (known != splits_.end()) return known->second;
  const std::string name = std::to_string(stride);
  const Split split{script_.integer("row_" + name), script_.integer("phase_" + name)};
  script_.require(script_.equal(byte_, script_.plus(script_.times(stride, split.row), split.phase)),
                  "the byte, by rows of " + name + " bytes");
  script_.require(script_.at_most(script_.number(0), split.row));
  script_.require(between(0, split.phase, stride));
  return splits_.emplace(stride, split).first->second;
}

/// Block i begins at row r0 + i, phase p0, and may run over the end of its row into the next.
Term ByteTerms::lies_in_blocks(const detent_tensor& tensor) {
  const std::uint64_t stride = tensor.stride_bytes;
  const Split split = split_by(stride);
  const std::uint64_t row = tensor.offset_bytes / stride;
  const std::uint64_t phase = tensor.offset_bytes % stride;
  const std::uint64_t end = phase + tensor.block_bytes;
  const Term head = script_.all_of(
      {between(row, split.row, row + tensor.block_count), between(phase, split.phase, end < stride ? end : stride)});
  if (end <= stride) return head;
  const Term tail = script_.all_of({between(row + 1, split.row, row + 1 + tensor.block_count),
                                    script_.less(split.phase, script_.number(end - stride))});
  return script_.any_of({head, tail});
}

Term ByteTerms::lies_in(TensorId tensor) {
  const auto known = terms_.find(tensor);
  if (known != terms_.end()) return known->second;
  const detent_tensor& bytes = desc_.tensors[tensor];
  Term term = between(bytes.offset_bytes, byte_, bytes.offset_bytes + bytes.size_bytes);
  if (bytes.block_count > 1) term = script_.all_of({term, lies_in_blocks(bytes)});
  return terms_.emplace(tensor, term).first->second;
}

}  // namespace detent::verify::smt
