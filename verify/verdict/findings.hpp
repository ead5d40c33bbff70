// Findings of one verdict: the first ones as witnesses, all of them counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "verify/verdict/verdict.hpp"

namespace detent::verify {

/// As many witnesses as a verdict lists; a person reads the first, and counts the rest.
inline constexpr std::size_t kListedWitnesses = 16;

/// Op ids that all schedules of one verdict may take; the first witness has its schedule however long that is.
inline constexpr std::uint64_t kScheduledOps = 100'000;

/// What checks of numbered laws (B20 to B50) collect.
struct Findings {
  std::vector<Witness> witnesses;  ///< the first kListedWitnesses
  std::uint64_t total = 0;

  /// @param number  of the law, "B24"
  void add(const char* number, const std::string& text, std::vector<std::uint32_t> ops = {},
           std::vector<std::uint32_t> schedule = {}) {
    ++total;
    if (witnesses.size() < kListedWitnesses) {
      witnesses.push_back({std::string(number) + ": " + text, std::move(ops), std::move(schedule)});
    }
  }
};

}  // namespace detent::verify
