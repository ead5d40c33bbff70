#include "verify/static/race.hpp"

namespace detent::verify {

const char* hazard_name(HazardKind kind) {
  switch (kind) {
    case HazardKind::kRaw:
      return "raw";
    case HazardKind::kWar:
      return "war";
    case HazardKind::kWaw:
      return "waw";
  }
  return "?";
}

}  // namespace detent::verify
