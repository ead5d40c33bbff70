#include "models/tvm/c_source.hpp"

#include <optional>
#include <set>
#include <utility>

#include "models/tvm/c_converter.hpp"
#include "models/tvm/c_cursor.hpp"
#include "models/tvm/c_parsed.hpp"
#include "models/tvm/c_prelude.hpp"
#include "models/tvm/c_scan.hpp"
#include "models/tvm/c_text.hpp"

namespace detent::models::tvm {

namespace {

/// Where the prelude declares what the file declares, too, and otherwise.
std::set<std::uint64_t> contradicted(CXTranslationUnit unit, std::uint64_t prelude_bytes) {
  std::set<std::uint64_t> places;
  const unsigned count = libclang().getNumDiagnostics(unit);
  for (unsigned i = 0; i < count; ++i) {
    const CXDiagnostic diagnostic = libclang().getDiagnostic(unit, i);
    const std::string text = take(libclang().getDiagnosticSpelling(diagnostic));
    const bool is_second =
        libclang().getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error &&
        (text.find("redefin") != std::string::npos || text.find("redeclar") != std::string::npos ||
         text.find("conflicting types") != std::string::npos || text.find(" follows ") != std::string::npos);
    const CXDiagnosticSet notes = is_second ? libclang().getChildDiagnostics(diagnostic) : nullptr;
    for (unsigned n = 0; notes != nullptr && n < libclang().getNumDiagnosticsInSet(notes); ++n) {
      const CXDiagnostic note = libclang().getDiagnosticInSet(notes, n);
      const std::uint64_t at = offset_of(libclang().getDiagnosticLocation(note));
      if (at < prelude_bytes) places.insert(at);
      libclang().disposeDiagnostic(note);
    }
    libclang().disposeDiagnostic(diagnostic);
  }
  return places;
}

}  // namespace

CUnit parse_c(std::string text, const std::string& file, const CTarget& target) {
  CUnit unit;
  unit.file = file;
  unit.text = std::move(text);
  ScannedText scanned = scan_c(unit.text, file);
  const LineTable lines(unit.text);
  unit.macros = scanned.macros;
  std::string prelude = c_prelude();
  std::optional<ParsedC> parsed(std::in_place, prelude + scanned.code, file, target);
  constexpr int kMostTimes = 4;  // a declaration that is left out may uncover another
  for (int i = 0; i < kMostTimes; ++i) {
    const std::set<std::uint64_t> places = contradicted(parsed->unit(), prelude.size());
    if (places.empty()) break;
    for (const std::uint64_t at : places) leave_out(prelude, at);
    parsed.emplace(prelude + scanned.code, file, target);
  }
  Converter(unit, scanned, lines, c_prelude().size()).convert(parsed->unit());
  return unit;
}

}  // namespace detent::models::tvm
