#include "models/builder/elementwise.hpp"

#include <utility>
#include <vector>

#include "models/builder/builder_internal.hpp"

namespace detent::models {
namespace {

TensorId elementwise(Builder& b, const std::string& name, const std::string& kernel, std::vector<TensorId> inputs,
                     TensorId into) {
  const Tensor in = b.tensor(inputs.front());
  const TensorId y = b.target(name, in.layout, in.dims, into);
  detent_elementwise_config config{};
  config.elements = stored_elements(in);
  Op& op = b.op(name, kernel, inputs, y);
  op.config = config_bytes(config);
  op.flops = config.elements;
  return y;
}

}  // namespace

TensorId binary(Builder& b, const std::string& name, detent_binary operation, TensorId left, TensorId right,
                detent_activation activation, TensorId into) {
  if (stored_elements(b.tensor(left)) != stored_elements(b.tensor(right)))
    b.fail(name, "the operands have different shapes");
  const TensorId y = elementwise(b, name, "binary_f32", {left, right}, into);
  edit_config<detent_elementwise_config>(b.last_op(), [&](auto& config) {
    config.op = operation;
    config.activation = activation;
  });
  return y;
}

TensorId binary_constant(Builder& b, const std::string& name, detent_binary operation, TensorId x, TensorId values,
                         TensorId into) {
  const std::uint64_t count = stored_elements(b.tensor(values));
  if (b.tensor(values).role != TensorRole::kWeight || (count != 1 && count != stored_elements(b.tensor(x)))) {
    b.fail(name, "a constant must have one element, or one per element");
  }
  const TensorId y = elementwise(b, name, "binary_f32", {x}, into);
  edit_config<detent_elementwise_config>(b.last_op(), [&](auto& config) { config.op = operation; });
  b.last_op().weights = {values};
  return y;
}

TensorId unary(Builder& b, const std::string& name, TensorId x, detent_activation activation, TensorId into) {
  const TensorId y = elementwise(b, name, "unary_f32", {x}, into);
  edit_config<detent_elementwise_config>(b.last_op(), [&](auto& config) { config.activation = activation; });
  return y;
}

}  // namespace detent::models
