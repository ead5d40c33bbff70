// detent check: a check with everything that it writes: the report, traces, SARIF, JUnit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/answer/verdicts.hpp"
#include "app/check/check.hpp"
#include "app/ci/ci_outputs.hpp"

namespace detent::app {

struct CheckRequest {
  CheckOptions check{};
  CiOptions ci{};
  bool coverage = false;    ///< find the tools for CheckOptions::coverage
  std::string directory{};  ///< for report.html, report.json, findings.sarif, traces and pages of coverage; made where
                            ///< it is missing
};

/// What is checked, on what.
struct CheckStart {
  CheckOptions check{};
  sim::Platform platform{};
  std::optional<Fingerprints> baseline{};
  LoadedModel loaded;
};

/// Read everything that is read, and make the directory, if one is given.
/// @throws InputError, std::invalid_argument  options that cannot be, before anything takes long
CheckStart start_check(const CheckRequest& wanted);

/// Check, and write the files. Where stop_requested() (base/interrupt.hpp) ends it, what was known by then.
/// @param width  of the screen
/// @return  `detent.check/1` with the outcome of its verdicts, of those that are new with a baseline
/// @throws InputError, std::invalid_argument  as check; a file cannot be written
Answer report_check(const CheckRequest& wanted, const CheckStart& start, std::size_t width,
                    const OnProgress& on_progress);

}  // namespace detent::app
