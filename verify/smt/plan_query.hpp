// Desc -> the claim that its memory plan breaks a law, as a Script: one boolean per law and subject.
//
// Integers are mathematical: "offset + size wraps" is a sum of 2^64 or more, not a comparison after the wrap. Tensors
// alive at once: the claim names a position, a byte of a region, and two tensors that live at the one and lie on the
// other. Views in a circle: a set of tensors, not empty, each with its base in the set. Nothing here is shared with
// verify/memory_plan, verify/lifetimes or verify/byte_set.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/desc.h"
#include "verify/smt/budget.hpp"
#include "verify/smt/script.hpp"

namespace detent::verify::smt {

struct PlanQuery {
  /// A law that a region, a tensor or an op may break; the claim implies that one of them is.
  struct Fault {
    Term holds{};      ///< boolean: broken
    std::string text;  ///< "B40: tensor 3 (x) leaves ws"
    std::vector<std::uint32_t> ops;
  };
  /// A tensor with a lifetime that takes part in "two that live at once share no byte".
  struct Resident {
    std::uint32_t tensor = 0;
    Term first{}, second{};  ///< booleans: it is the claim's first or second tensor
  };

  Script script;
  std::vector<Fault> faults;
  std::vector<Resident> residents;
  Term overlap{};               ///< boolean: a first and a second resident share a byte while both live
  Term law{};                   ///< boolean: one of `faults` or `circle`
  Term circle{};                ///< boolean: some views close a circle
  std::vector<Term> in_circle;  ///< per tensor
  Term byte{}, position{};      ///< of the overlap
  Term claim{};                 ///< boolean: `law` or `overlap`; not asserted
  std::string stopped{};        ///< the limit that ended the building, and where; empty: the formula is whole
};

/// O(regions + tensors + accesses) terms, and one per pair of an op's inputs and outputs.
PlanQuery encode_plan(const detent_desc& desc, const Budget& budget = Budget::unlimited());

}  // namespace detent::verify::smt
