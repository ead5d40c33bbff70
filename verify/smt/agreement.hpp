// Do the two checkers say the same? The only file of this folder that sees L0's answers, as values.
#pragma once

#include <vector>

#include <detent/desc.h>

#include "verify/smt/plan_proof.hpp"
#include "verify/smt/race_proof.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::verify::smt {

/// Property "checkers_agree": violated where L0 and Z3 differ, which is a fault of a checker, not of the model.
/// Witnesses name the pairs and who found them. Lists that were cut are compared as far as they go; unknown when
/// nothing can be.
/// @param report, races  null: not checked
Verdict compare_checkers(const detent_desc& desc, const Verdict& memory_plan, const PlanProof& plan,
                         const RaceReport* report, const RaceProof* races);

}  // namespace detent::verify::smt
