// A planned model -> is the plan valid for every schedule? Asked of two checkers that share no code with the planner.
#pragma once

#include <string>

#include <detent/desc.h>

#include "models/core/model.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {

struct CheckedPlan {
  verify::Outcome memory = verify::Outcome::kUnknown;  ///< of memory_plan (verify/static)
  std::string fault{};                                 ///< what is wrong with it; empty: it is valid
};

/// @param desc  of the model
CheckedPlan check_plan(const models::Model& model, const detent_desc& desc);

}  // namespace detent::app
