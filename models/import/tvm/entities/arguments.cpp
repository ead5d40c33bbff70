#include "models/import/tvm/entities/arguments.hpp"

#include <algorithm>

#include "models/import/tvm/entities/edges.hpp"
#include "models/import/tvm/footprint/memory/value.hpp"
#include "models/import/tvm/footprint/walk/syntax.hpp"

namespace detent::models::tvm::entities {
namespace {

using footprint::is_pointer;

Cell unknown(const std::string& why) {
  Cell cell;
  cell.text = why;
  return cell;
}

Cell address_of(const DataPlace& place) {
  Cell cell;
  cell.kind = Cell::Kind::kAddress;
  cell.object = place.object;
  cell.number = place.offset;
  return cell;
}

bool is_same(const Cell& a, const Cell& b) {
  return a.kind == b.kind && a.number == b.number && a.object == b.object && a.text == b.text;
}

}  // namespace

EntryArguments::EntryArguments(const CUnit& unit, StaticData& data, const Table& table)
    : unit_(unit), data_(data), table_(table) {
  for (const Expr& expr : unit.exprs) {
    if (expr.kind == ExprKind::kCall && calls_entry(expr)) calls_.push_back(&expr);
  }
}

bool EntryArguments::is_entity_type(const CType& type, std::uint32_t pointers) const {
  if (type.pointers != pointers || !type.extents.empty() || type.scalar != CType::Scalar::kRecord) return false;
  std::string name = type.spelling;
  for (const std::string_view word : {"const ", "volatile "}) {
    if (name.starts_with(word)) name = name.substr(word.size());
  }
  name = name.substr(0, name.find_first_of("*"));
  while (name.ends_with(' ')) name.pop_back();
  return name == table_.record;
}

bool EntryArguments::calls_entry(const Expr& call) const {
  ExprId id = footprint::stripped(unit_, call.args[0]);
  while (unit_.expr(id).is(UnaryOperator::kDereference)) id = footprint::stripped(unit_, unit_.expr(id).args[0]);
  const Expr& callee = unit_.expr(id);
  const std::string& name = table_.members[table_.entry].name;
  if (callee.kind != ExprKind::kMember || callee.text != name.substr(name.rfind('.') + 1)) return false;
  const CType& owner = unit_.expr(callee.args[0]).type;
  const bool is_whole = name.find('.') == std::string::npos;
  if (is_whole && !is_entity_type(owner, 0) && !is_entity_type(owner, 1)) return false;
  return footprint::bytes_of(callee.type) != 0 && is_function_pointer(callee.type);
}

std::vector<Cell> EntryArguments::of(const Entity& entity, std::vector<std::pair<DataPlace, CType>>& places) {
  places_ = &places;
  if (calls_.empty()) return by_types(entity);
  std::vector<Cell> result = of_call(*calls_[0], entity);
  for (std::size_t i = 1; i < calls_.size(); ++i) {
    const std::vector<Cell> other = of_call(*calls_[i], entity);
    for (std::size_t k = 0; k < result.size(); ++k) {
      if (k >= other.size() || !is_same(result[k], other[k]))
        result[k] = unknown("calls in lines " + std::to_string(calls_[0]->line) + " and " +
                            std::to_string(calls_[i]->line) + " give different arguments");
    }
  }
  return result;
}

std::vector<Cell> EntryArguments::of_call(const Expr& call, const Entity& entity) {
  std::vector<Cell> result;
  for (std::size_t i = 1; i < call.args.size(); ++i) result.push_back(value_of(call.args[i], entity));
  return result;
}

Cell EntryArguments::read(const DataPlace& place, const CType& type) {
  if (!type.extents.empty()) return address_of(place);
  places_->emplace_back(place, type);
  if (const Cell* const cell = data_.find(place)) return *cell;
  const DataObject& object = data_.objects()[place.object];
  const bool is_inside = place.offset >= 0 && place.offset < static_cast<std::int64_t>(object.size_bytes);
  if (!is_inside) return unknown("an argument lies outside of " + object.name);
  if (!object.doubt.empty()) return unknown(object.name + ": " + object.doubt);
  const std::optional<std::int64_t> number = is_whole_number(type) ? data_.int_at(place) : std::nullopt;
  if (!number) return unknown("an argument that no initialiser names");
  Cell cell;
  cell.kind = Cell::Kind::kInt;
  cell.number = *number;
  return cell;
}

std::optional<DataPlace> EntryArguments::place_in(ExprId id, const Entity& entity) {
  id = footprint::stripped(unit_, id);
  const Expr& expr = unit_.expr(id);
  if (is_entity_type(expr.type, 0)) return entity.place;  // *e, table[i]
  if (expr.kind == ExprKind::kMember) {
    const Expr& base = unit_.expr(expr.args[0]);
    std::optional<DataPlace> place;
    if (is_pointer(base.type)) {
      const Cell pointer = value_of(expr.args[0], entity);
      if (pointer.kind == Cell::Kind::kAddress) place = DataPlace{pointer.object, pointer.number};
    } else {
      place = place_in(expr.args[0], entity);
    }
    if (!place || __builtin_add_overflow(place->offset, expr.value, &place->offset)) return std::nullopt;
    return place;
  }
  if (expr.kind == ExprKind::kIndex) {
    const Cell pointer = value_of(expr.args[0], entity), index = value_of(expr.args[1], entity);
    const auto bytes = static_cast<std::int64_t>(footprint::pointee_bytes(unit_.expr(expr.args[0]).type));
    std::int64_t by = 0, offset = 0;
    const bool is_known = pointer.kind == Cell::Kind::kAddress && index.kind == Cell::Kind::kInt && bytes > 0 &&
                          !__builtin_mul_overflow(index.number, bytes, &by) &&
                          !__builtin_add_overflow(pointer.number, by, &offset);
    return is_known ? std::optional(DataPlace{pointer.object, offset}) : std::nullopt;
  }
  if (expr.is(UnaryOperator::kDereference)) {
    const Cell pointer = value_of(expr.args[0], entity);
    if (pointer.kind == Cell::Kind::kAddress) return DataPlace{pointer.object, pointer.number};
  }
  return std::nullopt;
}

Cell EntryArguments::value_of(ExprId id, const Entity& entity) {
  const ExprId bare = footprint::stripped(unit_, id);
  const Expr& expr = unit_.expr(bare);
  if (is_entity_type(expr.type, 1)) return address_of(entity.place);  // e, &table[i], table + i
  if (expr.kind == ExprKind::kInt) {
    Cell cell;
    cell.kind = is_pointer(unit_.expr(id).type) && expr.value == 0 ? Cell::Kind::kNull : Cell::Kind::kInt;
    cell.number = expr.value;
    return cell;
  }
  const bool is_place =
      expr.kind == ExprKind::kMember || expr.kind == ExprKind::kIndex || expr.is(UnaryOperator::kDereference);
  if (is_place) {
    const auto place = place_in(bare, entity);
    if (place) return read(*place, expr.type);
  }
  if (expr.is(UnaryOperator::kAddressOf)) {
    const auto place = place_in(expr.args[0], entity);
    if (place) return address_of(*place);
  }
  if (const ExprId given = value_of_local(expr); given != kNoNode) return value_of(given, entity);
  const bool is_array = expr.kind == ExprKind::kName && !expr.type.extents.empty() && data_.object_named(expr.text);
  if (is_array) return data_.evaluate(bare);
  return unknown("an argument in line " + std::to_string(expr.line) + " that is not known before the run");
}

/// What a variable of the calling function is initialised with, where nothing else is assigned to it.
ExprId EntryArguments::value_of_local(const Expr& name) const {
  if (name.kind != ExprKind::kName) return kNoNode;
  const auto around = std::find_if(unit_.functions.begin(), unit_.functions.end(), [&](const Function& function) {
    return function.body != kNoNode && function.range.begin <= name.range.begin && name.range.end <= function.range.end;
  });
  if (around == unit_.functions.end()) return kNoNode;
  const auto is_inside = [&](const SourceRange& range) {
    return around->range.begin <= range.begin && range.end <= around->range.end;
  };
  ExprId init = kNoNode;
  for (const Stmt& stmt : unit_.stmts) {
    if (stmt.kind != StmtKind::kDeclare || stmt.variable.name != name.text || !is_inside(stmt.variable.range)) continue;
    if (init != kNoNode || stmt.variable.init == kNoNode) return kNoNode;
    init = stmt.variable.init;
  }
  const bool is_changed = std::any_of(unit_.exprs.begin(), unit_.exprs.end(), [&](const Expr& expr) {
    return (footprint::is_assignment_to(unit_, expr, name.text) ||
            (expr.is(UnaryOperator::kAddressOf) && unit_.expr(expr.args[0]).text == name.text)) &&
           is_inside(expr.range);
  });
  return is_changed || init == kNoNode || unit_.expr(init).range.begin >= name.range.begin ? kNoNode : init;
}

/// Nobody calls the member by its name in this file: the one pointer to arguments that the record has, or the entity.
std::vector<Cell> EntryArguments::by_types(const Entity& entity) {
  const auto function = std::find_if(unit_.functions.begin(), unit_.functions.end(),
                                     [&](const Function& one) { return one.name == entity.entry; });
  if (function == unit_.functions.end()) return {};
  std::vector<std::size_t> pointers;
  for (std::size_t i = 0; i < table_.members.size(); ++i) {
    const CType& type = table_.members[i].type;
    const bool is_used = std::find(table_.used.begin(), table_.used.end(), i) != table_.used.end();
    const bool is_text = type.pointers == 1 && type.extents.empty() && type.scalar_bytes == 1;
    if (is_pointer(type) && !is_used && !is_text && !is_function_pointer(type) &&
        !may_list_successors(table_.members[i], table_.record))
      pointers.push_back(i);
  }
  std::vector<Cell> result;
  for (const Variable& parameter : function->params) {
    const bool is_alone = function->params.size() == 1;
    if (is_entity_type(parameter.type, 1) || (is_alone && pointers.empty() && is_pointer(parameter.type))) {
      result.push_back(address_of(entity.place));
    } else if (is_pointer(parameter.type) && pointers.size() == 1) {
      const Member& member = table_.members[pointers[0]];
      result.push_back(read({entity.place.object, entity.place.offset + member.offset}, member.type));
    } else {
      result.push_back(unknown("no call in this file shows which arguments " + entity.entry + " gets"));
    }
  }
  return result;
}

}  // namespace detent::models::tvm::entities
