// Still drawings of report.html, for browsers without script: timeline and memory map as SVG in the page.
#pragma once

#include <string>

#include "reports/text/text.hpp"

namespace detent::reports {

/// Every lane of every run as one strip; names of ops are hints. Empty: no run was traced.
/// @param page  of page_data
std::string still_timeline(const Json& page);
/// The largest blocks of every region, time to the right, addresses upwards. Empty: no bytes are known.
std::string still_memory(const Json& page);

}  // namespace detent::reports
