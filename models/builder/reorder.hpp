// Ops over a Builder that bring elements into another order: axes, PLAIN and C16.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/op_config.h>

#include "models/builder/builder.hpp"

namespace detent::models {

TensorId transpose(Builder& b, const std::string& name, TensorId x, const std::vector<std::int32_t>& axes);
/// C16 to PLAIN. `into` names a tensor or view made beforehand to write to.
TensorId to_plain(Builder& b, const std::string& name, TensorId x, detent_activation activation = DETENT_ACT_NONE,
                  TensorId into = kNone);
TensorId to_c16(Builder& b, const std::string& name, TensorId x);

}  // namespace detent::models
