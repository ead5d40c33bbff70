// The races of very many ops: conflicting pairs decided one by one, without the closure and without unordered pairs.
#pragma once

#include <optional>

#include "verify/static/buffer_race.hpp"

namespace detent::verify {

/// As find_races, but unordered pairs are not counted, nor are conflicting ones where they are too many and all
/// ordered.
/// @return  none: there are too many conflicting pairs, and some of them may be unordered
/// @throws std::invalid_argument  as find_races
std::optional<RaceReport> find_races_pairwise(const detent_desc& desc, const RaceOptions& options);

}  // namespace detent::verify
