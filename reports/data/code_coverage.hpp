// CodeCoverage: which lines, branches and functions of the model's own C were executed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::reports {

/// So many of so many.
struct CoveredCount {
  std::uint64_t covered = 0, total = 0;

  CoveredCount& operator+=(const CoveredCount& other) {
    covered += other.covered;
    total += other.total;
    return *this;
  }
};

/// A function that was never called.
struct UncoveredFunction {
  std::string name;
  std::uint64_t line = 0;  ///< of its definition
};

/// One file of the package's sources.
struct FileCoverage {
  std::string name;  ///< as in the package: "operators.c"
  CoveredCount lines{}, branches{}, functions{};
  std::vector<UncoveredFunction> uncovered{};  ///< in the order of their lines
};

struct CodeCoverage {
  std::vector<FileCoverage> files{};  ///< by name
  std::uint64_t native_runs = 0;      ///< whole runs that were counted
  std::uint64_t schedules = 0;        ///< orders of ops that were counted besides
  std::string note{};                 ///< why something was not measured; empty: all of it was

  /// Of all files together, without functions by name.
  [[nodiscard]] FileCoverage total() const {
    FileCoverage sum;
    for (const FileCoverage& file : files) {
      sum.lines += file.lines;
      sum.branches += file.branches;
      sum.functions += file.functions;
    }
    return sum;
  }
};

}  // namespace detent::reports
