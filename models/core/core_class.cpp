#include "models/core/core_class.hpp"

#include <stdexcept>

namespace detent::models {

bool may_be_on(const Op& op, const std::string& core_class) {
  return op.times_by_class.empty() || op.times_by_class.contains(core_class);
}

void move_to_class(Op& op, const std::string& core_class) {
  if (!may_be_on(op, core_class)) {
    std::string known;
    for (const auto& [name, time] : op.times_by_class) known += (known.empty() ? "" : ", ") + name;
    throw std::invalid_argument("op '" + op.name + "' has no time on class " + core_class + ", but on " + known);
  }
  op.core_class = core_class;
  if (!op.times_by_class.empty()) op.time_ps = op.times_by_class.at(core_class);
}

}  // namespace detent::models
