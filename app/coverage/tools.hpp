// The programs that turn counters of executed code into a report: gcovr, and the gcov of the compiler that counts.
#pragma once

#include <string>
#include <vector>

namespace detent::app {

struct CoverageTools {
  std::string compiler{};           ///< as it was given
  std::string gcovr{};              ///< absolute path
  std::vector<std::string> gcov{};  ///< absolute path, then its fixed arguments: ".../llvm-cov-14", "gcov"
};

/// For the compiler that compiles modules here. gcov reads the counters of its own version of gcc alone, llvm-cov those
/// of its own version of clang, so the one of the compiler's version is taken: beside the compiler, else on PATH.
/// @param compiler  "": $CC, else the first one found
/// @throws std::invalid_argument  no compiler, no gcovr, no gcov of that version; says what to install
CoverageTools find_coverage_tools(const std::string& compiler);

}  // namespace detent::app
