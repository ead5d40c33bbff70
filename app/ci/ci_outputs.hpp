// What --sarif, --junit and --baseline make of the verdicts of a command.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/answer/verdicts.hpp"
#include "app/ci/baseline.hpp"
#include "app/model/loaded_model.hpp"

namespace detent::app {

struct CiOptions {
  std::string sarif{};  ///< files; empty: none
  std::string junit{};
  std::string baseline{};
};

/// Read before the work begins, so that a bad baseline is refused at once. @return  none: no baseline was given
std::optional<Fingerprints> baseline_of(const CiOptions& options);

/// Write the files, each whole or not at all. With a baseline, `answer` gets the key "baseline" and lines that say what
/// is new, and only that decides its outcome.
/// @throws InputError  a file cannot be written
void add_ci_outputs(const CiOptions& options, const std::optional<Fingerprints>& baseline, const Request& request,
                    const LoadedModel& loaded, const std::vector<verify::Verdict>& verdicts, Answer& answer);

}  // namespace detent::app
