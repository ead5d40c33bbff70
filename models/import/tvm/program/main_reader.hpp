// MainReader: walks the body of main and records objects, buffers and calls; the rest of read_program refines them.
//
// Main runs from its first statement to its last, once. Each kind of statement and of expression that has a meaning
// here is named here; every other one is an InputError with its line, so that no call is dropped and none is counted
// that a run would not make.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/import/tvm/artifact/types.hpp"
#include "models/import/tvm/program/main_memory.hpp"
#include "models/import/tvm/program/types.hpp"

namespace detent::models::tvm {

class MainReader {
 public:
  MainReader(const Artifact& artifact, Program& program);
  void read();

 private:
  using Value = MainValue;
  using Tag = MainValue::Tag;
  /// What becomes of main in a list of statements that calls nothing.
  enum class Outcome : std::uint8_t { kGoesOn, kFails };

  [[noreturn]] void fail(std::uint32_t line, const std::string& what) const;
  [[noreturn]] void fail(const Expr& e, const std::string& what) const { fail(e.line, what + ": " + source(e.range)); }
  const Expr& expr(ExprId id) const { return unit_.expr(id); }
  /// Without casts to pointers, void and what else keeps the value.
  const Expr& uncast(ExprId id) const;
  std::string source(const SourceRange& range) const;
  const Function* declared(const std::string& function) const;

  void refuse_damage() const;
  bool is_inside_another_function(std::uint64_t at) const;
  void declare_parameters();
  void declare_parameter(const Variable& param);
  std::uint32_t add_object(MemoryObject::Kind kind, const std::string& name, std::uint64_t size_bytes);
  Value add_buffer(const std::string& name, const Value& at, std::uint32_t line);
  Value parameter_data(std::int64_t handle, std::uint32_t line);
  Value global_value(const Expr& name);

  // Statements: main_reader.cpp, main_branches.cpp.
  void statement(StmtId id);
  void block(const std::vector<StmtId>& body);
  void declaration(const Variable& variable);
  void expression(ExprId id);
  void assignment(const Expr& e);
  void leave(const Stmt& stmt);
  Value assigned_value(ExprId id, const std::string& name, std::uint32_t line);
  void branch(const Stmt& stmt);
  bool is_lookup_guard(const Stmt& stmt, const Expr& condition);
  Outcome checks(const std::vector<StmtId>& body);
  Outcome check(const Stmt& stmt);
  void always_fails(const Stmt& stmt);
  std::optional<bool> condition(ExprId id);
  std::optional<bool> comparison(const Expr& e);
  void copy_loop(const Stmt& stmt);
  bool counts_from_zero(const Stmt& stmt, std::string& variable) const;
  bool copies_onto_itself(const Call& copy) const;
  bool keeps_bytes(const CType& from, const CType& to) const;

  // Values: main_values.cpp. They have no side effects; what is not known ends the import.
  Value evaluate(ExprId id);
  Value evaluate_name(const Expr& e);
  Value evaluate_cast(const Expr& e);
  Value evaluate_unary(const Expr& e);
  Value evaluate_binary(const Expr& e);
  Value evaluate_member(const Expr& e);
  Value evaluate_index(const Expr& e);
  Value address_of(const Expr& e, ExprId operand);
  std::int64_t integer(ExprId id, const std::string& what);
  Value offset_by(Value base, std::int64_t elements, std::int64_t element_bytes, const Expr& e);
  std::int64_t pointee_bytes(const Expr& pointer) const;
  std::optional<MainPlace> place_of(const Expr& e);
  Value load(const MainPlace& place, const Expr& e) const;

  // Calls: main_calls.cpp.
  bool is_call(const Expr& e) const { return e.kind == ExprKind::kCall; }
  bool is_message(const Expr& e) const;
  bool is_harmless(const Expr& e) const;
  std::string callee(const Expr& call);
  void call(const Expr& e, bool is_checked);
  Value allocate(const Expr& e, const std::string& name);
  void release(const Expr& e);
  void look_up(const Expr& e);
  void operator_call(const Expr& e, const std::string& function, bool is_packed, std::size_t first);
  void hook_call(const Expr& e, const std::string& function);
  std::vector<Argument> packed_arguments(const Expr& e, const std::string& function, std::size_t first);
  void take_shape(const MainPlace& tensor, Argument& argument, const std::string& what, std::uint32_t line) const;
  std::optional<std::int64_t> field(const MainPlace& tensor, std::int64_t offset, std::uint32_t size,
                                    const std::string& what, std::uint32_t line) const;
  Argument argument_of(const Value& value, const std::string& name, std::uint32_t line);

  const Artifact& artifact_;
  const CUnit& unit_;
  const Function& main_;
  Program& program_;
  std::map<std::string, Value> parameters_;
  MainMemory memory_;
  std::map<std::int64_t, std::string> handle_names_;
  std::map<std::int64_t, std::uint32_t> handle_objects_;
  std::map<std::string, std::uint32_t> global_objects_;
  std::map<std::string, std::string> functions_;  ///< variables of the file that hold a function that was looked up
  std::vector<std::uint32_t> allocated_;          ///< workspaces that are not free, in order
  std::set<std::uint32_t> freed_;
  bool freed_out_of_order_ = false;
  std::string declaring_;             ///< name of the variable whose value is being evaluated
  std::string pending_before_;        ///< Open hook seen since the last call
  std::uint32_t pending_device_ = 0;  ///< of pending_before_
  std::uint32_t pending_line_ = 0;    ///< of pending_before_
  std::uint32_t returned_ = 0;        ///< line of main's return; 0: not yet
};

}  // namespace detent::models::tvm
