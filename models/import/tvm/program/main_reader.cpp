// Main as a list of statements: parameters, declarations, assignments, blocks and the return at the end.
#include "models/import/tvm/program/main_reader.hpp"

#include <algorithm>
#include <utility>

#include "base/input_error.hpp"
#include "models/import/tvm/artifact/roles.hpp"
#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/files/names.hpp"

namespace detent::models::tvm {
namespace {

const PoolInfo* find_pool(const Artifact& artifact, const std::string& name) {
  for (const PoolInfo& pool : artifact.pools) {
    if (pool.name == name) return &pool;
  }
  return nullptr;
}

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

MainReader::MainReader(const Artifact& artifact, Program& program)
    : artifact_(artifact), unit_(artifact.operators), main_(main_of(artifact)), program_(program) {}

void MainReader::read() {
  program_.file = unit_.file;
  refuse_damage();
  memory_.enter();
  declare_parameters();
  for (const StmtId id : unit_.stmt(main_.body).body) statement(id);
  if (!pending_before_.empty()) fail(pending_line_, pending_before_ + " opens a device on which nothing is called");
  const bool is_void = main_.result.scalar == CType::Scalar::kVoid && main_.result.pointers == 0;
  if (returned_ == 0 && !is_void) fail(main_.line, "main ends without a return");
  for (const auto& [handle, object] : handle_objects_) {
    program_.parameters.push_back({MainParameter::Kind::kObject, object, "void *", program_.objects[object].name});
  }
  if (program_.calls.empty()) fail(main_.line, "main calls no operator");
}

void MainReader::fail(std::uint32_t line, const std::string& what) const {
  throw InputError(unit_.file, std::to_string(line), what);
}

/// What does not parse is not in the tree: a call could be missing from it.
void MainReader::refuse_damage() const {
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

bool MainReader::is_inside_another_function(std::uint64_t at) const {
  return std::any_of(unit_.functions.begin(), unit_.functions.end(), [&](const Function& function) {
    return &function != &main_ && function.body != kNoNode && function.body_range.begin <= at &&
           at <= function.body_range.end;
  });
}

const Expr& MainReader::uncast(ExprId id) const {
  const Expr* e = &expr(id);
  while (e->kind == ExprKind::kCast && (e->type.pointers != 0 || e->type.scalar == CType::Scalar::kVoid))
    e = &expr(e->args[0]);
  return *e;
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

/// The definition where there is one, else any declaration; null: the artifact does not tell.
const Function* MainReader::declared(const std::string& function) const {
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

void MainReader::declare_parameters() {
  if (!is_packed(main_)) {
    for (const Variable& param : main_.params) declare_parameter(param);
    return;
  }
  program_.packed = true;
  parameters_[main_.params[0].name] = {.tag = Tag::kArguments};
  for (std::size_t i = 1; i < main_.params.size(); ++i) parameters_[main_.params[i].name] = {.tag = Tag::kDescriptor};
}

void MainReader::declare_parameter(const Variable& param) {
  if (param.type.pointers == 0 && param.type.extents.empty())
    fail(param.line, "main takes " + param.name + ", which is no pointer");
  if (param.name.empty() || parameters_.contains(param.name)) fail(param.line, "a parameter of main without a name");
  if (is_device_parameter(param.name)) {
    const auto device = static_cast<std::uint32_t>(program_.devices.size());
    program_.devices.push_back({.name = param.name, .activate = {}, .deactivate = {}});
    program_.parameters.push_back({MainParameter::Kind::kDevice, device, param.type.spelling, param.name});
    parameters_[param.name] = {.tag = Tag::kDevice, .index = device};
    return;
  }
  const auto pool = pool_of_parameter(param.name);
  const bool is_weight = param.name.starts_with("__tvm_param__");
  const std::uint32_t object = pool ? add_object(MemoryObject::Kind::kWorkspacePool, *pool, 0)
                                    : add_object(is_weight ? MemoryObject::Kind::kConstant : MemoryObject::Kind::kInput,
                                                 tensor_of_parameter(param.name), 0);
  program_.parameters.push_back({MainParameter::Kind::kObject, object, param.type.spelling, param.name});
  const Value base = {.tag = Tag::kObject, .index = object};
  parameters_[param.name] = pool ? base : add_buffer(param.name, base, param.line);
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

/// The data pointer of argument `handle` of a packed main; the variable that receives it names it.
MainReader::Value MainReader::parameter_data(std::int64_t handle, std::uint32_t line) {
  const std::string name = declaring_.empty() ? "argument_" + std::to_string(handle) : declaring_;
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

void MainReader::statement(StmtId id) {
  const Stmt& stmt = unit_.stmt(id);
  if (returned_ != 0) {
    fail(stmt.line, "stands after the return of main in line " + std::to_string(returned_) + ": " + source(stmt.range));
  }
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
      return block(stmt.body);
    case StmtKind::kReturn:
      return leave(stmt);
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

void MainReader::block(const std::vector<StmtId>& body) {
  memory_.enter();
  for (const StmtId inner : body) statement(inner);
  memory_.leave();
}

void MainReader::declaration(const Variable& variable) {
  const bool is_array = !variable.type.extents.empty();
  const std::string text = source(variable.range);
  if (variable.type.spelling.find("volatile") != std::string::npos || variable.outlives || !variable.strange.empty())
    fail(variable.line, "a variable that others may change: " + text);
  if (variable.type.is_variable_length) fail(variable.line, "an array of variable length in main: " + text);
  if (is_array && variable.init != kNoNode) fail(variable.line, "an array with values in main: " + text);
  const std::uint64_t size = bytes_of(variable.type).value_or(0);
  if (parameters_.contains(variable.name) ||
      !memory_.declare(variable.name, is_array, variable.init != kNoNode, size)) {
    fail(variable.line, variable.name + " is declared again while the first one is in scope");
  }
  if (variable.init == kNoNode) return;
  Value value = assigned_value(variable.init, variable.name, variable.line);
  if (size == 0) fail(variable.line, "a variable of unknown size: " + text);
  memory_.store({variable.name, 0, static_cast<std::uint32_t>(size)}, std::move(value));
}

/// The right hand side of an assignment to `name`, which names buffers that begin with it.
MainReader::Value MainReader::assigned_value(ExprId id, const std::string& name, std::uint32_t line) {
  declaring_ = name;
  const Expr& e = uncast(id);
  const bool allocates = is_call(e) && callee(e) == "TVMBackendAllocWorkspace";
  Value value = allocates ? allocate(e, name.empty() ? "workspace" : name) : evaluate(id);
  declaring_.clear();
  if (name.empty()) return value;
  if (value.tag == Tag::kHandle) handle_names_[value.number] = name;
  if (value.tag == Tag::kObject && value.indexed) value = add_buffer(name, value, line);
  return value;
}

void MainReader::expression(ExprId id) {
  const Expr& e = uncast(id);
  if (is_call(e)) return call(e, false);
  if (e.kind == ExprKind::kBinary && e.text == "=") return assignment(e);
  const bool is_mention = e.kind == ExprKind::kName && expr(id).type.scalar == CType::Scalar::kVoid;  // (void)x;
  if (!is_mention) fail(e, "a statement that main of no known version has");
}

/// A variable that was declared with a value keeps it: a static one would begin the next run with the new value.
void MainReader::assignment(const Expr& e) {
  const Expr& target = expr(e.args[0]);
  const std::optional<MainPlace> place = place_of(target);
  if (!place) fail(e, "an assignment in main that is not understood");
  if (memory_.is_fixed(place->variable)) fail(e, "gives " + place->variable + " a second value");
  const std::string name = target.kind == ExprKind::kName ? target.text : "";
  memory_.store(*place, assigned_value(e.args[1], name, e.line));
}

void MainReader::leave(const Stmt& stmt) {
  returned_ = stmt.line;
  if (stmt.expr == kNoNode) return;
  const Expr& e = uncast(stmt.expr);
  if (is_call(e)) return call(e, true);
  if (integer(stmt.expr, "main returns something that is not known") != 0)
    fail(stmt.line, "main always returns an error");
}

}  // namespace detent::models::tvm
