// The rules of the SARIF 2.1.0 schema for the objects that Detent writes, written down by hand.
#pragma once

#include <string>
#include <vector>

#include "reports/text/text.hpp"

namespace detent::reports {

/// "/runs/0/results/3: what is wrong", each. Required members, kinds of values, enumerations, least values and lengths,
/// and members that an object may not have. Beyond the schema: every result has a physical location and a fingerprint.
std::vector<std::string> sarif_faults(const Json& log);

}  // namespace detent::reports
