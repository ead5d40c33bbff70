// Baseline: the findings of an earlier answer, which are not news.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "app/answer/answer.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {

using Fingerprints = std::set<std::string>;

/// The findings of a file that --json or --sarif wrote, check's report.json and findings.sarif among them.
/// @throws InputError  no such file, no JSON, or neither of the two
Fingerprints read_baseline(const std::string& path);

struct BaselineComparison {
  std::vector<std::string> fresh;          ///< texts of findings that the baseline does not have
  std::uint64_t known = 0;                 ///< findings that it has
  std::uint64_t gone = 0;                  ///< its findings that are no more
  std::vector<verify::Verdict> remaining;  ///< verdicts with a finding that is new
};

BaselineComparison compare_to_baseline(const Fingerprints& baseline, const std::vector<verify::Verdict>& verdicts);

}  // namespace detent::app
