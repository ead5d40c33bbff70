// Places, pointers and the accesses through them; the TVMValue and DLTensor arrays of packed functions; which data of
// the file may change between calls: not by what is seen to write them, but by what is seen to be all that is done with
// them.
#include <algorithm>
#include <utility>

#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/footprint/walk.hpp"

namespace detent::models::tvm::footprint {
namespace {

constexpr std::size_t kMostAccesses = 30'000;
/// An index of data that spans more may lead from one buffer into another.
constexpr std::int64_t kNear = std::int64_t{1} << 20U;

/// x, x.m, x[i], x.m[i][j]: what lies within a variable itself. kNoNode where the way leads through a pointer.
ExprId root_of(const CUnit& unit, ExprId id) {
  while (true) {
    const Expr& expr = unit.expr(id);
    if (expr.kind == ExprKind::kName) return id;
    const bool is_inside = expr.kind == ExprKind::kMember || expr.kind == ExprKind::kIndex;
    if (!is_inside) return kNoNode;
    const CType& base = unit.expr(expr.args[0]).type;
    const bool is_part = expr.kind == ExprKind::kMember ? !is_pointer(base) : !base.extents.empty();
    if (!is_part) return kNoNode;
    id = expr.args[0];
  }
}

bool is_changed(const Expr& parent, std::size_t place) {
  const bool is_assign = parent.kind == ExprKind::kBinary && parent.text.back() == '=' && parent.text != "==" &&
                         parent.text != "<=" && parent.text != ">=" && parent.text != "!=";
  const bool is_step = parent.kind == ExprKind::kUnary && parent.text.size() == 3;
  return (is_assign && place == 0) || is_step || (parent.kind == ExprKind::kUnary && parent.text == "&") ||
         parent.kind == ExprKind::kComponent || parent.kind == ExprKind::kUnknown;
}

/// Is `parent` a part of the variable, too?
bool goes_on(const CUnit& unit, const Expr& parent, ExprId id, std::size_t place) {
  if (place != 0) return false;
  const bool is_array = !unit.expr(id).type.extents.empty();
  return (parent.kind == ExprKind::kIndex && is_array) ||
         (parent.kind == ExprKind::kMember && !is_pointer(unit.expr(id).type));
}

/// Names in an initialiser that the reader has left out.
void names_in(std::string_view text, std::set<std::string>& names) {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i && !is_digit(text[i])) names.emplace(text.substr(i, end - i));
    i = std::max(end, i + 1);
  }
}

}  // namespace

std::uint64_t bytes_of(const CType& type) {
  std::uint64_t bytes = type.pointers > 0 ? type.pointer_bytes : type.scalar_bytes;
  for (const std::uint64_t extent : type.extents) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return 0;
  }
  return bytes;
}

std::uint64_t pointee_bytes(const CType& type) {
  CType inner = type;
  if (!inner.extents.empty()) {
    inner.extents.erase(inner.extents.begin());
  } else if (inner.pointers > 0) {
    --inner.pointers;
  }
  if (inner.pointers == 0 && inner.scalar == CType::Scalar::kVoid) return 1;
  return bytes_of(inner);
}

bool is_pointer(const CType& type) { return type.pointers > 0 || !type.extents.empty(); }

bool is_vector_or_record(const CType& type) {
  return !is_pointer(type) && (type.is_vector || type.scalar == CType::Scalar::kRecord || type.scalar_bytes > 8);
}

bool is_float(const CType& type) {
  return !is_pointer(type) && !type.is_vector && type.scalar == CType::Scalar::kFloat;
}

bool is_integer(const CType& type) {
  const bool whole =
      type.scalar == CType::Scalar::kInt || type.scalar == CType::Scalar::kUInt || type.scalar == CType::Scalar::kBool;
  return !is_pointer(type) && !type.is_vector && whole && type.scalar_bytes <= 8;
}

