// A word that was typed wrong -> the nearest of those that exist.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace detent {

/// Letters to insert, remove, change or swap with their neighbour until `a` is `b`; case does not count, and "-" and
/// "_" are the same letter. Optimal string alignment.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate with the least distance, the first of equals; none where all are farther than a slip of the hand: two
/// letters, or a third of the word where it is longer, or fewer than its letters where it is short. A candidate that
/// begins with the word (three letters or more) is near.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean X?", or "" where nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// "a, b, c or d"; only the first `most` with ", ..." behind them where there are more.
std::string choices_text(std::span<const std::string> choices, std::size_t most = 12);

}  // namespace detent
