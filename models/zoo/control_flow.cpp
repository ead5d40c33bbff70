// Networks with control flow: a cascade of two classifiers, a loop that refines its result, convolutions with a
// fallback; and two that are wrong.
#include "models/builder/control_flow.hpp"

#include <algorithm>
#include <string>

#include "base/input_error.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/elementwise.hpp"
#include "models/builder/layers.hpp"
#include "models/zoo/entries.hpp"

namespace detent::models::zoo_entries {
namespace {

using Id = TensorId;

constexpr std::int32_t kClasses = 16;

Id classify(Builder& b, const std::string& name, Id features) {
  return softmax(b, name + ".softmax",
                 gemm(b, name + ".fc", global_avg_pool(b, name + ".avgpool", features), kClasses));
}

Id small_net(Builder& b, Id image) {
  const Id x =
      conv(b, "small.conv", image, {.out_channels = 16, .kernel = 3, .stride = 4, .activation = DETENT_ACT_RELU});
  return classify(b, "small", x);
}

Id large_net(Builder& b, Id image) {
  Id x = conv(b, "large.stem", image, {.out_channels = 32, .kernel = 3, .activation = DETENT_ACT_RELU});
  std::vector<Id> sides;
  for (const char* side : {"large.left", "large.right"}) {
    sides.push_back(conv(b, side, x, {.out_channels = 32, .kernel = 3, .activation = DETENT_ACT_RELU}));
  }
  x = binary(b, "large.add", DETENT_BINARY_ADD, sides[0], sides[1], DETENT_ACT_RELU);
  x = conv(b, "large.last", x, {.out_channels = 64, .kernel = 3, .stride = 2, .activation = DETENT_ACT_RELU});
  return classify(b, "large", x);
}

}  // namespace

namespace {

std::int32_t side_of_image(const std::string& model, const ZooParameters& parameters) {
  if (parameters[0] < 8 || parameters[0] > 1024) throw InputError(model, "size", "must lie between 8 and 1024");
  return static_cast<std::int32_t>(parameters[0]);
}

}  // namespace

// The large network runs where the small one is not sure.
Model cascade(const ZooParameters& parameters) {
  const std::int32_t size = side_of_image("cascade", parameters);
  Builder b("cascade");
  const Id image = b.input("image", {1, 3, size, size});
  const Id quick = small_net(b, image);
  const Id is_sure = decide(b, "is_sure", quick, DETENT_DECIDE_BY_MAX, 0.1F);
  const auto merged = if_else(
      b, "classes", is_sure, [&](Builder&) { return std::vector<Id>{quick}; },
      [&](Builder& inner) { return std::vector<Id>{large_net(inner, image)}; });
  b.output(merged.front());
  return b.finish();
}

// x moves halfway to a target as long as one element is farther away than 0.01: as many iterations as the input asks
// for, up to a bound.
Model refine(const ZooParameters& parameters) {
  if (parameters[0] < 1 || parameters[0] > DETENT_MAX_GUARD_DEPTH) {
    throw InputError("refine", "bound", "must lie between 1 and " + std::to_string(DETENT_MAX_GUARD_DEPTH));
  }
  Builder b("refine");
  const Id guess = b.input("guess", {1, 64});
  const Id target = b.input("target", {1, 64});
  const Id half = b.constant("half", {1}, {0.5F});
  const auto distance = [&](Builder& inner, const std::string& name, Id x) {
    return binary(inner, name + ".distance", DETENT_BINARY_SUB, x, target);
  };
  const Loop loop{.condition =
                      [&](Builder& inner, const std::string& name, const std::vector<Id>& state) {
                        return decide(inner, name, state[1], DETENT_DECIDE_BY_MAX_ABS, 0.01F);
                      },
                  .body =
                      [&](Builder& inner, const std::string& name, const std::vector<Id>& state) {
                        const Id step = binary_constant(inner, name + ".step", DETENT_BINARY_MUL, state[1], half);
                        const Id next = binary(inner, name + ".next", DETENT_BINARY_SUB, state[0], step);
                        return std::vector<Id>{next, distance(inner, name, next)};
                      },
                  .max_iterations = static_cast<std::uint32_t>(parameters[0])};
  const auto refined = while_loop(b, "refined", {guess, distance(b, "first", guess)}, loop);
  b.output(refined.front());
  return b.finish();
}

// Each convolution that an NPU may fail to compute stands beside the same one for a core: the output does not tell.
Model fallback(const ZooParameters& parameters) {
  const std::int32_t size = side_of_image("fallback", parameters);
  Builder b("fallback");
  Id x = conv(b, "stem", b.input("image", {1, 3, size, size}),
              {.out_channels = 16, .kernel = 3, .stride = 2, .activation = DETENT_ACT_RELU});
  for (const char* name : {"first", "second"}) {
    const Id y =
        conv(b, std::string(name) + ".npu", x, {.out_channels = 16, .kernel = 3, .activation = DETENT_ACT_RELU});
    b.last_op().core_class = "npu";
    const Op computed = b.last_op();
    const auto again = [&](Builder& inner) {
      const Tensor like = inner.tensor(y);
      const Id z = inner.activation(std::string(name) + ".cpu", like.layout, like.dims);
      Op& op = inner.op(std::string(name) + ".cpu", computed.kernel, {x}, z);
      op.weights = computed.weights;
      op.config = computed.config;
      op.flops = computed.flops;
      return std::vector<Id>{z};
    };
    const Id result = with_fallback(
        b, name, [&](Builder&) { return std::vector<Id>{y}; }, again);
    x = binary(b, std::string(name) + ".add", DETENT_BINARY_ADD, result, x);
  }
  b.output(classify(b, "head", x));
  return b.finish();
}

// A retry after a failure finds the input overwritten.
Model bad_retry(const ZooParameters& /*parameters*/) {
  Builder b("bad_retry");
  const Id image = b.input("image", {1, 64});
  const Id x = unary(b, "first", image, DETENT_ACT_SIGMOID);
  const Id result = b.activation("result", DETENT_LAYOUT_PLAIN, {1, 64});
  unary(b, "step", x, DETENT_ACT_RELU, x);
  b.last_op().in_place = true;
  const Id failed = b.let_fail();
  b.begin_branch(failed, false);
  b.copy("took", x, result);
  b.end_branch();
  b.begin_branch(failed, true);
  b.copy("retry", x, result);
  b.end_branch();
  b.output(unary(b, "last", result, DETENT_ACT_RELU));
  return b.finish();
}

// Only one branch writes what the last op reads.
Model bad_branch(const ZooParameters& /*parameters*/) {
  Builder b("bad_branch");
  const Id x = b.input("x", {1, 16});
  const Id result = b.activation("result", DETENT_LAYOUT_PLAIN, {1, 16});
  const Id condition = decide(b, "decide", x, DETENT_DECIDE_BY_MAX, 0.0F);
  b.begin_branch(condition, true);
  b.copy("then", x, result);
  b.end_branch();
  b.output(unary(b, "last", result, DETENT_ACT_RELU));
  return b.finish();
}

}  // namespace detent::models::zoo_entries
