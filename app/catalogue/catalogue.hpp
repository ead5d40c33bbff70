// What the program has by name.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace detent::app {

using CatalogueRows = std::vector<std::pair<std::string, std::string>>;  ///< name, what it is

/// @param what  models, platforms (without a text), policies, kernels or operators
/// @throws std::invalid_argument  another one
CatalogueRows catalogue_of(const std::string& what);

/// The names alone, each without what may follow it: "chain" of "chain:N". @throws std::invalid_argument  likewise
std::vector<std::string> names_of(const std::string& what);

/// The name of a model where a platform or file is wanted, of a platform where a model or file is: answered with what
/// takes it. Names of files that exist pass.
/// @param wanted  "a model", "a platform", "a log of runs"
/// @throws InputError
void refuse_other_name(const std::string& word, const std::string& wanted);

/// An output whose word is a model of the zoo, while what stands for the model is neither that nor there.
/// @param option  "--out"
/// @throws InputError  with the two in their places
void refuse_swapped(const std::string& option, const std::string& output, const std::string& model);

}  // namespace detent::app
