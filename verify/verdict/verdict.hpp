// Verdict: {property, holds / violated / unknown, witness}. Never a bare boolean.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/verdict/property.hpp"

namespace detent::verify {

enum class Outcome : std::uint8_t { kHolds, kViolated, kUnknown };

/// "holds", "violated", "unknown".
const char* outcome_name(Outcome outcome);

/// Evidence for a verdict: people read `text`; machines read the rest.
struct Witness {
  std::string text;                     ///< one line, names instead of ids
  std::vector<std::uint32_t> ops;       ///< ops concerned (a racing pair, a cycle in order)
  std::vector<std::uint32_t> schedule;  ///< an order of op ids that shows the violation; may be empty
};

/// Answer to one question about one model.
struct Verdict {
  Property property = Property::kStructure;
  Outcome outcome = Outcome::kUnknown;
  std::string summary;             ///< one line: what was checked and how much of it
  std::vector<Witness> witnesses;  ///< empty when it holds; the first ones where there are many
  std::uint64_t total = 0;         ///< how many there are, where that is more than are listed
  std::string assumes{};           ///< what it holds under that nothing has checked, as a clause; empty: nothing
};

/// How many findings the verdict rests on, listed or not.
std::uint64_t finding_count(const Verdict& verdict);

}  // namespace detent::verify
