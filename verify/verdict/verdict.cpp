// Names of outcomes.
#include "verify/verdict/verdict.hpp"

#include <algorithm>

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

std::uint64_t finding_count(const Verdict& verdict) {
  return std::max<std::uint64_t>(verdict.total, verdict.witnesses.size());
}

}  // namespace detent::verify
