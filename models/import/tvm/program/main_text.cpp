#include "models/import/tvm/program/main_text.hpp"

#include <algorithm>
#include <array>

#include "base/input_error.hpp"
#include "models/import/tvm/artifact/roles.hpp"
#include "models/import/tvm/c/text.hpp"

namespace detent::models::tvm {
namespace {

const Function& main_of(const Artifact& artifact) {
  const Function* function = artifact.operators.find(artifact.main_symbol);
  if (function == nullptr) {
    throw InputError(artifact.operators.file, line_of_missing_main(artifact.operators),
                     "defines no main (tvmgen_*___tvm_main__ or *_run_model); it is the file with "
                     "all operators that is needed");
  }
  return *function;
}

}  // namespace

MainText::MainText(const Artifact& artifact)
    : artifact_(artifact), unit_(artifact.operators), main_(main_of(artifact)) {}

void MainText::fail(std::uint32_t line, const std::string& what) const {
  throw InputError(unit_.file, std::to_string(line), what);
}

/// What does not parse is not in the tree: a call could be missing from it.
void MainText::refuse_damage() const {
  if (main_.damaged) {
    for (const Diagnostic& error : unit_.errors) {
      if (main_.range.begin <= error.at && error.at < main_.range.end)
        fail(error.line, "main does not compile: " + error.text);
    }
    fail(main_.line, "main does not compile");
  }
  // A brace too many ends main early: what follows belongs to no function, and does not parse.
  for (const Diagnostic& error : unit_.errors) {
    const bool is_syntax = error.text.starts_with("expected ") || error.text.starts_with("extraneous ") ||
                           error.text.starts_with("unknown type name") || error.text.starts_with("a type specifier") ||
                           error.text.starts_with("type specifier missing") ||
                           error.text.find("outside of a function") != std::string::npos;
    if (error.at + 1 >= main_.range.end && is_syntax && !is_inside_another_function(error.at))
      fail(error.line, "does not compile, and may belong to main: " + error.text);
  }
  // __attribute__((cleanup(f))) on a variable calls f, and the tree does not tell: anywhere, for a macro may hold it.
  for (std::size_t at = unit_.text.find("cleanup"); at != std::string::npos; at = unit_.text.find("cleanup", at + 1)) {
    const std::size_t next = unit_.text.find_first_not_of("_ \t\n", at + 7);
    if (next == std::string::npos || unit_.text[next] != '(') continue;
    fail(place_at(unit_.text, at, unit_.file).line,
         "cleanup(...): main may call a function where it does not name one");
  }
  if (!main_.doubt.empty())
    fail(main_.line, "main may be read otherwise by the compiler of the kernels: " + main_.doubt);
}

bool MainText::is_inside_another_function(std::uint64_t at) const {
  return std::any_of(unit_.functions.begin(), unit_.functions.end(), [&](const Function& function) {
    return &function != &main_ && function.body != kNoNode && function.body_range.begin <= at &&
           at <= function.body_range.end;
  });
}

const Expr& MainText::uncast(ExprId id) const {
  const Expr* e = &expr(id);
  while (e->kind == ExprKind::kCast && (e->type.pointers != 0 || e->type.scalar == CType::Scalar::kVoid))
    e = &expr(e->args[0]);
  return *e;
}

std::string MainText::source(const SourceRange& range) const {
  constexpr std::size_t kMost = 80;
  if (range.end <= range.begin || range.end > unit_.text.size()) return {};
  std::string text = unit_.text.substr(range.begin, std::min<std::size_t>(range.end - range.begin, kMost));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

/// The definition where there is one, else any declaration; null: the artifact does not tell.
const Function* MainText::declared(const std::string& function) const {
  const Function* found = nullptr;
  const auto search = [&](const CUnit& unit) {
    for (const Function& candidate : unit.functions) {
      if (candidate.name == function && (found == nullptr || candidate.body != kNoNode)) found = &candidate;
    }
  };
  search(unit_);
  for (const CUnit& unit : artifact_.externals) search(unit);
  return found;
}

/// Prints or keeps a text: no tensor changes.
bool MainText::is_message(const Expr& e) const {
  if (!is_call(e) || e.args.size() < 2 || expr(e.args[0]).kind != ExprKind::kName) return false;
  constexpr std::array kNames = {"TVMAPISetLastError", "printf", "puts", "TVMLogf"};
  const Expr& text = uncast(e.args[1]);
  return std::find(kNames.begin(), kNames.end(), expr(e.args[0]).text) != kNames.end() &&
         declared(expr(e.args[0]).text) == nullptr && text.kind == ExprKind::kString;
}

/// Evaluated or not, nothing changes.
bool MainText::is_harmless(const Expr& e) const {
  if (e.kind == ExprKind::kCall || e.kind == ExprKind::kUnknown || e.kind == ExprKind::kInitList) return false;
  if (e.kind == ExprKind::kAssign || e.is_step()) return false;
  return std::all_of(e.args.begin(), e.args.end(), [&](ExprId id) { return is_harmless(expr(id)); });
}

}  // namespace detent::models::tvm
