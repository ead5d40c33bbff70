// States of a deadline search from which no schedule ends in time, found again in whole or as a better one.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "verify/synthesis/job_graph.hpp"

namespace detent::verify {

/// Keys and values are whole, not hashes: nothing is refuted by chance.
class RefutedStates {
 public:
  /// @param most_words  64-bit words that may be kept; more states are not
  explicit RefutedStates(std::size_t most_words) : most_words_(most_words) {}

  /// Is a state kept under this key for which `is_no_worse(kept)` holds?
  template <typename Judge>
  [[nodiscard]] bool contains(const std::vector<std::uint64_t>& key, Judge is_no_worse) const {
    const auto [first, last] = places_.equal_range(hash(key));
    for (auto at = first; at != last; ++at) {
      const Place& place = at->second;
      if (place.key_words != key.size() ||
          !std::equal(key.begin(), key.end(), words_.begin() + static_cast<std::ptrdiff_t>(place.at)))
        continue;
      if (is_no_worse(std::span(words_).subspan(place.at + place.key_words, place.value_words))) return true;
    }
    return false;
  }

  void add(const std::vector<std::uint64_t>& key, const std::vector<std::uint64_t>& value) {
    if (words_.size() + key.size() + value.size() > most_words_) return;
    places_.emplace(hash(key), Place{words_.size(), static_cast<std::uint32_t>(key.size()),
                                     static_cast<std::uint32_t>(value.size())});
    words_.insert(words_.end(), key.begin(), key.end());
    words_.insert(words_.end(), value.begin(), value.end());
  }

 private:
  struct Place {
    std::size_t at = 0;
    std::uint32_t key_words = 0, value_words = 0;
  };

  static std::uint64_t hash(const std::vector<std::uint64_t>& words) {
    std::uint64_t mixed = 0x9E3779B97F4A7C15ULL;
    for (const std::uint64_t word : words) {
      mixed = (mixed ^ word) * 0xBF58476D1CE4E5B9ULL;
      mixed ^= mixed >> 29U;
    }
    return mixed;
  }

  std::size_t most_words_;
  std::vector<std::uint64_t> words_;
  std::unordered_multimap<std::uint64_t, Place> places_;
};

}  // namespace detent::verify
