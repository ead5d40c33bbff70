#include "models/import/tvm/clang/source.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "models/import/tvm/c/scan.hpp"
#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/clang/converter.hpp"
#include "models/import/tvm/clang/cursor.hpp"
#include "models/import/tvm/clang/parsed.hpp"
#include "models/import/tvm/clang/prelude.hpp"

namespace detent::models::tvm {

namespace {

/// What of the prelude goes takes with it what is built of it, a step at a time.
constexpr std::uint32_t kMaxPasses = 8;

bool is_second(const std::string& text) {
  return text.find("redefin") != text.npos || text.find("redeclar") != text.npos ||
         text.find("conflicting types") != text.npos || text.find("follows") != text.npos;
}

/// The foremost place that its notes name.
std::uint64_t first_note(CXDiagnostic diagnostic) {
  std::uint64_t place = UINT64_MAX;
  const CXDiagnosticSet notes = libclang().getChildDiagnostics(diagnostic);
  const unsigned count = libclang().getNumDiagnosticsInSet(notes);
  for (unsigned i = 0; i < count; ++i) {
    const CXDiagnostic note = libclang().getDiagnosticInSet(notes, i);
    place = std::min(place, offset_of(libclang().getDiagnosticLocation(note)));
    libclang().disposeDiagnostic(note);
  }
  return place;
}

/// Places in the prelude of what the file declares otherwise, and of what does not compile without what has gone.
std::vector<std::uint64_t> conflicts(CXTranslationUnit unit, std::uint64_t prelude_bytes) {
  std::vector<std::uint64_t> places;
  const unsigned count = libclang().getNumDiagnostics(unit);
  for (unsigned i = 0; i < count; ++i) {
    const CXDiagnostic diagnostic = libclang().getDiagnostic(unit, i);
    if (libclang().getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
      std::uint64_t place = offset_of(libclang().getDiagnosticLocation(diagnostic));
      if (is_second(take(libclang().getDiagnosticSpelling(diagnostic))))
        place = std::min(place, first_note(diagnostic));
      if (place < prelude_bytes) places.push_back(place);
    }
    libclang().disposeDiagnostic(diagnostic);
  }
  std::sort(places.begin(), places.end());
  return places;
}

/// What the file declares by itself, the prelude leaves out. @return  something went
bool blank_conflicts(CXTranslationUnit unit, std::string& prelude) {
  const std::vector<std::uint64_t> places = conflicts(unit, prelude.size());
  if (places.empty()) return false;
  bool changed = false;
  for (const CXCursor& cursor : children_of(libclang().getTranslationUnitCursor(unit))) {
    const CXSourceRange extent = libclang().getCursorExtent(cursor);
    const std::uint64_t begin = offset_of(libclang().getRangeStart(extent));
    const std::uint64_t end = offset_of(libclang().getRangeEnd(extent));
    if (begin >= end || end > prelude.size()) continue;
    const auto first = std::lower_bound(places.begin(), places.end(), begin);
    if (first == places.end() || *first >= end) continue;
    std::fill(prelude.begin() + static_cast<std::ptrdiff_t>(begin), prelude.begin() + static_cast<std::ptrdiff_t>(end),
              ' ');
    changed = true;
  }
  return changed;
}

}  // namespace

CUnit parse_c(std::string text, const std::string& file, const CTarget& target) {
  ParseOptions options;
  options.target = target;
  return parse_any_c(std::move(text), file, options);
}

CUnit parse_any_c(std::string text, const std::string& file, const ParseOptions& options) {
  const CTarget& target = options.target;
  CUnit unit;
  unit.file = file;
  unit.text = std::move(text);
  ScannedText scanned = scan_c(unit.text, file, options.limits);
  const LineTable lines(unit.text);
  unit.macros = scanned.macros;
  std::string prelude = c_prelude() + options.declarations;
  std::optional<ParsedC> parsed(std::in_place, prelude + scanned.code, file, target);
  for (std::uint32_t pass = 0; pass < kMaxPasses && blank_conflicts(parsed->unit(), prelude); ++pass) {
    parsed.emplace(prelude + scanned.code, file, target);
  }
  Converter(unit, scanned, lines, prelude.size()).convert(parsed->unit());
  return unit;
}

}  // namespace detent::models::tvm
