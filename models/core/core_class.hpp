// Moving an op to another class of cores: its time goes along where the model says what it takes there.
#pragma once

#include <string>

#include "models/core/model.hpp"

namespace detent::models {

/// Is nothing known that keeps it from there? An op with times by class is executed by those classes alone.
[[nodiscard]] bool may_be_on(const Op& op, const std::string& core_class);

/// The op is of this class now, and takes the time that it has there.
/// @throws std::invalid_argument  it may not be there; names the classes with a time
void move_to_class(Op& op, const std::string& core_class);

}  // namespace detent::models
