// A tree-walking interpreter: memory is a map from places to values.
#include "tests/models/import/tvm/footprint/access_interpreter.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "tests/models/import/tvm/footprint/c_cell.hpp"

namespace detent::models::tvm {
namespace interpreter {
namespace {

struct Leave {
  enum class Why : std::uint8_t { kReturn, kBreak, kContinue };
  Why why = Why::kReturn;
  Cell value;
};

class Interpreter {
 public:
  Interpreter(const CUnit& unit, std::uint64_t seed) : unit_(unit), seed_(seed) {}

  void share(const SharedStart& shared) { shared_ = shared; }

  /// After run().
  [[nodiscard]] std::map<std::int64_t, double> left_behind(std::size_t param) const {
    const bool is_shared = shared_ && shared_->param == param;
    const std::int64_t start = is_shared ? shared_->offset : 0;
    const int object = static_cast<int>(is_shared ? shared_->base : param) + 1;
    std::map<std::int64_t, double> result;
    for (const auto& [place, cell] : memory_) {
      if (place.first != object) continue;
      result[place.second - start] = cell.kind == Cell::Kind::kFloat ? cell.real : static_cast<double>(cell.whole);
    }
    return result;
  }

  std::vector<TouchedParam> run(const std::string& name) {
    const Function* function = unit_.find(name);
    if (function == nullptr) unknown("no function " + name);
    reads_.resize(function->params.size());
    writes_.resize(function->params.size());
    early_reads_.resize(function->params.size());
    Scope scope;
    for (std::size_t i = 0; i < function->params.size(); ++i) {
      Cell cell;
      if (function->params[i].type.pointers > 0) cell = pointer(static_cast<int>(i) + 1, 0);
      if (shared_ && shared_->param == i) cell = pointer(static_cast<int>(shared_->base) + 1, shared_->offset);
      scope.emplace(function->params[i].name, cell);
      types_[static_cast<int>(i) + 1] = function->params[i].type;
    }
    next_object_ = static_cast<int>(function->params.size()) + 1;
    call(*function, std::move(scope));
    std::vector<TouchedParam> result(function->params.size());
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = {set_of(reads_[i]), set_of(writes_[i]), set_of(early_reads_[i])};
    return result;
  }

 private:
  using Scope = std::map<std::string, Cell>;

  static ByteSet set_of(const std::set<std::int64_t>& bytes) {
    std::vector<ByteInterval> all;
    for (const std::int64_t byte : bytes) all.push_back({byte, byte + 1});
    return ByteSet::of(std::move(all));
  }

  void spend() {
    if (++steps_ > 20'000'000) unknown("too long");
  }

  Cell call(const Function& function, Scope scope) {
    std::vector<Scope> saved = std::move(scopes_);
    scopes_.clear();
    scopes_.push_back(std::move(scope));
    Cell result;
    try {
      statement(function.body);
    } catch (const Leave& leave) {
      result = leave.value;
    }
    scopes_ = std::move(saved);
    return converted(result, function.result);
  }

  Cell& variable(const std::string& name) {
    for (std::size_t i = scopes_.size(); i > 0; --i) {
      const auto found = scopes_[i - 1].find(name);
      if (found != scopes_[i - 1].end()) return found->second;
    }
    unknown("no variable " + name);
  }

  void block(const std::vector<StmtId>& body) {
    scopes_.emplace_back();
    const std::size_t depth = scopes_.size();
    try {
      for (const StmtId id : body) statement(id);
    } catch (const Leave&) {
      scopes_.resize(depth - 1);
      throw;
    }
    scopes_.resize(depth - 1);
  }

  void loop(const Stmt& stmt) {
    scopes_.emplace_back();
    const std::size_t depth = scopes_.size();
    if (stmt.init != kNoNode) statement(stmt.init);
    for (bool tests = !stmt.tests_last; stmt.expr == kNoNode || !tests || holds(value(stmt.expr)); tests = true) {
      try {
        block(stmt.body);
      } catch (const Leave& leave) {
        scopes_.resize(depth);
        if (leave.why == Leave::Why::kBreak) break;
        if (leave.why == Leave::Why::kReturn) throw;
      }
      if (stmt.step != kNoNode) value(stmt.step);
    }
    scopes_.resize(depth - 1);
  }

