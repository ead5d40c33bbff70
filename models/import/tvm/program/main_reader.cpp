// Main as a list of statements: declarations, assignments, blocks, checks and the return at the end.
#include "models/import/tvm/program/main_reader.hpp"

#include <utility>

namespace detent::models::tvm {

MainReader::MainReader(const Artifact& artifact, Program& program)
    : text_(artifact),
      program_(program),
      objects_(text_, artifact, program),
      values_(text_, program, memory_, objects_),
      calls_({text_, program, memory_, objects_, values_}),
      copies_({text_, program, memory_, objects_, values_}, calls_) {}

void MainReader::read() {
  program_.file = text_.unit().file;
  text_.refuse_damage();
  memory_.enter();
  objects_.declare_parameters();
  for (const StmtId id : text_.unit().stmt(text_.main().body).body) statement(id);
  calls_.finish();
  const bool is_void = text_.main().result.scalar == CType::Scalar::kVoid && text_.main().result.pointers == 0;
  if (returned_ == 0 && !is_void) text_.fail(text_.main().line, "main ends without a return");
  objects_.list_arguments();
  if (program_.calls.empty()) text_.fail(text_.main().line, "main calls no operator");
}

void MainReader::statement(StmtId id) {
  const Stmt& stmt = text_.unit().stmt(id);
  if (returned_ != 0) {
    text_.fail(stmt.line,
               "comes after the return of main in line " + std::to_string(returned_) + ": " + text_.source(stmt.range));
  }
  switch (stmt.kind) {
    case StmtKind::kDeclare:
      return declaration(stmt.variable);
    case StmtKind::kExpr:
      return expression(stmt.expr);
    case StmtKind::kIf:
      return branch(stmt);
    case StmtKind::kFor:
      return copies_.read(stmt);
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
  text_.fail(stmt.line, "a statement that main does not have in any known version: " + text_.source(stmt.range));
}

void MainReader::block(const std::vector<StmtId>& body) {
  memory_.enter();
  for (const StmtId inner : body) statement(inner);
  memory_.leave();
}

void MainReader::declaration(const Variable& variable) {
  const bool is_array = !variable.type.extents.empty();
  const std::string text = text_.source(variable.range);
  if (variable.type.spelling.find("volatile") != std::string::npos || variable.outlives || !variable.strange.empty())
    text_.fail(variable.line, "a variable that others may change: " + text);
  if (variable.type.is_variable_length) text_.fail(variable.line, "an array of variable length in main: " + text);
  if (is_array && variable.init != kNoNode) text_.fail(variable.line, "an array with values in main: " + text);
  const std::uint64_t size = bytes_of(variable.type).value_or(0);
  if (objects_.is_parameter(variable.name) ||
      !memory_.declare(variable.name, is_array, variable.init != kNoNode, size)) {
    text_.fail(variable.line, variable.name + " is declared again while the first one is in scope");
  }
  if (variable.init == kNoNode) return;
  MainValue value = assigned_value(variable.init, variable.name, variable.line);
  if (size == 0) text_.fail(variable.line, "a variable of unknown size: " + text);
  memory_.store({variable.name, 0, static_cast<std::uint32_t>(size)}, std::move(value));
}

/// The right hand side of an assignment to `name`, which names buffers that begin with it.
MainValue MainReader::assigned_value(ExprId id, const std::string& name, std::uint32_t line) {
  values_.set_receiver(name);
  const Expr& e = text_.uncast(id);
  const bool allocates = is_call(e) && values_.callee(e) == "TVMBackendAllocWorkspace";
  MainValue value = allocates ? calls_.allocate(e, name.empty() ? "workspace" : name) : values_.evaluate(id);
  values_.set_receiver({});
  if (name.empty()) return value;
  if (value.tag == MainValue::Tag::kHandle) objects_.name_handle(value.number, name);
  if (value.tag == MainValue::Tag::kObject && value.indexed) value = objects_.add_buffer(name, value, line);
  return value;
}

void MainReader::expression(ExprId id) {
  const Expr& e = text_.uncast(id);
  if (is_call(e)) return calls_.call(e, false);
  if (e.is_plain_assignment()) return assignment(e);
  const bool is_mention = e.kind == ExprKind::kName && text_.expr(id).type.scalar == CType::Scalar::kVoid;  // (void)x;
  if (!is_mention) text_.fail(e, "a statement that main does not have in any known version");
}

/// A variable that was declared with a value keeps it: a static one would begin the next run with the new value.
void MainReader::assignment(const Expr& e) {
  const Expr& target = text_.expr(e.args[0]);
  const std::optional<MainPlace> place = values_.place_of(target);
  if (!place) text_.fail(e, "an assignment in main that is not understood");
  if (memory_.is_fixed(place->variable)) text_.fail(e, "gives " + place->variable + " a second value");
  const std::string name = target.kind == ExprKind::kName ? target.text : "";
  memory_.store(*place, assigned_value(e.args[1], name, e.line));
}

void MainReader::leave(const Stmt& stmt) {
  returned_ = stmt.line;
  if (stmt.expr == kNoNode) return;
  const Expr& e = text_.uncast(stmt.expr);
  if (is_call(e)) return calls_.call(e, true);
  if (values_.integer(stmt.expr, "main returns something that is not known") != 0)
    text_.fail(stmt.line, "main always returns an error");
}

/// if (f(...) != 0) return -1;  or a check that calls nothing: of workspace, or of what a packed main was passed.
void MainReader::branch(const Stmt& stmt) {
  const Expr* tested = &text_.uncast(stmt.expr);
  if (tested->is(BinaryOperator::kNotEqual)) {
    for (const std::size_t side : {0U, 1U}) {
      const Expr& zero = text_.uncast(tested->args[1 - side]);
      if (is_call(text_.uncast(tested->args[side])) && zero.kind == ExprKind::kInt && zero.value == 0) {
        tested = &text_.uncast(tested->args[side]);
        break;
      }
    }
  }
  if (is_call(*tested)) {
    always_fails(stmt);
    return calls_.call(*tested, true);
  }
  if (is_lookup_guard(stmt, *tested)) return statement(stmt.body[0]);
  const Outcome then = checks(stmt.body), otherwise = checks(stmt.else_body);
  const std::optional<bool> known = values_.condition(stmt.expr);
  if ((then == Outcome::kFails && known.value_or(otherwise == Outcome::kFails)) ||
      (otherwise == Outcome::kFails && known && !*known)) {
    text_.fail(stmt.line, "main always returns an error: " + text_.source(stmt.range));
  }
}

/// if (f == NULL) { if (TVMBackendGetFuncFromEnv(..., &f) != 0) { return -1; } } : once or on each run, f is the same.
bool MainReader::is_lookup_guard(const Stmt& stmt, const Expr& condition) {
  if (!condition.is(BinaryOperator::kEqual) || stmt.body.size() != 1 || !stmt.else_body.empty() ||
      text_.unit().stmt(stmt.body[0]).kind != StmtKind::kIf) {
    return false;
  }
  const Expr &variable = text_.uncast(condition.args[0]), &null = text_.uncast(condition.args[1]);
  const Expr* lookup = &text_.uncast(text_.unit().stmt(stmt.body[0]).expr);
  if (lookup->is(BinaryOperator::kNotEqual)) lookup = &text_.uncast(lookup->args[0]);
  if (variable.kind != ExprKind::kName || null.kind != ExprKind::kInt || null.value != 0 || !is_call(*lookup) ||
      lookup->args.size() != 4 || values_.callee(*lookup) != "TVMBackendGetFuncFromEnv") {
    return false;
  }
  const Expr& target = text_.uncast(lookup->args[3]);
  return target.is(UnaryOperator::kAddressOf) && text_.uncast(target.args[0]).text == variable.text &&
         !objects_.is_bound(variable.text);
}

/// The statements of a check: messages, and a return of an error. Everything else would happen on some runs only.
MainReader::Outcome MainReader::checks(const std::vector<StmtId>& body) {
  memory_.enter();
  Outcome outcome = Outcome::kGoesOn;
  for (const StmtId id : body) {
    const Stmt& stmt = text_.unit().stmt(id);
    if (outcome == Outcome::kFails) text_.fail(stmt.line, "comes after a return: " + text_.source(stmt.range));
    outcome = check(stmt);
  }
  memory_.leave();
  return outcome;
}

MainReader::Outcome MainReader::check(const Stmt& stmt) {
  if (stmt.kind == StmtKind::kBlock) return checks(stmt.body);
  if (stmt.kind == StmtKind::kReturn && stmt.expr != kNoNode && !is_call(text_.uncast(stmt.expr)) &&
      values_.integer(stmt.expr, "main returns something that is not known") != 0) {
    return Outcome::kFails;
  }
  if (stmt.kind == StmtKind::kExpr && text_.is_message(text_.uncast(stmt.expr))) {
    calls_.call(text_.uncast(stmt.expr), false);
    return Outcome::kGoesOn;
  }
  if (stmt.kind == StmtKind::kDeclare && stmt.variable.init != kNoNode && !is_call(text_.uncast(stmt.variable.init))) {
    declaration(stmt.variable);
    return Outcome::kGoesOn;
  }
  if (stmt.kind == StmtKind::kIf) {
    const Outcome then = checks(stmt.body), otherwise = checks(stmt.else_body);
    values_.condition(stmt.expr);
    return then == Outcome::kFails && otherwise == Outcome::kFails ? Outcome::kFails : Outcome::kGoesOn;
  }
  text_.fail(stmt.line, "main branches on something other than an error: " + text_.source(stmt.range));
}

void MainReader::always_fails(const Stmt& stmt) {
  if (!stmt.else_body.empty() || checks(stmt.body) != Outcome::kFails) {
    text_.fail(stmt.line, "main goes on after an error: " + text_.source(stmt.range));
  }
}

}  // namespace detent::models::tvm
