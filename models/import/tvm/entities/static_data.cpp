#include "models/import/tvm/entities/static_data.hpp"

#include <algorithm>

#include "models/import/tvm/footprint/memory/value.hpp"

namespace detent::models::tvm::entities {
namespace {

using footprint::bytes_of;
using footprint::pointee_bytes;

constexpr std::uint32_t kMostDepth = 2000;      ///< of names that stand for other names, and lists in lists
constexpr std::size_t kMostCells = 4'000'000;   ///< of a file
constexpr std::int64_t kMostRange = 1'000'000;  ///< elements that one designator sets
constexpr const char* kNoConstant = "is not known before the run";

bool is_aggregate(const CType& type) {
  return !type.extents.empty() || (type.pointers == 0 && type.scalar == CType::Scalar::kRecord);
}

Cell unknown(const Expr& expr, const std::string& why) {
  Cell cell;
  cell.text = why;
  cell.line = expr.line;
  return cell;
}

Cell number(const Expr& expr, std::int64_t value) {
  Cell cell;
  cell.kind = Cell::Kind::kInt;
  cell.number = value;
  cell.line = expr.line;
  return cell;
}

Cell address(const Expr& expr, const DataPlace& place) {
  Cell cell;
  cell.kind = Cell::Kind::kAddress;
  cell.object = place.object;
  cell.number = place.offset;
  cell.line = expr.line;
  return cell;
}

std::int64_t negated(std::int64_t value) { return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value)); }

/// As a value of this type: integers wrap.
std::int64_t wrapped(std::int64_t value, const CType& type) {
  if (type.scalar_bytes == 0 || type.scalar_bytes >= 8) return value;
  const unsigned shift = 64 - 8 * type.scalar_bytes;
  const auto up = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << shift);
  return type.scalar == CType::Scalar::kUInt ? static_cast<std::int64_t>(static_cast<std::uint64_t>(up) >> shift)
                                             : up >> shift;
}

}  // namespace

bool is_compound_literal(const Expr& expr) {
  return expr.kind == ExprKind::kUnknown && expr.text == "CompoundLiteralExpr" && !expr.args.empty();
}

CType element_of(const CType& array) {
  CType element = array;
  if (element.extents.empty()) return element;
  element.extents.erase(element.extents.begin());
  const std::size_t open = element.spelling.find('['), close = element.spelling.find(']');
  if (open < close && close != std::string::npos) element.spelling.erase(open, close + 1 - open);
  while (element.spelling.ends_with(' ')) element.spelling.pop_back();
  return element;
}

bool is_function_pointer(const CType& type) {
  return type.pointers == 1 && type.extents.empty() && type.scalar == CType::Scalar::kOther &&
         (type.spelling.find("(*)") != std::string::npos || type.spelling.find("(*const)") != std::string::npos);
}

bool is_whole_number(const CType& type) {
  if (type.pointers != 0 || !type.extents.empty() || type.is_vector) return false;
  const bool is_plain = type.scalar == CType::Scalar::kInt || type.scalar == CType::Scalar::kUInt;
  const bool is_atomic = type.scalar == CType::Scalar::kOther && type.spelling.find("_Atomic(") != std::string::npos &&
                         type.spelling.find('*') == std::string::npos &&
                         type.spelling.find("struct") == std::string::npos;
  return is_plain || is_atomic;
}

StaticData::StaticData(const CUnit& unit) : unit_(unit) {
  for (const Global& global : unit.globals) add_global(global);
  for (const Global& global : unit.globals) {
    if (global.variable.init == kNoNode) continue;
    const std::uint32_t object = names_.at(global.variable.name);
    const CType type = objects_[object].type;  // literals on the way are objects, too: their places may change
    fill({object, 0}, type, global.variable.init);
  }
}