  void statement(StmtId id) {
    spend();
    const Stmt& stmt = unit_.stmt(id);
    switch (stmt.kind) {
      case StmtKind::kDeclare:
        return declare(stmt.variable);
      case StmtKind::kExpr:
        value(stmt.expr);
        return;
      case StmtKind::kFor:
      case StmtKind::kWhile:
        return loop(stmt);
      case StmtKind::kIf:
        return block(holds(value(stmt.expr)) ? stmt.body : stmt.else_body);
      case StmtKind::kReturn:
        throw Leave{Leave::Why::kReturn, stmt.expr != kNoNode ? value(stmt.expr) : Cell{}};
      case StmtKind::kBlock:
        return block(stmt.body);
      case StmtKind::kBreak:
        throw Leave{Leave::Why::kBreak, {}};
      case StmtKind::kContinue:
        throw Leave{Leave::Why::kContinue, {}};
      case StmtKind::kGoto:
      case StmtKind::kLabel:
      case StmtKind::kUnknown:
        break;
    }
    unknown("statement " + stmt.word);
  }

  void declare(const Variable& declared) {
    Cell cell;
    if (!declared.type.extents.empty()) {
      types_[next_object_] = declared.type;
      cell = pointer(next_object_++, 0);
    } else if (declared.init != kNoNode) {
      cell = converted(value(declared.init), declared.type);
    }
    scopes_.back()[declared.name] = cell;
  }

  /// What lies in memory before anything is written there.
  std::int64_t content(int object, std::int64_t offset) const {
    std::uint64_t x = seed_ ^ (static_cast<std::uint64_t>(object) << 40U) ^ static_cast<std::uint64_t>(offset);
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<std::int64_t>((x >> 33U) % 33) - 8;
  }

  void record(std::vector<std::set<std::int64_t>>& into, const Cell& place, std::int64_t width) const {
    if (place.object < 1 || static_cast<std::size_t>(place.object) > into.size()) return;
    for (std::int64_t i = 0; i < width; ++i) into[static_cast<std::size_t>(place.object) - 1].insert(place.whole + i);
  }

  void record_read(const Cell& place, std::int64_t width) {
    record(reads_, place, width);
    if (place.object < 1 || static_cast<std::size_t>(place.object) > reads_.size()) return;
    const auto object = static_cast<std::size_t>(place.object) - 1;
    for (std::int64_t i = place.whole; i < place.whole + width; ++i) {
      if (!writes_[object].contains(i)) early_reads_[object].insert(i);
    }
  }

  Cell load(const Cell& place, const CType& type) {
    if (!type.extents.empty()) return place;
    if (place.object == 0) unknown("NULL read");
    record_read(place, size_of(type));
    const auto found = memory_.find({place.object, place.whole});
    if (found != memory_.end()) return converted(found->second, type);
    return converted(integer(content(place.object, place.whole)), type);
  }

  void store(const Cell& place, const CType& type, const Cell& cell) {
    if (place.object == 0) unknown("NULL write");
    record(writes_, place, size_of(type));
    memory_[{place.object, place.whole}] = converted(cell, type);
  }

  Cell place_of(ExprId id) {
    const Expr& expr = unit_.expr(id);
    if (expr.kind == ExprKind::kIndex) {
      Cell base = value(expr.args[0]);
      base.whole += value(expr.args[1]).whole * step_of(unit_.expr(expr.args[0]).type);
      return base;
    }
    if (expr.is(UnaryOperator::kDereference)) return value(expr.args[0]);
    unknown("lvalue");
  }

  void assign_to(ExprId id, const Cell& cell) {
    const Expr& expr = unit_.expr(id);
    if (expr.kind == ExprKind::kName) {
      variable(expr.text) = converted(cell, expr.type);
    } else {
      store(place_of(id), expr.type, cell);
    }
  }

  Cell value(ExprId id) {
    spend();
    const Expr& expr = unit_.expr(id);
    switch (expr.kind) {
      case ExprKind::kInt:
        return integer(expr.value);
      case ExprKind::kFloat:
        return converted(real(expr.number), expr.type);
      case ExprKind::kName:
        return variable(expr.text);
      case ExprKind::kIndex:
        return load(place_of(id), expr.type);
      case ExprKind::kCast:
        return converted(value(expr.args[0]), expr.type);
      case ExprKind::kSelect:
        return converted(value(expr.args[holds(value(expr.args[0])) ? 1 : 2]), expr.type);
      case ExprKind::kUnary:
        return unary(id);
      case ExprKind::kBinary:
        return binary_expression(expr);
      case ExprKind::kAssign:
        return assignment(expr);
      case ExprKind::kCall:
        return call_expression(expr);
      case ExprKind::kString:
      case ExprKind::kMember:
      case ExprKind::kInitList:
      case ExprKind::kComponent:
      case ExprKind::kUnknown:
        break;
    }
    unknown("expression");
  }

