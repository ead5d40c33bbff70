// Walks an operator's statements once, with loops as symbolic variables, and notes every access to memory.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/import/tvm/c/ast.hpp"
#include "models/import/tvm/footprint/function_footprint.hpp"
#include "models/import/tvm/footprint/term.hpp"

namespace detent::models::tvm::footprint {

using ObjectId = std::uint32_t;

/// What an expression evaluates to.
struct Value {
  enum class Kind : std::uint8_t { kUnknown, kInt, kFloat, kPointer, kRecord };
  Kind kind = Kind::kUnknown;
  NodeId node = kNone;       ///< kInt: the term; kFloat: the float term, or kNone; kPointer: offset in bytes
  ObjectId object = kNone;   ///< kPointer
  std::vector<Value> parts;  ///< kRecord: of an initialiser list
};

/// What a pointer can point into.
struct Object {
  enum class Kind : std::uint8_t {
    kParam,     ///< memory behind parameter (packed: argument) `index`
    kPool,      ///< pool use `index`
    kPrivate,   ///< locals and workspaces: nobody else sees them
    kConstant,  ///< file-scope data; index: 0, or one more than that of a table of constants
    kNull,
    kArguments,  ///< the TVMValue array of a packed function
    kTensor,     ///< the DLTensor of argument `index`
    kWild        ///< a pointer that was read from memory or made from a number
  };
  Kind kind = Kind::kPrivate;
  std::uint32_t index = 0;
  std::uint64_t workspace_bytes = 0;
  bool reads_escape = false, writes_escape = false;  ///< handed to a function that is not known
  bool is_stored = false;                            ///< written here, or handed to one that no list of vendors has
  std::uint32_t epoch = 0;                           ///< number of writes seen; kPrivate
  bool holds_records = false;                        ///< members of records are accessed in it
  std::set<std::string> elements;
};

struct Access {
  ObjectId object = kNone;
  bool is_write = false;
  NodeId offset = kNone;
  std::int64_t width = 0;
  std::uint32_t guards = 0;     ///< of Walker::guard_list
  std::uint32_t path = 0;       ///< of Walker::path
  bool whole_record = false;    ///< a member of it; which bytes is not known
  bool ends_statement = false;  ///< the statement is this assignment: all else in it comes before
  auto operator<=>(const Access&) const = default;
};

/// A statement in the body of a loop (0: of none) or of a function that a statement calls, the n-th from its begin.
struct PathStep {
  std::uint32_t loop = 0, statement = 0;
  auto operator<=>(const PathStep&) const = default;
};

class Walker {
 public:
  Walker(const CUnit& unit, Terms& terms, const FootprintOptions& options);
  /// Fills everything of `result` but the byte sets.
  void run(const Function& function, FunctionFootprint& result);
  [[nodiscard]] const std::set<Access>& accesses() const { return accesses_; }
  /// May it return an error that depends on data? Then nothing of it is certain to happen.
  [[nodiscard]] bool fails_on_data() const { return fails_on_data_; }
  [[nodiscard]] const std::vector<Object>& objects() const { return objects_; }
  [[nodiscard]] const std::vector<NodeId>& guard_list(std::uint32_t id) const { return guard_lists_[id]; }
  /// Where an access stands: the statement of the function's body, the one in that, ...
  [[nodiscard]] const std::vector<PathStep>& path(std::uint32_t id) const { return paths_[id]; }
  /// The variable that counts a loop's trips; kNone: of no loop, or not a counted one
  [[nodiscard]] VarId counter_of(std::uint32_t loop) const { return loop == 0 ? kNone : counters_[loop - 1]; }
  /// Is it a loop, which may run its body several times?
  [[nodiscard]] bool repeats(std::uint32_t loop) const { return loop != 0 && !calls_.contains(loop); }
  /// Pointers are compared, subtracted or made numbers: what happens may depend on where buffers lie.
  [[nodiscard]] bool uses_addresses() const { return uses_addresses_; }