/// Declarations of one name are one object; the one that tells most of its type counts.
void StaticData::add_global(const Global& global) {
  const Variable& variable = global.variable;
  const auto [place, is_new] = names_.try_emplace(variable.name, static_cast<std::uint32_t>(objects_.size()));
  if (is_new)
    objects_.push_back({.name = variable.name, .type = variable.type, .size_bytes = 0, .variables = {}, .doubt = {}});
  DataObject& object = objects_[place->second];
  object.variables.push_back(&variable);
  const std::uint64_t bytes = bytes_of(variable.type);
  if (object.size_bytes == 0 && bytes != 0) {
    object.type = variable.type;
    object.size_bytes = bytes;
  }
  if (global.is_defined || object.line == 0) object.line = variable.line;
  object.is_defined = object.is_defined || global.is_defined;
  object.is_constant =
      object.type.is_const && object.type.pointers == 0 && object.type.scalar != CType::Scalar::kRecord;
  if (variable.is_thread_local) object.doubt = "each thread has its own";
  if (!variable.strange.empty()) object.doubt = "it has " + variable.strange;
}

std::uint32_t StaticData::add_literal(ExprId id) {
  const auto [place, is_new] = literals_.try_emplace(id, static_cast<std::uint32_t>(objects_.size()));
  if (!is_new) return place->second;
  const std::uint32_t object = place->second;
  const Expr& expr = unit_.expr(id);
  std::string name = "literal at line " + std::to_string(expr.line);
  const std::uint32_t same = ++literals_at_line_[expr.line];
  if (same > 1) name += ", number " + std::to_string(same);
  objects_.push_back({.name = name,
                      .type = expr.type,
                      .size_bytes = bytes_of(expr.type),
                      .variables = {},
                      .is_defined = true,
                      .is_constant = false,
                      .doubt = {},
                      .line = expr.line});
  fill({object, 0}, expr.type, expr.args.back());
  return object;
}

const Cell* StaticData::find(const DataPlace& place) const {
  const auto found = cells_.find(place);
  return found != cells_.end() ? &found->second : nullptr;
}

std::optional<std::int64_t> StaticData::int_at(const DataPlace& place) const {
  const Cell* const cell = find(place);
  if (cell != nullptr) return cell->kind == Cell::Kind::kInt ? std::optional(cell->number) : std::nullopt;
  const DataObject& object = objects_[place.object];
  return object.is_defined && object.doubt.empty() ? std::optional<std::int64_t>(0) : std::nullopt;
}

std::optional<std::uint32_t> StaticData::object_named(const std::string& name) const {
  const auto found = names_.find(name);
  return found != names_.end() ? std::optional(found->second) : std::nullopt;
}

void StaticData::doubt(std::uint32_t object, const Expr& expr, const std::string& why) {
  if (objects_[object].doubt.empty())
    objects_[object].doubt = "line " + std::to_string(expr.line) + ": " + why + " in its initialiser";
}

const RecordLayout* StaticData::layout_of(const CType& type) const {
  if (!type.extents.empty() || type.pointers != 0 || type.scalar != CType::Scalar::kRecord) return nullptr;
  const auto found = unit_.layouts.find(name_of_record(type));
  return found != unit_.layouts.end() && !found->second.members.empty() ? &found->second : nullptr;
}

std::size_t StaticData::parts_of(const CType& type) const {
  if (!type.extents.empty()) return type.extents[0] == 0 ? SIZE_MAX : type.extents[0];
  const RecordLayout* const layout = layout_of(type);
  return layout != nullptr ? layout->members.size() : 0;
}

std::pair<std::uint64_t, CType> StaticData::part(const CType& type, std::size_t n) const {
  if (!type.extents.empty()) {
    CType element = element_of(type);
    const std::uint64_t bytes = bytes_of(element);
    return {n * bytes, std::move(element)};
  }
  const RecordLayout::Member& member = layout_of(type)->members[n];
  return {member.offset, member.type};
}

