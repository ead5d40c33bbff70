// Patterns of names: * and ?.
#pragma once

#include <string_view>

namespace detent {

/// Does the pattern stand for this name as a whole? * stands for any letters, ? for one, all others for themselves.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace detent