Range range_of(const CType& type) {
  if (type.scalar == CType::Scalar::kBool) return {0, 1};
  const bool is_unsigned = type.scalar == CType::Scalar::kUInt;
  if (type.scalar_bytes == 0 || type.scalar_bytes >= 8) return {is_unsigned ? 0 : -kFar, kFar};
  const std::int64_t half = std::int64_t{1} << (8 * type.scalar_bytes - 1);
  return is_unsigned ? Range{0, 2 * half - 1} : Range{-half, half - 1};
}

ObjectId Walker::new_object(Object::Kind kind, std::uint32_t index) {
  Object made;
  made.kind = kind;
  made.index = index;
  objects_.push_back(std::move(made));
  return static_cast<ObjectId>(objects_.size() - 1);
}

ObjectId Walker::object(Object::Kind kind, std::uint32_t index) {
  const auto key = std::make_pair(kind, index);
  const auto found = object_ids_.find(key);
  if (found != object_ids_.end()) return found->second;
  const ObjectId id = new_object(kind, index);
  object_ids_.emplace(key, id);
  return id;
}

std::size_t Walker::find_local(const std::string& name) const {
  for (std::size_t i = locals_.size(); i > frames_.back().first_local; --i) {
    if (locals_[i - 1].name == name) return i - 1;
  }
  return SIZE_MAX;
}

std::uint32_t Walker::guards_now() {
  std::vector<NodeId> list = guards_;
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  const auto found = guard_ids_.find(list);
  if (found != guard_ids_.end()) return found->second;
  const auto id = static_cast<std::uint32_t>(guard_lists_.size());
  guard_lists_.push_back(list);
  guard_ids_.emplace(std::move(list), id);
  return id;
}

std::uint32_t Walker::path_now() {
  const auto [known, is_new] = path_ids_.try_emplace(path_, static_cast<std::uint32_t>(paths_.size()));
  if (is_new) paths_.push_back(path_);
  return known->second;
}

void Walker::note(ObjectId object, NodeId offset, std::int64_t width, bool is_write, const std::string& element,
                  bool whole_record) {
  Object& target = objects_[object];
  if (is_write) ++(is_shared(object) ? shared_epoch_ : target.epoch);
  if (is_write && records_read_.contains(object)) fail(0, "a record that changes after it was read");
  target.is_stored = target.is_stored || is_write;
  if (target.kind == Object::Kind::kWild) fail(0, "an access through a pointer that was read from memory");
  if (target.kind == Object::Kind::kConstant && is_write) {
    use_state(0, "file-scope data");
    fail(0, "a write to file-scope data", false);
  }
  if (target.kind != Object::Kind::kParam && target.kind != Object::Kind::kPool) return;
  if (!element.empty()) target.elements.insert(element);
  const Node& place = terms_.node(offset);
  if (place.data && count_of(place.range) > kNear) far_line_ = std::max(result_->line, 1U);
  if (width <= 0) {  // a type of unknown size
    (is_write ? target.writes_escape : target.reads_escape) = true;
    return;
  }
  if (!is_write && !whole_record && is_own(object, offset, width)) return;
  if (accesses_.size() >= kMostAccesses) return fail(0, "too many different accesses to analyse");
  const std::uint32_t guards = guards_now();
  accesses_.insert({object, is_write, offset, width, guards, path_now(), whole_record, is_write && ends_statement_});
  if (is_write && !whole_record) stored_.push_back({object, offset, width, guard_lists_[guards], path_now()});
}

/// Memory that somebody else may know by another name.
bool Walker::is_shared(ObjectId object) const { return objects_[object].kind != Object::Kind::kPrivate; }

/// What was walked earlier happens earlier, but for calls of one statement: they happen in either order, and so do a
/// call and what else stands in its statement.
bool Walker::comes_before_now(const std::vector<PathStep>& path) const {
  for (std::size_t i = 0; i < std::min(path.size(), path_.size()); ++i) {
    if (path[i].loop != path_[i].loop) return false;
    if (path[i].statement != path_[i].statement) return true;
  }
  return path.size() == path_.size();
}

