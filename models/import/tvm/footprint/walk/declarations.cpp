#include "models/import/tvm/footprint/walk/declarations.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace detent::models::tvm::footprint {

void Declarations::take_stack(const CType& type) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40U;
  if (!type.extents.empty()) walk_.findings.take_stack(std::min<std::uint64_t>(bytes_of(type), kMostBytes));
}

Value Declarations::initial_value(const Stmt& stmt) {
  const Variable& variable = stmt.variable;
  const Value value = evaluator_.evaluate(variable.init);
  Value initial = variable.type.extents.empty() ? walk_.arithmetic.convert(value, variable.type) : value;
  if (declare_pool_use(stmt, value)) {
    const auto index = static_cast<std::uint32_t>(walk_.findings.result().pool_uses.size() - 1);
    initial = pointer_value(walk_.objects.of(Object::Kind::kPool, index), walk_.terms.constant(0));
  }
  note_literal_sizes(walk_, value);
  if (walk_.objects.is(value, Object::Kind::kTensor)) {
    std::string& name = walk_.findings.result().param_names[walk_.objects[value.object].index];
    if (name.empty()) name = variable.name;
  }
  return initial;
}

void Declarations::declare(const Stmt& stmt) {
  const Variable& variable = stmt.variable;
  if (!variable.strange.empty()) walk_.findings.fail(stmt.line, "a variable with " + variable.strange);
  if (variable.type.is_variable_length) walk_.findings.fail(stmt.line, "an array of variable length");
  if (variable.outlives) return declare_outliving(variable);
  Local local = {variable.name, &variable.type, walk_.arithmetic.unknown_of(variable.type), kNone};
  const bool is_addressed = walk_.scope.frame().addressed->contains(variable.name);
  const bool is_memory = !variable.type.extents.empty() || is_vector_or_record(variable.type) || is_addressed;
  const bool is_record = variable.type.scalar == CType::Scalar::kRecord;
  if (variable.init != kNoNode) {
    local.value = initial_value(stmt);
  } else if (is_memory) {
    local.value = Value{};
    if (is_record && variable.type.extents.empty()) local.value.kind = Value::Kind::kRecord;
  }
  take_stack(variable.type);
  if (is_memory) local.object = walk_.objects.add(Object::Kind::kPrivate, 0);
  if (is_memory && variable.init != kNoNode && is_record)
    declare_members(local.object, 0, variable.init, local.value, variable.type);
  if (is_addressed && is_pointer(variable.type) && variable.type.extents.empty()) {
    walk_.memory.escape(local.value, OutsideUse::kReadsAndWrites);
    local.value = walk_.arithmetic.unknown_of(variable.type);
  }
  walk_.scope.add(std::move(local));
}

/// Who takes a parameter's address may change it: what it points to may then be used in any way.
void Declarations::declare_parameter(const Variable& param, Value value) {
  Local local = {param.name, &param.type, std::move(value), kNone};
  if (walk_.scope.frame().addressed->contains(param.name)) {
    walk_.memory.escape(local.value, OutsideUse::kReadsAndWrites);
    local.value = walk_.arithmetic.unknown_of(param.type);
    local.object = walk_.objects.add(Object::Kind::kPrivate, 0);
  }
  walk_.scope.add(std::move(local));
}

/// static or extern: what it holds is of an earlier call, unless it is const.
void Declarations::declare_outliving(const Variable& variable) {
  Local local = {variable.name, &variable.type, walk_.arithmetic.unknown_of(variable.type),
                 walk_.memory.object_of(variable)};
  if (variable.is_thread_local) walk_.findings.use_thread_local(variable.line, variable.name);
  if (!variable.type.is_const) walk_.findings.use_state(variable.line, variable.name);
  walk_.scope.add(std::move(local));
}

