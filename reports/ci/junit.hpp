// JUnit XML: verdicts as test cases, for the test reports of CI servers.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "verify/verdict/verdict.hpp"

namespace detent::reports {

/// One test suite for the model, one case per verdict: violated is a failure, unknown an error, not checked skipped.
/// Names and texts are printable and escaped; equal verdicts give equal bytes.
/// @param known  null: none; fingerprints of findings that fail no case; such cases pass and tell them as output
std::string junit_xml(const std::string& model, const std::vector<verify::Verdict>& verdicts,
                      const std::set<std::string>* known);

}  // namespace detent::reports
