// Limits, counted down.
#include "verify/smt/solver/budget.hpp"

#include <chrono>

namespace detent::verify::smt {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::uint64_t Budget::left_steps(std::uint64_t steps) const {
  if (limits_.spent_steps >= limits_.steps) return 0;
  const std::uint64_t left = limits_.steps - limits_.spent_steps;
  return steps >= left ? 0 : left - steps;
}

std::string Budget::time_limit() const {
  const std::string text = std::to_string(limits_.seconds);
  return "time limit of " + text.substr(0, text.find('.') + 3) + " s";
}

std::string Budget::step_limit() const { return "limit of " + std::to_string(limits_.steps) + " solver steps"; }

}  // namespace detent::verify::smt