 private:
  enum class Flow : std::uint8_t { kNext, kStops };
  struct Local {
    std::string name;
    const CType* type = nullptr;
    Value value;
    ObjectId object = kNone;  ///< arrays, records, and scalars whose address was taken
  };
  /// An lvalue: a local scalar, or a place in memory.
  struct Place {
    std::size_t local = SIZE_MAX;
    ObjectId object = kNone;
    NodeId offset = kNone;
    bool whole_record = false;  ///< a part of it: of a vector, or of a local record
  };
  /// A write that has happened whenever its guards hold.
  struct Stored {
    ObjectId object = kNone;
    NodeId offset = kNone;
    std::int64_t width = 0;
    std::vector<NodeId> guards;  ///< ascending
    std::uint32_t path = 0;
  };
  struct ConstantTable {
    const Variable* variable = nullptr;
    std::vector<std::int64_t> values;  ///< the first ones; the others are 0
    std::uint64_t count = 0;
  };
  struct Frame {
    const Function* function = nullptr;
    const std::set<std::string>* addressed = nullptr;  ///< variables whose address is taken somewhere
    std::size_t first_local = 0, first_guard = 0;
    std::uint32_t loops = 0;
    Value result;
    bool has_result = false;
  };
  /// v op bound
  struct Test {
    std::string name, op;
    ExprId bound = kNoNode;
    std::vector<const CType*> casts;  ///< of v, outermost first
  };
  /// for (v = first; v < bound; v += step), in terms
  struct Loop {
    std::string name;
    NodeId first = kNone, bound = kNone;  ///< bound: first value that is not taken (of the direction of step)
    std::int64_t step = 1;
    bool until_equal = false;
  };

  // footprint_walk_stmt.cpp
  Flow execute(StmtId id);
  Flow execute_all(const std::vector<StmtId>& body);
  Flow execute_branch(const std::vector<StmtId>& body, NodeId condition, bool& left_early);
  Flow execute_if(const Stmt& stmt);
  Flow execute_return(const Stmt& stmt);
  Flow execute_label(const Stmt& stmt);
  void declare(const Stmt& stmt);
  void declare_parameter(const Variable& param, Value value);
  void declare_members(ObjectId object, std::int64_t at, ExprId init, const Value& value, const CType& type);
  void declare_outliving(const Variable& variable);
  void use_state(std::uint32_t line, const std::string& name);
  Flow leave_function();
  void refuse_labels(const std::vector<StmtId>& body);
  [[nodiscard]] bool has_goto(const std::vector<StmtId>& body) const;
  const std::set<std::string>& written_globals();
  bool may_change(const Global& global);
  void use_thread_local(std::uint32_t line, const std::string& name);
  [[nodiscard]] bool is_labelled_return(const Stmt& stmt) const;
  void declare_pool_use(const Stmt& stmt, const Value& value);
  void note_literal_sizes(const Value& record);
  void note_listed_sizes(const std::vector<Value>& args);
  bool note_shaped(const Value& extents, const Value& buffer, ExprId argument);
  [[nodiscard]] std::vector<Value> values() const;
  void merge(NodeId condition, const std::vector<Value>& held, const std::vector<Value>& failed);
  [[nodiscard]] bool is_error_return(const Stmt& stmt) const;
  [[nodiscard]] bool leaves(const std::vector<StmtId>& body, bool only_function) const;
  [[nodiscard]] std::string text_of(const SourceRange& range) const;

