// MainReader: walks the body of main and records objects, buffers and calls; the rest of read_program refines them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/tvm/program.hpp"

namespace detent::models::tvm {

class MainReader {
 public:
  MainReader(const Artifact& artifact, Program& program);
  void read();

 private:
  /// What an expression of main is known to be.
  struct Value {
    enum class Tag : std::uint8_t { kUnknown, kInt, kBuffer, kObject, kDevice, kArguments, kHandle, kLocal, kFunction };
    Tag tag = Tag::kUnknown;
    std::int64_t number = 0;  ///< kInt: value; kObject: byte offset; kLocal: index; kHandle: which argument of main
    std::uint32_t index = 0;  ///< kBuffer, kObject, kDevice
    bool indexed = false;     ///< kObject: an address computed from the base, not the base itself
    std::string text{};       ///< kLocal: the array; kFunction: the symbol
  };
  using Tag = Value::Tag;

  [[noreturn]] void fail(std::uint32_t line, const std::string& what) const;
  const Expr& expr(ExprId id) const { return unit_.expr(id); }
  std::string source(const SourceRange& range) const;

  void declare_parameters();
  std::uint32_t add_object(MemoryObject::Kind kind, const std::string& name, std::uint64_t size_bytes);
  Value add_buffer(const std::string& name, const Value& at, std::uint32_t line);
  Value parameter_data(std::int64_t handle, const std::string& name, std::uint32_t line);
  Value global_value(const std::string& name);

  void statement(StmtId id);
  void declaration(const Variable& variable);
  void expression(ExprId id);
  void branch(const Stmt& stmt);
  void copy_loop(const Stmt& stmt);
  bool is_error_exit(const std::vector<StmtId>& body) const;

  Value evaluate(ExprId id);
  Value evaluate_binary(const Expr& e);
  Value evaluate_unary(const Expr& e);
  Value evaluate_member(const Expr& e);
  Value evaluate_call(const Expr& e);
  Value offset_by(Value base, std::int64_t elements, const CType& type, std::uint32_t line) const;
  std::string cell_of(const Expr& e);
  std::int64_t element_bytes(const CType& pointer) const;

  void operator_call(const Expr& e, const std::string& function);
  void hook_call(const std::string& function, std::uint32_t device, std::uint32_t line);
  std::vector<Argument> packed_arguments(const Expr& e, const std::string& function);
  Argument argument_of(const Value& value, const std::string& name, std::uint32_t line);

  const Artifact& artifact_;
  const CUnit& unit_;
  const Function& main_;
  Program& program_;
  std::map<std::string, Value> variables_;
  std::map<std::string, Value> cells_;
  std::map<std::int64_t, std::string> handle_names_;
  std::map<std::int64_t, std::uint32_t> handle_objects_;
  std::map<std::string, std::uint32_t> global_objects_;
  std::string declaring_;       ///< name of the variable whose initialiser is being evaluated
  std::string pending_before_;  ///< Open hook seen since the last call
};

}  // namespace detent::models::tvm