void StaticData::set(const DataPlace& at, const CType& type, Cell cell) {
  if (type.pointers == 0 && type.scalar == CType::Scalar::kFloat) return;  // nobody asks for these
  if (cells_.size() >= kMostCells) {
    objects_[at.object].doubt = "too long a list in its initialiser";
    return;
  }
  if (type.pointers > 0 && cell.kind == Cell::Kind::kInt) {  // 0 needs no cast
    cell.kind = cell.number == 0 ? Cell::Kind::kNull : Cell::Kind::kUnknown;
    if (cell.number != 0) cell.text = "a number as an address";
  }
  cell.type = type;
  cells_[at] = std::move(cell);
}

void StaticData::fill(const DataPlace& at, const CType& type, ExprId id) {
  const Expr& expr = unit_.expr(id);
  if (depth_ >= kMostDepth) return doubt(at.object, expr, "lists too deep");
  ++depth_;
  if (is_compound_literal(expr) && is_aggregate(type)) {
    fill(at, type, expr.args.back());
  } else if (expr.kind == ExprKind::kInitList && is_aggregate(type)) {
    const bool is_blanked = expr.args.empty() && expr.range.end - expr.range.begin > 64;
    if (is_blanked && !objects_[at.object].is_constant) doubt(at.object, expr, "a list that is too long to be read");
    Items items{expr.args};
    fill_members(at, type, items, true);
    if (items.next < expr.args.size()) doubt(at.object, expr, "a list that does not fit the type");
  } else if (expr.kind == ExprKind::kInitList) {
    if (expr.args.size() == 1) fill(at, type, expr.args[0]);
  } else if (is_aggregate(type)) {
    const bool is_text = expr.kind == ExprKind::kString && !type.extents.empty();
    if (!is_text) doubt(at.object, expr, "a value that is copied");
  } else {
    set(at, type, evaluate(id));
  }
  --depth_;
}

/// Members take items in their order; where braces are left out, those of a member take them from the same list.
void StaticData::fill_members(const DataPlace& at, const CType& type, Items& items, bool is_braced) {
  const std::size_t count = parts_of(type);
  if (count == 0 && !items.ids.empty()) {
    doubt(at.object, unit_.expr(items.ids[std::min(items.next, items.ids.size() - 1)]),
          "a union, a bit field or a member without a name");
    items.next = items.ids.size();
    return;
  }
  for (std::size_t position = 0; items.next < items.ids.size();) {
    const Expr& item = unit_.expr(items.ids[items.next]);
    if (!item.designator.empty()) {
      if (!is_braced) return;
      ++items.next;
      if (!fill_designated(at, type, item, position)) return;
      continue;
    }
    if (position >= count) return;
    const auto [offset, member] = part(type, position);
    ++position;
    const DataPlace place{at.object, at.offset + static_cast<std::int64_t>(offset)};
    const bool is_whole = item.kind == ExprKind::kInitList || is_compound_literal(item) ||
                          (item.kind == ExprKind::kString && !member.extents.empty() && member.scalar_bytes == 1) ||
                          (item.type.scalar == CType::Scalar::kRecord && item.type.pointers == 0 &&
                           item.type.extents.empty() && item.kind != ExprKind::kUnknown);
    if (!is_aggregate(member) || is_whole) {
      fill(place, member, items.ids[items.next++]);
      continue;
    }
    if (depth_ >= kMostDepth) return doubt(at.object, item, "lists too deep");
    ++depth_;
    const std::size_t before = items.next;
    fill_members(place, member, items, false);
    --depth_;
    if (items.next == before) return;
  }
}

