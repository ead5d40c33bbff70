#include "models/import/tvm/clang/converter.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

namespace detent::models::tvm {
namespace {

constexpr std::size_t kMaxFields = 8192;

}  // namespace

void Converter::function(CXCursor cursor) {
  Function out;
  static_cast<void>(statements_.take_too_deep());  // of a global before it
  out.name = take(libclang().getCursorSpelling(cursor));
  out.result = types_.type_of(libclang().getCursorResultType(cursor));
  out.is_static = libclang().Cursor_getStorageClass(cursor) == CX_SC_Static;
  out.range = places_.range_of(cursor);
  out.line = places_.lines().line_of(out.range.begin);
  const std::string& file = places_.lines().file_of(out.range.begin);
  if (file != unit_.file.substr(unit_.file.rfind('/') + 1)) out.file = file;
  const int count = libclang().Cursor_getNumArguments(cursor);
  for (int i = 0; i < count; ++i) {
    out.params.push_back(statements_.variable(libclang().Cursor_getArgument(cursor, static_cast<unsigned>(i)), 0));
  }
  if (libclang().isCursorDefinition(cursor) != 0) {
    for (const CXCursor& child : children_of(cursor)) {
      if (libclang().getCursorKind(child) != CXCursor_CompoundStmt) continue;
      out.body_range = places_.range_of(child);
      std::vector<StmtId> list;
      statements_.statement_into(child, 0, list);
      out.body = list[0];
    }
  }
  out.damaged = statements_.take_too_deep();
  unit_.functions.push_back(std::move(out));
}

void Converter::record(CXCursor cursor) {
  if (libclang().isCursorDefinition(cursor) == 0) return;
  Record out;
  out.name = libclang().Cursor_isAnonymous(cursor) != 0 ? "" : take(libclang().getCursorSpelling(cursor));
  out.line = places_.lines().line_of(places_.range_of(cursor).begin);
  const long long size = libclang().Type_getSizeOf(libclang().getCursorType(cursor));
  if (size > 0) out.size_bytes = static_cast<std::uint64_t>(size);
  for (const CXCursor& child : children_of(cursor)) {
    if (libclang().getCursorKind(child) != CXCursor_FieldDecl) continue;
    out.fields.push_back(statements_.variable(child, 0));
    // Asking for the n-th offset costs the compiler n steps.
    const long long bits = out.fields.size() <= kMaxFields ? libclang().Cursor_getOffsetOfField(child) : 0;
    out.field_offsets.push_back(bits > 0 ? static_cast<std::uint64_t>(bits) / 8 : 0);
  }
  unit_.records.push_back(std::move(out));
}

void Converter::global(CXCursor cursor) {
  Global out;
  out.variable = statements_.variable(cursor, 0);
  out.is_static = libclang().Cursor_getStorageClass(cursor) == CX_SC_Static;
  out.is_defined = libclang().Cursor_getStorageClass(cursor) != CX_SC_Extern || out.variable.init != kNoNode;
  if (out.variable.init != kNoNode) out.initialiser = unit_.exprs[out.variable.init].range;
  unit_.globals.push_back(std::move(out));
}

void Converter::top_level(CXCursor cursor) {
  const std::uint64_t begin = offset_of(libclang().getRangeStart(libclang().getCursorExtent(cursor)));
  if (places_.is_in_prelude(begin)) return;
  const CXCursorKind kind = libclang().getCursorKind(cursor);
  if (kind == CXCursor_FunctionDecl) function(cursor);
  if (kind == CXCursor_StructDecl) record(cursor);
  if (kind == CXCursor_VarDecl) global(cursor);
}

bool Converter::is_inside_function(std::uint64_t offset) const {
  return std::any_of(unit_.functions.begin(), unit_.functions.end(), [&](const Function& function) {
    return function.body != kNoNode && function.range.begin <= offset && offset < function.range.end;
  });
}

/// Errors damage the function in which they stand. A function called without a declaration is named, no more: the tree
/// of its caller is whole.
void Converter::errors(CXTranslationUnit unit) {
  const unsigned count = libclang().getNumDiagnostics(unit);
  std::vector<std::pair<std::uint64_t, Diagnostic>> found;
  std::vector<std::uint64_t> damaging;
  for (unsigned i = 0; i < count; ++i) {
    const CXDiagnostic diagnostic = libclang().getDiagnostic(unit, i);
    const CXDiagnosticSeverity severity = libclang().getDiagnosticSeverity(diagnostic);
    const std::uint64_t offset = offset_of(libclang().getDiagnosticLocation(diagnostic));
    if (severity >= CXDiagnostic_Warning && !places_.is_in_prelude(offset)) {
      const std::uint64_t original = places_.original(offset);
      found.push_back(
          {original,
           {places_.lines().line_of(original), take(libclang().getDiagnosticSpelling(diagnostic)), original}});
      if (severity >= CXDiagnostic_Error) damaging.push_back(original);
      if (severity >= CXDiagnostic_Error && !is_inside_function(original)) {
        doubts_.push_back({{original, original + 1},
                           "its text has errors: " + found.back().second.text + " (line " +
                               std::to_string(found.back().second.line) + ")",
                           ""});
      }
    }
    libclang().disposeDiagnostic(diagnostic);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::sort(damaging.begin(), damaging.end());
  for (auto& [offset, diagnostic] : found) unit_.errors.push_back(std::move(diagnostic));
  for (Function& function : unit_.functions) {
    const auto first = std::lower_bound(damaging.begin(), damaging.end(), function.range.begin);
    if (function.body != kNoNode && first != damaging.end() && *first < function.range.end) function.damaged = true;
  }
}

/// The prelude's DLTensor stands before everything in the file.
void Converter::lay_out(CXCursor typedef_cursor) {
  if (take(libclang().getCursorSpelling(typedef_cursor)) != "DLTensor") return;
  has_layout_ = true;
  const CXType type = libclang().getCanonicalType(libclang().getCursorType(typedef_cursor));
  const auto offset_of_member = [&](const char* name) {
    return static_cast<std::int64_t>(libclang().Type_getOffsetOf(type, name)) / 8;
  };
  TensorLayout& layout = unit_.tensor;
  constexpr std::int64_t kDeviceBytes = 8;  // in a union without a name, whose members have no offset in libclang
  layout = {.pointer_bytes = static_cast<std::uint32_t>(offset_of_member("strides") - offset_of_member("shape")),
            .device = offset_of_member("ndim") - kDeviceBytes,
            .ndim = offset_of_member("ndim"),
            .dtype = offset_of_member("dtype"),
            .shape = offset_of_member("shape"),
            .strides = offset_of_member("strides"),
            .byte_offset = offset_of_member("byte_offset")};
}

void Converter::convert(CXTranslationUnit unit) {
  for (const CXCursor& cursor : children_of(libclang().getTranslationUnitCursor(unit))) {
    if (!has_layout_ && libclang().getCursorKind(cursor) == CXCursor_TypedefDecl) lay_out(cursor);
    top_level(cursor);
  }
  errors(unit);
  doubts();
}

/// Functions in which, or in whose names, something stands that the compiler of the kernels may read otherwise.
void Converter::doubts() {
  if (doubts_.empty()) return;
  const DoubtfulPlaces places(std::move(doubts_));
  const DoubtfulNames names = doubtful_names(places_.scanned(), places, unit_.file);
  for (Function& function : unit_.functions) {
    if (function.body == kNoNode) continue;
    const Doubt* doubt = places.in(function.range);
    const auto name = first_doubtful(
        std::string_view(unit_.text).substr(function.range.begin, function.range.end - function.range.begin), names,
        function.name);
    if (doubt != nullptr) {
      function.doubt = doubt->why;
    } else if (name != names.end()) {
      function.doubt = name->second;
    }
  }
}

}  // namespace detent::models::tvm
