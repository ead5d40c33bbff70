// Smaller copies of a value, for the shrinking of all values that are drawn here.
#pragma once

#include <vector>

namespace detent::laws {

/// A copy of `value` that `change` makes smaller.
template <typename Value, typename Change>
void add(const Value& value, std::vector<Value>& smaller, const Change& change) {
  smaller.push_back(value);
  change(smaller.back());
}

/// Zero, then half.
template <typename Value, typename Number>
void lower_number(const Value& value, std::vector<Value>& smaller, Number number, const auto& field) {
  if (number == Number{}) return;
  add(value, smaller, [&](Value& copy) { field(copy) = Number{}; });
  if (number / 2 != Number{}) add(value, smaller, [&](Value& copy) { field(copy) = static_cast<Number>(number / 2); });
}

}  // namespace detent::laws
