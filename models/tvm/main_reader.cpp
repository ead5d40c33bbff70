// Straight-line interpretation of main: statements, and the values that pointers hold.
#include "models/tvm/main_reader.hpp"

#include <utility>

#include "models/input_error.hpp"
#include "models/tvm/names.hpp"

namespace detent::models::tvm {
namespace {

bool is_packed_signature(const Function& function) {
  return function.params.size() >= 3 && function.params[0].name == "args" &&
         function.params[0].type.scalar_bytes == 0 && function.params[2].name == "num_args";
}

const PoolInfo* find_pool(const Artifact& artifact, const std::string& name) {
  for (const PoolInfo& pool : artifact.pools) {
    if (pool.name == name) return &pool;
  }
  return nullptr;
}

const Function& main_of(const Artifact& artifact) {
  const Function* function = artifact.operators.find(artifact.main_symbol);
  if (function == nullptr) {
    throw InputError(artifact.operators.file, "",
                     "defines no main (tvmgen_*___tvm_main__ or *_run_model); it is the file with "
                     "all operators that is needed");
  }
  return *function;
}

}  // namespace

MainReader::MainReader(const Artifact& artifact, Program& program)
    : artifact_(artifact), unit_(artifact.operators), main_(main_of(artifact)), program_(program) {}

void MainReader::read() {
  program_.file = unit_.file;
  declare_parameters();
  if (main_.body == kNoNode) fail(main_.line, "main has no body");
  statement(main_.body);
  for (const auto& [handle, object] : handle_objects_) {
    program_.parameters.push_back({MainParameter::Kind::kObject, object, "void *", program_.objects[object].name});
  }
  if (program_.calls.empty()) fail(main_.line, "main calls no operator");
}

void MainReader::fail(std::uint32_t line, const std::string& what) const {
  throw InputError(unit_.file, std::to_string(line), what);
}

std::string MainReader::source(const SourceRange& range) const {
  constexpr std::size_t kMost = 80;
  if (range.end <= range.begin || range.end > unit_.text.size()) return {};
  std::string text = unit_.text.substr(range.begin, std::min<std::size_t>(range.end - range.begin, kMost));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

void MainReader::declare_parameters() {
  if (is_packed_signature(main_)) {
    program_.packed = true;
    variables_["args"] = {.tag = Tag::kArguments};
    return;
  }
  for (const Variable& param : main_.params) {
    if (is_device_parameter(param.name)) {
      const auto device = static_cast<std::uint32_t>(program_.devices.size());
      program_.devices.push_back({.name = param.name, .activate = {}, .deactivate = {}});
      program_.parameters.push_back({MainParameter::Kind::kDevice, device, param.type.spelling, param.name});
      variables_[param.name] = {.tag = Tag::kDevice, .index = device};
      continue;
    }
    const auto pool = pool_of_parameter(param.name);
    const bool is_weight = param.name.starts_with("__tvm_param__");
    const std::uint32_t object =
        pool ? add_object(MemoryObject::Kind::kWorkspacePool, *pool, 0)
             : add_object(is_weight ? MemoryObject::Kind::kConstant : MemoryObject::Kind::kInput,
                          tensor_of_parameter(param.name), 0);
    program_.parameters.push_back({MainParameter::Kind::kObject, object, param.type.spelling, param.name});
    const Value base = {.tag = Tag::kObject, .index = object};
    variables_[param.name] = pool ? base : add_buffer(param.name, base, param.line);
  }
}

std::uint32_t MainReader::add_object(MemoryObject::Kind kind, const std::string& name, std::uint64_t size_bytes) {
  MemoryObject object{.kind = kind, .name = name, .size_bytes = size_bytes, .dtype = {}, .shape = {}};
  if (kind == MemoryObject::Kind::kWorkspacePool) {
    const PoolInfo* info = find_pool(artifact_, name);
    if (info != nullptr) object.size_bytes = info->size_bytes;
    if ((info != nullptr && info->is_const) || name.find("const") != name.npos) {
      object.kind = MemoryObject::Kind::kConstPool;
    }
  }
  program_.objects.push_back(std::move(object));
  return static_cast<std::uint32_t>(program_.objects.size() - 1);
}

MainReader::Value MainReader::add_buffer(const std::string& name, const Value& at, std::uint32_t line) {
  if (at.number < 0) fail(line, name + " begins before its pool");
  program_.buffers.push_back({.name = name,
                              .object = at.index,
                              .offset_bytes = static_cast<std::uint64_t>(at.number),
                              .dtype = {},
                              .line = line});
  return {.tag = Tag::kBuffer, .index = static_cast<std::uint32_t>(program_.buffers.size() - 1)};
}

/// The data pointer of argument `handle` of a packed main: `name` is the variable that receives it.
MainReader::Value MainReader::parameter_data(std::int64_t handle, const std::string& name, std::uint32_t line) {
  if (const auto found = handle_objects_.find(handle); found != handle_objects_.end()) {
    const MemoryObject& object = program_.objects[found->second];
    const Value base = {.tag = Tag::kObject, .index = found->second};
    const bool is_pool =
        object.kind == MemoryObject::Kind::kWorkspacePool || object.kind == MemoryObject::Kind::kConstPool;
    return is_pool ? base : add_buffer(name, base, line);
  }
  const std::string& handle_name = handle_names_.contains(handle) ? handle_names_[handle] : name;
  const auto pool = pool_of_parameter(handle_name);
  const std::uint32_t object = add_object(pool ? MemoryObject::Kind::kWorkspacePool : MemoryObject::Kind::kInput,
                                          pool ? *pool : tensor_of_parameter(handle_name), 0);
  handle_objects_[handle] = object;
  const Value base = {.tag = Tag::kObject, .index = object};
  return pool ? base : add_buffer(name, base, line);
}

MainReader::Value MainReader::global_value(const std::string& name) {
  if (const auto found = global_objects_.find(name); found != global_objects_.end()) {
    return {.tag = Tag::kBuffer, .index = found->second};
  }
  for (const Global& global : unit_.globals) {
    if (global.variable.name != name) continue;
    std::uint64_t bytes = global.variable.type.scalar_bytes;
    for (const std::uint64_t extent : global.variable.type.extents) bytes *= extent;
    const std::uint32_t object = add_object(MemoryObject::Kind::kConstant, name, bytes);
    const Value buffer = add_buffer(name, {.tag = Tag::kObject, .index = object}, global.variable.line);
    global_objects_[name] = buffer.index;
    return buffer;
  }
  return {.tag = Tag::kFunction, .text = name};
}

void MainReader::statement(StmtId id) {
  const Stmt& stmt = unit_.stmt(id);
  switch (stmt.kind) {
    case StmtKind::kDeclare:
      return declaration(stmt.variable);
    case StmtKind::kExpr:
      return expression(stmt.expr);
    case StmtKind::kIf:
      return branch(stmt);
    case StmtKind::kFor:
      return copy_loop(stmt);
    case StmtKind::kBlock:
      for (const StmtId inner : stmt.body) statement(inner);
      return;
    case StmtKind::kReturn:
      if (stmt.expr != kNoNode) evaluate(stmt.expr);
      return;
    case StmtKind::kWhile:
    case StmtKind::kBreak:
    case StmtKind::kContinue:
    case StmtKind::kGoto:
    case StmtKind::kLabel:
    case StmtKind::kUnknown:
      break;
  }
  fail(stmt.line, "a statement that main of no known version has: " + source(stmt.range));
}

void MainReader::declaration(const Variable& variable) {
  if (!variable.type.extents.empty() || variable.init == kNoNode) {
    variables_[variable.name] = {.tag = Tag::kLocal, .text = variable.name};
    return;
  }
  declaring_ = variable.name;
  Value value = evaluate(variable.init);
  declaring_.clear();
  if (value.tag == Tag::kHandle) handle_names_[value.number] = variable.name;
  if (value.tag == Tag::kObject && value.indexed) value = add_buffer(variable.name, value, variable.line);
  variables_[variable.name] = std::move(value);
}

void MainReader::expression(ExprId id) {
  const Expr& e = expr(id);
  if (e.kind == ExprKind::kBinary && e.text == "=") {
    const Expr& target = expr(e.args[0]);
    Value value = evaluate(e.args[1]);
    if (target.kind == ExprKind::kName) {
      variables_[target.text] = std::move(value);
      return;
    }
    const std::string cell = cell_of(target);
    if (cell.empty()) fail(e.line, "an assignment in main that is not understood: " + source(e.range));
    cells_[cell] = std::move(value);
    return;
  }
  if (e.kind == ExprKind::kUnknown) fail(e.line, "not understood in main: " + source(e.range));
  evaluate(id);
}

bool MainReader::is_error_exit(const std::vector<StmtId>& body) const {
  for (const StmtId id : body) {
    const Stmt& stmt = unit_.stmt(id);
    const bool is_message = stmt.kind == StmtKind::kExpr && expr(stmt.expr).kind == ExprKind::kCall &&
                            expr(expr(stmt.expr).args[0]).text.starts_with("TVMAPISetLastError");
    if (stmt.kind == StmtKind::kReturn || is_message) continue;
    if (stmt.kind == StmtKind::kBlock && is_error_exit(stmt.body)) continue;
    if (stmt.kind == StmtKind::kIf && is_error_exit(stmt.body) && is_error_exit(stmt.else_body)) continue;
    return false;
  }
  return true;
}

void MainReader::branch(const Stmt& stmt) {
  if (!is_error_exit(stmt.body) || !is_error_exit(stmt.else_body)) {
    fail(stmt.line, "main branches on something other than an error: " + source(unit_.expr(stmt.expr).range));
  }
  evaluate(stmt.expr);
}

/// for (int32_t i = 0; i < N; ++i) { ((T*)to)[i] = ((T*)from)[i]; }
void MainReader::copy_loop(const Stmt& stmt) {
  const auto refuse = [&] [[noreturn]] {
    fail(stmt.line, "a loop in main that does not just copy: " + source(stmt.range));
  };
  if (stmt.init == kNoNode || stmt.expr == kNoNode) refuse();
  const Stmt& init = unit_.stmt(stmt.init);
  const Expr& condition = expr(stmt.expr);
  const Stmt* body = stmt.body.size() == 1 ? &unit_.stmt(stmt.body[0]) : nullptr;
  while (body != nullptr && body->kind == StmtKind::kBlock) {
    body = body->body.size() == 1 ? &unit_.stmt(body->body[0]) : nullptr;
  }
  if (init.kind != StmtKind::kDeclare || init.variable.init == kNoNode || condition.text != "<" || body == nullptr ||
      body->kind != StmtKind::kExpr) {
    refuse();
  }
  const Value low = evaluate(init.variable.init);
  const Value high = evaluate(condition.args[1]);
  const Expr& assign = expr(body->expr);
  if (low.tag != Tag::kInt || high.tag != Tag::kInt || assign.kind != ExprKind::kBinary || assign.text != "=") refuse();
  const Expr& to = expr(assign.args[0]);
  const Expr* from = &expr(assign.args[1]);
  while (from->kind == ExprKind::kCast) from = &expr(from->args[0]);
  if (to.kind != ExprKind::kIndex || from->kind != ExprKind::kIndex || to.type.scalar_bytes == 0 ||
      expr(to.args[1]).text != init.variable.name || expr(from->args[1]).text != init.variable.name ||
      from->type.scalar_bytes != to.type.scalar_bytes || low.number != 0 || high.number < 0) {
    refuse();
  }
  Call call{
      .kind = Call::Kind::kCopy, .function = "copy", .arguments = {}, .line = stmt.line, .before = {}, .after = {}};
  call.arguments.push_back(argument_of(evaluate(to.args[0]), source(to.range), stmt.line));
  call.arguments.push_back(argument_of(evaluate(from->args[0]), source(from->range), stmt.line));
  call.copy_bytes = static_cast<std::uint64_t>(high.number) * to.type.scalar_bytes;
  if (call.copy_bytes > 0) program_.calls.push_back(std::move(call));
}

MainReader::Value MainReader::evaluate(ExprId id) {
  const Expr& e = expr(id);
  switch (e.kind) {
    case ExprKind::kInt:
      return {.tag = Tag::kInt, .number = e.value};
    case ExprKind::kName: {
      const auto found = variables_.find(e.text);
      return found != variables_.end() ? found->second : global_value(e.text);
    }
    case ExprKind::kCast:
      return evaluate(e.args[0]);
    case ExprKind::kUnary:
      return evaluate_unary(e);
    case ExprKind::kBinary:
      return evaluate_binary(e);
    case ExprKind::kMember:
      return evaluate_member(e);
    case ExprKind::kCall:
      return evaluate_call(e);
    case ExprKind::kIndex: {
      const std::string cell = cell_of(e);
      const auto found = cells_.find(cell);
      return found != cells_.end() ? found->second : Value{};
    }
    case ExprKind::kFloat:
    case ExprKind::kString:
    case ExprKind::kSelect:
    case ExprKind::kInitList:
    case ExprKind::kComponent:
    case ExprKind::kUnknown:
      break;
  }
  return {};
}

MainReader::Value MainReader::evaluate_unary(const Expr& e) {
  if (e.text == "-") {
    Value value = evaluate(e.args[0]);
    value.number = value.tag == Tag::kInt ? -value.number : 0;
    return value;
  }
  if (e.text == "&") {
    const Expr& inner = expr(e.args[0]);
    if (inner.kind == ExprKind::kIndex) {
      const Value index = evaluate(inner.args[1]);
      if (index.tag != Tag::kInt) return {};
      return offset_by(evaluate(inner.args[0]), index.number, expr(inner.args[0]).type, e.line);
    }
    if (inner.kind == ExprKind::kName) {
      const auto found = variables_.find(inner.text);
      if (found == variables_.end()) return global_value(inner.text);
      return {.tag = Tag::kLocal, .text = inner.text};
    }
    return {};
  }
  evaluate(e.args[0]);
  return {};
}

MainReader::Value MainReader::evaluate_binary(const Expr& e) {
  const Value left = evaluate(e.args[0]);
  const Value right = evaluate(e.args[1]);
  const bool adds = e.text == "+";
  if (!adds && e.text != "-" && e.text != "*") return {};
  if (left.tag == Tag::kInt && right.tag == Tag::kInt) {
    std::int64_t result = 0;
    const bool overflows = adds            ? __builtin_add_overflow(left.number, right.number, &result)
                           : e.text == "-" ? __builtin_sub_overflow(left.number, right.number, &result)
                                           : __builtin_mul_overflow(left.number, right.number, &result);
    if (overflows) fail(e.line, "a number out of range: " + source(e.range));
    return {.tag = Tag::kInt, .number = result};
  }
  if (adds && right.tag == Tag::kInt) return offset_by(left, right.number, expr(e.args[0]).type, e.line);
  if (adds && left.tag == Tag::kInt) return offset_by(right, left.number, expr(e.args[1]).type, e.line);
  return {};
}

MainReader::Value MainReader::offset_by(Value base, std::int64_t elements, const CType& type,
                                        std::uint32_t line) const {
  if (base.tag == Tag::kLocal) {
    base.number += elements;
    return base;
  }
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(elements, element_bytes(type), &bytes)) fail(line, "an offset out of range");
  if (base.tag == Tag::kBuffer) {
    const Buffer& buffer = program_.buffers[base.index];
    if (bytes == 0) return base;
    base = {.tag = Tag::kObject, .number = static_cast<std::int64_t>(buffer.offset_bytes), .index = buffer.object};
  }
  if (base.tag != Tag::kObject) return {};
  if (__builtin_add_overflow(base.number, bytes, &base.number)) fail(line, "an offset out of range");
  base.indexed = true;
  return base;
}

std::int64_t MainReader::element_bytes(const CType& pointer) const {
  const bool is_plain = pointer.pointers + pointer.extents.size() == 1;
  return is_plain && pointer.scalar_bytes != 0 ? pointer.scalar_bytes : is_plain ? 1 : 8;
}

/// The key of a cell of local memory, "stack_2[1].data"; "" for anything else.
std::string MainReader::cell_of(const Expr& e) {
  if (e.kind == ExprKind::kIndex) {
    const Value base = evaluate(e.args[0]);
    const Value index = evaluate(e.args[1]);
    if (base.tag != Tag::kLocal || index.tag != Tag::kInt) return {};
    return base.text + "[" + std::to_string(base.number + index.number) + "]";
  }
  if (e.kind == ExprKind::kMember) {
    const Expr& base = expr(e.args[0]);
    std::string inner = cell_of(base);
    if (inner.empty()) {
      const Value value = evaluate(e.args[0]);
      if (value.tag != Tag::kLocal) return {};
      inner = value.text + "[" + std::to_string(value.number) + "]";
    }
    return inner + "." + e.text;
  }
  return {};
}

MainReader::Value MainReader::evaluate_member(const Expr& e) {
  const Expr& base = expr(e.args[0]);
  if (base.kind == ExprKind::kIndex) {
    const Value array = evaluate(base.args[0]);
    const Value index = evaluate(base.args[1]);
    if (array.tag == Tag::kArguments && index.tag == Tag::kInt) return {.tag = Tag::kHandle, .number = index.number};
    if (array.tag == Tag::kHandle) return e.text == "data" ? parameter_data(array.number, declaring_, e.line) : Value{};
  }
  const std::string cell = cell_of(e);
  const auto found = cells_.find(cell);
  return found != cells_.end() ? found->second : Value{};
}

}  // namespace detent::models::tvm
