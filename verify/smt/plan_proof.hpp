// The memory plan by Z3: the laws of verify/memory_plan, proved by code that shares nothing with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "verify/smt/race_proof.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify::smt {

struct PlanProof {
  std::vector<Witness> faults;  ///< "B42: ...", in the order found
  bool complete = false;        ///< Z3 has shown that there are no others
  std::string reason;           ///< when not complete
  ProofCost cost;
};

/// Asks for broken laws until there is none, or as many as a verdict lists, or a limit is reached. Takes any tables.
PlanProof prove_memory_plan(const detent_desc& desc, const Limits& limits = {});

/// Property "memory_plan_smt": as check_memory_plan, regions, places, alignment, views, lifetimes, in-place outputs and
/// read-only regions. An overlap comes with a schedule on which both live at once: ops by start.
Verdict judge_plan_proof(const detent_desc& desc, const PlanProof& proof);

}  // namespace detent::verify::smt