/// @param position  becomes that of the part behind the one that is set
bool StaticData::fill_designated(const DataPlace& at, const CType& type, const Expr& item, std::size_t& position) {
  const auto refuse = [&] {
    doubt(at.object, item, "a designator that is not understood");
    return false;
  };
  const std::string& path = item.designator;
  if (path[0] == '.') {
    const RecordLayout* const layout = layout_of(type);
    if (layout == nullptr) return refuse();
    const std::string name = path.substr(1, path.find_first_of(".[", 1) - 1);
    const auto member = std::find_if(layout->members.begin(), layout->members.end(),
                                     [&](const RecordLayout::Member& one) { return one.name == name; });
    if (member == layout->members.end()) return refuse();
    position = static_cast<std::size_t>(member - layout->members.begin()) + 1;
    fill_path({at.object, at.offset + static_cast<std::int64_t>(member->offset)}, member->type, item,
              path.substr(name.size() + 1), 0);
    return true;
  }
  const bool is_range = path.starts_with("[..]");
  if (type.extents.empty() || item.args.size() < (is_range ? 3U : 2U)) return refuse();
  const Cell first = evaluate(item.args[0]);
  const Cell last = is_range ? evaluate(item.args[1]) : first;
  const bool are_known = first.kind == Cell::Kind::kInt && last.kind == Cell::Kind::kInt;
  const auto count = static_cast<std::int64_t>(std::min<std::size_t>(parts_of(type), INT64_MAX));
  const bool fits = are_known && first.number >= 0 && first.number <= last.number && last.number < count &&
                    last.number - first.number < kMostRange;
  if (!fits) return refuse();
  for (std::int64_t i = first.number; i <= last.number; ++i) {
    const auto [offset, element] = part(type, static_cast<std::size_t>(i));
    fill_path({at.object, at.offset + static_cast<std::int64_t>(offset)}, element, item, path.substr(is_range ? 4 : 2),
              is_range ? 2 : 1);
  }
  position = static_cast<std::size_t>(last.number) + 1;
  return true;
}

void StaticData::fill_path(const DataPlace& at, const CType& type, const Expr& item, std::string path,
                           std::size_t argument) {
  if (path.empty()) return fill(at, type, item.args.back());
  Expr rest;
  rest.designator = std::move(path);
  rest.args.assign(item.args.begin() + static_cast<std::ptrdiff_t>(argument), item.args.end());
  rest.line = item.line;
  std::size_t position = 0;
  fill_designated(at, type, rest, position);
}

Cell StaticData::evaluate(ExprId id) {
  const Expr& expr = unit_.expr(id);
  if (depth_ >= kMostDepth) return unknown(expr, "too deep an expression");
  ++depth_;
  Cell cell = unknown(expr, kNoConstant);
  switch (expr.kind) {
    case ExprKind::kInt:
      cell = number(expr, expr.value);
      break;
    case ExprKind::kString:
      cell.kind = Cell::Kind::kString;
      cell.text = expr.text;
      break;
    case ExprKind::kName:
      cell = evaluate_name(expr);
      break;
    case ExprKind::kUnary:
      cell = evaluate_unary(expr);
      break;
    case ExprKind::kBinary:
      cell = evaluate_binary(expr);
      break;
    case ExprKind::kCast:
      cell = evaluate_cast(expr);
      break;
    case ExprKind::kSelect: {
      const Cell condition = evaluate(expr.args[0]);
      if (condition.kind == Cell::Kind::kInt) cell = evaluate(expr.args[condition.number != 0 ? 1 : 2]);
      break;
    }
    case ExprKind::kIndex:
    case ExprKind::kMember:
      if (!expr.type.extents.empty()) cell = address_in(id);
      break;
    case ExprKind::kUnknown:
      if (is_compound_literal(expr) && !expr.type.extents.empty()) cell = address(expr, {add_literal(id), 0});
      break;
    case ExprKind::kFloat:
    case ExprKind::kAssign:
    case ExprKind::kCall:
    case ExprKind::kInitList:
    case ExprKind::kComponent:
      break;
  }
  --depth_;
  return cell;
}

