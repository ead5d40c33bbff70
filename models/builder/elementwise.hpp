// Element-wise ops over a Builder. `into` names a tensor or view made beforehand to write to.
#pragma once

#include <string>

#include <detent/op_config.h>

#include "models/builder/builder.hpp"

namespace detent::models {

TensorId binary(Builder& b, const std::string& name, detent_binary operation, TensorId left, TensorId right,
                detent_activation activation = DETENT_ACT_NONE, TensorId into = kNone);
/// With a constant of as many elements as x, or of one.
TensorId binary_constant(Builder& b, const std::string& name, detent_binary operation, TensorId x, TensorId values,
                         TensorId into = kNone);
TensorId unary(Builder& b, const std::string& name, TensorId x, detent_activation activation, TensorId into = kNone);

}  // namespace detent::models
