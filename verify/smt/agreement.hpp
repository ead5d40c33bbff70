// Do the two checkers say the same? The only file of this folder that sees L0's answers, as values.
#pragma once

#include <vector>

#include <detent/desc.h>

#include "verify/flow/value_flow.hpp"
#include "verify/smt/flow_proof.hpp"
#include "verify/smt/plan_proof.hpp"
#include "verify/smt/race_proof.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::verify::smt {

/// Property "checkers_agree": violated where L0 and Z3 differ, which is a fault of a checker, not of the model.
/// Witnesses name the pairs and who found them. Lists that were cut are compared as far as they go; unknown when
/// nothing can be.
/// What the two sides say about one law; null: not checked.
struct Opinions {
  const RaceReport* races = nullptr;
  const RaceProof* race_proof = nullptr;
  const ValueFlowReport* flow = nullptr;
  const FlowProof* flow_proof = nullptr;
};
Verdict compare_checkers(const detent_desc& desc, const Verdict& memory_plan, const PlanProof& plan,
                         const Opinions& opinions);

}  // namespace detent::verify::smt
