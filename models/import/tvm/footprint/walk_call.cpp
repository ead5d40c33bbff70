// Calls: the C library, the TVM runtime, helpers whose bodies are here, and functions of which only the name is known.
#include <algorithm>
#include <array>
#include <string_view>

#include "models/import/tvm/footprint/walk.hpp"

namespace detent::models::tvm::footprint {
namespace {

constexpr std::size_t kMostFrames = 24;

struct MathFunction {
  std::string_view name;  ///< of the double version; "f" is appended for float
  Op op;                  ///< kSum: its value is of no use for an index
};

constexpr std::array kMath = {
    MathFunction{"floor", Op::kFloatFloor}, MathFunction{"ceil", Op::kFloatCeil},
    MathFunction{"round", Op::kFloatRound}, MathFunction{"trunc", Op::kFloatTrunc},
    MathFunction{"rint", Op::kFloatNearby}, MathFunction{"nearbyint", Op::kFloatNearby},
    MathFunction{"fabs", Op::kFloatAbs},    MathFunction{"fmin", Op::kFloatMin},
    MathFunction{"fmax", Op::kFloatMax},    MathFunction{"exp", Op::kSum},
    MathFunction{"exp2", Op::kSum},         MathFunction{"exp10", Op::kSum},
    MathFunction{"expm1", Op::kSum},        MathFunction{"log", Op::kSum},
    MathFunction{"log2", Op::kSum},         MathFunction{"log10", Op::kSum},
    MathFunction{"log1p", Op::kSum},        MathFunction{"sqrt", Op::kSum},
    MathFunction{"rsqrt", Op::kSum},        MathFunction{"cbrt", Op::kSum},
    MathFunction{"sin", Op::kSum},          MathFunction{"cos", Op::kSum},
    MathFunction{"tan", Op::kSum},          MathFunction{"asin", Op::kSum},
    MathFunction{"acos", Op::kSum},         MathFunction{"atan", Op::kSum},
    MathFunction{"atan2", Op::kSum},        MathFunction{"sinh", Op::kSum},
    MathFunction{"cosh", Op::kSum},         MathFunction{"tanh", Op::kSum},
    MathFunction{"asinh", Op::kSum},        MathFunction{"acosh", Op::kSum},
    MathFunction{"atanh", Op::kSum},        MathFunction{"erf", Op::kSum},
    MathFunction{"erfc", Op::kSum},         MathFunction{"pow", Op::kSum},
    MathFunction{"fmod", Op::kSum},         MathFunction{"fma", Op::kSum},
    MathFunction{"copysign", Op::kSum},     MathFunction{"hypot", Op::kSum},
    MathFunction{"nextafter", Op::kSum},    MathFunction{"ldexp", Op::kSum},
    MathFunction{"remainder", Op::kSum},    MathFunction{"tgamma", Op::kSum},
    MathFunction{"lgamma", Op::kSum},
};

const MathFunction* find_math(std::string_view name) {
  for (const MathFunction& known : kMath) {
    if (name == known.name) return &known;
    if (name.size() == known.name.size() + 1 && name.starts_with(known.name) && name.back() == 'f') return &known;
  }
  return nullptr;
}

/// Ends the program, or says something: what it is given is read at most.
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

/// Modes of the processor that change what floating-point instructions of others do.
bool sets_rounding(std::string_view name) {
  constexpr std::array<std::string_view, 9> kNames = {"fesetround",      "fesetenv",        "feupdateenv",
                                                      "feholdexcept",    "fesetexceptflag", "feenableexcept",
                                                      "fedisableexcept", "fesetmode",       "_mm_setcsr"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool is_memory_function(std::string_view name) {
  constexpr std::string_view kBuiltin = "__builtin_";
  if (name.starts_with(kBuiltin)) name.remove_prefix(kBuiltin.size());
  return name == "memset" || name == "memcpy" || name == "memmove" || name == "memcmp";
}

}  // namespace

Value Walker::evaluate_call(const Expr& expr) {
  const Expr& callee = unit_.expr(expr.args[0]);
  const bool is_local = callee.kind == ExprKind::kName && find_local(callee.text) != SIZE_MAX;
  const std::string name = callee.kind == ExprKind::kName && !is_local ? callee.text : "";
  std::vector<Value> args;
  for (std::size_t i = 1; i < expr.args.size(); ++i) args.push_back(evaluate(expr.args[i]));
  const auto definition = definitions_.find(name);
  if (definition != definitions_.end()) return call_inline(expr, *definition->second, args);
  if (globals_.contains(name)) return call_unknown(expr, "", args);
  if (name == "TVMBackendAllocWorkspace") return allocate(args);
  if (name == "TVMBackendFreeWorkspace") return release(args);
  if (name == "malloc" || name == "calloc") {
    return pointer_value(new_object(Object::Kind::kPrivate, 0), terms_.constant(0));
  }
  if (name == "free") return {};
  if (is_memory_function(name)) return call_memory(expr, name, args);
  if (find_math(name) != nullptr) return call_math(expr, name, args);
  if (is_harmless(name)) {
    for (const Value& arg : args) escape(arg, name != "printf");
    return unknown_of(expr.type);
  }
  return call_unknown(expr, name, args);
}

Value Walker::allocate(const std::vector<Value>& args) {
  const ObjectId made = new_object(Object::Kind::kPrivate, 0);
  if (args.size() > 2) {
    const Range size = terms_.node(int_of(args[2])).range;
    objects_[made].workspace_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(size.hi, 0));
  }
  workspace_bytes_ += objects_[made].workspace_bytes;
  result_->workspace_bytes = std::max(result_->workspace_bytes, workspace_bytes_);
  return pointer_value(made, terms_.constant(0));
}

Value Walker::release(const std::vector<Value>& args) {
  if (args.size() > 2 && args[2].kind == Value::Kind::kPointer) {
    std::uint64_t& bytes = objects_[args[2].object].workspace_bytes;
    workspace_bytes_ -= std::min(workspace_bytes_, bytes);
    bytes = 0;
  }
  return int_value(terms_.constant(0));
}

/// `size` bytes from a pointer on.
void Walker::touch_block(const Value& pointer, NodeId size, bool is_write) {
  if (pointer.kind != Value::Kind::kPointer) return escape(pointer, !is_write);
  const Range range = terms_.node(size).range;
  if (terms_.is_constant(size)) {
    if (range.lo > 0) note(pointer.object, pointer.node, range.lo, is_write, "");
    return;
  }
  if (range.hi <= 0) return;
  const bool is_data = terms_.node(size).data;
  const NodeId place = is_data ? terms_.unknown({0, range.hi - 1}) : terms_.loop_variable(range.hi);
  guards_.push_back(terms_.less(place, size));
  note(pointer.object, terms_.add(pointer.node, place), 1, is_write, "");
  guards_.pop_back();
}

Value Walker::call_memory(const Expr& expr, const std::string& name, const std::vector<Value>& args) {
  const bool is_set = name.ends_with("memset");
  const bool is_copy = name.ends_with("memcpy") || name.ends_with("memmove");
  const bool is_compare = name.ends_with("memcmp");
  if (args.size() != 3 || !(is_set || is_copy || is_compare)) return call_unknown(expr, name, args);
  const NodeId size = int_of(args[2]);
  if (!is_set) touch_block(args[1], size, false);
  touch_block(args[0], size, !is_compare);
  return is_compare ? unknown_of(expr.type) : args[0];
}

Value Walker::call_math(const Expr& expr, const std::string& name, const std::vector<Value>& args) {
  count_flops(1);
  const Op op = find_math(name)->op;
  const std::uint32_t bytes = name.back() == 'f' ? 4 : 8;
  const std::size_t wanted = op == Op::kFloatMin || op == Op::kFloatMax ? 2 : 1;
  if (op == Op::kSum || args.size() != wanted) return unknown_of(expr.type);
  std::vector<NodeId> nodes;
  for (const Value& arg : args) nodes.push_back(float_of(arg, bytes));
  const bool is_known = std::find(nodes.begin(), nodes.end(), kNone) == nodes.end();
  return float_value(is_known ? terms_.float_op(op, nodes, bytes) : kNone);
}

Value Walker::call_inline(const Expr& expr, const Function& callee, const std::vector<Value>& args) {
  if (!callee.doubt.empty()) fail(expr.line, callee.name + ": " + callee.doubt);
  if (callee.damaged || frames_.size() >= kMostFrames || args.size() < callee.params.size()) {
    if (!callee.damaged) fail(expr.line, "calls of " + callee.name + " too deep, or with too few arguments");
    return call_unknown(expr, callee.name, args);
  }
  Frame frame;
  frame.first_local = locals_.size();
  frame.first_guard = guards_.size();
  frame.function = &callee;
  frame.addressed = &addressed_in(callee);
  const std::uint64_t stack = stack_bytes_;
  frames_.push_back(frame);
  for (std::size_t i = 0; i < callee.params.size(); ++i) {
    declare_parameter(callee.params[i], convert(args[i], callee.params[i].type));
  }
  if (labelled_.insert(&callee).second && has_goto({callee.body})) refuse_labels({callee.body});
  // Two calls in one statement may happen in either order: the statements of each stand apart.
  const std::uint32_t outer = loop_;
  enter_loop(kNone);
  calls_.insert(loop_);
  execute(callee.body);
  loop_ = outer;
  stack_bytes_ = stack;
  const Frame done = frames_.back();
  frames_.pop_back();
  locals_.resize(done.first_local);
  guards_.resize(done.first_guard);
  return done.has_result ? convert(done.result, callee.result) : unknown_of(callee.result);
}

void Walker::addressed_in_expr(ExprId id, std::set<std::string>& names) const {
  const Expr& expr = unit_.expr(id);
  if (expr.kind == ExprKind::kUnary && expr.text == "&") {
    const Expr* target = &unit_.expr(expr.args[0]);
    while ((target->kind == ExprKind::kMember && !is_pointer(unit_.expr(target->args[0]).type)) ||
           target->kind == ExprKind::kComponent) {
      target = &unit_.expr(target->args[0]);
    }
    if (target->kind == ExprKind::kName) names.insert(target->text);
  }
  for (const ExprId arg : expr.args) addressed_in_expr(arg, names);
}

const std::set<std::string>& Walker::addressed_in(const Function& function) {
  const auto [known, is_new] = addressed_.try_emplace(&function);
  if (is_new && function.body != kNoNode) {
    each_expression(function.body, [&](ExprId expr) { addressed_in_expr(expr, known->second); });
  }
  return known->second;
}

/// launch(..., {addresses}, {sizes}, ...): two lists of one length tell how long each scratch buffer is.
void Walker::note_listed_sizes(const std::vector<Value>& args) {
  std::vector<const Value*> lists;
  for (const Value& arg : args) {
    for (const Local& local : locals_) {
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
        note_literal_sizes(pair);
      }
    }
  }
}

/// f(..., &output_dims, output, ...): a record of extents before a buffer tells its size, and its name the direction.
bool Walker::note_shaped(const Value& extents, const Value& buffer, ExprId argument) {
  if (argument == kNoNode || extents.kind != Value::Kind::kPointer || buffer.kind != Value::Kind::kPointer)
    return false;
  const Object::Kind kind = objects_[buffer.object].kind;
  if (kind != Object::Kind::kParam && kind != Object::Kind::kTensor && kind != Object::Kind::kPool) return false;
  const auto shape = std::find_if(locals_.begin(), locals_.end(), [&](const Local& local) {
    return local.object == extents.object && local.object != kNone && local.name.ends_with("_dims");
  });
  const CType& type = unit_.expr(argument).type;
  if (shape == locals_.end() || shape->value.parts.empty() || type.pointers != 1) return false;
  std::int64_t bytes = type.scalar_bytes;
  for (const Value& part : shape->value.parts) {
    const bool is_extent =
        part.kind == Value::Kind::kInt && terms_.is_constant(part.node) && terms_.node(part.node).value > 0;
    if (!is_extent || __builtin_mul_overflow(bytes, terms_.node(part.node).value, &bytes)) return false;
  }
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;
  if (bytes <= 0 || bytes > kMostBytes) return false;
  note(buffer.object, buffer.node, bytes, shape->name.starts_with("output"), "");
  return true;
}

/// Its arguments may be read and written in any way, unless it is declared with pointers to const.
Value Walker::call_unknown(const Expr& expr, const std::string& name, const std::vector<Value>& args) {
  const Function* declared = nullptr;
  for (const Function& function : unit_.functions) {
    if (!name.empty() && function.name == name) declared = &function;
  }
  if (sets_rounding(name)) use_thread_local(expr.line, "what " + name + " sets");
  if (!keeps_no_state(name)) use_state(expr.line, name.empty() ? "a function that is called by its address" : name);
  note_listed_sizes(args);
  calls_vendor_ = keeps_no_state(name) || name == "TVMEthosULaunch";
  for (std::size_t i = 0; i < args.size(); ++i) {
    const bool is_const = declared != nullptr && i < declared->params.size() &&
                          declared->params[i].type.pointers == 1 &&
                          declared->params[i].type.spelling.starts_with("const ");
    if (i > 0 && note_shaped(args[i - 1], args[i], expr.args.size() > i + 1 ? expr.args[i + 1] : kNoNode)) continue;
    escape(args[i], is_const);
  }
  calls_vendor_ = false;
  count_flops(is_float(expr.type) ? 1 : 0);
  return is_pointer(expr.type) ? pointer_value(object(Object::Kind::kWild, 0), terms_.constant(0))
                               : unknown_of(expr.type);
}

}  // namespace detent::models::tvm::footprint
