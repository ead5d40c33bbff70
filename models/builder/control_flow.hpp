// IF, WHILE and fallback over a Builder: branches as guarded ops, a loop as its iterations one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <detent/op_config.h>

#include "models/builder/builder.hpp"

namespace detent::models {

/// Is a number of x above the threshold? A condition: BOOL of one element.
TensorId decide(Builder& b, const std::string& name, TensorId x, detent_decide_by by, float threshold);

/// Appends the ops of a branch. @return  its results
using BranchBody = std::function<std::vector<TensorId>(Builder& b)>;

/// Both branches stand in the model; a run executes the ops of one. The results of the two are F32 and agree in number,
/// layout and dims; each is copied into a tensor of its own.
/// @return  those tensors
std::vector<TensorId> if_else(Builder& b, const std::string& name, TensorId condition, const BranchBody& then_body,
                              const BranchBody& else_body);

/// The first body, whose last op may fail and alone writes the one result; in the runs in which it does, the second
/// one, which computes that result anew. The first does not change what the second reads.
/// @return  a tensor with the result of either
TensorId with_fallback(Builder& b, const std::string& name, const BranchBody& first, const BranchBody& fallback);

/// Of one iteration. @param name  of this iteration, for its ops
using LoopCondition = std::function<TensorId(Builder& b, const std::string& name, const std::vector<TensorId>& state)>;
using LoopBody =
    std::function<std::vector<TensorId>(Builder& b, const std::string& name, const std::vector<TensorId>& state)>;

struct Loop {
  LoopCondition condition;  ///< asked before each iteration
  LoopBody body;            ///< the next state, of the same number, layouts and dims
  /// From 1 to DETENT_MAX_GUARD_DEPTH, minus the branches around the loop; after so many the loop ends whatever the
  /// condition says.
  std::uint32_t max_iterations = 1;
};

/// The state after the loop. No iteration: the initial state.
std::vector<TensorId> while_loop(Builder& b, const std::string& name, const std::vector<TensorId>& initial,
                                 const Loop& loop);

}  // namespace detent::models
