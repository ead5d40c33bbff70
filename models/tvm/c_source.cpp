#include "models/tvm/c_source.hpp"

#include <utility>

#include "models/tvm/c_converter.hpp"
#include "models/tvm/c_parsed.hpp"
#include "models/tvm/c_prelude.hpp"
#include "models/tvm/c_scan.hpp"
#include "models/tvm/c_text.hpp"

namespace detent::models::tvm {

CUnit parse_c(std::string text, const std::string& file, const CTarget& target) {
  CUnit unit;
  unit.file = file;
  unit.text = std::move(text);
  ScannedText scanned = scan_c(unit.text, file);
  const LineTable lines(unit.text);
  unit.macros = scanned.macros;
  const ParsedC parsed(c_prelude() + scanned.code, file, target);
  Converter(unit, scanned, lines, c_prelude().size()).convert(parsed.unit());
  return unit;
}

}  // namespace detent::models::tvm
