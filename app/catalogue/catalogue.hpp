// What the program has by name.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace detent::app {

using CatalogueRows = std::vector<std::pair<std::string, std::string>>;  ///< name, what it is

/// @param what  models, platforms (without a text), policies or kernels
/// @throws std::invalid_argument  another one
CatalogueRows catalogue_of(const std::string& what);

/// The names alone, each without what may follow it: "chain" of "chain:N". @throws std::invalid_argument  likewise
std::vector<std::string> names_of(const std::string& what);

}  // namespace detent::app
