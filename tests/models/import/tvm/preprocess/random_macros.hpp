// Random programs of the C preprocessor: macros of every kind, conditions, headers, comments, continued lines.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace detent::models::tvm {

/// Files by their relative names; "t.c" includes the others. The same seed gives the same text.
std::map<std::string, std::string> random_macros(std::uint64_t seed);

/// All names that a random program may define.
const std::vector<std::string>& random_macro_names();

}  // namespace detent::models::tvm