/// void* X_let = (&(pool[OFFSET]));
bool Declarations::declare_pool_use(const Stmt& stmt, const Value& value) {
  const Variable& variable = stmt.variable;
  if (walk_.memory.has_binding()) return false;  // pools are of generated operators
  const bool is_void_pointer = variable.type.pointers == 1 && variable.type.scalar == CType::Scalar::kVoid;
  if (walk_.scope.depth() != 1 || !is_void_pointer || value.kind != Value::Kind::kPointer) return false;
  if (walk_.objects[value.object].kind != Object::Kind::kParam || !walk_.terms.is_constant(value.node)) return false;
  ExprId id = variable.init;
  while (walk_.unit.expr(id).kind == ExprKind::kCast) id = walk_.unit.expr(id).args[0];
  if (!walk_.unit.expr(id).is(UnaryOperator::kAddressOf)) return false;
  const Expr& place = walk_.unit.expr(walk_.unit.expr(id).args[0]);
  if (place.kind != ExprKind::kIndex || bytes_of(place.type) != 1) return false;
  const std::int64_t offset = walk_.terms.node(value.node).value;
  if (offset < 0) return false;
  PoolUse use;
  use.name = variable.name;
  use.param = walk_.objects[value.object].index;
  use.offset_bytes = static_cast<std::uint64_t>(offset);
  use.declaration = stmt.range;
  if (walk_.unit.expr(place.args[1]).kind == ExprKind::kInt) use.literal = walk_.unit.expr(place.args[1]).range;
  walk_.findings.result().pool_uses.push_back(std::move(use));
  return true;
}

/// What an initialiser of a local record sets: list by list, and copies of other records.
void Declarations::declare_members(ObjectId object, std::int64_t at, ExprId init, const Value& value,
                                   const CType& type) {
  const Expr& expr = walk_.unit.expr(init);
  if (is_pointer(type) || type.scalar != CType::Scalar::kRecord) {
    const bool is_one = type.extents.empty() && expr.kind != ExprKind::kInitList;
    if (is_one) walk_.memory.set_field(object, at, type, walk_.arithmetic.convert(value, type));
    return;
  }
  if (expr.kind == ExprKind::kName || expr.kind == ExprKind::kMember) {
    walk_.memory.copy_fields(evaluator_.place_of(init), static_cast<std::int64_t>(type.scalar_bytes), object, at);
    return;
  }
  const auto layout = walk_.unit.layouts.find(name_of_record(type));
  if (expr.kind != ExprKind::kInitList || layout == walk_.unit.layouts.end()) return;
  if (!fits_members(expr, value, layout->second)) return;
  const std::vector<RecordLayout::Member>& members = layout->second.members;
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    declare_members(object, at + static_cast<std::int64_t>(members[i].offset), expr.args[i], value.parts[i],
                    members[i].type);
  }
}

/// One for each member: no designators, no braces left out.
bool Declarations::fits_members(const Expr& list, const Value& value, const RecordLayout& layout) const {
  const std::vector<RecordLayout::Member>& members = layout.members;
  if (list.args.size() > members.size() || value.parts.size() != list.args.size()) return false;
  for (std::size_t i = 0; i < list.args.size(); ++i) {
    const Expr& part = walk_.unit.expr(list.args[i]);
    const bool is_whole = members[i].type.extents.empty() &&
                          (is_pointer(members[i].type) || members[i].type.scalar != CType::Scalar::kRecord);
    const bool fits = is_whole ? !is_vector_or_record(part.type)
                               : part.kind == ExprKind::kInitList ||
                                     (part.type.scalar == CType::Scalar::kRecord && !is_pointer(part.type));
    if (part.kind == ExprKind::kUnknown || !fits) return false;
  }
  return true;
}

void note_literal_sizes(WalkState& walk, const Value& record) {
  for (std::size_t i = 0; i + 1 < record.parts.size(); ++i) {
    const Value& pointer = record.parts[i];
    const Value& size = record.parts[i + 1];
    if (pointer.kind != Value::Kind::kPointer || walk.objects[pointer.object].kind != Object::Kind::kPool) continue;
    if (size.kind != Value::Kind::kInt || !walk.terms.is_constant(size.node) || walk.terms.node(size.node).value < 0)
      continue;
    walk.findings.result().pool_uses[walk.objects[pointer.object].index].literal_size_bytes =
        static_cast<std::uint64_t>(walk.terms.node(size.node).value);
  }
}

}  // namespace detent::models::tvm::footprint
