// Guards around ops, and copies into what exclusive branches share.
#include "models/builder/control_flow.hpp"

#include "models/builder/builder_internal.hpp"

namespace detent::models {
namespace {

/// Tensors that exclusive branches write, like these.
std::vector<TensorId> like(Builder& b, const std::string& name, const std::vector<TensorId>& tensors) {
  std::vector<TensorId> made;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Tensor like = b.tensor(tensors[i]);
    if (like.dtype != DETENT_F32) b.fail(name, "results of branches are F32");
    made.push_back(b.activation(name + "." + std::to_string(i), like.layout, like.dims));
  }
  return made;
}

void copy_all(Builder& b, const std::string& name, const std::vector<TensorId>& from, const std::vector<TensorId>& to) {
  if (from.size() != to.size()) {
    b.fail(name,
           "gives " + std::to_string(from.size()) + " results, and the other branch " + std::to_string(to.size()));
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Tensor& x = b.tensor(from[i]);
    const Tensor& y = b.tensor(to[i]);
    if (x.dtype != y.dtype || x.layout != y.layout || x.dims != y.dims) {
      b.fail(name, "result " + std::to_string(i) + " has another type or shape than in the other branch");
    }
    b.copy(name + "." + std::to_string(i), from[i], to[i]);
  }
}

}  // namespace

TensorId decide(Builder& b, const std::string& name, TensorId x, detent_decide_by by, float threshold) {
  if (b.tensor(x).dtype != DETENT_F32) b.fail(name, "decides by F32 elements");
  const TensorId condition = b.activation(name, DETENT_LAYOUT_PLAIN, {1}, DETENT_BOOL);
  b.op(name, "decide_f32", {x}, condition).config =
      config_bytes(detent_decide_config{.threshold = threshold, .by = by});
  return condition;
}

std::vector<TensorId> if_else(Builder& b, const std::string& name, TensorId condition, const BranchBody& then_body,
                              const BranchBody& else_body) {
  b.begin_branch(condition, true);
  const std::vector<TensorId> results = then_body(b);
  const std::vector<TensorId> merged = like(b, name, results);
  copy_all(b, name + ".then", results, merged);
  b.end_branch();
  b.begin_branch(condition, false);
  copy_all(b, name + ".else", else_body(b), merged);
  b.end_branch();
  return merged;
}

TensorId with_fallback(Builder& b, const std::string& name, const BranchBody& first, const BranchBody& fallback) {
  const std::vector<TensorId> results = first(b);
  if (results.size() != 1 || b.last_op().outputs != std::vector<std::uint32_t>{results.front()})
    b.fail(name, "its last op writes the one result");
  const TensorId failed = b.let_fail();
  return if_else(b, name, failed, fallback, [&](Builder&) { return results; }).front();
}

std::vector<TensorId> while_loop(Builder& b, const std::string& name, const std::vector<TensorId>& initial,
                                 const Loop& loop) {
  if (loop.max_iterations == 0) b.fail(name, "a loop has a bound above 0");
  const std::vector<TensorId> merged = like(b, name, initial);
  std::vector<TensorId> state = initial;
  for (std::uint32_t i = 0; i < loop.max_iterations; ++i) {
    const std::string iteration = name + "." + std::to_string(i);
    const TensorId goes_on = loop.condition(b, iteration + ".cond", state);
    b.begin_branch(goes_on, false);
    copy_all(b, iteration + ".exit", state, merged);
    b.end_branch();
    b.begin_branch(goes_on, true);
    std::vector<TensorId> next = loop.body(b, iteration, state);
    if (next.size() != state.size()) b.fail(iteration, "the body gives another number of results than the state has");
    state = std::move(next);
  }
  copy_all(b, name + ".last", state, merged);
  for (std::uint32_t i = 0; i < loop.max_iterations; ++i) b.end_branch();
  return merged;
}

}  // namespace detent::models
