#include "models/import/tvm/c/scan.hpp"

#include "models/import/tvm/c/scanner.hpp"

namespace detent::models::tvm {

ScannedText scan_c(std::string_view text, const std::string& file, const ScanLimits& limits) {
  return Scanner(text, file, limits).run();
}

}  // namespace detent::models::tvm
