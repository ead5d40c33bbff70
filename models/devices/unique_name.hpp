// Names of what is added to a model: none that is there already.
#pragma once

#include <set>
#include <string>

namespace detent::models {

/// `name`, with as many ' behind it as it takes to be none of `taken`; it is taken then.
inline std::string take_name(std::string name, std::set<std::string>& taken) {
  while (!taken.insert(name).second) name += "'";
  return name;
}

}  // namespace detent::models
