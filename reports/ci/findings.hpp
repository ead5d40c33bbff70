// Finding: one thing that is wrong or not known, as code review and a baseline count them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "verify/verdict/verdict.hpp"

namespace detent::reports {

struct Finding {
  verify::Property property{};
  verify::Outcome outcome = verify::Outcome::kViolated;
  std::string text;
  const verify::Witness* witness = nullptr;  ///< of the verdict; null: the verdict as a whole
  /// 16 hexadecimal digits of the property and the text, and a number that tells equal ones apart. The text counts as
  /// a set of words without numbers of ops and tensors and without places of bytes: neither new ids, nor other lines of
  /// the file, nor a new memory plan make another finding of it; new names do. A lack of determinism is one finding,
  /// whatever shows it.
  std::string fingerprint;
};

/// Of every verdict that does not hold: its witnesses, or itself where it has none. Where the list of witnesses may be
/// cut, the count in the summary is a finding, too: a baseline excuses no more of them than there were.
/// @return  points into `verdicts`
std::vector<Finding> findings_of(const std::vector<verify::Verdict>& verdicts);

}  // namespace detent::reports
