// Counters beside gcov's notes -> gcovr's pages, and what they say in figures.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/coverage/tools.hpp"
#include "reports/data/code_coverage.hpp"

namespace detent::app {

/// A file beside report.html.
struct CoveragePage {
  std::string name;  ///< "coverage.html"
  std::string bytes;
};

struct CoveragePages {
  std::vector<CoveragePage> pages;  ///< coverage.html and what it links to, coverage.xml (Cobertura); by name
  reports::CodeCoverage figures;
};

/// Ask gcovr. Equal counters give equal bytes: no date, no path of this machine.
/// @param code   where the sources were compiled, with the counters; nothing is written there
/// @param files  names below `code` that count
/// @param title  of the pages
/// @throws std::invalid_argument  gcovr fails, writes what is not known here, or finds no file of these
CoveragePages coverage_pages(const CoverageTools& tools, const std::filesystem::path& code,
                             const std::vector<std::string>& files, const std::string& title);

}  // namespace detent::app