/// Have these bytes been written by this call whenever they are read here? Loop variables in the offset and in the
/// guards stand for one trip, so equal terms are equal bytes, written before by the order of the walk.
bool Walker::is_own(ObjectId object, NodeId offset, std::int64_t width) const {
  return std::any_of(stored_.rbegin(), stored_.rend(), [&](const Stored& stored) {
    return stored.object == object && stored.offset == offset && stored.width >= width &&
           comes_before_now(paths_[stored.path]) &&
           std::all_of(stored.guards.begin(), stored.guards.end(),
                       [&](NodeId guard) { return std::find(guards_.begin(), guards_.end(), guard) != guards_.end(); });
  });
}

/// A pointer leaves the code that we see.
void Walker::escape(const Value& value, bool only_reads) {
  for (const Value& part : value.parts) escape(part, only_reads);
  if (value.kind == Value::Kind::kInt) {  // an address as a number
    for (const VarId variable : terms_.node(value.node).vars) {
      const auto hidden = addresses_.find(variable);
      if (hidden != addresses_.end()) escape(pointer_value(hidden->second, terms_.constant(0)), only_reads);
    }
  }
  if (value.kind != Value::Kind::kPointer) return;
  Object& target = objects_[value.object];
  target.reads_escape = true;
  if (!only_reads) {
    target.writes_escape = true;
    target.is_stored = target.is_stored || !calls_vendor_;
    ++target.epoch;
    ++shared_epoch_;
    if (records_read_.contains(value.object)) fail(0, "a record that may change after it was read");
  }
  if (target.kind != Object::Kind::kPrivate) return;
  for (Local& local : locals_) {  // what a record points to escapes with the record
    if (local.object != value.object || local.value.kind != Value::Kind::kRecord) continue;
    const Value record = local.value;
    local.value = only_reads ? record : Value{};
    for (const Value& part : record.parts) escape(part, only_reads);
  }
}

Walker::Place Walker::place_of_name(const Expr& expr) {
  Place place;
  const std::size_t local = find_local(expr.text);
  if (local != SIZE_MAX) {
    place.local = local;
    place.object = locals_[local].object;
    if (place.object != kNone) place.offset = terms_.constant(0);
    return place;
  }
  const auto global = globals_.find(expr.text);
  if (global != globals_.end() && may_change(*global->second)) use_state(expr.line, expr.text);
  if (global != globals_.end() && global->second->variable.is_thread_local) use_thread_local(expr.line, expr.text);
  place.object =
      global != globals_.end() ? constant_object(global->second->variable) : object(Object::Kind::kConstant, 0);
  place.offset = terms_.constant(0);
  return place;
}

/// A const variable of integers whose values the text gives is an object of its own; all other data of the file are
/// one.
ObjectId Walker::constant_object(const Variable& variable) {
  const auto known = std::find_if(constants_.begin(), constants_.end(),
                                  [&](const ConstantTable& table) { return table.variable == &variable; });
  if (known != constants_.end()) {
    return object(Object::Kind::kConstant, static_cast<std::uint32_t>(known - constants_.begin()) + 1);
  }
  CType element = variable.type;
  element.extents.clear();
  std::uint64_t count = 1;
  for (const std::uint64_t extent : variable.type.extents) {
    if (__builtin_mul_overflow(count, extent, &count)) count = 0;
  }
  const bool is_told = variable.type.is_const && is_integer(element) && element.scalar != CType::Scalar::kBool &&
                       variable.init != kNoNode && count > 0 && variable.type.extents.size() <= 1;
  if (!is_told) return object(Object::Kind::kConstant, 0);
  ConstantTable table = {&variable, {}, count};
  const Expr& init = unit_.expr(variable.init);
  const std::vector<ExprId> parts = init.kind == ExprKind::kInitList ? init.args : std::vector<ExprId>{variable.init};
  for (const ExprId part : parts) {
    if (unit_.expr(part).kind != ExprKind::kInt) return object(Object::Kind::kConstant, 0);
    table.values.push_back(unit_.expr(part).value);
  }
  if (table.values.empty() || table.values.size() > count) return object(Object::Kind::kConstant, 0);
  constants_.push_back(std::move(table));
  return object(Object::Kind::kConstant, static_cast<std::uint32_t>(constants_.size()));
}

