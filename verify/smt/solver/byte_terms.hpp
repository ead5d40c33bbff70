// ByteTerms: "the byte x lies in this tensor" as terms over one integer x.
#pragma once

#include <map>
#include <utility>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "verify/smt/solver/script.hpp"

namespace detent::verify::smt {

/// A tensor's tables describe bytes: blocks of at least one byte that do not overlap, an extent that is what they span,
/// nothing above DETENT_MAX_BYTES. Only such tensors have byte terms.
bool describes_bytes(const detent_tensor& tensor);

/// Terms are made once per tensor. Blocks are counted by row and phase of a stride: x = stride * row + phase, with one
/// row and one phase for every stride that occurs, so that membership is bounds on the two.
class ByteTerms {
 public:
  ByteTerms(Script& script, const detent_desc& desc, Term byte) : script_(script), desc_(desc), byte_(byte) {}

  /// x lies in a block of the tensor. @param tensor  in range, describes_bytes
  Term lies_in(TensorId tensor);

 private:
  struct Split {
    Term row, phase;
  };
  const Split& split_by(std::uint64_t stride);
  Term between(std::uint64_t first, Term x, std::uint64_t end);
  Term lies_in_blocks(const detent_tensor& tensor);

  Script& script_;
  const detent_desc& desc_;
  const Term byte_;
  std::map<std::uint64_t, Split> splits_;
  std::map<std::uint32_t, Term> terms_;
};

}  // namespace detent::verify::smt
