// Cells on the screen, ratios first, and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/networks/measure.hpp"

namespace detent::bench {

/// What all cells have in common.
struct Circumstances {
  bool disturbed = false;
  std::string processor{};
  std::string peer{};  ///< "ONNX Runtime 1.30.0"; empty: none was installed
};

void print_cell(const Cell& cell);
[[nodiscard]] nlohmann::ordered_json cells_json(const std::vector<Cell>& cells, const Circumstances& circumstances);

}  // namespace detent::bench
