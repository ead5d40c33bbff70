#include "models/import/tvm/footprint/walk/calls.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "models/import/tvm/footprint/terms/term_arithmetic.hpp"
#include "models/import/tvm/footprint/walk/labels.hpp"
#include "models/import/tvm/footprint/walk/syntax.hpp"

namespace detent::models::tvm::footprint {
namespace {

constexpr std::size_t kMostFrames = 24;

struct MathFunction {
  std::string_view name;  ///< of the double version; "f" is appended for float
  std::optional<Op> op;   ///< none: its value is of no use for an index
};

constexpr std::array kMath = {
    MathFunction{"floor", Op::kFloatFloor},  MathFunction{"ceil", Op::kFloatCeil},
    MathFunction{"round", Op::kFloatRound},  MathFunction{"trunc", Op::kFloatTrunc},
    MathFunction{"rint", Op::kFloatNearby},  MathFunction{"nearbyint", Op::kFloatNearby},
    MathFunction{"fabs", Op::kFloatAbs},     MathFunction{"fmin", Op::kFloatMin},
    MathFunction{"fmax", Op::kFloatMax},     MathFunction{"exp", std::nullopt},
    MathFunction{"exp2", std::nullopt},      MathFunction{"exp10", std::nullopt},
    MathFunction{"expm1", std::nullopt},     MathFunction{"log", std::nullopt},
    MathFunction{"log2", std::nullopt},      MathFunction{"log10", std::nullopt},
    MathFunction{"log1p", std::nullopt},     MathFunction{"sqrt", std::nullopt},
    MathFunction{"rsqrt", std::nullopt},     MathFunction{"cbrt", std::nullopt},
    MathFunction{"sin", std::nullopt},       MathFunction{"cos", std::nullopt},
    MathFunction{"tan", std::nullopt},       MathFunction{"asin", std::nullopt},
    MathFunction{"acos", std::nullopt},      MathFunction{"atan", std::nullopt},
    MathFunction{"atan2", std::nullopt},     MathFunction{"sinh", std::nullopt},
    MathFunction{"cosh", std::nullopt},      MathFunction{"tanh", std::nullopt},
    MathFunction{"asinh", std::nullopt},     MathFunction{"acosh", std::nullopt},
    MathFunction{"atanh", std::nullopt},     MathFunction{"erf", std::nullopt},
    MathFunction{"erfc", std::nullopt},      MathFunction{"pow", std::nullopt},
    MathFunction{"fmod", std::nullopt},      MathFunction{"fma", std::nullopt},
    MathFunction{"copysign", std::nullopt},  MathFunction{"hypot", std::nullopt},
    MathFunction{"nextafter", std::nullopt}, MathFunction{"ldexp", std::nullopt},
    MathFunction{"remainder", std::nullopt}, MathFunction{"tgamma", std::nullopt},
    MathFunction{"lgamma", std::nullopt},
};

const MathFunction* find_math(std::string_view name) {
  for (const MathFunction& known : kMath) {
    if (name == known.name) return &known;
    if (name.size() == known.name.size() + 1 && name.starts_with(known.name) && name.back() == 'f') return &known;
  }
  return nullptr;
}

/// Ends the program, or prints: its arguments are read at most.
bool is_harmless(const std::string& name) {
  static constexpr std::array<std::string_view, 7> kNames = {
      "TVMAPISetLastError", "TVMGetLastError", "abort", "exit", "printf", "puts", "strlen"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Of CMSIS-NN, whose manual calls all of its functions reentrant.
bool keeps_no_state(const std::string& name) {
  static constexpr std::array<std::string_view, 13> kPrefixes = {"arm_convolve_",
                                                                 "arm_depthwise_conv_",
                                                                 "arm_fully_connected_",
                                                                 "arm_softmax_",
                                                                 "arm_max_pool_",
                                                                 "arm_avgpool_",
                                                                 "arm_elementwise_",
                                                                 "arm_concatenation_",
                                                                 "arm_reshape_",
                                                                 "arm_relu",
                                                                 "arm_nn_",
                                                                 "arm_transpose_conv_",
                                                                 "arm_svdf_"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// Sets a mode of the processor on which the results of later floating-point instructions depend.
bool sets_rounding(std::string_view name) {
  constexpr std::array<std::string_view, 9> kNames = {"fesetround",      "fesetenv",        "feupdateenv",
                                                      "feholdexcept",    "fesetexceptflag", "feenableexcept",
                                                      "fedisableexcept", "fesetmode",       "_mm_setcsr"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::optional<MemoryFunction> memory_function(std::string_view name) {
  constexpr std::string_view kBuiltin = "__builtin_";
  if (name.starts_with(kBuiltin)) name.remove_prefix(kBuiltin.size());
  if (name == "memset") return MemoryFunction::kSet;
  if (name == "memcpy" || name == "memmove") return MemoryFunction::kCopy;
  if (name == "memcmp") return MemoryFunction::kCompare;
  return std::nullopt;
}

}  // namespace

Value Calls::call(const Expr& expr) {
  const Expr& callee = walk_.unit.expr(expr.args[0]);
  const bool is_local = callee.kind == ExprKind::kName && walk_.scope.find(callee.text) != SIZE_MAX;
  const std::string name = callee.kind == ExprKind::kName && !is_local ? callee.text : "";
  if (callee.kind != ExprKind::kName) evaluator_.evaluate(expr.args[0]);  // which function may be looked up in memory
  std::vector<Value> args;
  for (std::size_t i = 1; i < expr.args.size(); ++i) args.push_back(evaluator_.evaluate(expr.args[i]));
  const Function* const definition = walk_.facts.definition(name);
  if (definition != nullptr) return call_inline(expr, *definition, args);
  if (walk_.facts.global(name) != nullptr) return call_unknown(expr, "", args);
  if (name == "TVMBackendAllocWorkspace") return allocate(args);
  if (name == "TVMBackendFreeWorkspace") return release(args);
  if (name == "malloc" || name == "calloc") {
    return pointer_value(walk_.objects.add(Object::Kind::kPrivate, 0), walk_.terms.constant(0));
  }
  if (name == "free") return {};
  const std::optional<MemoryFunction> function = memory_function(name);
  if (function && args.size() == 3) return call_memory(expr, *function, args);
  if (find_math(name) != nullptr) return call_math(expr, name, args);
  if (is_harmless(name)) {
    const OutsideUse use = name == "printf" ? OutsideUse::kReadsAndWrites : OutsideUse::kReads;
    for (const Value& arg : args) walk_.memory.escape(arg, use);
    return walk_.arithmetic.unknown_of(expr.type);
  }
  return call_unknown(expr, name, args);
}

Value Calls::call_memory(const Expr& expr, MemoryFunction function, const std::vector<Value>& args) {
  const bool is_compare = function == MemoryFunction::kCompare;
  const NodeId size = walk_.arithmetic.int_of(args[2]);
  if (function != MemoryFunction::kSet) walk_.memory.note_block(args[1], size, AccessKind::kRead);
  walk_.memory.note_block(args[0], size, is_compare ? AccessKind::kRead : AccessKind::kWrite);
  return is_compare ? walk_.arithmetic.unknown_of(expr.type) : args[0];
}

Value Calls::call_math(const Expr& expr, const std::string& name, const std::vector<Value>& args) {
  walk_.findings.count_flops(1);
  const std::optional<Op> op = find_math(name)->op;
  const std::uint32_t bytes = name.back() == 'f' ? 4 : 8;
  const std::size_t wanted = op == Op::kFloatMin || op == Op::kFloatMax ? 2 : 1;
  if (!op || args.size() != wanted) return walk_.arithmetic.unknown_of(expr.type);
  std::vector<NodeId> nodes;
  for (const Value& arg : args) nodes.push_back(walk_.arithmetic.float_of(arg, bytes));
  const bool is_known = std::find(nodes.begin(), nodes.end(), kNone) == nodes.end();
  return float_value(is_known ? float_op(walk_.terms, *op, nodes, bytes) : kNone);
}

Value Calls::call_inline(const Expr& expr, const Function& callee, const std::vector<Value>& args) {
  if (!callee.doubt.empty()) walk_.findings.fail(expr.line, callee.name + ": " + callee.doubt);
  if (callee.damaged || walk_.scope.depth() >= kMostFrames || args.size() < callee.params.size()) {
    if (!callee.damaged)
      walk_.findings.fail(expr.line, "calls of " + callee.name + " too deep, or with too few arguments");
    return call_unknown(expr, callee.name, args);
  }
  Frame frame;
  frame.first_local = walk_.scope.size();
  frame.first_guard = walk_.log.guard_count();
  frame.function = &callee;
  frame.addressed = &walk_.facts.addressed_in(callee);
  const std::uint64_t stack = walk_.findings.stack();
  walk_.scope.enter(frame);
  for (std::size_t i = 0; i < callee.params.size(); ++i) {
    declarations_.declare_parameter(callee.params[i], walk_.arithmetic.convert(args[i], callee.params[i].type));
  }
  if (checked_.insert(&callee).second && has_goto(walk_.unit, {callee.body})) refuse_labels(walk_, {callee.body});
  const std::uint32_t outer = walk_.log.enter_call();
  statements_.execute(callee.body);
  walk_.log.leave_loop(outer);
  walk_.findings.set_stack(stack);
  const Frame done = walk_.scope.leave();
  walk_.log.drop_guards(done.first_guard);
  return done.has_result ? walk_.arithmetic.convert(done.result, callee.result)
                         : walk_.arithmetic.unknown_of(callee.result);
}

/// Its arguments may be read and written in any way, unless it is declared with pointers to const.
Value Calls::call_unknown(const Expr& expr, const std::string& name, const std::vector<Value>& args) {
  const Function* const declared = walk_.facts.declaration(name);
  if (sets_rounding(name)) walk_.findings.use_thread_local(expr.line, "what " + name + " sets");
  if (!keeps_no_state(name))
    walk_.findings.use_state(expr.line, name.empty() ? "a function that is called by its address" : name);
  note_listed_sizes(args);
  walk_.memory.set_calls_vendor(keeps_no_state(name) || name == "TVMEthosULaunch");
  for (std::size_t i = 0; i < args.size(); ++i) {
    const bool is_const = declared != nullptr && i < declared->params.size() &&
                          declared->params[i].type.pointers == 1 &&
                          declared->params[i].type.spelling.starts_with("const ");
    if (i > 0 && note_shaped(args[i - 1], args[i], expr.args.size() > i + 1 ? expr.args[i + 1] : kNoNode)) continue;
    walk_.memory.escape(args[i], is_const ? OutsideUse::kReads : OutsideUse::kReadsAndWrites);
  }
  walk_.memory.set_calls_vendor(false);
  walk_.findings.count_flops(is_float(expr.type) ? 1 : 0);
  return is_pointer(expr.type) ? pointer_value(walk_.objects.of(Object::Kind::kWild, 0), walk_.terms.constant(0))
                               : walk_.arithmetic.unknown_of(expr.type);
}

Value Calls::allocate(const std::vector<Value>& args) {
  const ObjectId made = walk_.objects.add(Object::Kind::kPrivate, 0);
  if (args.size() > 2) {
    const Range size = walk_.terms.node(walk_.arithmetic.int_of(args[2])).range;
    walk_.objects[made].workspace_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(size.hi, 0));
  }
  walk_.findings.take_workspace(walk_.objects[made].workspace_bytes);
  return pointer_value(made, walk_.terms.constant(0));
}

Value Calls::release(const std::vector<Value>& args) {
  if (args.size() > 2 && args[2].kind == Value::Kind::kPointer) {
    std::uint64_t& bytes = walk_.objects[args[2].object].workspace_bytes;
    walk_.findings.release_workspace(bytes);
    bytes = 0;
  }
  return int_value(walk_.terms.constant(0));
}

/// launch(..., {addresses}, {sizes}, ...): two lists of one length tell how long each scratch buffer is.
void Calls::note_listed_sizes(const std::vector<Value>& args) {
  std::vector<const Value*> lists;
  for (const Value& arg : args) {
    for (const Local& local : walk_.scope.locals()) {
      const bool is_list =
          arg.kind == Value::Kind::kPointer && local.object == arg.object && local.value.parts.size() > 1;
      if (is_list) lists.push_back(&local.value);
    }
  }
  for (const Value* addresses : lists) {
    for (const Value* sizes : lists) {
      if (addresses == sizes || addresses->parts.size() != sizes->parts.size()) continue;
      for (std::size_t i = 0; i < sizes->parts.size(); ++i) {
        Value pair;
        pair.parts = {addresses->parts[i], sizes->parts[i]};
        note_literal_sizes(walk_, pair);
      }
    }
  }
}

/// f(..., &output_dims, output, ...): a record of extents before a buffer tells its size, and its name the direction.
bool Calls::note_shaped(const Value& extents, const Value& buffer, ExprId argument) {
  if (argument == kNoNode || extents.kind != Value::Kind::kPointer || buffer.kind != Value::Kind::kPointer)
    return false;
  const Object::Kind kind = walk_.objects[buffer.object].kind;
  if (kind != Object::Kind::kParam && kind != Object::Kind::kTensor && kind != Object::Kind::kPool) return false;
  const auto shape = std::find_if(walk_.scope.locals().begin(), walk_.scope.locals().end(), [&](const Local& local) {
    return local.object == extents.object && local.object != kNone && local.name.ends_with("_dims");
  });
  const CType& type = walk_.unit.expr(argument).type;
  if (shape == walk_.scope.locals().end() || shape->value.parts.empty() || type.pointers != 1) return false;
  std::int64_t bytes = type.scalar_bytes;
  for (const Value& part : shape->value.parts) {
    const bool is_extent =
        part.kind == Value::Kind::kInt && walk_.terms.is_constant(part.node) && walk_.terms.node(part.node).value > 0;
    if (!is_extent || __builtin_mul_overflow(bytes, walk_.terms.node(part.node).value, &bytes)) return false;
  }
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;
  if (bytes <= 0 || bytes > kMostBytes) return false;
  const AccessKind access = shape->name.starts_with("output") ? AccessKind::kWrite : AccessKind::kRead;
  walk_.memory.note({.object = buffer.object, .offset = buffer.node}, bytes, access, "");
  return true;
}

}  // namespace detent::models::tvm::footprint
