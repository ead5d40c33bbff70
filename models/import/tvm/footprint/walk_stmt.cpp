// Statements in order; branches are both taken under their conditions.
#include <algorithm>
#include <string>

#include "models/import/tvm/footprint/walk.hpp"

namespace detent::models::tvm::footprint {
namespace {

constexpr std::uint64_t kMostSteps = 1'000'000;

}  // namespace

Walker::Walker(const CUnit& unit, Terms& terms, const FootprintOptions& options)
    : unit_(unit), terms_(terms), options_(options) {
  for (const Global& global : unit.globals) globals_[global.variable.name] = &global;
  for (const Function& function : unit.functions) {
    if (function.body != kNoNode) definitions_.emplace(function.name, &function);
  }
}

void Walker::run(const Function& function, FunctionFootprint& result) {
  result_ = &result;
  frames_.emplace_back();
  frames_.back().function = &function;
  frames_.back().addressed = &addressed_in(function);
  for (std::uint32_t i = 0; i < function.params.size(); ++i) {
    const CType& type = function.params[i].type;
    Value value = unknown_of(type);
    if (is_pointer(type) && !options_.packed) {
      value = pointer_value(object(Object::Kind::kParam, i), terms_.constant(0));
    } else if (is_pointer(type)) {
      value = pointer_value(i == 0 ? object(Object::Kind::kArguments, 0) : new_object(Object::Kind::kPrivate, 0),
                            terms_.constant(0));
    }
    declare_parameter(function.params[i], std::move(value));
  }
  if (has_goto({function.body})) refuse_labels({function.body});
  execute(function.body);
  if (numbers_addresses_ && far_line_ != 0) fail(far_line_, "an index that may be the distance of two buffers");
}

/// Who takes a parameter's address may change it: what it points to may then be used in any way.
void Walker::declare_parameter(const Variable& param, Value value) {
  Local local = {param.name, &param.type, std::move(value), kNone};
  if (frames_.back().addressed->contains(param.name)) {
    escape(local.value, false);
    local.value = unknown_of(param.type);
    local.object = new_object(Object::Kind::kPrivate, 0);
  }
  locals_.push_back(std::move(local));
}

void Walker::fail(std::uint32_t line, const std::string& why, bool hides_accesses) {
  result_->hides_accesses = result_->hides_accesses || hides_accesses;
  if (!result_->understood) return;
  result_->understood = false;
  result_->why = why;
  if (line != 0) result_->line = line;
  result_->file = frames_.back().function->file;
}

/// Something that outlives the call: whoever else uses it must not come before this call on one run and after it on
/// another.
void Walker::use_state(std::uint32_t line, const std::string& name) {
  if (!result_->state.empty()) return;
  result_->state = name;
  result_->state_line = line;
  result_->state_file = frames_.back().function->file;
}

void Walker::use_thread_local(std::uint32_t line, const std::string& name) {
  result_->is_per_thread = true;
  fail(line, "a variable of which each thread has its own: " + name, false);
}

bool Walker::spend(std::uint32_t line) {
  if (result_->understood && line != 0) result_->line = line;
  if (++steps_ <= kMostSteps) return true;
  fail(line, "too much text to analyse");
  return false;
}

void Walker::count_flops(std::uint64_t operations) {
  std::uint64_t more = 0;
  if (__builtin_mul_overflow(operations, trips_, &more) ||
      __builtin_add_overflow(result_->flops, more, &result_->flops)) {
    result_->flops = UINT64_MAX;
  }
}

std::string Walker::text_of(const SourceRange& range) const {
  if (range.begin >= range.end || range.end > unit_.text.size()) return {};
  return unit_.text.substr(range.begin, range.end - range.begin);
}

Walker::Flow Walker::execute_all(const std::vector<StmtId>& body) {
  const std::size_t first = locals_.size();
  const std::uint64_t stack = stack_bytes_;
  Flow flow = Flow::kNext;
  path_.push_back({loop_, 0});
  const std::size_t depth = path_.size();
  for (const StmtId id : body) {
    flow = execute(id);
    if (flow == Flow::kStops) break;
    ++path_[depth - 1].statement;
  }
  path_.pop_back();
  locals_.resize(first);
  stack_bytes_ = stack;
  return flow;
}

Walker::Flow Walker::execute(StmtId id) {
  const Stmt& stmt = unit_.stmt(id);
  if (!spend(stmt.line)) return Flow::kStops;
  switch (stmt.kind) {
    case StmtKind::kDeclare:
      declare(stmt);
      return Flow::kNext;
    case StmtKind::kExpr:
      whole_statement_ = &unit_.expr(stmt.expr);
      evaluate_unused(stmt.expr);
      return Flow::kNext;
    case StmtKind::kFor:
      execute_for(stmt);
      return Flow::kNext;
    case StmtKind::kWhile:
      execute_while(stmt);
      return Flow::kNext;
    case StmtKind::kIf:
      return execute_if(stmt);
    case StmtKind::kReturn:
      return execute_return(stmt);
    case StmtKind::kBlock:
      return execute_all(stmt.body);
    case StmtKind::kBreak:
    case StmtKind::kContinue:
      return Flow::kStops;
    case StmtKind::kGoto:
      return leave_function();
    case StmtKind::kLabel:
      return execute_label(stmt);
    case StmtKind::kUnknown:
      break;
  }
  fail(stmt.line, "a statement that is not understood: " + (stmt.word.empty() ? "?" : stmt.word));
  return Flow::kNext;
}

/// A goto is a return, since labels stand only before returns.
Walker::Flow Walker::leave_function() {
  frames_.back().result = Value{};
  frames_.back().has_result = true;
  return Flow::kStops;
}

Walker::Flow Walker::execute_label(const Stmt& stmt) {
  if (is_labelled_return(stmt)) {
    const Stmt& inner = unit_.stmt(stmt.body[0]);
    if (inner.expr != kNoNode) evaluate(inner.expr);
    return leave_function();
  }
  fail(stmt.line, "a label that stands before no plain return");
  return Flow::kNext;
}

/// Labels may stand where nothing comes in order: behind a return, in a branch never taken, in a statement that is not
/// understood.
void Walker::refuse_labels(const std::vector<StmtId>& body) {
  for (const StmtId id : body) {
    const Stmt& stmt = unit_.stmt(id);
    if (stmt.kind == StmtKind::kLabel && !is_labelled_return(stmt))
      fail(stmt.line, "a label that stands before no plain return");
    if (stmt.kind == StmtKind::kUnknown) fail(stmt.line, "a statement that is not understood: " + stmt.word);
    refuse_labels(stmt.body);
    refuse_labels(stmt.else_body);
  }
}

bool Walker::has_goto(const std::vector<StmtId>& body) const {
  return std::any_of(body.begin(), body.end(), [&](StmtId id) {
    const Stmt& stmt = unit_.stmt(id);
    return stmt.kind == StmtKind::kGoto || has_goto(stmt.body) || has_goto(stmt.else_body);
  });
}

/// out: return code;
bool Walker::is_labelled_return(const Stmt& stmt) const {
  if (stmt.kind != StmtKind::kLabel || stmt.body.size() != 1) return false;
  const Stmt& inner = unit_.stmt(stmt.body[0]);
  if (inner.kind != StmtKind::kReturn) return false;
  if (inner.expr == kNoNode) return true;
  ExprId id = inner.expr;
  while (unit_.expr(id).kind == ExprKind::kCast ||
         (unit_.expr(id).kind == ExprKind::kUnary && unit_.expr(id).text == "-"))
    id = unit_.expr(id).args[0];
  return unit_.expr(id).kind == ExprKind::kInt || unit_.expr(id).kind == ExprKind::kName;
}

Walker::Flow Walker::execute_return(const Stmt& stmt) {
  const std::size_t depth = frames_.size();
  const Value value = stmt.expr != kNoNode ? evaluate(stmt.expr) : Value{};
  Frame& now = frames_[depth - 1];  // calls in the expression have moved the frames
  const bool is_sure = guards_.size() == now.first_guard && now.loops == 0 && !now.has_result;
  if (is_error_return(stmt) && !is_sure) return Flow::kStops;
  now.result = is_sure ? value : Value{};
  now.has_result = true;
  return Flow::kStops;
}

/// return -1: what follows is what happens when all goes well.
bool Walker::is_error_return(const Stmt& stmt) const {
  if (stmt.kind != StmtKind::kReturn || stmt.expr == kNoNode) return false;
  ExprId id = stmt.expr;
  while (unit_.expr(id).kind == ExprKind::kCast) id = unit_.expr(id).args[0];
  const Expr& expr = unit_.expr(id);
  const bool is_negative =
      expr.kind == ExprKind::kUnary && expr.text == "-" && unit_.expr(expr.args[0]).kind == ExprKind::kInt;
  return frames_.size() == 1 && (is_negative || (expr.kind == ExprKind::kInt && expr.value != 0));
}

/// May the statements leave their loop (break, continue, goto) or their function other than by an error?
bool Walker::leaves(const std::vector<StmtId>& body, bool only_function) const {
  return std::any_of(body.begin(), body.end(), [&](StmtId id) {
    const Stmt& stmt = unit_.stmt(id);
    if (stmt.kind == StmtKind::kReturn) return !is_error_return(stmt);
    if (stmt.kind == StmtKind::kBreak || stmt.kind == StmtKind::kContinue) return !only_function;
    if (stmt.kind == StmtKind::kGoto || stmt.kind == StmtKind::kUnknown) return true;
    if (stmt.kind == StmtKind::kLabel) return !is_labelled_return(stmt);
    const bool is_loop = stmt.kind == StmtKind::kFor || stmt.kind == StmtKind::kWhile;
    return leaves(stmt.body, only_function || is_loop) || leaves(stmt.else_body, only_function);
  });
}

std::vector<Value> Walker::values() const {
  std::vector<Value> result;
  for (const Local& local : locals_) result.push_back(local.value);
  return result;
}

void Walker::merge(NodeId condition, const std::vector<Value>& held, const std::vector<Value>& failed) {
  for (std::size_t i = 0; i < locals_.size(); ++i) {
    const Value& a = held[i];
    const Value& b = failed[i];
    const bool same = a.kind == b.kind && a.node == b.node && a.object == b.object && a.parts.size() == b.parts.size();
    locals_[i].value = same ? a : choose(condition, a, b, *locals_[i].type);
  }
}

/// Conditions that a part of the branch left behind end with it; what follows the branch may then not happen.
Walker::Flow Walker::execute_branch(const std::vector<StmtId>& body, NodeId condition, bool& left_early) {
  const std::size_t before = guards_.size();
  guards_.push_back(condition);
  const Flow flow = execute_all(body);
  left_early = left_early || guards_.size() > before + 1;
  guards_.resize(before);
  return flow;
}

Walker::Flow Walker::execute_if(const Stmt& stmt) {
  const NodeId condition = condition_of(evaluate(stmt.expr));
  const NodeId otherwise = terms_.logic_not(condition);
  if (condition == terms_.constant(1)) return execute_all(stmt.body);
  if (condition == terms_.constant(0)) return execute_all(stmt.else_body);
  const std::vector<Value> start = values();
  const std::uint64_t flops = result_->flops;
  bool left_early = false;
  const Flow first = execute_branch(stmt.body, condition, left_early);
  const std::vector<Value> held = values();
  const std::uint64_t flops_first = result_->flops;
  result_->flops = flops;
  for (std::size_t i = 0; i < locals_.size(); ++i) locals_[i].value = start[i];
  const Flow second = execute_branch(stmt.else_body, otherwise, left_early);
  result_->flops = std::max(result_->flops, flops_first);
  if (first == Flow::kStops && second == Flow::kStops) return Flow::kStops;
  if (first == Flow::kNext && second == Flow::kNext) merge(condition, held, values());
  if (first == Flow::kNext && second == Flow::kStops) {
    for (std::size_t i = 0; i < locals_.size(); ++i) locals_[i].value = held[i];
  }
  const bool only_errors = !leaves(stmt.body, false) && !leaves(stmt.else_body, false);
  fails_on_data_ = fails_on_data_ || (first != second && only_errors && terms_.node(condition).data);
  if (first != second && !only_errors) guards_.push_back(first == Flow::kStops ? otherwise : condition);
  if (left_early) guards_.push_back(terms_.unknown({0, 1}));
  return Flow::kNext;
}

void Walker::declare(const Stmt& stmt) {
  const Variable& variable = stmt.variable;
  if (!variable.strange.empty()) fail(stmt.line, "a variable with " + variable.strange);
  if (variable.type.is_variable_length) fail(stmt.line, "an array of variable length");
  if (variable.outlives) return declare_outliving(variable);
  Local local = {variable.name, &variable.type, unknown_of(variable.type), kNone};
  const bool is_addressed = frames_.back().addressed->contains(variable.name);
  const bool is_memory = !variable.type.extents.empty() || is_vector_or_record(variable.type) || is_addressed;
  if (variable.init != kNoNode) {
    const Value value = evaluate(variable.init);
    local.value = variable.type.extents.empty() ? convert(value, variable.type) : value;
    declare_pool_use(stmt, value);
    if (!result_->pool_uses.empty() && result_->pool_uses.back().name == variable.name &&
        result_->pool_uses.back().declaration.begin == stmt.range.begin) {
      const auto index = static_cast<std::uint32_t>(result_->pool_uses.size() - 1);
      local.value = pointer_value(object(Object::Kind::kPool, index), terms_.constant(0));
    }
    note_literal_sizes(value);
    const bool is_tensor = value.kind == Value::Kind::kPointer && objects_[value.object].kind == Object::Kind::kTensor;
    if (is_tensor) {
      std::string& name = result_->param_names[objects_[value.object].index];
      if (name.empty()) name = variable.name;
    }
  } else if (is_memory) {
    local.value = Value{};
    if (variable.type.scalar == CType::Scalar::kRecord && variable.type.extents.empty()) {
      local.value.kind = Value::Kind::kRecord;
    }
  }
  if (!variable.type.extents.empty()) {
    stack_bytes_ += std::min<std::uint64_t>(bytes_of(variable.type), std::uint64_t{1} << 40U);
    result_->stack_bytes = std::max(result_->stack_bytes, stack_bytes_);
  }
  if (is_memory) local.object = new_object(Object::Kind::kPrivate, 0);
  if (is_memory && variable.init != kNoNode && variable.type.scalar == CType::Scalar::kRecord)
    declare_members(local.object, 0, variable.init, local.value, variable.type);
  if (is_addressed && is_pointer(variable.type) && variable.type.extents.empty()) {
    escape(local.value, false);
    local.value = unknown_of(variable.type);
  }
  locals_.push_back(std::move(local));
}

/// What an initialiser of a local record sets: list by list, and copies of other records.
void Walker::declare_members(ObjectId object, std::int64_t at, ExprId init, const Value& value, const CType& type) {
  const Expr& expr = unit_.expr(init);
  if (is_pointer(type) || type.scalar != CType::Scalar::kRecord) {
    if (type.extents.empty() && expr.kind != ExprKind::kInitList) fields_[{object, at}] = {type, convert(value, type)};
    return;
  }
  if (expr.kind == ExprKind::kName || expr.kind == ExprKind::kMember) {
    const Place from = place_of(init);
    if (from.object == kNone || !terms_.is_constant(from.offset) || objects_[from.object].epoch != 0) return;
    const std::int64_t begin = terms_.node(from.offset).value;
    const auto last = fields_.lower_bound({from.object, begin + static_cast<std::int64_t>(type.scalar_bytes)});
    const std::vector<std::pair<std::pair<ObjectId, std::int64_t>, std::pair<CType, Value>>> copies(
        fields_.lower_bound({from.object, begin}), last);
    if (!copies.empty()) records_read_.insert(from.object);
    for (const auto& [place, field] : copies) fields_[{object, at + place.second - begin}] = field;
    return;
  }
  const auto layout = unit_.layouts.find(name_of_record(type));
  if (expr.kind != ExprKind::kInitList || layout == unit_.layouts.end()) return;
  const std::vector<RecordLayout::Member>& members = layout->second.members;
  if (expr.args.size() > members.size() || value.parts.size() != expr.args.size()) return;
  for (std::size_t i = 0; i < expr.args.size(); ++i) {  // one for each member: no designators, no braces left out
    const Expr& part = unit_.expr(expr.args[i]);
    const bool is_whole = members[i].type.extents.empty() &&
                          (is_pointer(members[i].type) || members[i].type.scalar != CType::Scalar::kRecord);
    const bool fits = is_whole ? !is_vector_or_record(part.type)
                               : part.kind == ExprKind::kInitList ||
                                     (part.type.scalar == CType::Scalar::kRecord && !is_pointer(part.type));
    if (part.kind == ExprKind::kUnknown || !fits) return;
  }
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    declare_members(object, at + static_cast<std::int64_t>(members[i].offset), expr.args[i], value.parts[i],
                    members[i].type);
  }
}

