// detent check --bundle: one check with its inputs, answers and everything that they rest on, as one folder that can be
// checked and made again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/answer/given_option.hpp"
#include "app/check/reported_check.hpp"

namespace detent::app {

struct BundleRequest {
  CheckRequest check{};            ///< its directory (--out) may be empty
  std::string directory{};         ///< of the bundle
  std::string requirements{};      ///< file; empty: none
  std::vector<GivenOption> given;  ///< all options of the command
};

/// Check the copies of the inputs that the bundle will hold, and write the bundle: beside its place, then renamed, so
/// that there is the whole bundle or what was there before. Nothing in it names the machine, and what is measured on
/// the host is left out. A bundle that lies there is replaced; anything else is not. Where a directory for the report
/// is given, it gets the same files.
///
/// The working directory is another one meanwhile: inputs are named as they stand in the bundle.
/// @param width  of the screen
/// @return  as report_check, with `bundle`; stopped by an interrupt (base/interrupt.hpp): no bundle is there
/// @throws InputError, std::invalid_argument  as start_check and report_check; a place that holds something else
Answer make_bundle(const BundleRequest& wanted, std::size_t width, const OnProgress& on_progress);

}  // namespace detent::app
