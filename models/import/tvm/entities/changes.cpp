#include "models/import/tvm/entities/changes.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/footprint/memory/value.hpp"
#include "models/import/tvm/footprint/walk/syntax.hpp"

namespace detent::models::tvm::entities {
namespace {

using footprint::bytes_of;
using footprint::is_pointer;

constexpr std::uint32_t kMostFollowed = 16;  ///< pointers that get the values of others

/// Functions of the C library that write what their first argument points to.
bool writes_first(std::string_view name) {
  constexpr std::string_view kBuiltin = "__builtin_";
  if (name.starts_with(kBuiltin)) name.remove_prefix(kBuiltin.size());
  constexpr std::array<std::string_view, 7> kNames = {"memset",  "memcpy", "memmove",    "strcpy",
                                                      "strncpy", "bzero",  "atomic_init"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Functions of the C library and of threads that keep what their arguments point to, or change what is theirs alone.
bool keeps_arguments(std::string_view name) {
  constexpr std::array<std::string_view, 8> kFamilies = {"pthread_", "atomic_", "__atomic_", "__c11_atomic_",
                                                         "__sync_",  "mtx_",    "cnd_",      "sem_"};
  constexpr std::array<std::string_view, 3> kReaders = {"printf", "fprintf", "memcmp"};
  return std::any_of(kFamilies.begin(), kFamilies.end(), [&](std::string_view it) { return name.starts_with(it); }) ||
         std::find(kReaders.begin(), kReaders.end(), name) != kReaders.end();
}

bool allocates(const std::string& name) {
  return name == "malloc" || name == "calloc" || name == "aligned_alloc" || name == "realloc" || name == "alloca";
}

bool is_number(const CType& type) {
  return type.pointers == 0 && type.extents.empty() &&
         (type.scalar == CType::Scalar::kInt || type.scalar == CType::Scalar::kUInt ||
          type.scalar == CType::Scalar::kBool || type.scalar == CType::Scalar::kOther);
}

/// "struct entity" of what a pointer, an array or a record is made of.
std::string bare_record(const CType& type) {
  std::string name = type.spelling;
  for (const std::string_view word : {"const ", "volatile "}) {
    if (name.starts_with(word)) name = name.substr(word.size());
  }
  name = name.substr(0, name.find_first_of("*["));
  while (name.ends_with(' ')) name.pop_back();
  return name;
}

/// May a pointer of one type be written where one of the other lies? Pointers to void are taken for any but functions.
bool may_alias_pointer(const CType& written, const CType& held) {
  const bool is_function = is_function_pointer(written), holds_function = is_function_pointer(held);
  if (is_function || holds_function) return is_function && holds_function;
  const bool is_void = written.scalar == CType::Scalar::kVoid || held.scalar == CType::Scalar::kVoid;
  if (is_void) return true;
  if (written.scalar != held.scalar) return false;
  return written.scalar != CType::Scalar::kRecord || bare_record(written) == bare_record(held);
}

/// May an lvalue of one type name an object of the other?
bool may_alias(const CType& written, const CType& held) {
  const bool is_byte = written.pointers == 0 && written.scalar_bytes <= 1;  // of unknown size, too
  if (is_byte) return true;
  if (written.pointers > 0 || held.pointers > 0)
    return written.pointers > 0 && held.pointers > 0 && may_alias_pointer(written, held);
  if (written.scalar == CType::Scalar::kRecord) return true;
  return is_number(written) && is_number(held) && (held.scalar_bytes == 0 || written.scalar_bytes == held.scalar_bytes);
}

/// What an array or pointer leads to.
CType pointee(const CType& type) {
  if (!type.extents.empty()) return element_of(type);
  CType inner = type;
  if (inner.pointers > 0) --inner.pointers;
  return inner;
}

}  // namespace

Changes::Changes(const CUnit& unit, StaticData& data, const std::set<std::string>& entities)
    : unit_(unit), data_(data) {
  for (const Expr& expr : unit.exprs) {
    if (expr.kind != ExprKind::kAssign || unit.expr(expr.args[0]).kind != ExprKind::kMember) continue;
    const Expr& member = unit.expr(expr.args[0]);
    member_values_[{bare_record(unit.expr(member.args[0]).type), member.value}].push_back(expr.args[1]);
  }
  find_functions_behind_pointers();
  // Again, while functions are found to write through their parameters.
  do {
    has_grown_ = false;
    for (const Function& function : unit.functions) {
      if (function.body != kNoNode && !entities.contains(function.name)) read_function(function);
    }
  } while (has_grown_);
}

/// Functions that are named otherwise than to call them: who calls them, and with what, is not seen.
void Changes::find_functions_behind_pointers() {
  std::set<ExprId> callees;
  for (const Expr& expr : unit_.exprs) {
    if (expr.kind != ExprKind::kCall) continue;
    callees.insert(expr.args[0]);
    called_.insert(unit_.expr(expr.args[0]).text);
  }
  for (ExprId id = 0; id < unit_.exprs.size(); ++id) {
    const Expr& expr = unit_.expr(id);
    if (expr.kind == ExprKind::kName && !callees.contains(id)) behind_pointers_.insert(expr.text);
  }
}

void Changes::read_function(const Function& function) {
  function_ = &function;
  local_values_.clear();
  locals_.clear();
  parameters_.clear();
  for (const Variable& parameter : function.params) {
    parameters_.insert(parameter.name);
    locals_[parameter.name] = parameter.type;
  }
  std::vector<StmtId> unknown;
  const std::function<void(StmtId)> declare = [&](StmtId id) {
    const Stmt& stmt = unit_.stmt(id);
    if (stmt.kind == StmtKind::kDeclare) {
      locals_[stmt.variable.name] = stmt.variable.type;
      if (stmt.variable.init != kNoNode) local_values_[stmt.variable.name].push_back(stmt.variable.init);
    }
    if (stmt.kind == StmtKind::kUnknown) unknown.push_back(id);
    if (stmt.init != kNoNode) declare(stmt.init);
    for (const StmtId child : stmt.body) declare(child);
    for (const StmtId child : stmt.else_body) declare(child);
  };
  declare(function.body);
  for (const StmtId id : unknown) read_text(unit_.stmt(id).range, unit_.stmt(id).line);
  const std::function<void(ExprId)> assign = [&](ExprId id) {
    const Expr& expr = unit_.expr(id);
    const bool is_local = expr.kind == ExprKind::kAssign && unit_.expr(expr.args[0]).kind == ExprKind::kName;
    if (is_local) local_values_[unit_.expr(expr.args[0]).text].push_back(expr.args[1]);
    for (const ExprId part : expr.args) assign(part);
  };
  footprint::each_expression(unit_, function.body, assign);
  footprint::each_expression(unit_, function.body, [&](ExprId id) { read_expression(id); });
}

/// A statement of which there is no tree: assignments by their text, `name[..].member =`.
void Changes::read_text(const SourceRange& range, std::uint32_t line) {
  if (range.begin >= range.end || range.end > unit_.text.size()) return;
  const std::string_view text = std::string_view(unit_.text).substr(range.begin, range.end - range.begin);
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : ' '; };
  const auto skip = [&](std::size_t i) {
    while (i < text.size() && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t')) ++i;
    return i;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_word(text[i]) || is_digit(text[i]) || (i > 0 && is_word(text[i - 1]))) continue;
    std::size_t end = i;
    while (is_word(at(end))) ++end;
    const std::string name(text.substr(i, end - i));
    std::size_t behind = skip(end);
    while (at(behind) == '[') {
      int depth = 0;
      do {
        depth += at(behind) == '[' ? 1 : at(behind) == ']' ? -1 : 0;
        ++behind;
      } while (depth > 0 && behind < text.size());
      behind = skip(behind);
    }
    const bool assigns = (at(behind) == '=' && at(behind + 1) != '=') ||
                         (std::string_view("+-*/%&|^").find(at(behind)) != std::string_view::npos &&
                          (at(behind + 1) == '=' || (at(behind + 1) == at(behind) && at(behind) != '*'))) ||
                         (i > 1 && (text.substr(i - 2, 2) == "++" || text.substr(i - 2, 2) == "--"));
    if (!assigns) continue;
    if (const auto object = data_.object_named(name); object && !locals_.contains(name)) add_object(*object, line);
    for (const auto& [record, layout] : unit_.layouts) {
      for (const RecordLayout::Member& member : layout.members) {
        if (member.name == name)
          members_[record].push_back({static_cast<std::int64_t>(member.offset),
                                      static_cast<std::int64_t>(std::max<std::uint64_t>(bytes_of(member.type), 1)),
                                      line});
      }
    }
  }
}

void Changes::read_expression(ExprId id) {
  const Expr& expr = unit_.expr(id);
  if (expr.kind == ExprKind::kAssign || expr.is_step()) add_target(expr.args[0]);
  if (expr.kind == ExprKind::kCall) read_call(expr);
  for (const ExprId part : expr.args) read_expression(part);
}

void Changes::read_call(const Expr& expr) {
  const Expr& callee = unit_.expr(expr.args[0]);
  if (callee.kind != ExprKind::kName || expr.args.size() < 2) return;
  if (writes_first(callee.text)) {
    write_behind_argument(expr, 0);
  } else if (!keeps_arguments(callee.text) && !has_body(callee.text)) {
    write_addresses(expr);
  }
  const auto written = written_parameters_.find(callee.text);
  if (written == written_parameters_.end()) return;
  const std::set<std::size_t> parameters = written->second;  // reading on may add to it
  for (const std::size_t parameter : parameters) write_behind_argument(expr, parameter);
}

bool Changes::has_body(const std::string& name) const {
  return std::any_of(unit_.functions.begin(), unit_.functions.end(),
                     [&](const Function& function) { return function.body != kNoNode && function.name == name; });
}

/// What a function of another file is given the address of, it may write, then or later.
void Changes::write_addresses(const Expr& call) {
  for (std::size_t i = 0; i + 1 < call.args.size(); ++i) {
    const Expr& given = unit_.expr(footprint::stripped(unit_, call.args[i + 1]));
    if (given.is(UnaryOperator::kAddressOf)) write_behind_argument(call, i);
  }
}

void Changes::write_behind_argument(const Expr& expr, std::size_t argument) {
  if (argument + 1 >= expr.args.size()) return;
  const ExprId target = footprint::stripped(unit_, expr.args[argument + 1]);
  const Expr& first = unit_.expr(target);
  if (first.is(UnaryOperator::kAddressOf)) {
    const Expr& named = unit_.expr(first.args[0]);
    if (named.kind == ExprKind::kName && !names_local(first.args[0])) {
      if (const auto object = data_.object_named(named.text)) add_object(*object, expr.line);
      return;
    }
    return add_target(first.args[0]);
  }
  add_behind(target, pointee(first.type), expr.line);
}

bool Changes::names_local(ExprId id) const {
  const Expr& expr = unit_.expr(id);
  return expr.kind == ExprKind::kName && locals_.contains(expr.text);
}

/// Another offset than a constant one is any offset of the object.
void Changes::add_object(std::uint32_t object, std::uint32_t line) {
  spans_[object].push_back({INT64_MIN, INT64_MAX, line});
}

void Changes::add_target(ExprId id) {
  id = footprint::stripped(unit_, id);
  const Expr& expr = unit_.expr(id);
  // The way down to a name, as long as it stays within one object.
  ExprId root = id;
  const Expr* member = nullptr;
  while (true) {
    const Expr& at = unit_.expr(root);
    if (at.kind == ExprKind::kMember) {
      if (member == nullptr) member = &at;
      if (is_pointer(unit_.expr(at.args[0]).type)) break;
      root = at.args[0];
    } else if (at.kind == ExprKind::kIndex && !unit_.expr(at.args[0]).type.extents.empty()) {
      root = at.args[0];
    } else if (at.kind == ExprKind::kCast) {
      root = at.args[0];
    } else {
      break;
    }
  }
  const Expr& base = unit_.expr(root);
  if (base.kind == ExprKind::kName) {
    // A parameter that is declared as an array is a pointer.
    const bool is_parameter = parameters_.contains(base.text) && root != id && is_pointer(base.type);
    if (names_local(root) && !is_parameter) return;
    if (!names_local(root)) {
      const auto object = data_.object_named(base.text);
      if (!object) return;
      const auto place = data_.place_of(id);
      const auto bytes = static_cast<std::int64_t>(bytes_of(expr.type));
      const bool is_known = place && bytes != 0;
      if (!is_known && member == nullptr) return add_object(*object, expr.line);
      if (is_known) spans_[place->object].push_back({place->offset, place->offset + bytes, expr.line});
      if (is_known) return;
    }
  }
  if (member != nullptr) {
    const std::string record = bare_record(unit_.expr(member->args[0]).type);
    const auto bytes = static_cast<std::int64_t>(bytes_of(member->type));
    members_[record].push_back({member->value, bytes == 0 ? INT32_MAX : bytes, expr.line});
    return;
  }
  if (base.kind == ExprKind::kIndex || base.is(UnaryOperator::kDereference))
    return add_behind(base.args[0], expr.type, expr.line);
  through_pointers_.push_back({expr.type, expr.line});
}

/// *pointer is written, as this type.
void Changes::add_behind(ExprId pointer, const CType& type, std::uint32_t line) {
  if (!follow_value(pointer, line, 0)) through_pointers_.push_back({type, line});
}

bool Changes::follow_local(const std::string& name, std::uint32_t line, std::uint32_t depth) {
  if (!locals_.at(name).extents.empty()) return !parameters_.contains(name);  // an array of the function's own
  if (parameters_.contains(name)) {
    const bool is_seen = called_.contains(function_->name) && !behind_pointers_.contains(function_->name);
    if (!is_seen) return false;
    const auto parameter = std::find_if(function_->params.begin(), function_->params.end(),
                                        [&](const Variable& one) { return one.name == name; });
    const auto index = static_cast<std::size_t>(parameter - function_->params.begin());
    has_grown_ = written_parameters_[function_->name].insert(index).second || has_grown_;
    return true;
  }
  const auto values = local_values_.find(name);
  if (values == local_values_.end()) return true;
  return std::all_of(values->second.begin(), values->second.end(),
                     [&](ExprId value) { return follow_value(value, line, depth + 1); });
}

/// @return  false: it may point to anything
bool Changes::follow_value(ExprId id, std::uint32_t line, std::uint32_t depth) {
  id = footprint::stripped(unit_, id);
  const Expr& expr = unit_.expr(id);
  if (depth > kMostFollowed) return false;
  if (expr.kind == ExprKind::kInt) return true;
  if (expr.kind == ExprKind::kCall) {
    const Expr& callee = unit_.expr(expr.args[0]);
    return callee.kind == ExprKind::kName && allocates(callee.text);
  }
  if (expr.kind == ExprKind::kBinary || expr.is_step()) {
    return std::all_of(expr.args.begin(), expr.args.end(), [&](ExprId part) {
      return !is_pointer(unit_.expr(part).type) || follow_value(part, line, depth + 1);
    });
  }
  if (names_local(id)) return follow_local(expr.text, line, depth);
  if (expr.kind == ExprKind::kMember && expr.type.extents.empty()) return follow_member(expr, line);
  const bool is_address = expr.is(UnaryOperator::kAddressOf);
  ExprId root = is_address ? expr.args[0] : id;
  while ((unit_.expr(root).kind == ExprKind::kIndex || unit_.expr(root).kind == ExprKind::kMember) &&
         !unit_.expr(unit_.expr(root).args[0]).type.pointers) {
    root = unit_.expr(root).args[0];
  }
  const Expr& base = unit_.expr(root);
  if (base.kind != ExprKind::kName) return false;
  if (names_local(root)) return is_address || !locals_.at(base.text).extents.empty();
  const auto object = data_.object_named(base.text);
  const bool is_inside = object && (is_address || !unit_.expr(id).type.extents.empty());
  if (is_inside) add_object(*object, line);
  return is_inside;
}

/// A pointer that a record holds: all that the file puts there, by assignments and by initialisers.
bool Changes::follow_member(const Expr& member, std::uint32_t line) {
  const std::string record = bare_record(unit_.expr(member.args[0]).type);
  const auto values = member_values_.find({record, member.value});
  bool is_known = false;
  if (values != member_values_.end()) {
    for (const ExprId value : values->second) {
      const Expr& given = unit_.expr(footprint::stripped(unit_, value));
      const bool is_fresh = given.kind == ExprKind::kCall && unit_.expr(given.args[0]).kind == ExprKind::kName &&
                            allocates(unit_.expr(given.args[0]).text);
      if (!is_fresh && given.kind != ExprKind::kInt) return false;
      is_known = true;
    }
  }
  for (const auto& [place, cell] : data_.cells()) {
    const DataObject& object = data_.objects()[place.object];
    if (cell.kind != Cell::Kind::kAddress || bare_record(object.type) != record) continue;
    const std::uint64_t size = object.type.extents.empty() ? 0 : object.size_bytes / object.type.extents[0];
    const std::int64_t offset = size == 0 ? place.offset : place.offset % static_cast<std::int64_t>(size);
    if (offset != member.value) continue;
    add_object(cell.object, line);
    is_known = true;
  }
  return is_known;
}

std::uint32_t Changes::line_of(const DataPlace& place, const CType& type) const {
  const auto bytes = static_cast<std::int64_t>(std::max<std::uint64_t>(bytes_of(type), 1));
  if (const auto spans = spans_.find(place.object); spans != spans_.end()) {
    for (const Span& span : spans->second) {
      if (span.begin < place.offset + bytes && place.offset < span.end) return span.line;
    }
  }
  const DataObject& object = data_.objects()[place.object];
  if (object.is_constant || object.type.is_const) return 0;
  // Records around the place, from outside in.
  CType at = object.type;
  std::int64_t offset = place.offset;
  bool is_in_record = false;
  for (std::uint32_t depth = 0; depth < kMostFollowed; ++depth) {
    if (!at.extents.empty()) {
      at = element_of(at);
      const auto size = static_cast<std::int64_t>(bytes_of(at));
      if (size > 0) offset %= size;
      continue;
    }
    if (at.pointers != 0 || at.scalar != CType::Scalar::kRecord) break;
    is_in_record = true;
    const std::string record = name_of_record(at);
    if (const auto written = members_.find(record); written != members_.end()) {
      for (const MemberWritten& one : written->second) {
        if (one.offset < offset + bytes && offset < one.offset + one.bytes) return one.line;
      }
    }
    const auto layout = unit_.layouts.find(record);
    if (layout == unit_.layouts.end()) break;
    const RecordLayout::Member* inner = nullptr;
    for (const RecordLayout::Member& one : layout->second.members) {
      if (static_cast<std::int64_t>(one.offset) <= offset) inner = &one;
    }
    if (inner == nullptr) break;
    offset -= static_cast<std::int64_t>(inner->offset);
    at = inner->type;
  }
  for (const Written& one : through_pointers_) {
    const bool is_record = one.type.pointers == 0 && one.type.scalar == CType::Scalar::kRecord;
    if (is_record ? is_in_record : may_alias(one.type, type)) return one.line;
  }
  return 0;
}

}  // namespace detent::models::tvm::entities
