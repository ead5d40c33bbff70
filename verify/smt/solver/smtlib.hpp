// Script -> SMT-LIB 2.6 text, for any other solver. Written here, not by Z3, so that what Z3 proved and what another
// solver confirms come from two writers of one formula.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/smt/solver/script.hpp"

namespace detent::verify::smt {

enum class Status : std::uint8_t { kSat, kUnsat, kUnknown };

/// A file of one question: set-logic QF_LIA, the source, the expected status, every variable, every assertion, `claim`
/// asserted, check-sat. Lists of names and comments are reduced to printable ASCII, whatever bytes they hold (B14).
/// @param source  for people, one entry a line
std::string format_smtlib(const Script& script, Term claim, Status expected, const std::vector<std::string>& source);

}  // namespace detent::verify::smt