  // footprint_walk_loop.cpp
  void execute_for(const Stmt& stmt);
  void execute_while(const Stmt& stmt);
  [[nodiscard]] std::optional<Test> test_of(const Stmt& stmt) const;
  std::optional<Loop> recognise(const Stmt& stmt);
  bool run_loop(const Stmt& stmt, const Loop& loop, bool tests_last);
  void run_body(const Stmt& stmt, NodeId counter, std::int64_t trips, bool are_sure);
  std::optional<std::int64_t> delta_of_trip(const Stmt& stmt, const std::string& name);
  void run_unknown_loop(const Stmt& stmt);
  std::optional<std::int64_t> constant_trips(const Stmt& stmt);
  [[nodiscard]] bool keeps_values(ExprId id, const CType& type) const;
  std::optional<std::int64_t> delta(StmtId id, const std::string& name, const std::set<std::string>& assigned);
  std::optional<std::int64_t> delta_of_expr(ExprId id, const std::string& name, const std::set<std::string>& assigned);
  void assigned_names(StmtId id, std::set<std::string>& names) const;
  /// Those of a statement and of all in it, each whole.
  void each_expression(StmtId id, const std::function<void(ExprId)>& visit) const;
  void assigned_names_of_expr(ExprId id, std::set<std::string>& names) const;
  [[nodiscard]] bool mentions(ExprId id, const std::set<std::string>& names) const;
  void forget(const std::set<std::string>& names, const std::set<std::string>& rebased);
  void rebased_names(StmtId id, std::set<std::string>& names) const;
  void rebased_names_of_expr(ExprId id, std::set<std::string>& names) const;
  [[nodiscard]] bool counts_in(const Test& test, const Loop& loop, const CType& type) const;

  // footprint_walk_expr.cpp
  Value evaluate(ExprId id);
  Value evaluate_name(const Expr& expr);
  Value evaluate_unary(const Expr& expr);
  [[nodiscard]] bool has_effect(ExprId id) const;
  void evaluate_unused(ExprId id);
  Value evaluate_binary(const Expr& expr);
  Value evaluate_select(const Expr& expr);
  Value evaluate_cast(const Expr& expr);
  Value evaluate_part(ExprId id);
  Value evaluate_logic(const Expr& expr);
  Value evaluate_under(NodeId guard, ExprId id);
  Value fitted(NodeId node, const CType& type);
  Value evaluate_unknown(const Expr& expr);
  Value arithmetic(const std::string& op, const Value& a, const Value& b, const CType& type);
  Value int_arithmetic(const std::string& op, NodeId a, NodeId b, const CType& type);
  Value float_arithmetic(const std::string& op, const Value& a, const Value& b, const CType& type);
  Value pointer_arithmetic(const std::string& op, const Value& a, const Value& b, const CType& type);
  Value address_value(const Value& pointer, const CType& type);
  Value compare(const std::string& op, const Value& a, const Value& b);
  Value choose(NodeId condition, const Value& a, const Value& b, const CType& type);
  NodeId condition_of(const Value& value);
  NodeId int_of(const Value& value);
  NodeId float_of(const Value& value, std::uint32_t bytes);
  Value convert(const Value& value, const CType& type);
  Value unknown_of(const CType& type);
  Value int_value(NodeId node) const;
  Value float_value(NodeId node) const;
  Value pointer_value(ObjectId object, NodeId offset) const;

  // footprint_walk_memory.cpp
  Place place_of(ExprId id);
  Place place_of_name(const Expr& expr);
  Place place_of_member(const Expr& expr);
  Value address_of(const Place& place);
  Value read(const Place& place, const CType& type);
  std::optional<Value> read_constant(const Place& place, const CType& type);
  ObjectId constant_object(const Variable& variable);
  void write(const Place& place, const CType& type, const Value& value);
  Value assign(const Expr& expr);
  Value step(const Expr& expr);
  Value read_member(const Expr& expr);
  std::optional<Value> read_field(const Place& place, const CType& type);
  void note(ObjectId object, NodeId offset, std::int64_t width, bool is_write, const std::string& element,
            bool whole_record = false);
  void escape(const Value& value, bool only_reads);
  ObjectId object(Object::Kind kind, std::uint32_t index);
  ObjectId new_object(Object::Kind kind, std::uint32_t index);
  [[nodiscard]] bool is_shared(ObjectId object) const;
  [[nodiscard]] bool is_own(ObjectId object, NodeId offset, std::int64_t width) const;
  [[nodiscard]] bool comes_before_now(const std::vector<PathStep>& path) const;
  const std::set<std::string>& addressed_in(const Function& function);
  void addressed_in_expr(ExprId id, std::set<std::string>& names) const;
  std::size_t find_local(const std::string& name) const;
  std::uint32_t guards_now();
  std::uint32_t path_now();
  void enter_loop(NodeId counter);
  bool need_argument(std::uint32_t index);

