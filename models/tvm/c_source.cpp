#include "models/tvm/c_source.hpp"

#include <memory>
#include <utility>

#include "models/input_error.hpp"
#include "models/tvm/c_converter.hpp"
#include "models/tvm/c_prelude.hpp"
#include "models/tvm/c_scan.hpp"
#include "models/tvm/c_text.hpp"
#include "models/tvm/libclang.hpp"

namespace detent::models::tvm {
namespace {

constexpr unsigned kMaxErrors = 20000;

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
  const UnitHandle parsed = parse(index.get(), c_prelude() + scanned.code, file);
  Converter(unit, scanned, lines, c_prelude().size()).convert(parsed.get());
  return unit;
}

}  // namespace detent::models::tvm
