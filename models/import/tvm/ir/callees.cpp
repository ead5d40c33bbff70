// The functions whose effect is known although their text is not: libm, the operations on memory, TVM's workspace, and
// what the front end adds. Functions of libm that write through a pointer (frexp, modf, remquo, sincos) or a variable
// (lgamma) are not on the list.
#include <set>

#include "models/import/tvm/ir/reader.hpp"

namespace detent::models::tvm {
namespace {

/// As the access probe's list: the folders of both may include neither each other nor a third that names C's library.
const std::set<std::string>& numeric_functions() {
  static const std::set<std::string> names = {
      "abs",   "acos",      "acosh",   "asin",    "asinh",     "atan",        "atan2", "atanh",     "cbrt",
      "ceil",  "copysign",  "cos",     "cosh",    "erf",       "erfc",        "exp",   "exp10",     "exp2",
      "expm1", "fabs",      "fdim",    "floor",   "fma",       "fmax",        "fmin",  "fmod",      "hypot",
      "ilogb", "labs",      "ldexp",   "llabs",   "llrint",    "llround",     "log",   "log10",     "log1p",
      "log2",  "logb",      "lrint",   "lround",  "nearbyint", "nextafter",   "pow",   "remainder", "rint",
      "round", "roundeven", "scalbn",  "sin",     "sinh",      "sqrt",        "tan",   "tanh",      "tgamma",
      "trunc", "__finite",  "__isinf", "__isnan", "__signbit", "__fpclassify"};
  return names;
}

const std::set<std::string>& numeric_intrinsics() {
  static const std::set<std::string> names = {
      "abs",    "acos",    "asin",    "atan",      "bitreverse", "bswap",  "canonicalize", "ceil",   "copysign",
      "cos",    "cosh",    "ctlz",    "ctpop",     "cttz",       "exp",    "exp10",        "exp2",   "expect",
      "fabs",   "floor",   "fma",     "fmuladd",   "fptosi",     "fptoui", "fshl",         "fshr",   "is",
      "ldexp",  "llrint",  "llround", "log",       "log10",      "log2",   "lrint",        "lround", "maximum",
      "maxnum", "minimum", "minnum",  "nearbyint", "pow",        "powi",   "rint",         "round",  "roundeven",
      "sadd",   "sin",     "sinh",    "smax",      "smin",       "smul",   "sqrt",         "sshl",   "ssub",
      "tan",    "tanh",    "trunc",   "uadd",      "umax",       "umin",   "umul",         "ushl",   "usub"};
  return names;
}

IrKind kind_of_intrinsic(const std::string& name) {
  const std::string rest = name.substr(5);  // behind "llvm."
  if (rest.find("atomic") != std::string::npos) return IrKind::kUnknown;
  if (rest.starts_with("memcpy.") || rest.starts_with("memmove.")) return IrKind::kCopy;
  if (rest.starts_with("memset.")) return IrKind::kFill;
  for (const char* const silent :
       {"lifetime.", "dbg.", "assume", "stacksave", "stackrestore", "experimental.noalias.scope.decl"}) {
    if (rest.starts_with(silent)) return rest.starts_with("stacksave") ? IrKind::kNumber : IrKind::kNothing;
  }
  if (rest.starts_with("is.") && !rest.starts_with("is.fpclass.")) return IrKind::kUnknown;
  if (rest.starts_with("vector.reduce.")) return IrKind::kArithmetic;
  if (rest.starts_with("expect.with.probability.")) return IrKind::kArithmetic;
  const std::string stem = rest.substr(0, rest.find('.'));
  return numeric_intrinsics().contains(stem) ? IrKind::kArithmetic : IrKind::kUnknown;
}

}  // namespace

IrKind kind_of_callee(const std::string& name, bool is_numeric) {
  if (name.starts_with("llvm.")) return kind_of_intrinsic(name);
  if (name == "memcpy" || name == "memmove") return IrKind::kCopy;
  if (name == "memset") return IrKind::kFill;
  if (name == "TVMBackendAllocWorkspace") return IrKind::kAllocate;
  if (name == "TVMBackendFreeWorkspace") return IrKind::kRelease;
  if (!is_numeric) return IrKind::kUnknown;
  const std::set<std::string>& names = numeric_functions();
  if (names.contains(name)) return IrKind::kArithmetic;
  const bool has_width = name.ends_with('f') || name.ends_with('l');
  return has_width && names.contains(name.substr(0, name.size() - 1)) ? IrKind::kArithmetic : IrKind::kUnknown;
}

}  // namespace detent::models::tvm