Cell StaticData::evaluate_name(const Expr& expr) {
  const auto found = names_.find(expr.text);
  if (found != names_.end()) {
    const DataObject& object = objects_[found->second];
    if (!object.type.extents.empty()) return address(expr, {found->second, 0});
    for (const Variable* variable : object.variables) {  // const int kCount = 4;
      const bool is_told = object.is_constant && variable->init != kNoNode;
      if (is_told) return evaluate(variable->init);
    }
    return unknown(expr, expr.text + " " + kNoConstant);
  }
  const bool is_function = std::any_of(unit_.functions.begin(), unit_.functions.end(),
                                       [&](const Function& function) { return function.name == expr.text; });
  if (!is_function) return unknown(expr, expr.text + " " + kNoConstant);
  Cell cell = number(expr, 0);
  cell.kind = Cell::Kind::kFunction;
  cell.text = expr.text;
  return cell;
}

Cell StaticData::address_in(ExprId id) {
  const std::optional<DataPlace> place = place_of(id);
  return place ? address(unit_.expr(id), *place) : unknown(unit_.expr(id), kNoConstant);
}

Cell StaticData::evaluate_unary(const Expr& expr) {
  if (expr.is(UnaryOperator::kAddressOf)) {
    const Expr& target = unit_.expr(expr.args[0]);
    const bool is_function = target.kind == ExprKind::kName && !names_.contains(target.text);
    return is_function ? evaluate_name(target) : address_in(expr.args[0]);
  }
  const Cell value = evaluate(expr.args[0]);
  if (expr.is(UnaryOperator::kDereference)) {  // of a function, or of an array in an array
    if (value.kind == Cell::Kind::kFunction) return value;
    return expr.type.extents.empty() ? unknown(expr, kNoConstant) : value;
  }
  if (value.kind != Cell::Kind::kInt) return unknown(expr, kNoConstant);
  if (expr.is(UnaryOperator::kMinus)) return number(expr, wrapped(negated(value.number), expr.type));
  if (expr.is(UnaryOperator::kComplement)) return number(expr, wrapped(~value.number, expr.type));
  if (expr.is(UnaryOperator::kNot)) return number(expr, value.number == 0 ? 1 : 0);
  if (expr.is(UnaryOperator::kPlus) || expr.is(UnaryOperator::kExtension)) return value;
  return unknown(expr, kNoConstant);
}

Cell StaticData::evaluate_binary(const Expr& expr) {
  const Cell a = evaluate(expr.args[0]), b = evaluate(expr.args[1]);
  std::int64_t value = 0;
  if (a.kind == Cell::Kind::kAddress || b.kind == Cell::Kind::kAddress) {
    const bool is_first = a.kind == Cell::Kind::kAddress;
    const Cell& base = is_first ? a : b;
    const Cell& steps = is_first ? b : a;
    const bool is_sum = expr.binary == BinaryOperator::kAdd || (is_first && expr.binary == BinaryOperator::kSubtract);
    const auto bytes = static_cast<std::int64_t>(pointee_bytes(unit_.expr(expr.args[is_first ? 0 : 1]).type));
    if (!is_sum || steps.kind != Cell::Kind::kInt || bytes == 0 || __builtin_mul_overflow(steps.number, bytes, &value))
      return unknown(expr, kNoConstant);
    if (expr.binary == BinaryOperator::kSubtract) value = negated(value);
    if (__builtin_add_overflow(base.number, value, &value)) return unknown(expr, kNoConstant);
    return address(expr, {base.object, value});
  }
  if (a.kind != Cell::Kind::kInt || b.kind != Cell::Kind::kInt) return unknown(expr, kNoConstant);
  bool fails = false;
  const bool shifts = b.number >= 0 && b.number < 63;
  switch (expr.binary) {
    case BinaryOperator::kAdd:
      fails = __builtin_add_overflow(a.number, b.number, &value);
      break;
    case BinaryOperator::kSubtract:
      fails = __builtin_sub_overflow(a.number, b.number, &value);
      break;
    case BinaryOperator::kMultiply:
      fails = __builtin_mul_overflow(a.number, b.number, &value);
      break;
    case BinaryOperator::kDivide:
    case BinaryOperator::kRemainder:
      fails = b.number == 0 || b.number == -1;
      if (!fails) value = expr.binary == BinaryOperator::kDivide ? a.number / b.number : a.number % b.number;
      break;
    case BinaryOperator::kShiftLeft:
      fails = !shifts || __builtin_mul_overflow(a.number, std::int64_t{1} << b.number, &value);
      break;
    case BinaryOperator::kShiftRight:
      fails = !shifts || a.number < 0;
      if (!fails) value = a.number >> b.number;
      break;
    case BinaryOperator::kBitAnd:
      value = a.number & b.number;
      break;
    case BinaryOperator::kBitOr:
      value = a.number | b.number;
      break;
    case BinaryOperator::kBitXor:
      value = a.number ^ b.number;
      break;
    case BinaryOperator::kNone:
    case BinaryOperator::kLess:
    case BinaryOperator::kGreater:
    case BinaryOperator::kLessEqual:
    case BinaryOperator::kGreaterEqual:
    case BinaryOperator::kEqual:
    case BinaryOperator::kNotEqual:
    case BinaryOperator::kLogicAnd:
    case BinaryOperator::kLogicOr:
    case BinaryOperator::kComma:
      fails = true;
      break;
  }
  return fails ? unknown(expr, kNoConstant) : number(expr, wrapped(value, expr.type));
}