/// An element of a constant table: its value, or one of all that the table holds.
std::optional<Value> Walker::read_constant(const Place& place, const CType& type) {
  const Object& target = objects_[place.object];
  if (target.kind != Object::Kind::kConstant || target.index == 0 || place.whole_record) return std::nullopt;
  const ConstantTable& table = constants_[target.index - 1];
  const auto bytes = static_cast<std::int64_t>(type.scalar_bytes);
  const CType& element = table.variable->type;
  const bool is_element = is_integer(type) && type.scalar == element.scalar &&
                          type.scalar_bytes == element.scalar_bytes &&
                          terms_.floor_mod(place.offset, bytes) == terms_.constant(0);
  if (!is_element) return std::nullopt;
  const NodeId index = terms_.floor_div(place.offset, bytes);
  if (terms_.is_constant(index)) {
    const std::int64_t at = terms_.node(index).value;
    if (at < 0 || at >= static_cast<std::int64_t>(table.count)) return std::nullopt;
    const bool is_given = at < static_cast<std::int64_t>(table.values.size());
    return int_value(terms_.constant(is_given ? table.values[static_cast<std::size_t>(at)] : 0));
  }
  const auto [least, most] = std::minmax_element(table.values.begin(), table.values.end());
  const bool has_zeros = table.values.size() < table.count;
  const Range range = {has_zeros ? std::min<std::int64_t>(*least, 0) : *least,
                       has_zeros ? std::max<std::int64_t>(*most, 0) : *most};
  const std::vector<std::uint32_t> key = {place.object, place.offset, type.scalar_bytes, 0,
                                          static_cast<std::uint32_t>(type.scalar)};
  const auto [known, is_new] = loads_.try_emplace(key, kNone);
  if (is_new) known->second = terms_.unknown(range);
  return int_value(known->second);
}

Walker::Place Walker::place_of_member(const Expr& expr) {
  const Expr& base = unit_.expr(expr.args[0]);
  Place place;
  if (!is_pointer(base.type)) {
    place = place_of(expr.args[0]);
    place.whole_record = place.whole_record || place.local != SIZE_MAX;
  } else {
    const Value pointer = evaluate(expr.args[0]);
    place.object = pointer.kind == Value::Kind::kPointer ? pointer.object : object(Object::Kind::kWild, 0);
    place.offset = pointer.kind == Value::Kind::kPointer ? pointer.node : terms_.constant(0);
  }
  if (place.object != kNone) objects_[place.object].holds_records = true;
  if (place.offset != kNone) place.offset = terms_.add(place.offset, terms_.constant(expr.value));
  return place;
}

Walker::Place Walker::place_of(ExprId id) {
  const Expr& expr = unit_.expr(id);
  if (expr.kind == ExprKind::kName) return place_of_name(expr);
  if (expr.kind == ExprKind::kMember) return place_of_member(expr);
  if (expr.kind == ExprKind::kCast) return place_of(expr.args[0]);
  if (expr.kind == ExprKind::kComponent) {
    Place place = place_of(expr.args[0]);
    place.whole_record = true;
    return place;
  }
  Value pointer;
  NodeId index = terms_.constant(0);
  std::uint64_t bytes = 1;
  if (expr.kind == ExprKind::kIndex) {
    pointer = evaluate(expr.args[0]);
    index = int_of(evaluate(expr.args[1]));
    bytes = pointee_bytes(unit_.expr(expr.args[0]).type);
  } else if (expr.kind == ExprKind::kUnary && expr.text == "*") {
    pointer = evaluate(expr.args[0]);
  } else {
    pointer = evaluate(id);
  }
  Place place;
  if (pointer.kind != Value::Kind::kPointer) {
    place.object = object(Object::Kind::kWild, 0);
    place.offset = terms_.constant(0);
    return place;
  }
  place.object = pointer.object;
  place.offset = terms_.add(pointer.node, terms_.scale(index, static_cast<std::int64_t>(bytes)));
  if (bytes == 0) place.offset = terms_.unknown({-kFar, kFar});
  return place;
}

Value Walker::address_of(const Place& place) {
  if (place.local == SIZE_MAX || place.object != kNone) return pointer_value(place.object, place.offset);
  Local& local = locals_[place.local];  // from now on its value is whatever somebody stored there
  local.object = new_object(Object::Kind::kPrivate, 0);
  return pointer_value(local.object, terms_.constant(0));
}

