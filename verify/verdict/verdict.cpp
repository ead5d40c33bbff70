// Names of outcomes.
#include "verify/verdict/verdict.hpp"

namespace detent::verify {

const char* outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kHolds:
      return "holds";
    case Outcome::kViolated:
      return "violated";
    case Outcome::kUnknown:
      return "unknown";
  }
  return "?";
}

}  // namespace detent::verify
