// MainText: the function main in its file, what its expressions look like, and errors that name its lines.
#pragma once

#include <cstdint>
#include <string>

#include "models/import/tvm/artifact/types.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

inline bool is_call(const Expr& e) { return e.kind == ExprKind::kCall; }

class MainText {
 public:
  /// @throws InputError  the operators define no main
  explicit MainText(const Artifact& artifact);

  [[nodiscard]] const CUnit& unit() const { return unit_; }
  [[nodiscard]] const Function& main() const { return main_; }
  [[nodiscard]] const Expr& expr(ExprId id) const { return unit_.expr(id); }
  /// Without casts to pointers, void and what else keeps the value.
  [[nodiscard]] const Expr& uncast(ExprId id) const;
  /// One line of at most 80 characters.
  [[nodiscard]] std::string source(const SourceRange& range) const;
  [[nodiscard]] const Function* declared(const std::string& function) const;
  [[nodiscard]] bool is_message(const Expr& e) const;
  [[nodiscard]] bool is_harmless(const Expr& e) const;

  /// @throws InputError  main, or what may belong to it, is not in the tree as the compiler reads it
  void refuse_damage() const;
  [[noreturn]] void fail(std::uint32_t line, const std::string& what) const;
  [[noreturn]] void fail(const Expr& e, const std::string& what) const { fail(e.line, what + ": " + source(e.range)); }

 private:
  [[nodiscard]] bool is_inside_another_function(std::uint64_t at) const;

  const Artifact& artifact_;
  const CUnit& unit_;
  const Function& main_;
};

}  // namespace detent::models::tvm
