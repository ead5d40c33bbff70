// A bundle made again from its own inputs, and where the two differ.
#pragma once

#include <string>
#include <vector>

#include "app/bundle/bundle_file.hpp"
#include "app/bundle/verify_bundle.hpp"

namespace detent::app {

struct MadeAgain {
  std::vector<std::string> obstacles{};  ///< why it was not made; empty: it was
  std::vector<std::string> differing{};  ///< paths of files whose bytes are not those of the bundle, sorted
};

/// @param directory  of a bundle that is whole
/// @throws InputError  its command is none that may be run again (command.hpp)
MadeAgain make_again(const std::string& directory, const BundleFile& bundle, const RunLine& run_line);

}  // namespace detent::app