/// A member that nobody has written since the record was initialised.
std::optional<Value> Walker::read_field(const Place& place, const CType& type) {
  if (place.object == kNone || fields_.empty() || !terms_.is_constant(place.offset)) return std::nullopt;
  const auto field = fields_.find({place.object, terms_.node(place.offset).value});
  if (field == fields_.end() || objects_[place.object].epoch != 0) return std::nullopt;
  const CType& own = field->second.first;
  const bool is_same = own.scalar == type.scalar && own.scalar_bytes == type.scalar_bytes &&
                       own.pointers == type.pointers && type.extents.empty() && !type.is_vector;
  if (!is_same) return std::nullopt;
  records_read_.insert(place.object);
  return field->second.second;
}

Value Walker::read(const Place& place, const CType& type) {
  if (const std::optional<Value> field = read_field(place, type)) return *field;
  if (place.local != SIZE_MAX) {
    const Local& local = locals_[place.local];
    if (place.object == kNone) return local.value;
    if (const std::optional<Value> constant = read_constant(place, type)) return *constant;
    if (!type.extents.empty()) return pointer_value(place.object, place.offset);
    if (place.whole_record) return unknown_of(type);
    return local.value.kind == Value::Kind::kRecord ? local.value : unknown_of(type);
  }
  if (!type.extents.empty()) return pointer_value(place.object, place.offset);
  if (const std::optional<Value> constant = read_constant(place, type)) return *constant;
  const auto width = static_cast<std::int64_t>(bytes_of(type));
  note(place.object, place.offset, width, false, type.spelling, place.whole_record);
  if (!is_integer(type)) return unknown_of(type);
  if (place.whole_record || objects_[place.object].writes_escape) return unknown_of(type);
  const std::uint32_t epoch = is_shared(place.object) ? shared_epoch_ : objects_[place.object].epoch;
  const std::vector<std::uint32_t> key = {place.object, place.offset, static_cast<std::uint32_t>(width), epoch,
                                          static_cast<std::uint32_t>(type.scalar)};
  const auto known = loads_.find(key);
  if (known != loads_.end()) return int_value(known->second);
  const Value value = unknown_of(type);
  loads_.emplace(key, value.node);
  return value;
}

void Walker::write(const Place& place, const CType& type, const Value& value) {
  if (place.local != SIZE_MAX && place.object == kNone) {
    Local& local = locals_[place.local];
    local.value = place.whole_record ? Value{} : convert(value, *local.type);
    return;
  }
  if (place.local != SIZE_MAX) {
    note(place.object, place.offset, 1, true, "");
    const bool keeps = value.kind == Value::Kind::kPointer || value.kind == Value::Kind::kRecord;
    if (locals_[place.local].value.kind == Value::Kind::kRecord && keeps && place.whole_record) {
      locals_[place.local].value.parts.push_back(value);  // a member: what it points to travels with the record
    } else if (keeps) {
      escape(value, false);  // an address can be read back by any other way to these bytes
    }
    return;
  }
  note(place.object, place.offset, static_cast<std::int64_t>(bytes_of(type)), true, type.spelling, place.whole_record);
  escape(value, false);  // an address can be read back anywhere
}

Value Walker::assign(const Expr& expr) {
  const Expr& target = unit_.expr(expr.args[0]);
  const bool is_whole_statement = &expr == whole_statement_;
  Value value = evaluate(expr.args[1]);
  const Place place = place_of(expr.args[0]);
  if (expr.text != "=") {
    const Value before = read(place, target.type);
    const std::string op = expr.text.substr(0, expr.text.size() - 1);
    // The compiler has converted the operand to the type of the operation, but for shifts, whose type is the target's.
    const bool takes_operands_type = !is_pointer(target.type) && op != "<<" && op != ">>";
    const CType& type = takes_operands_type ? unit_.expr(expr.args[1]).type : target.type;
    value = arithmetic(op, takes_operands_type ? convert(before, type) : before, value, type);
  }
  value = is_vector_or_record(target.type) ? value : convert(value, target.type);
  ends_statement_ = is_whole_statement;
  write(place, target.type, value);
  ends_statement_ = false;
  return value;
}

