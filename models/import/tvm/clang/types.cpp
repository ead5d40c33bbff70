// Facts about types come from the parser itself: it evaluates sizeof and _Alignof under the target.
#include "models/import/tvm/clang/types.hpp"

#include <array>
#include <utility>

#include "base/input_error.hpp"
#include "models/import/tvm/clang/parsed.hpp"

namespace detent::models::tvm {
namespace {

constexpr const char* kDeclarations =
    "enum detent_tvm_small { DETENT_TVM_SMALL = 1 };\n"
    "struct detent_tvm_layout { char first; long long wide; char last; };\n";

/// Whole numbers by which compilers differ.
constexpr std::array kFacts = {"sizeof(short)",
                               "sizeof(int)",
                               "sizeof(long)",
                               "sizeof(long long)",
                               "sizeof(void *)",
                               "sizeof(float)",
                               "sizeof(double)",
                               "sizeof(long double)",
                               "sizeof(_Bool)",
                               "sizeof(enum detent_tvm_small)",
                               "sizeof(struct detent_tvm_layout)",
                               "_Alignof(short)",
                               "_Alignof(int)",
                               "_Alignof(long)",
                               "_Alignof(long long)",
                               "_Alignof(void *)",
                               "_Alignof(double)",
                               "_Alignof(long double)",
                               "(int)(char)-1"};

/// Values of the variables' initialisers, in order.
CXChildVisitResult add_value(CXCursor cursor, CXCursor /*parent*/, CXClientData data) {
  const LibClang& clang = libclang();
  if (clang.getCursorKind(cursor) != CXCursor_VarDecl) return CXChildVisit_Continue;
  const CXEvalResult result = clang.Cursor_Evaluate(clang.Cursor_getVarDeclInitializer(cursor));
  if (result == nullptr) return CXChildVisit_Break;
  static_cast<std::vector<long long>*>(data)->push_back(clang.EvalResult_getAsLongLong(result));
  clang.EvalResult_dispose(result);
  return CXChildVisit_Continue;
}

}  // namespace

CTypes types_of(const CTarget& target) {
  std::string source = kDeclarations;
  for (std::size_t i = 0; i < kFacts.size(); ++i) {
    source += "long long fact_" + std::to_string(i) + " = (long long)" + kFacts[i] + ";\n";
  }
  const ParsedC parsed(source, "target " + target.name(), target);
  std::vector<long long> values;
  const LibClang& clang = libclang();
  clang.visitChildren(clang.getTranslationUnitCursor(parsed.unit()), add_value, &values);
  if (values.size() != kFacts.size()) throw InputError("target " + target.name(), "", "its types cannot be measured");
  std::string condition;
  for (std::size_t i = 0; i < kFacts.size(); ++i) {
    condition += (i == 0 ? "" : " && ") + std::string(kFacts[i]) + " == " + std::to_string(values[i]);
  }
  return {.target = target.name(), .condition = std::move(condition)};
}

std::string type_assertion(const std::vector<CTypes>& types) {
  if (types.empty()) return "";
  std::string condition, names;
  for (const CTypes& one : types) {
    condition += (condition.empty() ? "" : " ||\n    ") + std::string("(") + one.condition + ")";
    names += (names.empty() ? "" : ", ") + one.target;
  }
  return std::string(kDeclarations) + "_Static_assert(" + condition +
         ",\n    \"the operators were analysed for compilers with other types (" + names +
         "): import the artifact with --target-triple, and with the flags of this compiler in --cflags\");\n";
}

}  // namespace detent::models::tvm
