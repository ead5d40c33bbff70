#include "models/plan/options.hpp"

namespace detent::models {

const char* plan_order_name(PlanOrder order) {
  switch (order) {
    case PlanOrder::kParallel:
      return "parallel";
    case PlanOrder::kSerial:
      return "serial";
  }
  return "?";
}

}  // namespace detent::models
