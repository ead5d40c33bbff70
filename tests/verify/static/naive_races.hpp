// Races by a map of bytes and Floyd and Warshall: the slow second opinion on verify/buffer_race.
#pragma once

#include <string>
#include <vector>

#include <detent/desc.h>

#include "verify/static/buffer_race.hpp"

namespace detent::verify::testing {

struct NaiveRaces {
  std::vector<Race> races, order_dependent;  ///< sorted; tensors are not filled in
  std::uint64_t unordered_pairs = 0, conflicting_pairs = 0;
};

/// Regions of at most a few thousand bytes.
NaiveRaces find_races_naively(const detent_desc& desc);

/// Same ops, kind, region and first byte.
bool same_race(const Race& x, const Race& y);

/// "" when the report says the same (it must list everything); else the first difference.
std::string describe_difference(const RaceReport& report, const NaiveRaces& expected);

}  // namespace detent::verify::testing
