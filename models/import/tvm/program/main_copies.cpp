#include "models/import/tvm/program/main_copies.hpp"

#include <algorithm>
#include <utility>

namespace detent::models::tvm {
namespace {

bool is_integer(const CType& type) {
  return type.pointers == 0 && type.extents.empty() &&
         (type.scalar == CType::Scalar::kInt || type.scalar == CType::Scalar::kUInt);
}

}  // namespace

/// for (int32_t i = 0; i < N; ++i) { ((T*)to)[i] = ((T*)from)[i]; }
void MainCopies::read(const Stmt& stmt) {
  const auto refuse = [&] {
    text_.fail(stmt.line, "a loop in main that does not just copy: " + text_.source(stmt.range));
  };
  std::string variable;
  if (!counts_from_zero(stmt, variable)) refuse();
  const Stmt* body = stmt.body.size() == 1 ? &text_.unit().stmt(stmt.body[0]) : nullptr;
  while (body != nullptr && body->kind == StmtKind::kBlock)
    body = body->body.size() == 1 ? &text_.unit().stmt(body->body[0]) : nullptr;
  if (body == nullptr || body->kind != StmtKind::kExpr) refuse();
  const Expr& assign = text_.expr(body->expr);
  if (!assign.is_plain_assignment()) refuse();
  const Expr& to = text_.expr(assign.args[0]);
  const Expr* from = &text_.expr(assign.args[1]);
  while (from->kind == ExprKind::kCast && keeps_bytes(from->type, to.type)) from = &text_.expr(from->args[0]);
  const auto is_element = [&](const Expr& e) {
    return e.kind == ExprKind::kIndex && text_.expr(e.args[1]).kind == ExprKind::kName &&
           text_.expr(e.args[1]).text == variable;
  };
  if (!is_element(to) || !is_element(*from) || !keeps_bytes(from->type, to.type)) refuse();
  const Expr& end = text_.expr(text_.expr(stmt.expr).args[1]);
  if (end.kind != ExprKind::kInt && end.kind != ExprKind::kName && end.kind != ExprKind::kCast) refuse();
  const std::int64_t count = values_.integer(text_.expr(stmt.expr).args[1], "a loop in main that does not just copy");
  if (count < 0 || count > INT32_MAX || memory_.contains(variable)) refuse();
  Call call{
      .kind = Call::Kind::kCopy, .function = "copy", .arguments = {}, .line = stmt.line, .before = {}, .after = {}};
  call.arguments.push_back(calls_.argument_of(values_.evaluate(to.args[0]), text_.source(to.range), stmt.line));
  call.arguments.push_back(calls_.argument_of(values_.evaluate(from->args[0]), text_.source(from->range), stmt.line));
  call.copy_bytes = static_cast<std::uint64_t>(count) * to.type.scalar_bytes;
  if (copies_onto_itself(call))
    text_.fail(stmt.line, "a copy in main whose two ends overlap: " + text_.source(stmt.range));
  if (call.copy_bytes > 0) program_.calls.push_back(std::move(call));
}

/// for (int32_t i = 0; i < ...; ++i)
bool MainCopies::counts_from_zero(const Stmt& stmt, std::string& variable) const {
  if (stmt.init == kNoNode || stmt.expr == kNoNode || stmt.step == kNoNode) return false;
  const Stmt& init = text_.unit().stmt(stmt.init);
  if (init.kind != StmtKind::kDeclare || init.variable.init == kNoNode || !is_integer(init.variable.type) ||
      init.variable.type.scalar_bytes < 4) {
    return false;
  }
  const Expr& zero = text_.uncast(init.variable.init);
  const Expr &condition = text_.expr(stmt.expr), &step = text_.expr(stmt.step);
  variable = init.variable.name;
  const auto is_variable = [&](ExprId id) {
    return text_.expr(id).kind == ExprKind::kName && text_.expr(id).text == variable;
  };
  const bool counts = step.kind == ExprKind::kUnary && is_increment(step.unary) && is_variable(step.args[0]);
  const bool adds = step.kind == ExprKind::kAssign && step.binary == BinaryOperator::kAdd &&
                    is_variable(step.args[0]) && text_.expr(step.args[1]).kind == ExprKind::kInt &&
                    text_.expr(step.args[1]).value == 1;
  return zero.kind == ExprKind::kInt && zero.value == 0 && condition.is(BinaryOperator::kLess) &&
         is_variable(condition.args[0]) && (counts || adds);
}

/// Such a loop reads what it wrote: no copy.
bool MainCopies::copies_onto_itself(const Call& copy) const {
  if (copy.arguments[0].kind != Argument::Kind::kBuffer || copy.arguments[1].kind != Argument::Kind::kBuffer)
    return false;
  const Buffer &to = program_.buffers[copy.arguments[0].index], &from = program_.buffers[copy.arguments[1].index];
  const std::uint64_t distance =
      std::max(to.offset_bytes, from.offset_bytes) - std::min(to.offset_bytes, from.offset_bytes);
  return to.object == from.object && distance != 0 && distance < copy.copy_bytes;
}

/// Can every byte of one be one of the other? Conversions between such types change none.
bool MainCopies::keeps_bytes(const CType& from, const CType& to) {
  const bool same = from.scalar == to.scalar || (is_integer(from) && is_integer(to));
  return same && from.scalar_bytes == to.scalar_bytes && from.scalar_bytes != 0 && from.pointers == 0 &&
         to.pointers == 0 && from.extents.empty() && to.extents.empty() && from.scalar != CType::Scalar::kOther &&
         from.scalar != CType::Scalar::kRecord;
}

}  // namespace detent::models::tvm