  // footprint_walk_call.cpp
  Value evaluate_call(const Expr& expr);
  Value call_memory(const Expr& expr, const std::string& name, const std::vector<Value>& args);
  Value call_math(const Expr& expr, const std::string& name, const std::vector<Value>& args);
  Value call_inline(const Expr& expr, const Function& callee, const std::vector<Value>& args);
  Value call_unknown(const Expr& expr, const std::string& name, const std::vector<Value>& args);
  Value allocate(const std::vector<Value>& args);
  Value release(const std::vector<Value>& args);
  void touch_block(const Value& pointer, NodeId size, bool is_write);

  void fail(std::uint32_t line, const std::string& why, bool hides_accesses = true);
  void count_flops(std::uint64_t operations);
  bool spend(std::uint32_t line);

  const CUnit& unit_;
  Terms& terms_;
  const FootprintOptions& options_;
  FunctionFootprint* result_ = nullptr;
  std::vector<Local> locals_;
  std::vector<Frame> frames_;
  std::vector<Object> objects_;
  std::map<std::pair<Object::Kind, std::uint32_t>, ObjectId> object_ids_;
  std::set<Access> accesses_;
  std::vector<NodeId> guards_;
  std::vector<std::vector<NodeId>> guard_lists_;
  std::map<std::vector<NodeId>, std::uint32_t> guard_ids_;
  std::map<std::vector<std::uint32_t>, NodeId> loads_;  ///< object, offset, width, epoch -> data variable
  std::map<VarId, ObjectId> addresses_;                 ///< pointers made numbers
  std::vector<ConstantTable> constants_;                ///< by Object::index - 1
  std::vector<PathStep> path_;
  std::uint32_t loop_ = 0;  ///< whose body is walked
  std::vector<VarId> counters_;
  std::set<std::uint32_t> calls_;  ///< of the numbers of loops, those that stand for a call
  const Expr* whole_statement_ = nullptr;
  bool ends_statement_ = false;
  bool uses_addresses_ = false;
  std::vector<std::vector<PathStep>> paths_;
  std::map<std::vector<PathStep>, std::uint32_t> path_ids_;
  std::vector<Stored> stored_;      ///< in the order of the walk
  std::uint32_t shared_epoch_ = 0;  ///< writes to memory of others: parameters may point to the same bytes
  std::map<const Function*, std::set<std::string>> addressed_;
  std::optional<std::set<std::string>> written_globals_;
  std::optional<bool> has_assembly_;
  std::set<const Function*> labelled_;  ///< whose labels were looked at
  bool fails_on_data_ = false;
  bool calls_vendor_ = false;       ///< what escapes now does so to a function of a known vendor
  bool numbers_addresses_ = false;  ///< made a number of an address, or of the distance of two buffers
  std::uint32_t far_line_ = 0;      ///< of an access whose place may be such a number; 0 none
  std::map<std::string, const Global*> globals_;
  std::map<std::string, const Function*> definitions_;
  /// Members of local records as their initialisers set them, by object and offset; while nobody writes to the record.
  std::map<std::pair<ObjectId, std::int64_t>, std::pair<CType, Value>> fields_;
  std::set<ObjectId> records_read_;  ///< of which fields_ told something
  std::uint64_t trips_ = 1;
  std::uint64_t stack_bytes_ = 0;
  std::uint64_t workspace_bytes_ = 0;
  std::uint64_t steps_ = 0;
};

/// Bytes of one object of the type; 0: unknown.
std::uint64_t bytes_of(const CType& type);
/// Bytes that a pointer (or array) of this type steps over; 0: unknown.
std::uint64_t pointee_bytes(const CType& type);
bool is_pointer(const CType& type);  ///< or an array, which decays
bool is_float(const CType& type);
bool is_integer(const CType& type);
bool is_vector_or_record(const CType& type);
Range range_of(const CType& type);

}  // namespace detent::models::tvm::footprint