/// static or extern: what it holds is of an earlier call, unless it is const.
void Walker::declare_outliving(const Variable& variable) {
  Local local = {variable.name, &variable.type, unknown_of(variable.type), constant_object(variable)};
  if (variable.is_thread_local) use_thread_local(variable.line, variable.name);
  if (!variable.type.is_const) use_state(variable.line, variable.name);
  locals_.push_back(std::move(local));
}

/// void* X_let = (&(pool[OFFSET]));
void Walker::declare_pool_use(const Stmt& stmt, const Value& value) {
  const Variable& variable = stmt.variable;
  const bool is_void_pointer = variable.type.pointers == 1 && variable.type.scalar == CType::Scalar::kVoid;
  if (frames_.size() != 1 || !is_void_pointer || value.kind != Value::Kind::kPointer) return;
  if (objects_[value.object].kind != Object::Kind::kParam || !terms_.is_constant(value.node)) return;
  ExprId id = variable.init;
  while (unit_.expr(id).kind == ExprKind::kCast) id = unit_.expr(id).args[0];
  if (unit_.expr(id).kind != ExprKind::kUnary || unit_.expr(id).text != "&") return;
  const Expr& place = unit_.expr(unit_.expr(id).args[0]);
  if (place.kind != ExprKind::kIndex || bytes_of(place.type) != 1) return;
  const std::int64_t offset = terms_.node(value.node).value;
  if (offset < 0) return;
  PoolUse use;
  use.name = variable.name;
  use.param = objects_[value.object].index;
  use.offset_bytes = static_cast<std::uint64_t>(offset);
  use.declaration = stmt.range;
  if (unit_.expr(place.args[1]).kind == ExprKind::kInt) use.literal = unit_.expr(place.args[1]).range;
  result_->pool_uses.push_back(std::move(use));
}

/// {context_buffer_0_let, 108}
void Walker::note_literal_sizes(const Value& record) {
  for (std::size_t i = 0; i + 1 < record.parts.size(); ++i) {
    const Value& pointer = record.parts[i];
    const Value& size = record.parts[i + 1];
    if (pointer.kind != Value::Kind::kPointer || objects_[pointer.object].kind != Object::Kind::kPool) continue;
    if (size.kind != Value::Kind::kInt || !terms_.is_constant(size.node) || terms_.node(size.node).value < 0) continue;
    result_->pool_uses[objects_[pointer.object].index].literal_size_bytes =
        static_cast<std::uint64_t>(terms_.node(size.node).value);
  }
}

}  // namespace detent::models::tvm::footprint
