// Branches and loops of main: checks that end in an error, and loops that copy.
#include <algorithm>

#include "models/import/tvm/program/main_reader.hpp"

namespace detent::models::tvm {
namespace {

bool is_integer(const CType& type) {
  return type.pointers == 0 && type.extents.empty() &&
         (type.scalar == CType::Scalar::kInt || type.scalar == CType::Scalar::kUInt);
}

}  // namespace

/// The statements of a check: messages, and a return of an error. Everything else would happen on some runs only.
MainReader::Outcome MainReader::checks(const std::vector<StmtId>& body) {
  memory_.enter();
  Outcome outcome = Outcome::kGoesOn;
  for (const StmtId id : body) {
    const Stmt& stmt = unit_.stmt(id);
    if (outcome == Outcome::kFails) fail(stmt.line, "stands after a return: " + source(stmt.range));
    outcome = check(stmt);
  }
  memory_.leave();
  return outcome;
}

MainReader::Outcome MainReader::check(const Stmt& stmt) {
  if (stmt.kind == StmtKind::kBlock) return checks(stmt.body);
  if (stmt.kind == StmtKind::kReturn && stmt.expr != kNoNode && !is_call(uncast(stmt.expr)) &&
      integer(stmt.expr, "main returns something that is not known") != 0) {
    return Outcome::kFails;
  }
  if (stmt.kind == StmtKind::kExpr && is_message(uncast(stmt.expr))) {
    call(uncast(stmt.expr), false);
    return Outcome::kGoesOn;
  }
  if (stmt.kind == StmtKind::kDeclare && stmt.variable.init != kNoNode && !is_call(uncast(stmt.variable.init))) {
    declaration(stmt.variable);
    return Outcome::kGoesOn;
  }
  if (stmt.kind == StmtKind::kIf) {
    const Outcome then = checks(stmt.body), otherwise = checks(stmt.else_body);
    condition(stmt.expr);
    return then == Outcome::kFails && otherwise == Outcome::kFails ? Outcome::kFails : Outcome::kGoesOn;
  }
  fail(stmt.line, "main branches on something other than an error: " + source(stmt.range));
}

void MainReader::always_fails(const Stmt& stmt) {
  if (!stmt.else_body.empty() || checks(stmt.body) != Outcome::kFails) {
    fail(stmt.line, "main goes on after an error: " + source(stmt.range));
  }
}

/// if (f(...) != 0) return -1;  or a check that calls nothing: of workspace, or of what a packed main was passed.
void MainReader::branch(const Stmt& stmt) {
  const Expr* tested = &uncast(stmt.expr);
  if (tested->kind == ExprKind::kBinary && tested->text == "!=") {
    for (const std::size_t side : {0U, 1U}) {
      const Expr& zero = uncast(tested->args[1 - side]);
      if (is_call(uncast(tested->args[side])) && zero.kind == ExprKind::kInt && zero.value == 0) {
        tested = &uncast(tested->args[side]);
        break;
      }
    }
  }
  if (is_call(*tested)) {
    always_fails(stmt);
    return call(*tested, true);
  }
  if (is_lookup_guard(stmt, *tested)) return statement(stmt.body[0]);
  const Outcome then = checks(stmt.body), otherwise = checks(stmt.else_body);
  const std::optional<bool> known = condition(stmt.expr);
  if ((then == Outcome::kFails && known.value_or(otherwise == Outcome::kFails)) ||
      (otherwise == Outcome::kFails && known && !*known)) {
    fail(stmt.line, "main always returns an error: " + source(stmt.range));
  }
}

/// if (f == NULL) { if (TVMBackendGetFuncFromEnv(..., &f) != 0) { return -1; } } : once or on each run, f is the same.
bool MainReader::is_lookup_guard(const Stmt& stmt, const Expr& condition) {
  if (condition.kind != ExprKind::kBinary || condition.text != "==" || stmt.body.size() != 1 ||
      !stmt.else_body.empty() || unit_.stmt(stmt.body[0]).kind != StmtKind::kIf) {
    return false;
  }
  const Expr &variable = uncast(condition.args[0]), &null = uncast(condition.args[1]);
  const Expr* lookup = &uncast(unit_.stmt(stmt.body[0]).expr);
  if (lookup->kind == ExprKind::kBinary && lookup->text == "!=") lookup = &uncast(lookup->args[0]);
  if (variable.kind != ExprKind::kName || null.kind != ExprKind::kInt || null.value != 0 || !is_call(*lookup) ||
      lookup->args.size() != 4 || callee(*lookup) != "TVMBackendGetFuncFromEnv") {
    return false;
  }
  const Expr& target = uncast(lookup->args[3]);
  return target.kind == ExprKind::kUnary && target.text == "&" && uncast(target.args[0]).text == variable.text &&
         !functions_.contains(variable.text);
}

/// Nothing: it depends on what a caller passes besides data.
std::optional<bool> MainReader::condition(ExprId id) {
  const Expr& e = uncast(id);
  if (e.kind == ExprKind::kUnary && e.text == "!") {
    const std::optional<bool> inner = condition(e.args[0]);
    return inner ? std::optional(!*inner) : inner;
  }
  if (e.kind == ExprKind::kBinary && (e.text == "&&" || e.text == "||")) {
    const std::optional<bool> left = condition(e.args[0]), right = condition(e.args[1]);
    const bool decisive = e.text == "||";
    if ((left && *left == decisive) || (right && *right == decisive)) return decisive;
    return left && right ? std::optional(!decisive) : std::nullopt;
  }
  if (e.kind == ExprKind::kBinary) {
    for (const char* text : {"==", "!=", "<", "<=", ">", ">="}) {
      if (e.text == text) return comparison(e);
    }
  }
  const Value value = evaluate(id);
  if (value.tag == Tag::kInt) return value.number != 0;
  if (value.tag == Tag::kDescriptor || value.tag == Tag::kDevice) return std::nullopt;
  fail(e, "main branches on something other than an error");
}

std::optional<bool> MainReader::comparison(const Expr& e) {
  const Value left = evaluate(e.args[0]), right = evaluate(e.args[1]);
  const auto is_told = [](const Value& value) {
    return value.tag == Tag::kDescriptor || value.tag == Tag::kHandle || value.tag == Tag::kArguments ||
           value.tag == Tag::kDevice;
  };
  const bool equal = e.text == "==", unequal = e.text == "!=";
  if (left.tag == Tag::kInt && right.tag == Tag::kInt) {
    for (const std::size_t side : {0U, 1U}) {
      const bool is_unsigned = expr(e.args[side]).type.scalar == CType::Scalar::kUInt;
      if (is_unsigned && (left.number < 0 || right.number < 0)) fail(e, "main compares numbers of different signs");
    }
    if (equal) return left.number == right.number;
    if (unequal) return left.number != right.number;
    if (e.text == "<") return left.number < right.number;
    if (e.text == "<=") return left.number <= right.number;
    return e.text == ">" ? left.number > right.number : left.number >= right.number;
  }
  if ((is_told(left) || left.tag == Tag::kInt) && (is_told(right) || right.tag == Tag::kInt)) return std::nullopt;
  // Buffers and functions have an address.
  const bool is_null_test =
      (left.tag == Tag::kInt && left.number == 0) || (right.tag == Tag::kInt && right.number == 0);
  const bool points = !is_told(left) && !is_told(right);
  if (is_null_test && points && (equal || unequal)) return unequal;
  fail(e, "main branches on something other than an error");
}

/// Can every byte of one be one of the other? Conversions between such types change none.
bool MainReader::keeps_bytes(const CType& from, const CType& to) const {
  const bool same = from.scalar == to.scalar || (is_integer(from) && is_integer(to));
  return same && from.scalar_bytes == to.scalar_bytes && from.scalar_bytes != 0 && from.pointers == 0 &&
         to.pointers == 0 && from.extents.empty() && to.extents.empty() && from.scalar != CType::Scalar::kOther &&
         from.scalar != CType::Scalar::kRecord;
}

/// for (int32_t i = 0; i < ...; ++i)
bool MainReader::counts_from_zero(const Stmt& stmt, std::string& variable) const {
  if (stmt.init == kNoNode || stmt.expr == kNoNode || stmt.step == kNoNode) return false;
  const Stmt& init = unit_.stmt(stmt.init);
  if (init.kind != StmtKind::kDeclare || init.variable.init == kNoNode || !is_integer(init.variable.type) ||
      init.variable.type.scalar_bytes < 4) {
    return false;
  }
  const Expr& zero = uncast(init.variable.init);
  const Expr &condition = expr(stmt.expr), &step = expr(stmt.step);
  variable = init.variable.name;
  const auto is_variable = [&](ExprId id) { return expr(id).kind == ExprKind::kName && expr(id).text == variable; };
  const bool counts =
      step.kind == ExprKind::kUnary && (step.text == "++x" || step.text == "x++") && is_variable(step.args[0]);
  const bool adds = step.kind == ExprKind::kBinary && step.text == "+=" && is_variable(step.args[0]) &&
                    expr(step.args[1]).kind == ExprKind::kInt && expr(step.args[1]).value == 1;
  return zero.kind == ExprKind::kInt && zero.value == 0 && condition.kind == ExprKind::kBinary &&
         condition.text == "<" && is_variable(condition.args[0]) && (counts || adds);
}

/// Such a loop reads what it wrote: no copy.
bool MainReader::copies_onto_itself(const Call& copy) const {
  if (copy.arguments[0].kind != Argument::Kind::kBuffer || copy.arguments[1].kind != Argument::Kind::kBuffer)
    return false;
  const Buffer &to = program_.buffers[copy.arguments[0].index], &from = program_.buffers[copy.arguments[1].index];
  const std::uint64_t distance =
      std::max(to.offset_bytes, from.offset_bytes) - std::min(to.offset_bytes, from.offset_bytes);
  return to.object == from.object && distance != 0 && distance < copy.copy_bytes;
}

/// for (int32_t i = 0; i < N; ++i) { ((T*)to)[i] = ((T*)from)[i]; }
void MainReader::copy_loop(const Stmt& stmt) {
  const auto refuse = [&] { fail(stmt.line, "a loop in main that does not just copy: " + source(stmt.range)); };
  std::string variable;
  if (!counts_from_zero(stmt, variable)) refuse();
  const Stmt* body = stmt.body.size() == 1 ? &unit_.stmt(stmt.body[0]) : nullptr;
  while (body != nullptr && body->kind == StmtKind::kBlock)
    body = body->body.size() == 1 ? &unit_.stmt(body->body[0]) : nullptr;
  if (body == nullptr || body->kind != StmtKind::kExpr) refuse();
  const Expr& assign = expr(body->expr);
  if (assign.kind != ExprKind::kBinary || assign.text != "=") refuse();
  const Expr& to = expr(assign.args[0]);
  const Expr* from = &expr(assign.args[1]);
  while (from->kind == ExprKind::kCast && keeps_bytes(from->type, to.type)) from = &expr(from->args[0]);
  const auto is_element = [&](const Expr& e) {
    return e.kind == ExprKind::kIndex && expr(e.args[1]).kind == ExprKind::kName && expr(e.args[1]).text == variable;
  };
  if (!is_element(to) || !is_element(*from) || !keeps_bytes(from->type, to.type)) refuse();
  const Expr& end = expr(expr(stmt.expr).args[1]);
  if (end.kind != ExprKind::kInt && end.kind != ExprKind::kName && end.kind != ExprKind::kCast) refuse();
  const std::int64_t count = integer(expr(stmt.expr).args[1], "a loop in main that does not just copy");
  if (count < 0 || count > INT32_MAX || memory_.contains(variable)) refuse();
  Call call{
      .kind = Call::Kind::kCopy, .function = "copy", .arguments = {}, .line = stmt.line, .before = {}, .after = {}};
  call.arguments.push_back(argument_of(evaluate(to.args[0]), source(to.range), stmt.line));
  call.arguments.push_back(argument_of(evaluate(from->args[0]), source(from->range), stmt.line));
  call.copy_bytes = static_cast<std::uint64_t>(count) * to.type.scalar_bytes;
  if (copies_onto_itself(call)) fail(stmt.line, "a copy in main whose two ends overlap: " + source(stmt.range));
  if (call.copy_bytes > 0) program_.calls.push_back(std::move(call));
}

}  // namespace detent::models::tvm
