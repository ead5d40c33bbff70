// detent verify-bundle: is a bundle what detent check wrote? Offline, from its folder alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/answer/verdicts.hpp"
#include "app/bundle/bundle_file.hpp"

namespace detent::app {

struct VerifyBundleRequest {
  std::string directory{};
  std::string root{};  ///< that bundle.json must have, 64 digits; empty: whichever it has
  bool again = false;  ///< make the check again and compare every byte
};

/// Runs a line of this program: the words behind "detent".
using RunLine = std::function<void(const std::vector<std::string>& words)>;

/// Compare every file with its hash in bundle.json, bundle.json with its root, its verdicts with those of report.json,
/// and its requirements and outcome with the verdicts. Then, on request, make the check again from the bundle's inputs,
/// in a temporary folder.
///
/// Hashes find changes; they are no signature: who may write the folder can write hashes that fit. The root, kept
/// elsewhere, tells even then.
///
/// Making it again executes what the check executes, the C of an imported model among it.
/// @return  `detent.verify_bundle/1`; holds: whole; violated: something differs, all of which is named; unknown: whole,
///          but it could not be made again by this program or on this machine
/// @throws InputError, std::invalid_argument  no bundle; one whose root fits and that breaks a rule of the format
Answer verify_bundle(const VerifyBundleRequest& wanted, const RunLine& run_line);

}  // namespace detent::app
