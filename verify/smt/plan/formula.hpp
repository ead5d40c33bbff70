// PlanQuery: the claim that a memory plan breaks a law, and the terms by which a witness is read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "verify/smt/solver/script.hpp"

namespace detent::verify::smt {

struct PlanQuery {
  /// A law that a region, a tensor or an op may break; the claim implies that one of them is.
  struct Fault {
    Term holds{};      ///< boolean: broken
    std::string text;  ///< "B40: tensor 3 (x) leaves ws"
    std::vector<std::uint32_t> ops;
  };
  /// A tensor that takes part in "two that live at once share no byte".
  struct Resident {
    TensorId tensor = 0;
    Term first{}, second{};            ///< booleans: it is the claim's first or second tensor
    std::vector<std::uint32_t> users;  ///< ops, ascending
    bool is_input = false, is_output = false;
  };
  /// An op that is active at the instant and uses one of the two.
  struct Meeting {
    OpId op = 0;
    Term is_here{};  ///< boolean
  };

  Script script;
  std::vector<Fault> faults;
  std::vector<Resident> residents;
  Term overlap{};               ///< boolean: a first and a second resident share a byte while both live
  Term law{};                   ///< boolean: one of `faults` or `circle`
  Term circle{};                ///< boolean: some views close a circle
  std::vector<Term> in_circle;  ///< per tensor
  Term byte{};                  ///< of the overlap
  std::vector<Term> start;      ///< per op, of the schedule; empty where no law needs one
  Term schedule{};              ///< boolean: there is a schedule; implied by what needs one
  std::vector<Meeting> meetings;
  std::string unordered{};  ///< why laws about schedules could not be stated: an edge list lies outside its table
  Term claim{};             ///< boolean: `law` or `overlap`; not asserted
  std::string stopped{};    ///< the limit that ended the building, and where; empty: the formula is whole
};

}  // namespace detent::verify::smt
