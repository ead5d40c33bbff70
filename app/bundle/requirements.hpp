// Requirements of a project (detent.requirements/1): which properties each one rests on, and whether it is satisfied.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/bundle/bundle_file.hpp"

namespace detent::app {

/// By id; states are "unknown" until state_of says more.
/// @throws std::invalid_argument  "FILE:LINE: what; remedy": no requirement, an unknown property
std::vector<BundledRequirement> parse_requirements(std::string_view text, const std::string& file);
/// The same of a file. @throws InputError  it cannot be read, or is of another kind
std::vector<BundledRequirement> read_requirements(const std::string& path);

/// "violated" where a property is, else "satisfied" where each of them was judged and holds, on no assumed op time,
/// else "unknown".
std::string state_of(const std::vector<std::string>& properties, const std::vector<BundledVerdict>& verdicts);

}  // namespace detent::app
