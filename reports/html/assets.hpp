// Style and script of report.html, embedded by reports/html/embed.cmake.
#pragma once

#include <string_view>

namespace detent::reports {

extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

}  // namespace detent::reports