Cell StaticData::evaluate_cast(const Expr& expr) {
  Cell inner = evaluate(expr.args[0]);
  const bool to_pointer = footprint::is_pointer(expr.type);
  if (to_pointer && inner.kind == Cell::Kind::kInt) {
    if (inner.number != 0) return unknown(expr, "a number as an address");
    inner.kind = Cell::Kind::kNull;
    return inner;
  }
  if (to_pointer) return inner;
  if (inner.kind == Cell::Kind::kInt && is_whole_number(expr.type))
    return number(expr, wrapped(inner.number, expr.type));
  return unknown(expr, inner.kind == Cell::Kind::kAddress ? "an address as a number" : kNoConstant);
}

std::optional<DataPlace> StaticData::place_of(ExprId id) {
  const Expr& expr = unit_.expr(id);
  if (depth_ >= kMostDepth) return std::nullopt;
  const auto behind = [&](ExprId pointer, std::int64_t by) -> std::optional<DataPlace> {
    const Cell cell = evaluate(pointer);
    if (cell.kind != Cell::Kind::kAddress) return std::nullopt;
    std::int64_t offset = 0;
    if (__builtin_add_overflow(cell.number, by, &offset)) return std::nullopt;
    return DataPlace{cell.object, offset};
  };
  ++depth_;
  std::optional<DataPlace> place;
  if (expr.kind == ExprKind::kName) {
    const auto found = names_.find(expr.text);
    if (found != names_.end()) place = DataPlace{found->second, 0};
  } else if (is_compound_literal(expr)) {
    place = DataPlace{add_literal(id), 0};
  } else if (expr.kind == ExprKind::kIndex) {
    const Cell index = evaluate(expr.args[1]);
    const auto bytes = static_cast<std::int64_t>(pointee_bytes(unit_.expr(expr.args[0]).type));
    std::int64_t by = 0;
    const bool is_known =
        index.kind == Cell::Kind::kInt && bytes > 0 && !__builtin_mul_overflow(index.number, bytes, &by);
    if (is_known) place = behind(expr.args[0], by);
  } else if (expr.kind == ExprKind::kMember) {
    if (footprint::is_pointer(unit_.expr(expr.args[0]).type)) {
      place = behind(expr.args[0], expr.value);
    } else if ((place = place_of(expr.args[0]))) {
      if (__builtin_add_overflow(place->offset, expr.value, &place->offset)) place.reset();
    }
  } else if (expr.is(UnaryOperator::kDereference)) {
    place = behind(expr.args[0], 0);
  }
  --depth_;
  return place;
}

}  // namespace detent::models::tvm::entities
