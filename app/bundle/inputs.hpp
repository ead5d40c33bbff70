// Files that a check reads -> their copies in a bundle, and a request that reads the copies instead.
#pragma once

#include <string>
#include <vector>

#include "app/bundle/bundle_file.hpp"
#include "app/check/reported_check.hpp"

namespace detent::app {

/// A file of the user and where its copy stands.
struct InputCopy {
  std::string role;    ///< "costs"; "source": of kernels of the model
  std::string option;  ///< that names it: "--costs", "MODEL"; "": the model does
  std::string source;  ///< as it was typed
  std::string path;    ///< "inputs/costs/costs.toml"; equal names give equal paths, wherever the files lie
};

/// Every file that the request names; names of the zoo and of built-in platforms are none.
/// @param requirements  file; empty: none
/// @throws InputError  a name that no path of a bundle may have
std::vector<InputCopy> inputs_of(const CheckRequest& request, const std::string& requirements);

/// The request with the paths of the copies instead of what was typed.
CheckRequest with_copies(CheckRequest request, const std::vector<InputCopy>& copies);

/// Write the copies below `directory`, and the text of a built-in platform, which the program reads and nobody sees.
/// @throws InputError  one cannot be read or written
void write_inputs(const std::string& directory, const CheckRequest& request, const std::vector<InputCopy>& copies);

/// What a bundle says of what was checked: the model, the platform and each further file.
/// @param files  of the bundle
/// @param model_sha256  of the package, for a model without a file
std::vector<BundledInput> describe_inputs(const CheckRequest& request, const std::vector<InputCopy>& copies,
                                          const std::vector<BundledFile>& files, const std::string& model_sha256);

}  // namespace detent::app
