// The scan in front of the compiler: every byte of the code that is passed on has a place in the text.
#include "models/import/tvm/c/scan.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void c_scan_target(std::string_view input) {
  using models::tvm::ScannedText;
  ScannedText scanned;
  if (!accepts([&] { scanned = models::tvm::scan_c(input, kInputName); })) return;
  // Replacements are a few characters each, in place of a directive or an initialiser that is longer or of one byte.
  require(scanned.code.size() <= 3 * input.size() + 1, "the code is about as long as the text");
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; i < scanned.code.size(); ++i) {
    const std::uint64_t place = scanned.original(i);
    require(place <= input.size() + 32, "a place lies in the text");
    require(place + 32 >= before, "places ascend");
    before = place;
  }
}

}  // namespace detent::fuzz
