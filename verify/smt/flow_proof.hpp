// Value flow by Z3: the same question as verify/flow/value_flow, answered by a proof that shares no code with it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/value_tables.hpp"
#include "verify/smt/race_proof.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify::smt {

/// A read that misses its value on some schedule. DETENT_NONE as reader: an output of the model; as op in the way:
/// none.
struct ProvedViolation {
  std::uint32_t reader = DETENT_NONE;
  std::vector<std::string> values;  ///< that the read wants one of; or the decision that comes too late
  std::uint32_t in_the_way = DETENT_NONE;
  std::string text;
  std::vector<std::uint32_t> schedule;  ///< op ids by start in the solver's model; only of the first found
};

struct FlowProof {
  std::vector<ProvedViolation> violations;  ///< by (reader, values, in_the_way), each once
  bool complete = false;                    ///< Z3 has shown that there are no others
  std::string reason;                       ///< when not complete
  std::uint64_t reads = 0;                  ///< of values, and outputs
  ProofCost cost;
};

struct FlowProofOptions {
  Limits limits;
  std::uint64_t max_violations = 10'000;                                    ///< stop looking for more
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};  ///< may be empty
};

/// Two questions per read of a value: can its value be missing, and which ops can write in between? Until the answer is
/// no. Also asks whether there is a schedule at all. Where the reader precedes the writer on every schedule, the ops in
/// the way are those that may come after the writer and may come before the reader, as the law says it.
/// @param tables  of bare ranges, and guards; null: none
/// @throws std::invalid_argument  as encode_flow
FlowProof prove_value_flow(const detent_desc& desc, const ValueTables* tables, const FlowProofOptions& options = {});

/// Property "value_flow_smt". Unknown, with the reason, when a limit ended the proof before it found anything.
Verdict judge_flow_proof(const FlowProof& proof);

}  // namespace detent::verify::smt