/// ++x, x--, ...
Value Walker::step(const Expr& expr) {
  const Expr& target = unit_.expr(expr.args[0]);
  const Place place = place_of(expr.args[0]);
  const Value before = read(place, target.type);
  const bool is_prefix = expr.text.front() == '+' || expr.text.front() == '-';
  const std::string op = is_prefix ? expr.text.substr(0, 1) : expr.text.substr(expr.text.size() - 1);
  const Value after = convert(arithmetic(op, before, int_value(terms_.constant(1)), target.type), target.type);
  write(place, target.type, after);
  return is_prefix ? after : before;
}

/// False: no function has so many arguments.
bool Walker::need_argument(std::uint32_t index) {
  constexpr std::uint32_t kMostArguments = 4096;
  if (index >= kMostArguments) {
    fail(0, "an argument number beyond any function's");
    return false;
  }
  if (result_->params.size() > index) return true;
  result_->params.resize(index + 1);
  result_->param_names.resize(index + 1);
  result_->param_elements.resize(index + 1);
  return true;
}

/// ((TVMValue*)args)[k].v_handle is a tensor, its data is the memory of argument k.
Value Walker::read_member(const Expr& expr) {
  const Place place = place_of_member(expr);
  if (place.local != SIZE_MAX) return read(place, expr.type);
  const Object target = objects_[place.object];
  if (target.kind == Object::Kind::kArguments) {
    const Node& offset = terms_.node(place.offset);
    if (expr.text != "v_handle" || !terms_.is_constant(place.offset) || offset.value < 0) return unknown_of(expr.type);
    const auto index = static_cast<std::uint32_t>(std::min<std::int64_t>(offset.value / 8, UINT32_MAX));
    if (!need_argument(index)) return unknown_of(expr.type);
    return pointer_value(object(Object::Kind::kTensor, index), terms_.constant(0));
  }
  if (target.kind == Object::Kind::kTensor) {
    if (expr.text == "data") return pointer_value(object(Object::Kind::kParam, target.index), terms_.constant(0));
    if (is_pointer(expr.type)) return pointer_value(object(Object::Kind::kConstant, 0), terms_.constant(0));
    return unknown_of(expr.type);
  }
  return read(place, expr.type);
}

/// Variables of the file that are not only read by their names: assigned, stepped, handed out by address or as arrays,
/// anywhere in the file.
const std::set<std::string>& Walker::written_globals() {
  if (written_globals_) return *written_globals_;
  std::set<std::string>& written = written_globals_.emplace();
  std::vector<bool> has_parent(unit_.exprs.size(), false);
  const auto hand_out = [&](ExprId id) {
    const ExprId root = root_of(unit_, id);
    if (root != kNoNode) written.insert(unit_.expr(root).text);
  };
  for (const Expr& parent : unit_.exprs) {
    for (std::size_t i = 0; i < parent.args.size(); ++i) {
      const ExprId id = parent.args[i];
      has_parent[id] = true;
      const bool decays = !unit_.expr(id).type.extents.empty() && !goes_on(unit_, parent, id, i);
      if (decays || is_changed(parent, i)) hand_out(id);
    }
    const bool is_left_out = parent.kind == ExprKind::kInitList && parent.args.empty();
    if (is_left_out) names_in(text_of(parent.range), written);
  }
  for (ExprId id = 0; id < unit_.exprs.size(); ++id) {
    if (!has_parent[id] && !unit_.expr(id).type.extents.empty()) hand_out(id);
  }
  return written;
}

/// Other files may write what they can name, and assembly what it likes.
bool Walker::may_change(const Global& global) {
  if (global.variable.type.is_const) return false;
  if (!global.is_static) return true;
  if (!has_assembly_) has_assembly_ = unit_.text.find("asm") != std::string::npos;
  return *has_assembly_ || written_globals().contains(global.variable.name);
}

}  // namespace detent::models::tvm::footprint
