// UnitFacts: what the whole file says about its variables and functions.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm::footprint {

class UnitFacts {
 public:
  explicit UnitFacts(const CUnit& unit);
  /// Null: the file has no such variable.
  [[nodiscard]] const Global* global(const std::string& name) const;
  /// Null: no function of the name has its body here.
  [[nodiscard]] const Function* definition(const std::string& name) const;
  /// Null: no function of the name is declared here.
  [[nodiscard]] const Function* declaration(const std::string& name) const;
  /// May its value be another one in another call?
  bool may_change(const Global& global);
  /// Variables of the function whose address is taken somewhere in it. Stays where it is.
  const std::set<std::string>& addressed_in(const Function& function);

 private:
  const std::set<std::string>& written_globals();
  void addressed_in_expr(ExprId id, std::set<std::string>& names) const;
  [[nodiscard]] std::string text_of(const SourceRange& range) const;

  const CUnit& unit_;
  std::map<std::string, const Global*> globals_;
  std::map<std::string, const Function*> definitions_;
  std::map<const Function*, std::set<std::string>> addressed_;
  std::optional<std::set<std::string>> written_globals_;
  std::optional<bool> has_assembly_;
};

}  // namespace detent::models::tvm::footprint
