// C files that are given beside an artifact: a vendor's library, or what stands in for it.
#pragma once

#include <string>
#include <vector>

#include "models/import/tvm/files/include_path.hpp"

namespace detent::models::tvm {

struct VendorSource {
  std::string shown;  ///< as messages name it
  std::string text;
  SourcePlace place;
  bool is_named = false;  ///< by itself, not by its directory
};

/// Files in the order given; of directories all C files below them, by name. What stands beside a file is added to
/// `path`, for its own headers.
/// @throws InputError  a name that cannot be read; file and remedy
std::vector<VendorSource> load_vendor_sources(const std::vector<std::string>& names, IncludePath& path);

}  // namespace detent::models::tvm
