// detent import graph: an op graph file -> a package.
#pragma once

#include <string>

#include "app/answer/verdicts.hpp"

namespace detent::app {

struct ImportGraphOptions {
  Request request{};  ///< model: path of the file
  std::string package{};
  std::string set{};       ///< file of priorities, classes and workers that the package keeps; empty: none
  std::string schedule{};  ///< likewise of a static schedule
};

/// Read the graph, judge it without a run, and write the package. @return  `detent.import/1`
/// @throws InputError  the file is not an op graph, the package cannot be written
Answer import_graph(const ImportGraphOptions& options);

}  // namespace detent::app
