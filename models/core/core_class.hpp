// Moving an op to another class of cores: its time goes along where the model says what it takes there.
#pragma once

#include <string>
#include <string_view>

#include "models/core/model.hpp"

namespace detent::models {

/// The class of pseudo-ops: no class of cores, and no op of a model is of it.
inline constexpr std::string_view kDelayClass = "delay";

/// Is nothing known that keeps it from there? An op with times by class is executed by those classes alone.
[[nodiscard]] bool may_be_on(const Op& op, const std::string& core_class);

/// The op is of this class now, and takes the time that it has there.
/// @throws std::invalid_argument  it may not be there; names the classes with a time
void move_to_class(Op& op, const std::string& core_class);

}  // namespace detent::models
