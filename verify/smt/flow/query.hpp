// Desc and values -> the claim that some read misses the value that it wants, as a Script.
//
// A schedule is a start and an end per op, end_a <= start_b for every edge, and a run is such a schedule with an
// outcome per decision; `now` is any instant. Per read of a value the claim is one of two. It is missed: at the instant
// the reader is active and no op that writes the value runs and has ended. Or it is overwritten: at the instant another
// op is active that writes a byte which the reader wants, after the op that wrote the value and before the reader. What
// a read wants is said about one byte: it lies in what is read and in what a writer wrote, and no later writer of the
// same family before the reader wrote it again. Nothing here is shared with verify/static or verify/graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/value_tables.hpp"
#include "verify/smt/solver/budget.hpp"
#include "verify/smt/solver/script.hpp"

namespace detent::verify::smt {

struct FlowQuery {
  /// A read by an op (DETENT_NONE: the application after the run) of a value, or of one of several.
  struct Want {
    std::uint32_t reader = DETENT_NONE;
    std::vector<std::string> values;
    std::vector<std::uint32_t> writers;  ///< by value; DETENT_NONE: the application before the run
    Term missed{};                       ///< boolean
    Term overwritten{};                  ///< boolean; with `after` and `before`, where there are such
    std::vector<Term> sides;             ///< one value: after its writer, before its reader; booleans
  };
  /// An op that writes, active at the instant.
  struct Way {
    std::uint32_t op = 0;
    Term is_here{};  ///< boolean
  };
  /// Something that is asked once: an op that may start before its decision, values written over each other, or a
  /// writer that may have failed.
  struct Fact {
    std::uint32_t reader = 0;
    std::string value;
    std::uint32_t in_the_way = DETENT_NONE;  ///< DETENT_NONE: `value` is a decision
    Term holds{};                            ///< boolean
  };

  Script script;
  std::vector<Want> wants;
  std::vector<Way> ways;
  std::vector<Fact> facts;
  std::vector<Term> start;  ///< per op
  Term region{}, byte{};    ///< integers
  std::string stopped{};    ///< the limit that ended the building, and where; empty: the formula is whole
};

/// O(ops + edges + accesses + reads of values times writers of the family) terms.
/// @throws std::invalid_argument  tables that name what is not there, or a read of a value that nobody writes
FlowQuery encode_flow(const detent_desc& desc, const ValueTables* tables, const Budget& budget = Budget::unlimited());

}  // namespace detent::verify::smt
