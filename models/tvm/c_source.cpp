#include "models/tvm/c_source.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "models/input_error.hpp"
#include "models/tvm/c_converter.hpp"
#include "models/tvm/c_prelude.hpp"
#include "models/tvm/c_scan.hpp"
#include "models/tvm/c_text.hpp"
#include "models/tvm/libclang.hpp"

namespace detent::models::tvm {
namespace {

constexpr unsigned kMaxErrors = 20000;
/// What of the prelude goes takes with it what is built of it, a step at a time.
constexpr std::uint32_t kMaxPasses = 8;

struct CloseIndex {
  void operator()(CXIndex index) const { libclang().disposeIndex(index); }
};
struct CloseUnit {
  void operator()(CXTranslationUnit unit) const { libclang().disposeTranslationUnit(unit); }
};
using IndexHandle = std::unique_ptr<void, CloseIndex>;
using UnitHandle = std::unique_ptr<std::remove_pointer_t<CXTranslationUnit>, CloseUnit>;

/// Parse without touching the disk, the environment's include paths or the process's signal handlers.
UnitHandle parse(CXIndex index, const std::string& source, const std::string& file) {
  const std::string error_limit = "-ferror-limit=" + std::to_string(kMaxErrors);
  const char* arguments[] = {"-x",
                             "c",
                             "-std=gnu11",
                             "--target=x86_64-unknown-none-elf",
                             "-nostdinc",
                             "-fno-builtin",
                             "-Wno-everything",
                             "-Wimplicit-function-declaration",
                             "-fno-spell-checking",
                             "-fbracket-depth=300",
                             error_limit.c_str(),
                             "-Xclang",
                             "-disable-pragma-debug-crash"};
  CXUnsavedFile content{"unit.c", source.data(), static_cast<unsigned long>(source.size())};
  CXTranslationUnit unit = nullptr;
  const CXErrorCode code = libclang().parseTranslationUnit2(
      index, "unit.c", arguments, static_cast<int>(std::size(arguments)), &content, 1, CXTranslationUnit_None, &unit);
  UnitHandle handle(unit);
  if (code != CXError_Success || unit == nullptr) throw InputError(file, "", "the C parser refused the file");
  return handle;
}

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

CUnit parse_c(std::string text, const std::string& file) {
  CUnit unit;
  unit.file = file;
  unit.text = std::move(text);
  ScannedText scanned = scan_c(unit.text, file);
  const LineTable lines(unit.text);
  unit.macros = scanned.macros;
  const IndexHandle index(libclang().createIndex(0, 0));
  libclang().toggleCrashRecovery(0);
  std::string prelude = c_prelude();
  UnitHandle parsed = parse(index.get(), prelude + scanned.code, file);
  for (std::uint32_t pass = 0; pass < kMaxPasses && blank_conflicts(parsed.get(), prelude); ++pass) {
    parsed = parse(index.get(), prelude + scanned.code, file);
  }
  Converter(unit, scanned, lines, prelude.size()).convert(parsed.get());
  return unit;
}

}  // namespace detent::models::tvm