  Cell unary(ExprId id) {
    const Expr& expr = unit_.expr(id);
    if (expr.unary == UnaryOperator::kDereference) return load(value(expr.args[0]), expr.type);
    if (expr.unary == UnaryOperator::kAddressOf) return place_of(expr.args[0]);
    const Cell before = value(expr.args[0]);
    if (expr.unary == UnaryOperator::kNot) return integer(holds(before) ? 0 : 1);
    if (expr.unary == UnaryOperator::kMinus) {
      return before.kind == Cell::Kind::kFloat ? real(-before.real) : converted(integer(-before.whole), expr.type);
    }
    if (expr.unary == UnaryOperator::kPlus) return before;
    if (expr.unary == UnaryOperator::kComplement) return converted(integer(~before.whole), expr.type);
    const bool plus = is_increment(expr.unary);
    const Cell after = binary(plus ? BinaryOperator::kAdd : BinaryOperator::kSubtract, before, integer(1), expr.type);
    assign_to(expr.args[0], after);
    return is_prefix_step(expr.unary) ? after : before;
  }

  Cell binary_expression(const Expr& expr) {
    const BinaryOperator op = expr.binary;
    if (op == BinaryOperator::kLogicAnd)
      return integer(holds(value(expr.args[0])) && holds(value(expr.args[1])) ? 1 : 0);
    if (op == BinaryOperator::kLogicOr)
      return integer(holds(value(expr.args[0])) || holds(value(expr.args[1])) ? 1 : 0);
    if (op == BinaryOperator::kComma) {
      value(expr.args[0]);
      return value(expr.args[1]);
    }
    const Cell a = value(expr.args[0]);
    return binary(op, a, value(expr.args[1]), expr.type);
  }

  Cell assignment(const Expr& expr) {
    Cell result = value(expr.args[1]);
    if (!expr.is_plain_assignment()) result = binary(expr.binary, value(expr.args[0]), result, expr.type);
    assign_to(expr.args[0], result);
    return result;
  }

  Cell call_expression(const Expr& expr) {
    const std::string& name = unit_.expr(expr.args[0]).text;
    std::vector<Cell> args;
    for (std::size_t i = 1; i < expr.args.size(); ++i) args.push_back(value(expr.args[i]));
    if (const Function* function = unit_.find(name)) {
      Scope scope;
      for (std::size_t i = 0; i < function->params.size(); ++i) {
        scope.emplace(function->params[i].name, converted(args.at(i), function->params[i].type));
      }
      return call(*function, std::move(scope));
    }
    if (name == "floorf") return real(std::floor(args.at(0).real));
    if (name == "roundf") return real(std::round(args.at(0).real));
    if (name == "expf") return real(0);
    if (name == "TVMBackendAllocWorkspace") return pointer(next_object_++, 0);
    if (name == "TVMBackendFreeWorkspace") return integer(0);
    if (name == "memcpy" || name == "memmove") {
      record_read(args.at(1), args.at(2).whole);
      record(writes_, args.at(0), args.at(2).whole);
      return args[0];
    }
    if (name == "memset") {
      record(writes_, args.at(0), args.at(2).whole);
      return args[0];
    }
    unknown("call of " + name);
  }

  const CUnit& unit_;
  std::uint64_t seed_;
  std::optional<SharedStart> shared_;
  std::vector<Scope> scopes_;
  std::map<int, CType> types_;
  std::map<std::pair<int, std::int64_t>, Cell> memory_;
  std::vector<std::set<std::int64_t>> reads_, writes_, early_reads_;
  int next_object_ = 1;
  std::uint64_t steps_ = 0;
};

}  // namespace
}  // namespace interpreter

std::vector<TouchedParam> run_and_record(const CUnit& unit, const std::string& function, std::uint64_t seed) {
  return interpreter::Interpreter(unit, seed).run(function);
}

std::map<std::int64_t, double> run_and_read(const CUnit& unit, const std::string& function, std::size_t param,
                                            const std::optional<SharedStart>& shared, std::uint64_t seed) {
  interpreter::Interpreter interpreter(unit, seed);
  if (shared) interpreter.share(*shared);
  interpreter.run(function);
  return interpreter.left_behind(param);
}

}  // namespace detent::models::tvm
